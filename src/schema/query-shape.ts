// What a request asks for, as follows from the schema of its route: nobody lists parameters a second time. A parameter
// is a filter unless its name is one of those that choose the page or the form of an answer.
import type { TObject } from 'typebox';

/** Which part of the list is sent. */
const PAGE: ReadonlySet<string> = new Set(['limit', 'offset', 'cursor']);
/** How the items are shown. */
const FORM: ReadonlySet<string> = new Set(['format', 'fields', 'group_by', 'include']);
/** The same, but named in `meta.filters`. */
const FORM_ECHOED: ReadonlySet<string> = new Set(['state']);

export interface RequestedParameters {
  /** The values of all filters and the order, as JSON: equal texts choose the same items. For cursors and caches. */
  readonly filters: string;
  /** The same by name, null if not given, for `meta.filters`. */
  readonly echo: Readonly<Record<string, unknown>>;
  /** JSON of `echo`. */
  readonly echoText: string;
  /** Parameters that the route does not know, for `meta.ignored`. */
  readonly ignored: readonly string[];
  /** Whether unknown parameters and names are refused. */
  readonly strict: boolean;
  /** Whether all is asked for in place of a page: `limit=all`. */
  readonly whole: boolean;
}

/** The parameters of a schema by what they decide. */
export class QueryShape {
  readonly #echoed: readonly string[];
  readonly #filters: readonly string[];

  constructor(schema: TObject | undefined) {
    const names = Object.keys(schema?.properties ?? {});
    this.#echoed = names.filter((name) => !PAGE.has(name) && !FORM.has(name));
    this.#filters = this.#echoed.filter((name) => !FORM_ECHOED.has(name));
  }

  filters(query: Readonly<Record<string, unknown>>): string {
    return JSON.stringify(this.#filters.map((name) => query[name]));
  }

  echo(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#echoed.map((name) => [name, query[name] ?? null]));
  }
}
