// A price above fair as it was first detected: the subject of closing line value.
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

/** The fields of an opportunity's item that a prediction is made from. */
interface EvFields {
  odds_id: string;
  event_id: string;
  sportsbook: string;
  market: string;
  selection: string;
  line: number | null;
  odds_decimal: number;
  odds_decimal_net?: number;
  sharp_book: string;
}

export function predictionOf(
  { id, edge, detectedUs }: { id: string; edge: number; detectedUs: number },
  item: Record<string, unknown>,
): Prediction {
  const fields = item as unknown as EvFields;
  return {
    id,
    oddsId: fields.odds_id,
    event: fields.event_id,
    book: fields.sportsbook,
    market: fields.market,
    selection: fields.selection,
    line: fields.line,
    decimalNet: fields.odds_decimal_net ?? fields.odds_decimal,
    ev: edge,
    atUs: detectedUs,
    devigBook: fields.sharp_book,
  };
}
