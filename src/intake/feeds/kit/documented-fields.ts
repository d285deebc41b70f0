// Fields of an upstream's answers that its documents, as they were last read, do not have: an upstream changes without a
// word, and a field of a new name may be what a price now depends on. /health shows them by name. Only samples are looked
// at: of each kind of object the first ones, later one now and then, and of a list a few of its objects.
import type { FeedReport } from '../feed.js';

/** One kind of object: its documented fields, and the kind of the objects, or lists of objects, in some of them. */
export interface Documented {
  readonly fields: string;
  readonly within?: Readonly<Record<string, string>>;
}

interface Kind {
  readonly name: string;
  readonly fields: ReadonlySet<string>;
  readonly within: readonly [field: string, kind: Kind][];
  seen: number;
}

/** All of a kind are looked at until as many were seen, then one of as many. */
const FIRST = 64;
const ONE_OF = 256;
/** Of the objects of one list. */
const OF_LIST = 4;

export class DocumentedFields {
  readonly #kinds = new Map<string, Kind>();
  readonly #report: FeedReport | undefined;

  /** @param documented by kind; fields are separated by blanks */
  constructor(documented: Readonly<Record<string, Documented>>, report: FeedReport | undefined) {
    this.#report = report;
    for (const name of Object.keys(documented)) this.#kindOf(name, documented);
  }

  #kindOf(name: string, documented: Readonly<Record<string, Documented>>): Kind {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const { fields, within = {} } = documented[name]!;
    const inner: [string, Kind][] = [];
    const kind = { name, fields: new Set([...fields.split(/\s+/), ...Object.keys(within)]), within: inner, seen: 0 };
    this.#kinds.set(name, kind);
    for (const [field, of] of Object.entries(within)) inner.push([field, this.#kindOf(of, documented)]);
    return kind;
  }

  /** Reports what the documents lack of an object, or of the objects of a list; anything else has no fields. */
  look(kind: string, value: unknown): void {
    if (this.#report?.unknownField === undefined) return;
    const known = this.#kinds.get(kind);
    if (known === undefined) throw new Error(`no kind ${kind}`);
    if (!Array.isArray(value)) this.#one(known, value, false);
    else for (const each of value) this.#one(known, each, false);
  }

  #one(kind: Kind, value: unknown, always: boolean): void {
    const place = kind.seen++;
    if (!always && place >= FIRST && place % ONE_OF !== 0) return;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const field of Object.keys(value))
      if (!kind.fields.has(field)) this.#report?.unknownField?.(`${kind.name}.${field}`);
    for (const [field, inner] of kind.within) {
      const parts = (value as Record<string, unknown>)[field];
      if (!Array.isArray(parts)) this.#one(inner, parts, true);
      // Other ones of the list each time.
      else
        for (let i = 0; i < Math.min(OF_LIST, parts.length); i++)
          this.#one(inner, parts[(place + i) % parts.length], true);
    }
  }
}
