// The answers that need the contents of encoded rows: chosen fields, rows grouped by event, links for another state, all
// rows; and fields of prices that several answers have.

import { depthOf } from '../base/model/depth.js';
import { ApiError } from '../base/model/errors.js';
import { roundDecimal, roundProbability } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';
import { words } from '../base/model/words.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { linkForState } from '../rules/catalogue/deep-link.js';
import { Odds } from '../schema/odds-items.js';
import { splitList } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';

export type OddsObject = Record<string, unknown>;

/** A row under its event. */
const GROUPED_FIELDS = words(`
  id sportsbook sportsbook_name currency market_type selection selection_type player_name stat_category team_name
  is_alternate_line is_main_line odds_american odds_decimal odds_probability probability line is_live is_active
  indicative is_stale_pregame_price odds_american_previous last_seen_at timestamp odds_changed_at deep_link
  commission depth opening
`);

/** What is added to a row for those who ask: no field of the rows in the table. */
export const ADDED: ReadonlySet<string> = new Set(['depth', 'opening']);
/** Fields an odds item may have. */
const ODDS_FIELDS: ReadonlySet<string> = new Set(Object.keys(Odds.properties).filter((name) => !ADDED.has(name)));

/**
 * The names in a comma list; undefined if there is none. Throws ApiError `invalid_request` for an unknown field.
 * @param addable whether what is added to rows may be named too
 */
export function readFields(text: string | undefined, addable = false): readonly string[] | undefined {
  const fields = text === undefined ? undefined : splitList(text);
  for (const field of fields ?? [])
    if (!ODDS_FIELDS.has(field) && !(addable && ADDED.has(field)))
      throw new ApiError('invalid_request', `fields: an odds item has no field ${field}`);
  return fields;
}

/** The row reduced to these fields, as far as it has them. */
export function picked(row: OddsObject, fields: readonly string[]): OddsObject {
  const part: OddsObject = {};
  for (const field of fields) if (row[field] !== undefined) part[field] = row[field];
  return part;
}

/** The deep link of a row in the table, for a US state (either case). */
export function linkOf(table: OddsTable, catalogue: Catalogue, slot: number, state: string | undefined): string | null {
  const link = table.restOf(slot).link;
  if (link === null || state === undefined) return link;
  return linkForState(catalogue.book(table.books.name(table.columns.book[slot]!)), link, state.toLowerCase());
}

/** The JSON of a row in the table, with its link for a US state, for books whose links depend on it. */
export function rowText(table: OddsTable, catalogue: Catalogue, slot: number, state: string | undefined): string {
  const text = table.json.text(slot);
  const { link } = table.restOf(slot);
  const turned = linkOf(table, catalogue, slot, state);
  if (turned === link) return text;
  return text.replace(`"deep_link":${JSON.stringify(link)}`, () => `"deep_link":${JSON.stringify(turned)}`);
}

/** The same as an object. */
export function rowObject(table: OddsTable, catalogue: Catalogue, slot: number, state: string | undefined): OddsObject {
  return JSON.parse(rowText(table, catalogue, slot, state)) as OddsObject;
}

/** Gives rows that have one their ladder of now. */
export function addDepths(rows: readonly OddsObject[], table: OddsTable): void {
  for (const row of rows) {
    const slot = table.slotOf(String(row.id));
    const depth = slot === undefined ? null : (table.depths.get(slot) ?? null);
    if (depth !== null) row.depth = depthOf(depth);
  }
}

/**
 * The rows of a page under their events, in the page's order; the page's limit counts rows. `fields` are of the rows.
 */
export function groupByEvent(
  table: OddsTable,
  slots: readonly number[],
  rows: readonly OddsObject[],
  fields: readonly string[] = GROUPED_FIELDS,
): OddsObject[] {
  const groups = new Map<string, OddsObject & { odds: OddsObject[] }>();
  for (const [i, slot] of slots.entries()) {
    const event = table.eventOf(slot);
    let group = groups.get(event.id);
    if (group === undefined) {
      group = {
        event_id: event.id,
        event_name: event.name,
        sport: event.sport,
        league: event.league,
        start_time: formatMs(event.startMs),
        is_live: event.live,
        odds: [],
      };
      groups.set(event.id, group);
    }
    group.odds.push(picked(rows[i]!, fields));
  }
  return [...groups.values()];
}

/** An item of /events/{id}/odds: the price as an object as well. */
export function eventOdds(row: OddsObject): OddsObject {
  const { odds_american, odds_decimal, odds_probability } = row;
  return {
    ...row,
    odds: {
      american: odds_american,
      decimal: odds_decimal,
      probability: odds_probability,
      odds_probability,
    },
  };
}

const LINE_BREAK = 0x0a;

/** The rows that a request selected, taken from the table some at a time: as they are then, without those that are gone. */
export function wholeRows(
  table: OddsTable,
  slots: readonly number[],
  { catalogue, state }: { catalogue: Catalogue; state: string | undefined },
) {
  const { columns, json, position } = table;
  /** A slot may be another row's by now. */
  const present = (from: number, to: number): number[] =>
    slots.slice(from, to).filter((slot) => columns.id.has(slot) && columns.createdPosition[slot]! <= position);
  return {
    lines(from: number, to: number): Buffer {
      const there = present(from, to);
      let length = there.length;
      for (const slot of there) length += json.lengthMax(slot);
      const lines = Buffer.allocUnsafe(length);
      let end = 0;
      for (const slot of there) {
        end = json.copyRow(slot, lines, end);
        lines[end++] = LINE_BREAK;
      }
      return lines.subarray(0, end);
    },
    objects: (from: number, to: number): OddsObject[] =>
      present(from, to).map((slot) => rowObject(table, catalogue, slot, state)),
  };
}

/** Of a stated price, 1 / decimal, 0-1: always there, under both names that clients read. */
export function probabilities(decimal: number): { odds_probability: number; probability: number } {
  const probability = roundProbability(1 / decimal);
  return { odds_probability: probability, probability };
}

/** A row's price as an object, including the price after the book's commission. */
export function netPriceOf({ columns }: OddsTable, slot: number) {
  const decimal = columns.decimal[slot]!;
  return {
    american: columns.american[slot]!,
    decimal: roundDecimal(decimal),
    decimal_net: roundDecimal(columns.net[slot]!),
    ...probabilities(decimal),
  };
}

/** Of a bet on a player or one team: on whom. */
export function propFields(table: OddsTable, slot: number) {
  const { player, stat, team } = table.columns;
  const [playerName, category, side] = [player.at(slot), stat.at(slot), team.at(slot)];
  return {
    ...(playerName === null ? {} : { player_name: playerName }),
    ...(category === null ? {} : { stat_category: category }),
    ...(side === null ? {} : { team_name: table.eventOf(slot)[side] }),
  };
}
