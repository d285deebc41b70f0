// Random numbers for the simulated market, reproducible from a seed: streams (sfc32) for sequences, and a stateless
// hash for values that must not depend on the order of calls.

/** 32 bits from up to four integers (MurmurHash3's mixing steps); equal inputs give equal outputs. */
export function mix(a: number, b = 0, c = 0, d = 0): number {
  let h = 0x9e3779b9 ^ a;
  h = stir(h, b);
  h = stir(h, c);
  h = stir(h, d);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function stir(h: number, value: number): number {
  const k = Math.imul(Math.imul(value | 0, 0xcc9e2d51) ^ (value >>> 15), 0x1b873593);
  const mixed = h ^ k;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** Uniform in [0, 1), from the integers' `mix`. */
export function unit(a: number, b = 0, c = 0, d = 0): number {
  return mix(a, b, c, d) / 0x1_0000_0000;
}

/** Uniform in [-1, 1). */
export function signed(a: number, b = 0, c = 0, d = 0): number {
  return mix(a, b, c, d) / 0x8000_0000 - 1;
}

/** 32 bits of a text (FNV-1a). */
export function textSeed(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h);
}

/** Chris Doty-Humphrey's sfc32: small, fast, passes PractRand. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = mix(seed, stream, 1) | 0;
    this.#b = mix(seed, stream, 2) | 0;
    this.#c = mix(seed, stream, 3) | 0;
    for (let i = 0; i < 12; i++) this.next();
  }

  /** Uniform in [0, 1). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  }

  /** Uniform in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Integer from 0 to n - 1. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Standard normal (Box and Muller, one of the pair). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Number of events with this mean (Knuth's product method; meant for small means). */
  poisson(mean: number): number {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.next(); product > limit; product *= this.next()) count++;
    return count;
  }

  /** One of the weighted choices. */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    let sum = 0;
    for (const [, weight] of choices) sum += weight;
    let left = this.next() * sum;
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return choices.at(-1)![0];
  }
}
