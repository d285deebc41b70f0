// Fills a book's URL templates with ids: the most specific page for which all ids are known.
import type { BookEntry } from './file-schema.js';

export interface DeepLinkParameters {
  /** US state code, either case; anything else counts as the default, because it may become part of a host name. */
  state: string;
  /** The book's own ids, if its feed states them. */
  eventExternalId?: string | null | undefined;
  outcomeExternalId?: string | null | undefined;
}

export interface DeepLink {
  url: string;
  type: 'outcome' | 'event' | 'homepage';
}

export const DEFAULT_STATE = 'pa';

const STATE = /^[a-z]{2}$/;
const PLACEHOLDER = /\{(state|event|market|outcome)\}/;
/** Characters that URL-encoding leaves unchanged: most ids consist of them. */
const PLAIN = /^[\w.~-]*$/;

type Name = 'state' | 'event' | 'market' | 'outcome';
type Values = Record<Name, string | undefined>;

/** Text and placeholder names alternately, text first. */
type Template = readonly string[];

interface Templates {
  outcome: Template | null;
  event: Template | null;
  homepage: Template;
  homepageText: string;
  outcomeHasMarket: boolean;
}

/** Links are made at every change of an opportunity: templates are parsed once per book. */
const compiled = new WeakMap<NonNullable<BookEntry['deepLink']>, Templates>();

/** Null where the book has no deep links. Ids are URL-encoded. */
export function deepLink(book: BookEntry, parameters: DeepLinkParameters): DeepLink | null {
  if (book.deepLink === null) return null;
  const templates = templatesOf(book.deepLink);
  const values = placeholderValues(templates.outcomeHasMarket, parameters);
  const outcome = templates.outcome === null ? undefined : fill(templates.outcome, values);
  if (outcome !== undefined) return { url: outcome, type: 'outcome' };
  const event = templates.event === null ? undefined : fill(templates.event, values);
  if (event !== undefined) return { url: event, type: 'event' };
  return { url: fill(templates.homepage, values) ?? templates.homepageText, type: 'homepage' };
}

function templatesOf(texts: NonNullable<BookEntry['deepLink']>): Templates {
  let templates = compiled.get(texts);
  if (templates === undefined) {
    const { outcome, event, homepage } = texts;
    templates = {
      outcome: outcome === null ? null : outcome.split(PLACEHOLDER),
      event: event === null ? null : event.split(PLACEHOLDER),
      homepage: homepage.split(PLACEHOLDER),
      homepageText: homepage,
      outcomeHasMarket: outcome?.includes('{market}') === true,
    };
    compiled.set(texts, templates);
  }
  return templates;
}

function placeholderValues(outcomeHasMarket: boolean, parameters: DeepLinkParameters): Values {
  const state = parameters.state === DEFAULT_STATE ? DEFAULT_STATE : parameters.state.toLowerCase();
  let outcome = parameters.outcomeExternalId || undefined;
  let market: string | undefined;
  if (outcome !== undefined && outcomeHasMarket) {
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

/** Undefined if the template needs an id that is not known. */
function fill(template: Template, values: Values): string | undefined {
  let url = template[0]!;
  for (let i = 1; i < template.length; i += 2) {
    const value = values[template[i] as Name];
    if (value === undefined) return undefined;
    url += encode(value) + template[i + 1]!;
  }
  return url;
}

/** A lone surrogate cannot be encoded and would throw. */
function encode(value: string): string {
  if (PLAIN.test(value)) return value;
  return encodeURIComponent(
    value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, ''),
  );
}
