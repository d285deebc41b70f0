// Named shapes of the documents: every exported schema with a description. They are found by identity in the answers
// that contain them, so that the documents refer to them instead of repeating them.
import { compareText } from '../base/model/compare.js';
import * as account from './account.js';
import * as alerts from './alerts.js';
import * as envelope from './envelope.js';
import * as events from './events.js';
import * as futures from './futures.js';
import * as gameState from './game-state.js';
import * as moves from './moves.js';
import * as oddsItems from './odds-items.js';
import type { JsonSchema } from './openapi-example.js';
import * as opportunities from './opportunities.js';
import * as opportunityItems from './opportunities-items.js';
import * as reference from './reference.js';
import * as splits from './splits.js';

const MODULES = [
  envelope,
  reference,
  events,
  oddsItems,
  moves,
  opportunityItems,
  opportunities,
  splits,
  futures,
  gameState,
  account,
  alerts,
];

/** By name; values are the same objects as in the routes' schemas. */
export function namedSchemas(): Map<string, JsonSchema> {
  const named = new Map<string, JsonSchema>();
  for (const module of MODULES)
    for (const [name, value] of Object.entries(module)) {
      const schema = value as JsonSchema;
      if (typeof value === 'object' && schema.type === 'object' && schema.description !== undefined)
        named.set(name, schema);
    }
  return named;
}

/** Replaces named schemas by references, at every depth. */
export class References {
  readonly #names = new Map<JsonSchema, string>();
  readonly #used = new Set<string>();

  constructor() {
    for (const [name, schema] of namedSchemas()) this.#names.set(schema, name);
  }

  of(schema: JsonSchema): object {
    const name = this.#names.get(schema);
    if (name === undefined) return this.#inside(schema);
    this.#used.add(name);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The definitions of everything referred to. */
  components(): Record<string, object> {
    const components: Record<string, object> = {};
    for (let before = -1; before !== this.#used.size; ) {
      before = this.#used.size;
      for (const [schema, name] of this.#names)
        if (this.#used.has(name) && components[name] === undefined) components[name] = this.#inside(schema);
    }
    return Object.fromEntries(Object.entries(components).sort(([a], [b]) => compareText(a, b)));
  }

  #inside(value: unknown): object {
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, this.#value(item)]));
  }

  #value(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? this.of(value) : value;
  }
}
