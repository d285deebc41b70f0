// Betfair's definition of a market: its kind, state and runners. Definitions are always complete and contain no names,
// except in Betfair's historical files.
import { isMap } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { isDecimalPrice } from '../../../base/model/price.js';
import { parseTimeMs } from '../../../base/model/time.js';
import { idOf, numberOf, textOf } from './messages.js';

export type MarketDefinition = NonNullable<ReturnType<typeof readDefinition>>;
export type RunnerDefinition = NonNullable<ReturnType<typeof readRunner>>;

const RUNNERS_MAX = LIMITS.marketRunners.max;

export function runnerKey(id: string, handicap: number): string {
  return `${id}|${handicap + 0}`;
}

/** Undefined if it is not a definition. */
export function readDefinition(map: unknown) {
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
    /** OPEN, SUSPENDED, INACTIVE, CLOSED. */
    status,
    inPlay: map['inPlay'] === true,
    /** MATCH_ODDS, OVER_UNDER_25, ASIAN_HANDICAP … */
    marketType: textOf(map['marketType']) ?? '',
    /** ODDS, ASIAN_HANDICAP_DOUBLE_LINE, ASIAN_HANDICAP_SINGLE_LINE, LINE, RANGE. */
    bettingType: textOf(map['bettingType']) ?? 'ODDS',
    numberOfWinners: numberOf(map['numberOfWinners']),
    eventId: idOf(map['eventId']),
    eventTypeId: idOf(map['eventTypeId']),
    eventName: textOf(map['eventName']),
    /** Scheduled start (Unix ms). */
    startMs: parseTimeMs(map['marketTime']) ?? parseTimeMs(map['openDate']) ?? null,
    /** Betfair's rate on net winnings before discounts, percent. */
    baseRatePercent: numberOf(map['marketBaseRate']),
    runners,
    /** Status by runner key. */
    statuses: new Map(runners.map(({ key, status }) => [key, status])),
  };
}

/** An unsettled starting price is absent, 0, or a word. */
function priceOf(value: unknown): number | null {
  const price = numberOf(value);
  return price !== null && isDecimalPrice(price) ? price : null;
}

function readRunner(map: unknown) {
  if (!isMap(map)) return undefined;
  const id = idOf(map['id']);
  if (id === null) return undefined;
  const handicap = numberOf(map['hc']) ?? 0;
  return {
    /** `id|handicap`: the same selection occurs at several handicaps of one market. */
    key: runnerKey(id, handicap),
    id,
    handicap,
    status: textOf(map['status']) ?? 'ACTIVE',
    sortPriority: numberOf(map['sortPriority']) ?? 0,
    name: textOf(map['name']),
    /** Starting price, once it is settled. */
    startingPrice: priceOf(map['bsp']),
  };
}
