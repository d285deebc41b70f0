// What the browser keeps for the viewer. One that keeps nothing (its storage is full or forbidden, as in some private
// windows) has what is written until the page is closed.

class Store {
  readonly #storage: () => Storage;
  /** What could not be stored; null was removed. */
  readonly #here = new Map<string, string | null>();

  /** @param storage where it is forbidden, the name alone throws */
  constructor(storage: () => Storage) {
    this.#storage = storage;
  }

  getItem(key: string): string | null {
    const here = this.#here.get(key);
    if (here !== undefined) return here;
    try {
      return this.#storage().getItem(key);
    } catch {
      return null;
    }
  }

  setItem(key: string, text: string): void {
    this.#try(key, text, (storage) => storage.setItem(key, text));
  }

  removeItem(key: string): void {
    this.#try(key, null, (storage) => storage.removeItem(key));
  }

  #try(key: string, value: string | null, write: (storage: Storage) => void): void {
    try {
      write(this.#storage());
      this.#here.delete(key);
    } catch {
      this.#here.set(key, value);
    }
  }

  /** Something is not stored. */
  get isLacking(): boolean {
    return this.#here.size > 0;
  }
}

/** By this browser, for all its tabs. */
export const browserStore = new Store(() => localStorage);
/** By this tab. */
export const tabStore = new Store(() => sessionStorage);
