// A book's URL templates filled with ids: the most specific page that can be made of what is known.
import type { BookEntry } from './types.js';

export interface DeepLinkParameters {
  /** US state code, either case; anything else counts as the default, because it may become part of a host name. */
  state: string;
  /** The book's own ids, where its feed gave them. */
  eventExternalId?: string | null | undefined;
  outcomeExternalId?: string | null | undefined;
}

export interface DeepLink {
  url: string;
  type: 'outcome' | 'event' | 'homepage';
}

export const DEFAULT_STATE = 'pa';

const STATE = /^[a-z]{2}$/;
const PLACEHOLDER = /\{(state|event|market|outcome)\}/g;

/** Null where the book has no deep links. Ids are URL-encoded. */
export function deepLink(book: BookEntry, parameters: DeepLinkParameters): DeepLink | null {
  const templates = book.deepLink;
  if (templates === null) return null;
  const values = placeholderValues(templates.outcome, parameters);
  for (const type of ['outcome', 'event'] as const) {
    const template = templates[type];
    const url = template === null ? undefined : fill(template, values);
    if (url !== undefined) return { url, type };
  }
  return { url: fill(templates.homepage, values) ?? templates.homepage, type: 'homepage' };
}

type Values = Record<string, string | undefined>;

function placeholderValues(outcomeTemplate: string | null, parameters: DeepLinkParameters): Values {
  const state = parameters.state.toLowerCase();
  let outcome = parameters.outcomeExternalId || undefined;
  let market: string | undefined;
  if (outcome !== undefined && outcomeTemplate?.includes('{market}')) {
    const slash = outcome.indexOf('/');
    market = outcome.slice(0, Math.max(slash, 0)) || undefined;
    outcome = outcome.slice(slash + 1) || undefined;
  }
  return {
    state: STATE.test(state) ? state : DEFAULT_STATE,
    event: parameters.eventExternalId || undefined,
    market,
    outcome,
  };
}

/** Undefined where the template asks for an id that is not known. */
function fill(template: string, values: Values): string | undefined {
  let complete = true;
  const url = template.replace(PLACEHOLDER, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) complete = false;
    return encode(value ?? '');
  });
  return complete ? url : undefined;
}

/** A lone surrogate cannot be encoded and would throw. */
function encode(value: string): string {
  return encodeURIComponent(
    value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, ''),
  );
}
