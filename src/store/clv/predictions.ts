// The predictions of events, stored with history: added as they are detected, read when they are graded.

import { LIMITS } from '../../base/model/limits.js';
import type { HistoryEvent } from '../history/event-record.js';
import type { HistoryStore } from '../history/port.js';
import type { Recorder } from '../history/recorder.js';
import { type Prediction, packPredictions, unpackPredictions } from './prediction.js';

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
