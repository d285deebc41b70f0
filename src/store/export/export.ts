// Exports history to a file: every wanted change, event by event, as fast as it can be read. The directory may be in
// use.
import type { HistoryStore } from '../history/port.js';
import type { Recorder } from '../history/recorder.js';
import { type ExportFilter, type ExportWriter, eventLines, isWantedEvent } from './rows.js';

export interface ExportProgress {
  events: number;
  eventsDone: number;
  changes: number;
}

/** Between two pieces `turn` is awaited: for drawing progress and handling signals. */
export async function exportHistory(
  recorder: Recorder,
  store: HistoryStore,
  filter: ExportFilter,
  writer: ExportWriter,
  turn: (progress: ExportProgress) => Promise<void>,
): Promise<ExportProgress> {
  const wanted: number[] = [];
  for (const { hno, fields } of store.events()) if (isWantedEvent(fields, filter)) wanted.push(hno);
  const progress: ExportProgress = { events: wanted.length, eventsDone: 0, changes: 0 };
  for (const hno of wanted) {
    const event = recorder.event(hno);
    if (event !== undefined) {
      progress.changes += eventLines(recorder, event, filter, writer.line);
      recorder.forget(hno);
    }
    progress.eventsDone++;
    await turn(progress);
  }
  writer.end();
  return progress;
}
