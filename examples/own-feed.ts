// A server inside your own program, with a feed of your own: here one book that moves one price each second.
//   npm run -s build && node dist/examples/own-feed.js
import { diagnosticChannels, type Feed, startServer, subscribeTo } from 'overround';

/** A feed makes ingest messages and waits until each is committed before it sends the next. */
class OneBook implements Feed {
  readonly name = 'one-book';
  readonly simulated = true;
  readonly #ended = new AbortController();

  async run({ clock, sink, log }: Parameters<Feed['run']>[0]): Promise<void> {
    for (let turn = 0; !this.#ended.signal.aborted; turn++) {
      const nowMs = clock.now();
      const { rejected } = await sink([
        {
          book: 'corner-book',
          polled_at: new Date(nowMs).toISOString(),
          scope: 'event',
          events: [
            {
              league: 'nba',
              home_team: 'Boston Celtics',
              away_team: 'LA Lakers',
              start_time: new Date(Math.ceil(nowMs / 86_400_000) * 86_400_000).toISOString(),
              markets: [
                {
                  market_type: 'moneyline',
                  selections: [
                    { selection: 'Boston Celtics', selection_type: 'home', odds_american: -110 - (turn % 5) },
                    { selection: 'LA Lakers', selection_type: 'away', odds_american: 100 + (turn % 5) },
                  ],
                },
              ],
            },
          ],
        },
      ]);
      for (const { path, reason } of rejected) log.warn({ path }, reason);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }

  stop(): void {
    this.#ended.abort();
  }
}

const server = await startServer({
  settings: { port: '0', data: process.argv[2] ?? './data-own-feed' },
  feeds: [new OneBook()],
});
// What it does is published as it does it: docs/guides/embedding.md lists the channels.
subscribeTo(diagnosticChannels.tableDelta, server.server.engine, ({ rowsWritten }) => {
  if (rowsWritten > 0) process.stdout.write(`${rowsWritten} rows written\n`);
});
process.stdout.write(`${server.url}/api/v1/odds  (key: ${server.ownKey('sharp')})\n`);
process.once('SIGINT', () => void server.close());
process.once('SIGTERM', () => void server.close());
