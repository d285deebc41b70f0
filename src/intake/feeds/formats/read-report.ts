// What was read of files and what was not, by reason, with the first place of each.
import { LIMITS } from '../../../base/model/limits.js';

/** A file, and a line of it from 1 where there is one. */
export interface Place {
  file: string;
  line?: number | undefined;
}

export interface ReasonCount {
  reason: string;
  times: number;
  first: Place;
}

const REASONS_MAX = LIMITS.leftOutReasons.max;
const OTHERS = 'other reasons';

export class ReadReport {
  files = 0;
  rows = 0;
  readonly #leftOut = new Map<string, ReasonCount>();
  readonly #assumed = new Map<string, ReasonCount>();
  readonly #onFault: ((place: Place, reason: string) => void) | undefined;

  /** @param onFault called with what should not be in such a file, not with what is not read by design */
  constructor(onFault?: (place: Place, reason: string) => void) {
    this.#onFault = onFault;
  }

  /** A part that cannot be what it should be. */
  fault(reason: string, place: Place, times = 1): void {
    count(this.#leftOut, reason, place, times);
    this.#onFault?.(place, reason);
  }

  /** A part that has no meaning here. */
  leftOut(reason: string, place: Place, times = 1): void {
    if (times > 0) count(this.#leftOut, reason, place, times);
  }

  /** What is read as something that the file does not say. */
  assumed(what: string, place: Place): void {
    count(this.#assumed, what, place, 1);
  }

  get leftOutReasons(): ReasonCount[] {
    return [...this.#leftOut.values()];
  }

  get assumptions(): ReasonCount[] {
    return [...this.#assumed.values()];
  }
}

function count(counts: Map<string, ReasonCount>, reason: string, first: Place, times: number): void {
  const known = counts.get(reason) ?? (counts.size >= REASONS_MAX ? counts.get(OTHERS) : undefined);
  if (known !== undefined) known.times += times;
  else {
    const name = counts.size >= REASONS_MAX ? OTHERS : reason;
    counts.set(name, { reason: name, times, first });
  }
}

export function placeText({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}
