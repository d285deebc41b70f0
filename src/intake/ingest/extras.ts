// The two kinds of ingest data that are not odds of an event: betting splits and futures.

import { isMap } from '../../base/model/json-map.js';
import type { EventRef, NormalFuture, NormalSplits, Share } from '../../base/model/normal-message.js';
import { isText, type Reader, readPrice } from './fields.js';
import { NO_SELECTIONS } from './market.js';

const SPLITS_SOURCES = ['draftkings', 'circa'];
const FUTURE_TYPES = ['TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO'] as const;
const MARKET = /^[a-z0-9_-]{1,80}$/;

export function normaliseSplits(
  raw: unknown,
  path: string,
  read: Reader,
  polledUs: number,
  readRef: (map: Record<string, unknown>, path: string) => EventRef | undefined,
): NormalSplits | undefined {
  if (!isMap(raw)) return read.reject(path, 'not an object');
  const source = raw['sportsbook'];
  if (typeof source !== 'string' || !SPLITS_SOURCES.includes(source))
    return read.reject(`${path}.sportsbook`, `not one of ${SPLITS_SOURCES.join(', ')}`);
  const ref = readRef(raw, path);
  if (ref === undefined) return undefined;
  const fetchedMs = read.optionalPast(raw['fetched_at'], `${path}.fetched_at`);
  // Dated in the future they would hide every later one of their source.
  if (fetchedMs === undefined) return undefined;
  const spread = part(raw['spread'], `${path}.spread`, read);
  const total = part(raw['total'], `${path}.total`, read);
  const moneyline = part(raw['moneyline'], `${path}.moneyline`, read);
  if (spread === null && total === null && moneyline === null)
    return read.reject(path, 'needs at least one of spread, total, moneyline');
  const number = (map: Record<string, unknown>, field: string, at: string): number | null =>
    read.optionalNumber(map[field], `${at}.${field}`, -1_000_000, 1_000_000);
  return {
    ...ref,
    source,
    spread: spread && {
      awayLine: number(spread, 'away_line', `${path}.spread`),
      homeLine: number(spread, 'home_line', `${path}.spread`),
      ...shares(spread, `${path}.spread`, ['away', 'home'], read),
    },
    total: total && {
      line: number(total, 'line', `${path}.total`),
      ...shares(total, `${path}.total`, ['over', 'under'], read),
    },
    moneyline: moneyline && {
      awayOdds: read.optionalAmerican(moneyline['away_odds'], `${path}.moneyline.away_odds`),
      homeOdds: read.optionalAmerican(moneyline['home_odds'], `${path}.moneyline.home_odds`),
      ...shares(moneyline, `${path}.moneyline`, ['away', 'home'], read),
    },
    fetchedMs: fetchedMs ?? Math.floor(polledUs / 1000),
    path: read.at + path,
  };
}

function part(value: unknown, path: string, read: Reader): Record<string, unknown> | null {
  if (value === undefined || value === null) return null;
  if (isMap(value)) return value;
  read.reject(path, 'not an object');
  return null;
}

function shares(map: Record<string, unknown>, path: string, sides: string[], read: Reader) {
  const share = (field: string): Share | null => {
    const value = part(map[field], `${path}.${field}`, read);
    if (value === null) return null;
    const result: Share = {};
    for (const side of sides) result[side] = read.optionalNumber(value[side], `${path}.${field}.${side}`, 0, 1);
    return result;
  };
  return { handle: share('handle_pct'), bets: share('bets_pct') };
}

export function normaliseFutures(
  raw: unknown,
  path: string,
  read: Reader,
  readLeague: (name: unknown) => { league: string; sport: string } | undefined,
): NormalFuture | undefined {
  if (!isMap(raw)) return read.reject(path, 'not an object');
  const league = readLeague(raw['league']);
  if (league === undefined) return read.reject(`${path}.league`, 'missing or not a league id');
  const market = raw['market'];
  if (typeof market !== 'string' || !MARKET.test(market)) return read.reject(`${path}.market`, 'not [a-z0-9_-]+');
  const futureType = raw['future_type'] ?? 'TEAM';
  if (!FUTURE_TYPES.includes(futureType as never))
    return read.reject(`${path}.future_type`, `not one of ${FUTURE_TYPES.join(', ')}`);
  const quotes: NormalFuture['quotes'] = [];
  const seen = new Set<string>();
  const selections = raw['selections'];
  // They replace those before.
  if (!read.isReadableList(selections)) return read.unreadable(`${path}.selections`, NO_SELECTIONS);
  for (const [i, selection] of selections.entries()) {
    const at = `${path}.selections[${i}]`;
    if (!isMap(selection)) return read.unreadable(at, 'not an object');
    const name = selection['selection'];
    if (!isText(name)) {
      read.reject(`${at}.selection`, 'missing, empty or not a readable name');
      continue;
    }
    const price = readPrice(selection, (field, reason) => read.reject(at + field, reason));
    if (price === undefined) continue;
    const line = read.optionalNumber(selection['line'], `${at}.line`, -1_000_000, 1_000_000);
    const key = `${line ?? ''}|${name.trim()}`;
    if (seen.has(key)) read.reject(at, 'the same selection twice');
    else quotes.push([name.trim(), line, price.american, price.decimal]);
    seen.add(key);
  }
  const displayName = raw['display_name'];
  return {
    ...league,
    market,
    displayName: isText(displayName) ? displayName.trim() : market.replaceAll('_', ' '),
    futureType: futureType as NormalFuture['futureType'],
    eventStartMs: read.optionalTime(raw['event_start_time'], `${path}.event_start_time`),
    quotes,
  };
}
