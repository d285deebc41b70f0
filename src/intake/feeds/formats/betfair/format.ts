// Betfair's historic files (BASIC, ADVANCED, PRO) and recorded streams: one market a file or many, named by their
// definitions. What the basic plan has are prices traded, which nobody offers: they are indicative.
import { LIMITS } from '../../../../base/model/limits.js';
import { readMessage } from '../../betfair/messages.js';
import { RecordedStream } from '../../betfair/recorded-stream.js';
import { linesOf } from '../../files/lines.js';
import type { Beginning, FileFormat, FormatContext, MessageMaker, OpenedFile, Stated } from '../format.js';

const PUBLISHED = /"pt"\s*:\s*(\d{12,14})\b/;

export const betfair: FileFormat = {
  name: 'betfair',
  about: 'historic files (BASIC, ADVANCED, PRO) and recorded streams of the Betfair Exchange',
  recognises: ({ text }: Beginning) => /^\s*\{/.test(text) && /"op"\s*:\s*"mcm"/.test(text),
  read: readStream,
  ordered,
};

async function* readStream(file: OpenedFile, { report }: FormatContext): AsyncGenerator<Stated, void> {
  for await (const { number: line, text } of linesOf(file.bytes, LIMITS.exchangeLine.max)) {
    if (text === '') continue;
    report.rows++;
    const published = text === undefined ? null : PUBLISHED.exec(text);
    if (published === null) report.fault('no message of the stream', { file: file.name, line });
    else yield { atMs: Number(published[1]), raw: `${JSON.stringify([file.name, line])}\t${text}` };
  }
}

function ordered({ leagues, settings, report }: FormatContext): MessageMaker {
  const stream = new RecordedStream({ lookup: leagues, league: settings.league, restates: true });
  let last = { file: '', line: 0 };
  return {
    messages: (_atMs, raw) => {
      const tab = raw.indexOf('\t');
      const [file, line] = JSON.parse(raw.slice(0, tab)) as [string, number];
      last = { file, line };
      const message = readMessage(raw.slice(tab + 1));
      if (message?.op !== 'mcm' || message.publishedMs === null) {
        report.fault('no message of the stream', last);
        return [];
      }
      const { early } = stream;
      const messages = stream.messagesOf(message, (bad) => {
        if (bad > 0) report.fault("a price that is not on Betfair's ladder, or another part that cannot be", last, bad);
      });
      if (stream.early > early) report.fault('a change before the image of its market', last, stream.early - early);
      return messages;
    },
    end: () => {
      const unnamed = stream.unnamed();
      if (unnamed > 0) report.fault('a market whose runners nothing names', { file: last.file }, unnamed);
      const reasons = new Map<string, number>();
      for (const reason of stream.listing.leftOut.values()) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      for (const [reason, times] of reasons) report.leftOut(`a market: ${reason}`, { file: last.file }, times);
    },
  };
}
