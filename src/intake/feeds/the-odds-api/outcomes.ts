// Maps the outcomes of one market of one book at one event. An invalid outcome is omitted by itself.

import { LIMITS } from '../../../base/model/limits.js';
import { parseAmerican, parseDecimal } from '../../../base/model/price.js';
import { lineNumber } from '../../../rules/markets/lines.js';
import type { IngestMarket, IngestSelection } from '../../ingest/message.js';
import type { MarketPlan } from './market-types.js';
import { idOf, listOf, type OddsFormat, objectAt, type RawOutcome, type Skipped, textOf } from './payload.js';

/** The context of a market's outcomes. */
export interface MarketContext {
  home: string;
  away: string;
  oddsFormat: OddsFormat;
  /** RFC 3339, or undefined if not stated: then the poll's time applies. */
  seenAt: string | undefined;
  /** The market's or book's page, for outcomes without a link of their own. */
  link: string | undefined;
  /** The book's own id of the market. */
  id: string | undefined;
  /** An exchange's limit is the stake available at a price, a bookmaker's the highest that it takes. */
  isExchange: boolean;
}

type Side = 'home' | 'away';

/** Markets made from one list of outcomes: one, or one per player or team. */
export function readMarkets(
  plan: MarketPlan,
  outcomes: unknown,
  context: MarketContext,
  path: string,
  skipped: Skipped[],
): IngestMarket[] {
  const markets = new Map<string, IngestMarket>();
  const taken = new Set<string>();
  const mainNumbers = new Map<string, number | null>();
  const at = `${path}.outcomes`;
  const list = listOf(outcomes, at, skipped);
  for (let i = 0; i < list.length; i++) {
    const outcome = objectAt<RawOutcome>(list, i, at, skipped);
    if (outcome === undefined) continue;
    const read = readOutcome(plan, outcome, context);
    if (typeof read === 'string') {
      skipped.push({ path: `${at}[${i}]`, reason: read });
      continue;
    }
    const { group, selection } = read;
    const side = `${group.key}\n${selection.selection_type}`;
    const line = selection.line ?? null;
    if (taken.has(`${side}\n${line}`)) {
      skipped.push({ path: `${at}[${i}]`, reason: 'the same selection twice' });
      continue;
    }
    taken.add(`${side}\n${line}`);
    // A second line in a main market must be an alternate: a main line has one number.
    const number = line === null ? null : lineNumber(selection.selection_type, Number(line));
    if (!mainNumbers.has(group.key)) mainNumbers.set(group.key, number);
    if (plan.alternate || mainNumbers.get(group.key) !== number) selection.is_alternate_line = true;
    let market = markets.get(group.key);
    if (market === undefined) {
      market = { market_type: group.type, ...group.fields, selections: [] };
      if (context.seenAt !== undefined) market.last_seen_at = context.seenAt;
      if (context.id !== undefined) market.market_id = context.id;
      markets.set(group.key, market);
    }
    market.selections.push(selection);
    addLimit(market, selection, outcome.bet_limit, context);
  }
  if (!plan.alternate) for (const { selections } of markets.values()) asStated(selections);
  return [...markets.values()];
}

/** A bookmaker's limit is of its market, of several the lowest. */
function addLimit(
  market: IngestMarket,
  selection: IngestSelection,
  limit: unknown,
  { isExchange }: MarketContext,
): void {
  if (typeof limit !== 'number' || !(limit > 0)) return;
  if (isExchange) selection.size = limit;
  else market.max_bet = Math.min(limit, market.max_bet ?? limit);
}

/** Two sides alone at two numbers are no main line and an alternate one: one of them is wrong, and both are refused as main ones. */
function asStated(selections: readonly IngestSelection[]): void {
  const [first, second, third] = selections;
  if (third !== undefined || first?.selection_type === second?.selection_type) return;
  if (first?.line !== undefined && second?.line !== undefined) delete second.is_alternate_line;
}

/** The market that an outcome belongs to. */
interface OutcomeGroup {
  key: string;
  type: string;
  fields: Pick<IngestMarket, 'player_name' | 'stat_category' | 'team'>;
}

/** The selection and its market, or the reason why there is none. */
function readOutcome(
  plan: MarketPlan,
  outcome: RawOutcome,
  context: MarketContext,
): { group: OutcomeGroup; selection: IngestSelection } | string {
  const name = textOf(outcome.name);
  if (name === undefined) return 'no name';
  const { price } = outcome;
  if (!isPrice(price, context.oddsFormat)) return 'not a price';
  const line = readLine(outcome.point);
  if (line === 'bad') return 'point is not a number';
  const named = nameSelection(plan, name, outcome, context);
  if (typeof named === 'string') return named;
  const counted = named.type === 'over' || named.type === 'under';
  if (line === undefined && (plan.shape === 'spread' || counted)) return 'no point';

  const selection: IngestSelection = { selection: named.name, selection_type: named.type };
  if (line !== undefined && plan.shape !== 'sides') selection.line = line;
  // Unchanged: the engine treats the book's own format as exact.
  if (context.oddsFormat === 'american') selection.odds_american = price;
  else selection.odds_decimal = price;
  const link = linkOf(outcome.link) ?? context.link;
  if (link !== undefined) selection.deep_link = link;
  const sid = idOf(outcome.sid);
  if (sid !== undefined) selection.external_id = sid;
  return { group: named.group, selection };
}

