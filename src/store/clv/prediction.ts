// A price above fair as it was first detected: the subject of closing line value.

import type { GameState } from '../../base/model/game-state.js';
import { LIMITS } from '../../base/model/limits.js';
import type { PairOfScores } from '../../base/model/result.js';
import { decode, encode } from '../../base/wire/codec.js';
import type { OpportunityOf } from '../../log/delta/opportunity.js';
import type { HistoryEvent } from '../history/event-record.js';
import type { HistoryStore } from '../history/port.js';
import type { Recorder } from '../history/recorder.js';

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

// The predictions of events, stored with history: added as they are detected, read when they are graded.

/** Events whose predictions are in memory. */
const LOADED_MAX = LIMITS.loadedPredictions.max;
/** Of one event. */
const PREDICTIONS_MAX = LIMITS.eventPredictions.max;

export class Predictions {
  readonly #recorder: Recorder;
  readonly #store: HistoryStore;
  /** By event number, the most recently used ones. */
  readonly #loaded = new Map<number, Map<string, Prediction>>();

  constructor(recorder: Recorder, store: HistoryStore) {
    this.#recorder = recorder;
    this.#store = store;
  }

  /** The first price of each counts: a known one is not added again. Those of unknown events are ignored. */
  add(predictions: readonly Prediction[]): void {
    for (const prediction of predictions) {
      const event = this.#recorder.find(prediction.event);
      if (event === undefined) continue;
      const { hno } = event;
      const known = this.#of(hno, event.id);
      if (known.has(prediction.id) || known.size >= PREDICTIONS_MAX) continue;
      known.set(prediction.id, prediction);
      this.#recorder.predictions.set(hno, () => packPredictions(known.values()));
    }
  }

  *all(): Iterable<{ event: HistoryEvent; predictions: Iterable<Prediction> }> {
    const events = new Set([...this.#store.predicted(), ...this.#loaded.keys()]);
    for (const hno of events) {
      const event = this.#recorder.event(hno);
      if (event !== undefined) yield { event, predictions: this.#of(hno, event.id).values() };
    }
  }

  *ofEvents(ids: readonly string[]): Iterable<{ event: HistoryEvent; predictions: Iterable<Prediction> }> {
    for (const id of new Set(ids)) {
      const event = this.#recorder.find(id);
      if (event !== undefined) yield { event, predictions: this.#of(event.hno, event.id).values() };
    }
  }

  get(eventId: string, id: string): { event: HistoryEvent; prediction: Prediction } | undefined {
    const event = this.#recorder.find(eventId);
    const prediction = event && this.#of(event.hno, event.id).get(id);
    return event === undefined || prediction === undefined ? undefined : { event, prediction };
  }

  #of(hno: number, event: string): Map<string, Prediction> {
    let known = this.#loaded.get(hno);
    if (known === undefined) {
      const bytes = this.#store.predictions(hno);
      known = bytes === undefined ? new Map() : unpackPredictions(event, bytes);
    }
    this.#loaded.delete(hno);
    this.#loaded.set(hno, known);
    // Those to be written hold their own list; the others are read again.
    for (const oldest of this.#loaded.keys()) {
      if (this.#loaded.size <= LOADED_MAX) break;
      if (!this.#recorder.predictions.has(oldest)) this.#loaded.delete(oldest);
      else break;
    }
    return known;
  }
}
