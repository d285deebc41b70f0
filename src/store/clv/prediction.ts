// A price above fair as it was first detected: the subject of closing line value.

import type { GameState } from '../../base/model/game-state.js';
import type { PairOfScores } from '../../base/model/result.js';
import { decode, encode } from '../../base/wire/codec.js';
import type { OpportunityOf } from '../../log/delta/opportunity.js';

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
  /** Where the game stood, of markets that count from there. */
  scored?: PairOfScores;
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
  scored?: PairOfScores,
];

/** Those of one event. */
export function packPredictions(predictions: Iterable<Prediction>): Buffer {
  const packed: Packed[] = [];
  for (const { id, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook, scored } of predictions) {
    const fields = [id, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook] as const;
    packed.push(scored === undefined ? [...fields] : [...fields, scored]);
  }
  return encode(packed);
}

export function unpackPredictions(event: string, bytes: Uint8Array): Map<string, Prediction> {
  const predictions = new Map<string, Prediction>();
  for (const packed of decode(bytes) as Packed[]) {
    const [id, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook, scored] = packed;
    const fields = { id, event, oddsId, book, market, selection, line, decimalNet, ev, atUs, devigBook };
    predictions.set(id, scored === undefined ? fields : { ...fields, scored });
  }
  return predictions;
}

/** @param state of the game, if it counts from there */
export function predictionOf(
  { id, edge, detectedUs, item }: OpportunityOf<'ev'>,
  state: GameState | null | undefined,
): Prediction {
  const { home_score: home, away_score: away } = state ?? {};
  return {
    ...(typeof home === 'number' && typeof away === 'number' ? { scored: { home, away } } : {}),
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
