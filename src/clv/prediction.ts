// A price above fair as it was first detected: the subject of closing line value.
import type { OpportunityOf } from '../delta/opportunity.js';
import { decode, encode } from '../wire/codec.js';

export interface Prediction {
  /** The opportunity's id: one for each event, market, selection, book and line. */
  id: string;
  oddsId: string;
  event: string;
  book: string;
  market: string;
  selection: string;
  line: number | null;
  /** After commission. */
  decimalNet: number;
  /** Percent. */
  ev: number;
  /** Unix µs. */
  atUs: number;
  /** Source of the fair prices: a sharp book's id or `consensus`. */
  devigBook: string;
}

type Packed = [
  id: string,
  oddsId: string,
  book: string,
  market: string,
  selection: string,
  line: number | null,
  decimalNet: number,
  ev: number,
  atUs: number,
  devigBook: string,
];

/** Those of one event. */
export function packPredictions(predictions: Iterable<Prediction>): Buffer {
  const packed: Packed[] = [];
  for (const { id, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook } of predictions)
    packed.push([id, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook]);
  return encode(packed);
}

export function unpackPredictions(event: string, bytes: Uint8Array): Map<string, Prediction> {
  const predictions = new Map<string, Prediction>();
  for (const packed of decode(bytes) as Packed[]) {
    const [id, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook] = packed;
    predictions.set(id, { id, event, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook });
  }
  return predictions;
}

export function predictionOf({ id, edge, detectedUs, item }: OpportunityOf<'ev'>): Prediction {
  return {
    id,
    oddsId: item.odds_id,
    event: item.event_id,
    book: item.sportsbook,
    market: item.market,
    selection: item.selection,
    line: item.line,
    decimalNet: item.odds_decimal_net ?? item.odds_decimal,
    ev: edge,
    atUs: detectedUs,
    devigBook: item.sharp_book,
  };
}
