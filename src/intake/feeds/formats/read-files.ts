// Files of the formats as messages and results, in the order of their times.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { SortedTexts } from '../files/sorted-texts.js';
import type { SourceFile } from '../files/sources.js';
import type { FileFormat, FormatContext, MessageMaker, OpenedFile, Stated, StatedResult } from './format.js';
import { beginningOf, FORMATS, formatOf, isRecording, unrecognised } from './formats.js';

/** A message of a recording, as JSON of one line. */
export interface ReadText {
  /** Unix ms. */
  atMs: number;
  text: string;
  /** Whether it states what became of a game, and nothing else. */
  isResult: boolean;
}

/** Texts of messages begin with a brace. */
const RAW = '@';
const RESULT = '{"results":';

export interface ReadFilesOptions {
  /** In place of what the files are recognised as. */
  format?: FileFormat | undefined;
  /** Called with every message, in no order. */
  onMessage?: ((message: IngestMessage) => void) | undefined;
}

/** Rejects with an Error of one line if none of the files is recognised. */
export async function* readFiles(
  sources: AsyncIterable<SourceFile>,
  context: FormatContext,
  { format, onMessage }: ReadFilesOptions = {},
): AsyncGenerator<ReadText, void> {
  const sorted = new SortedTexts();
  const makers = new Map<string, MessageMaker>();
  const { report } = context;
  let refused: string | undefined;
  try {
    for await (const source of sources) {
      const beginning = beginningOf(source);
      const found = format ?? formatOf(beginning);
      if (found === undefined) {
        refused ??= unrecognised(source.name, beginning);
        const why = isRecording(beginning) ? 'the file is a recording already' : 'the file is not recognised';
        report.fault(why, { file: source.name });
        continue;
      }
      report.files++;
      const file: OpenedFile = { ...source, beginning };
      for await (const stated of found.read(file, context)) {
        const waits = sorted.add({ atMs: stated.atMs, text: textOf(stated, found.name, onMessage) });
        if (waits !== undefined) await waits;
      }
    }
    if (report.files === 0 && refused !== undefined) throw new Error(refused);
    let lastMs = Number.NaN;
    /** What the makers have of the instant before. */
    function* before(): Generator<ReadText, void> {
      for (const maker of makers.values())
        for (const message of maker.instant?.() ?? []) {
          onMessage?.(message);
          yield { atMs: lastMs, text: JSON.stringify(message), isResult: false };
        }
    }
    for await (const { atMs, text } of sorted.inOrder()) {
      if (atMs !== lastMs) yield* before();
      lastMs = atMs;
      if (!text.startsWith(RAW)) {
        yield { atMs, text, isResult: text.startsWith(RESULT) };
        continue;
      }
      const end = text.indexOf(' ');
      const name = text.slice(RAW.length, end);
      const made = getOrInsert(makers, name, () => makerOf(name, context));
      for (const message of made.messages(atMs, text.slice(end + 1))) {
        onMessage?.(message);
        yield { atMs, text: JSON.stringify(message), isResult: false };
      }
    }
    yield* before();
    for (const maker of makers.values()) maker.end?.();
  } finally {
    await sorted.close();
  }
}

function textOf(stated: Stated, format: string, onMessage: ReadFilesOptions['onMessage']): string {
  if ('raw' in stated) return `${RAW}${format} ${stated.raw}`;
  const message = 'message' in stated ? stated.message : resultMessage(stated.result, format, stated.atMs);
  onMessage?.(message);
  return JSON.stringify(message);
}

/** With its results first: that is how it is known again. */
function resultMessage(result: StatedResult, source: string, atMs: number): IngestMessage {
  const polled_at = formatMs(atMs);
  return { results: [{ ...result, at: polled_at }], source, polled_at, scope: 'none' } as unknown as IngestMessage;
}

function makerOf(name: string, context: FormatContext): MessageMaker {
  const maker = FORMATS.find((format) => format.name === name)?.ordered?.(context);
  if (maker === undefined) throw new Error(`the format ${name} makes no messages`);
  return maker;
}
