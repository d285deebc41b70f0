// `overround record`: runs the feeds and records what they deliver, in the format that replay reads. No server, no
// table.

import { type Config, ConfigError } from '../config/config.js';
import type { IngestSink } from '../intake/feeds/feed.js';
import { RecordingWriter } from '../intake/feeds/record/recording-writer.js';
import type { IngestMessage } from '../intake/ingest/message.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { createLog } from '../server/observe/log.js';
import type { CommandContext } from './command-context.js';
import { makeFeeds } from './feeds.js';
import { CommandError } from './keys.js';

type RecordContext = Pick<CommandContext, 'clock' | 'env' | 'write' | 'err' | 'onSignal'>;

/** Resolves when every feed has ended, or after a signal. Throws CommandError once the recording cannot be written. */
export async function record(file: string | undefined, config: Config, context: RecordContext): Promise<void> {
  const feeds = await makeFeeds(config, loadCatalogue(config.catalogueDir), context.env);
  if (feeds.length === 0) throw new ConfigError('--feed: there is nothing to record from');
  const recorder = file === undefined ? null : await RecordingWriter.open({ path: file });
  // The log goes to standard error if the recording goes to standard output.
  const log = createLog(config.logLevel, { write: (line: string) => context.err(line) });
  const stop = () => {
    for (const feed of feeds) feed.stop();
  };
  let failure: Error | undefined;
  const write = async (messages: readonly IngestMessage[]): Promise<void> => {
    try {
      if (recorder !== null) await recorder.write(messages);
      else await context.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    } catch (error) {
      // Nothing can be written from now on: feeds would try again forever.
      if (recorder === null || recorder.failure !== undefined) {
        failure ??= new CommandError(
          `${recorder?.path ?? 'the output'} cannot be written: ${(error as Error).message}`,
        );
        stop();
      }
      throw error;
    }
  };
  const sinkOf =
    (simulated: boolean): IngestSink =>
    async (messages) => {
      // First in its line, where it is seen.
      await write(simulated ? messages.map((message) => ({ simulated, ...message })) : messages);
      return { accepted: quotesOf(messages), changed: 0, removed: 0, rejected: [] };
    };
  context.onSignal(stop);
  await Promise.all(feeds.map((feed) => feed.run({ clock: context.clock, sink: sinkOf(feed.simulated), log })));
  if (failure !== undefined) throw failure;
  if (recorder !== null) {
    await recorder.close();
    context.err(`recorded ${recorder.messages} messages to ${recorder.path}\n`);
  }
}

function quotesOf(messages: readonly IngestMessage[]): number {
  let quotes = 0;
  for (const message of messages)
    for (const event of message.events ?? [])
      for (const market of event.markets ?? []) quotes += market.selections?.length ?? 0;
  return quotes;
}
