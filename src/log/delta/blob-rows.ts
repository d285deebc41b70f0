// Rows in deltas as release 0.2.0 wrote them, which logs, parts of events and the delayed table's store may still have: a
// row's JSON lay in a blob behind the rows, and its link and details nowhere else.
import type { Commission } from '../../base/model/commission.js';
import type { RowRest } from '../../base/model/row.js';
import type { RowDelta } from '../../base/model/row-delta.js';
import { NO_DETAILS } from '../../base/model/row-details.js';

export type BlobRow = [
  no: number,
  change: number,
  american: number,
  decimal: number,
  line: number | null,
  seenMs: number,
  changedUs: number,
  priceLength: number,
  deltaLength: number,
  restLength: number,
  headLength: number,
  added: RowDelta[9],
  activity: number,
  commission?: Commission,
];

interface RestFields {
  deep_link: string | null;
  public_bet_pct?: number;
  max_bet?: number;
  size?: number;
  volume_24h?: number;
  open_interest?: number;
  exchange_token_id?: string;
}

/** Rows in their order, in today's form. */
export function rowsOfBlob(blob: Uint8Array): (row: BlobRow) => RowDelta {
  let at = 0;
  return ([no, change, american, decimal, line, seenMs, changedUs, price, , length, head, added, activity, own]) => {
    const from = at + head + price;
    at = from + length;
    const row: RowDelta = [no, change, american, decimal, line, seenMs, changedUs, activity, null, added];
    if (length > 0) {
      const { link, details } = restIn(blob.subarray(from, at));
      row[8] = details === NO_DETAILS ? [link] : [link, details.maxBet, details.publicBetPct, details.exchange];
    }
    if (own !== undefined) row.push(own);
    return row;
  };
}

/** The end of a row's JSON, from the comma before `event_start_time`. Throws SyntaxError if it is damaged. */
export function restIn(bytes: Uint8Array): RowRest {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', 1);
  const fields = JSON.parse(`{${text}`) as RestFields;
  const { size = null, volume_24h = null, open_interest = null, exchange_token_id = null } = fields;
  const { deep_link: link, max_bet: maxBet = null, public_bet_pct: publicBetPct = null } = fields;
  const amounts = [size, volume_24h, open_interest, exchange_token_id] as const;
  const exchange = amounts.every((amount) => amount === null) ? null : amounts;
  const plain = maxBet === null && publicBetPct === null && exchange === null;
  return { link, details: plain ? NO_DETAILS : { maxBet, publicBetPct, exchange }, ids: null };
}
