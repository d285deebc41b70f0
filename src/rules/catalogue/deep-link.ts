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

// How deep a link goes, decided by the book's templates, whatever the source of the link.

/** `outcome`: the selection, `event`: the page of the event, `homepage`: the page of the book. */
export type LinkType = 'outcome' | 'event' | 'homepage';

const KINDS = ['homepage', 'event', 'outcome'] as const;

const patterns = new WeakMap<NonNullable<BookEntry['deepLink']>, readonly (readonly [LinkType, RegExp])[]>();

/** The template of the book that the link matches; undefined if it matches none. */
export function templateOf(book: BookEntry | undefined, link: string): LinkType | undefined {
  if (book?.deepLink == null) return undefined;
  return patternsOf(book.deepLink).find(([, pattern]) => pattern.test(link))?.[0];
}

/** A link of unknown form is a feed's link to its selection, unless it consists of a host alone. */
export function linkType(book: BookEntry | undefined, link: string): LinkType {
  const known = templateOf(book, link);
  if (known !== undefined) return known;
  return /^https?:\/\/[^/?#]+\/?$/i.test(link) ? 'homepage' : 'outcome';
}

function patternsOf(links: NonNullable<BookEntry['deepLink']>): readonly (readonly [LinkType, RegExp])[] {
  let known = patterns.get(links);
  if (known === undefined) {
    known = KINDS.flatMap((kind) => {
      const template = links[kind];
      return template === null ? [] : [[kind, patternOf(template)] as const];
    });
    patterns.set(links, known);
  }
  return known;
}

/** Ids as deep-link.ts writes them: percent-encoded. */
function patternOf(template: string): RegExp {
  const parts = template
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? escaped(part) : part === 'state' ? '[a-z]{2}' : "[\\w.!~*'()%-]+"));
  return new RegExp(`^${parts.join('')}$`, 'i');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

// Changes a book's link to another US state. Workers make the links of rows and opportunities once, for the default
// state; REST, streams and MCP rewrite them for callers that ask for another.

const STATE_PLACEHOLDER = '{state}';

/** The texts before and after the state in a book's links, from the book's templates. */
interface StatePlace {
  before: string;
  behind: string;
}

const places = new WeakMap<NonNullable<BookEntry['deepLink']>, readonly StatePlace[]>();

/**
 * A link of the default state rewritten for another (two letters, lower case). If no known part of it names the state,
 * the parameter `state` is added; links of books that are the same in every state are unchanged.
 */
export function linkForState(book: BookEntry | undefined, link: string, state: string): string {
  return state === DEFAULT_STATE ? link : turned(book, link, state);
}

/** A link from a book's feed, for any state or with a placeholder, rewritten for the default state. */
export function linkOfFeed(book: BookEntry | undefined, link: string): string {
  return turned(book, link, DEFAULT_STATE);
}

function turned(book: BookEntry | undefined, link: string, state: string): string {
  if (link.includes(STATE_PLACEHOLDER)) return link.replaceAll(STATE_PLACEHOLDER, state);
  const links = book?.deepLink;
  if (links?.stateDependent !== true) return link;
  for (const { before, behind } of placesOf(links)) {
    const end = before.length + state.length;
    if (link.startsWith(before) && link.startsWith(behind, end) && /^[a-z]{2}$/i.test(link.slice(before.length, end)))
      return before + state + link.slice(end);
  }
  if (!URL.canParse(link)) return link;
  const url = new URL(link);
  if (state === DEFAULT_STATE && !url.searchParams.has('state')) return link;
  url.searchParams.set('state', state);
  return url.toString();
}

function placesOf(links: NonNullable<BookEntry['deepLink']>): readonly StatePlace[] {
  let known = places.get(links);
  if (known === undefined) {
    const templates = [links.outcome, links.event, links.homepage].filter((template) => template !== null);
    known = templates.flatMap((template) => {
      const [before, rest] = template.split(STATE_PLACEHOLDER, 2);
      // The host, or the path up to the next slash: books have several kinds of links beyond it.
      return rest === undefined ? [] : { before: before!, behind: /^[^/?#{]*\/?/.exec(rest)![0] };
    });
    places.set(links, known);
  }
  return known;
}
