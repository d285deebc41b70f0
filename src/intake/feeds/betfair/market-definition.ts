// Betfair's definition of a market: its kind, state and runners. Definitions are always complete and contain no names,
// except in Betfair's historical files.
import { isMap } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { isDecimalPrice } from '../../../base/model/price.js';
import { parseTimeMs } from '../../../base/model/time.js';
import { idOf, numberOf, textOf } from './messages.js';

export interface RunnerDefinition {
  /** `id|handicap`: the same selection occurs at several handicaps of one market. */
  key: string;
  id: string;
  handicap: number;
  status: string;
  sortPriority: number;
  name: string | null;
  /** Starting price, once it is settled. */
  startingPrice: number | null;
}

export interface MarketDefinition {
  /** OPEN, SUSPENDED, INACTIVE, CLOSED. */
  status: string;
  inPlay: boolean;
  /** MATCH_ODDS, OVER_UNDER_25, ASIAN_HANDICAP … */
  marketType: string;
  /** ODDS, ASIAN_HANDICAP_DOUBLE_LINE, ASIAN_HANDICAP_SINGLE_LINE, LINE, RANGE. */
  bettingType: string;
  numberOfWinners: number | null;
  eventId: string | null;
  eventTypeId: string | null;
  eventName: string | null;
  /** Scheduled start (Unix ms). */
  startMs: number | null;
  /** Betfair's rate on net winnings before discounts, percent. */
  baseRatePercent: number | null;
  runners: RunnerDefinition[];
  /** Status by runner key. */
  statuses: ReadonlyMap<string, string>;
}

const RUNNERS_MAX = LIMITS.marketRunners.max;

export function runnerKey(id: string, handicap: number): string {
  return `${id}|${handicap + 0}`;
}

/** Undefined if it is not a definition. */
export function readDefinition(map: unknown): MarketDefinition | undefined {
  if (!isMap(map)) return undefined;
  const status = textOf(map['status']);
  const list = map['runners'] ?? [];
  if (status === null || !Array.isArray(list) || list.length > RUNNERS_MAX) return undefined;
  const runners: RunnerDefinition[] = [];
  for (const each of list) {
    const runner = readRunner(each);
    if (runner === undefined) return undefined;
    runners.push(runner);
  }
  return {
    status,
    inPlay: map['inPlay'] === true,
    marketType: textOf(map['marketType']) ?? '',
    bettingType: textOf(map['bettingType']) ?? 'ODDS',
    numberOfWinners: numberOf(map['numberOfWinners']),
    eventId: idOf(map['eventId']),
    eventTypeId: idOf(map['eventTypeId']),
    eventName: textOf(map['eventName']),
    startMs: parseTimeMs(map['marketTime']) ?? parseTimeMs(map['openDate']) ?? null,
    baseRatePercent: numberOf(map['marketBaseRate']),
    runners,
    statuses: new Map(runners.map(({ key, status }) => [key, status])),
  };
}

/** An unsettled starting price is absent, 0, or a word. */
function priceOf(value: unknown): number | null {
  const price = numberOf(value);
  return price !== null && isDecimalPrice(price) ? price : null;
}

function readRunner(map: unknown): RunnerDefinition | undefined {
  if (!isMap(map)) return undefined;
  const id = idOf(map['id']);
  if (id === null) return undefined;
  const handicap = numberOf(map['hc']) ?? 0;
  return {
    key: runnerKey(id, handicap),
    id,
    handicap,
    status: textOf(map['status']) ?? 'ACTIVE',
    sortPriority: numberOf(map['sortPriority']) ?? 0,
    name: textOf(map['name']),
    startingPrice: priceOf(map['bsp']),
  };
}