interface NamedSelection {
  name: string;
  type: string;
  group: OutcomeGroup;
}

function nameSelection(
  plan: MarketPlan,
  name: string,
  outcome: RawOutcome,
  context: MarketContext,
): NamedSelection | string {
  const whole: OutcomeGroup = { key: '', type: plan.type, fields: {} };
  switch (plan.shape) {
    case 'sides':
    case 'spread': {
      if (isDraw(name) && plan.shape === 'sides') return { name: 'Draw', type: 'draw', group: whole };
      const side = sideOf(name, context, 'loose');
      if (side === undefined) return 'name is neither of the teams';
      return { name: side === 'home' ? context.home : context.away, type: side, group: whole };
    }
    case 'total': {
      const type = overUnder(name);
      return type === undefined ? 'neither over nor under' : { ...type, group: whole };
    }
    case 'team_total': {
      const type = overUnder(name);
      if (type === undefined) return 'neither over nor under';
      const side = sideOf(textOf(outcome.description) ?? '', context, 'loose');
      if (side === undefined) return 'description is neither of the teams';
      return { ...type, group: { key: side, type: plan.type, fields: { team: side } } };
    }
    case 'player':
      return namePlayer(plan, name, textOf(outcome.description));
    default:
      return nameOther(plan, name, textOf(outcome.description), context);
  }
}

/** `{name: Over, description: player}`, `{name: Yes, description: player}`, or only the player as name. */
function namePlayer(plan: MarketPlan, name: string, description: string | undefined): NamedSelection | string {
  const type = overUnder(name) ?? yesNo(name);
  const player = description ?? (type === undefined ? name : undefined);
  if (player === undefined) return 'no player';
  const fields: OutcomeGroup['fields'] = { player_name: player };
  if (plan.stat !== undefined) fields.stat_category = plan.stat;
  const group = { key: player, type: plan.type, fields };
  if (type !== undefined) return { ...type, group };
  if (description !== undefined) return { name, type: slug(name), group };
  return { name: 'Yes', type: 'yes', group };
}

function nameOther(
  plan: MarketPlan,
  name: string,
  description: string | undefined,
  context: MarketContext,
): NamedSelection | string {
  const shown = description === undefined ? name : `${description} ${name}`;
  const group: OutcomeGroup = { key: description ?? '', type: plan.type, fields: {} };
  const side = description === undefined ? sideOf(name, context, 'exact') : undefined;
  if (side !== undefined) return { name, type: side, group };
  if (description === undefined && isDraw(name)) return { name: 'Draw', type: 'draw', group };
  const plain = overUnder(name) ?? yesNo(name);
  if (plain !== undefined && description === undefined) return { ...plain, group };
  const type = slug(shown);
  return type === '' ? 'name has no letters' : { name: shown, type, group };
}

type Word = Pick<NamedSelection, 'name' | 'type'>;

function wordOf(name: string, ...words: readonly string[]): Word | undefined {
  const word = words.find((each) => each.toLowerCase() === name.toLowerCase());
  return word === undefined ? undefined : { name: word, type: word.toLowerCase() };
}

const overUnder = (name: string): Word | undefined => wordOf(name, 'Over', 'Under');
const yesNo = (name: string): Word | undefined => wordOf(name, 'Yes', 'No');
const isDraw = (name: string): boolean => wordOf(name, 'Draw', 'Tie') !== undefined;

/** The team a name means. `loose`: one name may contain the other (a city omitted, a pitcher added). */
function sideOf(name: string, context: MarketContext, match: 'exact' | 'loose'): Side | undefined {
  if (name === context.home) return 'home';
  if (name === context.away) return 'away';
  const wanted = plainWords(name);
  const home = plainWords(context.home);
  const away = plainWords(context.away);
  if (wanted === home) return 'home';
  if (wanted === away) return 'away';
  if (match === 'exact' || wanted.trim() === '') return undefined;
  const isHome = wanted.includes(home) || home.includes(wanted);
  const isAway = wanted.includes(away) || away.includes(wanted);
  if (isHome === isAway) return undefined;
  return isHome ? 'home' : 'away';
}

/** Lower case, no accents or punctuation, one blank between and around the words so that only whole words match. */
function plainWords(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return ` ${(words ?? []).join(' ')} `;
}

const SELECTION_TYPE_LENGTH_MAX = LIMITS.selectionType.max;

function slug(name: string): string {
  const words = plainWords(name)
    .trim()
    .replace(/[^a-z0-9]+/g, '_');
  return words.replace(/^_+/, '').slice(0, SELECTION_TYPE_LENGTH_MAX).replace(/_+$/, '');
}

function readLine(point: unknown): number | undefined | 'bad' {
  if (point === undefined || point === null) return undefined;
  const line = typeof point === 'string' && point.trim() !== '' ? Number(point) : point;
  return typeof line === 'number' && Number.isFinite(line) ? line : 'bad';
}

/** A valid link: http or https. A link with an open state in the host name cannot be opened and is dropped. */
export function linkOf(value: unknown): string | undefined {
  const link = textOf(value);
  return link !== undefined && /^https?:\/\//.test(link) && URL.canParse(link) ? link : undefined;
}

export function isPrice(price: unknown, format: OddsFormat): price is number | string {
  return (format === 'american' ? parseAmerican(price) : parseDecimal(price)) !== undefined;
}
