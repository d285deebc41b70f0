// An exchange with a matching engine: offers at prices, first come first served; who takes gets the best price first.

export interface Offer {
  id: number;
  decimal: number;
  left: number;
}

export class MatchingEngine {
  readonly #offers: Offer[] = [];

  offer(id: number, decimal: number, cents: number): void {
    this.#offers.push({ id, decimal, left: cents });
  }

  cancel(id: number): void {
    const at = this.#offers.findIndex((offer) => offer.id === id);
    if (at >= 0) this.#offers.splice(at, 1);
  }

  /** Takes at a price or better, at most at `most`; returns what was had. */
  take(cents: number, least: number, most = Number.POSITIVE_INFINITY): number {
    let left = cents;
    const best = this.#offers
      .filter(({ decimal }) => decimal >= least && decimal <= most)
      .sort((a, b) => b.decimal - a.decimal || a.id - b.id);
    for (const offer of best) {
      const had = Math.min(left, offer.left);
      offer.left -= had;
      left -= had;
      if (offer.left === 0) this.cancel(offer.id);
    }
    return cents - left;
  }

  /** Stated sizes by price, best first. */
  ladder(): { decimal: number; cents: number }[] {
    const sizes = new Map<number, number>();
    for (const { decimal, left } of this.#offers) sizes.set(decimal, (sizes.get(decimal) ?? 0) + left);
    return [...sizes].sort(([a], [b]) => b - a).map(([decimal, cents]) => ({ decimal, cents }));
  }
}
