// A row in a delta: what changed, as a tuple (a tuple of MessagePack costs half as much as a map). The shard writes it
// and every reader of deltas reads it, both with this codec. It has values alone: JSON is composed where it is served.
import type { Commission } from './commission.js';
import { feedIds } from './feed-ids.js';
import type { ExchangeDetails } from './normal-message.js';
import { noNumbers, type Row, RowChange, type RowIdentity, type RowNumbers, type RowRest } from './row.js';
import { NO_DETAILS, ownCommission, withoutDepth } from './row-details.js';

export type RowDelta = [
  no: number,
  change: number,
  american: number,
  decimal: number,
  line: number | null,
  seenMs: number,
  changedUs: number,
  activity: number,
  /** Null if only the price changed. */
  rest: RestFields | null,
  /** Present only for new rows. */
  added: AddedFields | null,
  /** Present only for rows with a commission of their own, and always for these. */
  commission?: Commission,
];

type FeedIdFields = [event: string | null, market: string | null, selection: string | null];

/** The link alone if there is nothing else, as with most rows. */
type RestFields =
  | [link: string | null]
  | [
      link: string | null,
      maxBet: number | null,
      publicBetPct: number | null,
      exchange: ExchangeDetails | null,
      /** Null or absent if the feed tells none. */
      ids?: FeedIdFields | null,
      /** As the feed stated it: true if that is `link`; absent if it stated none. */
      deepLink?: string | true,
    ];

type AddedFields = [
  id: string,
  market: string,
  selection: string,
  selectionType: string,
  player: string | null,
  stat: string | null,
  team: RowIdentity['team'],
  alternate: boolean,
  createdPosition: number,
  /** Present only where it does not follow from the fields before it: a player's name there is canonical. */
  key?: string,
];

/** What a delta has of a row. */
export type DeltaRow = RowIdentity &
  Omit<RowNumbers, 'updatedPosition'> &
  Pick<Row, 'change' | 'details'> &
  Partial<Pick<Row, 'key' | 'deepLink'>>;

/** @param shown beside the price and the details */
export function rowDelta(row: DeltaRow, shown: Omit<RowRest, 'details'>): RowDelta {
  const { no, change, american, decimal, line, seenMs, changedUs, activity, details } = row;
  const rest = change === RowChange.updated ? null : restFields({ ...shown, details }, row.deepLink ?? null);
  const added = change === RowChange.added ? addedFields(row) : null;
  const tuple: RowDelta = [no, change, american, decimal, line, seenMs, changedUs, activity, rest, added];
  const commission = ownCommission(details);
  if (commission !== undefined) tuple.push(commission);
  return tuple;
}

/** The depth is not among them: a delta has it beside its rows. */
function restFields({ link, details, ids }: RowRest, deepLink: string | null): RestFields {
  if (details === NO_DETAILS && ids === null && deepLink === null) return [link];
  const { maxBet, publicBetPct, exchange } = withoutDepth(details);
  if (ids === null && deepLink === null) return [link, maxBet, publicBetPct, exchange];
  const told: FeedIdFields | null = ids === null ? null : [ids.event, ids.market, ids.selection];
  if (deepLink === null) return [link, maxBet, publicBetPct, exchange, told];
  return [link, maxBet, publicBetPct, exchange, told, deepLink === link ? true : deepLink];
}

function addedFields(row: DeltaRow): AddedFields {
  const { id, market, selection, selectionType, player, stat, team, alternate, createdPosition, key } = row;
  const fields: AddedFields = [id, market, selection, selectionType, player, stat, team, alternate, createdPosition];
  if (player !== null && key !== undefined) fields.push(key);
  return fields;
}

/** One row of a delta. createdPosition is 0 unless the row is new. */
export interface ReadRow extends RowNumbers {
  /** A RowChange. */
  change: number;
  /** Only for a new row. */
  identity: RowIdentity | null;
  /** Null if only the price changed. */
  rest: RowRest | null;
}

/** Reads the rows of a delta. */
export class RowDeltaReader {
  readonly #row: ReadRow;

  /** @param position of the delta */
  constructor(position: number) {
    // Named first: a field that is added to what was spread takes V8 microseconds (docs/bench/profile.md).
    this.#row = {
      change: RowChange.none,
      identity: null,
      rest: null,
      commission: undefined,
      ...noNumbers(),
    };
    this.#row.updatedPosition = position;
  }

  /** In an object that is reused for the next row. */
  read(delta: RowDelta): ReadRow {
    const row = this.#row;
    const [no, change, american, decimal, line, seenMs, changedUs, activity, rest, added, commission] = delta;
    row.no = no;
    row.change = change;
    row.american = american;
    row.decimal = decimal;
    row.line = line;
    row.seenMs = seenMs;
    row.changedUs = changedUs;
    row.activity = activity;
    row.commission = commission;
    row.rest = rest === null ? null : restOf(rest);
    row.createdPosition = added === null ? 0 : added[8];
    row.identity = added === null ? null : identityOf(added);
    return row;
  }
}

function restOf([link, maxBet = null, publicBetPct = null, exchange = null, ids]: RestFields): RowRest {
  const plain = maxBet === null && publicBetPct === null && exchange === null;
  const details = plain ? NO_DETAILS : { maxBet, publicBetPct, exchange };
  return { link, details, ids: ids == null ? null : feedIds(...ids) };
}

function identityOf([id, market, selection, selectionType, player, stat, team, alternate]: AddedFields): RowIdentity {
  return { id, market, selection, selectionType, player, stat, team, alternate };
}

/** What only the shard needs of a row with `rest`: the link as the feed stated it; of a new one its key, where it has it. */
export function originIn([, , , , , , , , rest, added]: RowDelta): {
  deepLink: string | null;
  key: string | undefined;
} {
  const [link = null, , , , , stated] = (rest ?? []) as Partial<Extract<RestFields, [unknown, unknown, ...unknown[]]>>;
  return { deepLink: stated === true ? link : (stated ?? null), key: added?.[9] };
}
