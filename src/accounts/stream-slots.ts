// Open streams per key: SSE and WebSocket share one number.

export interface StreamSlot {
  /** Frees the slot; a second call does nothing. */
  release(): void;
}

export class StreamSlots {
  readonly #active = new Map<string, number>();

  /** A slot, or undefined where the key already has `max` streams open. */
  acquire(keyId: string, max: number): StreamSlot | undefined {
    const active = this.active(keyId);
    if (active >= max) return undefined;
    this.#active.set(keyId, active + 1);
    let held = true;
    return {
      release: () => {
        if (!held) return;
        held = false;
        const left = this.active(keyId) - 1;
        if (left === 0) this.#active.delete(keyId);
        else this.#active.set(keyId, left);
      },
    };
  }

  active(keyId: string): number {
    return this.#active.get(keyId) ?? 0;
  }

  /** Over all keys. */
  total(): number {
    let total = 0;
    for (const count of this.#active.values()) total += count;
    return total;
  }
}
