// A feed on the kit: a venue that lists games over REST and sends numbered prices over a WebSocket. The kit reconnects,
// looks for signs of life, sends what changed, and marks rows inactive when the venue is gone.
//   npm run -s build && node dist/examples/venue-feed.js DATA HTTP_URL WS_URL
import { Connection, type Feed, Publisher, Rest, Sequence, startServer, VenueGames, webSocket } from 'overround';

const [data = './data-venue-feed', httpUrl = 'http://127.0.0.1:9000', wsUrl = 'ws://127.0.0.1:9000'] =
  process.argv.slice(2);

type Listed = { id: string; home: string; away: string; start: string }[];
type Price = { seq: number; game: string; home: number | null; away: number | null; size: number };

class VenueFeed implements Feed {
  readonly name = 'my-venue';
  readonly simulated = false;
  readonly #stopping = new AbortController();

  async run(context: Parameters<Feed['run']>[0]): Promise<void> {
    const { signal } = this.#stopping;
    const random = Math.random;
    const games = new VenueGames();
    const sequence = new Sequence();
    const rest = new Rest({ context, baseUrl: httpUrl, perSecond: 5, random, signal });
    const publisher = new Publisher({ book: 'my-venue', leagues: ['nba'], games, context });
    for (const { id, home, away, start } of (await rest.get('/games')) as Listed)
      games.put({ id, league: 'nba', home, away, startMs: Date.parse(start) }).market({ id, type: 'moneyline' }, [
        { selection: home, selectionType: 'home', tokenId: `${id}/home` },
        { selection: away, selectionType: 'away', tokenId: `${id}/away` },
      ]);
    const connection: Connection = new Connection({
      name: 'prices',
      dial: webSocket({ url: wsUrl }),
      context,
      random,
      opened: () => {
        sequence.restart();
        connection.send(JSON.stringify({ subscribe: [...games.values()].map(({ facts }) => facts.id) }));
        publisher.ready();
      },
      received: (text) => {
        const { seq, game, home, away, size } = JSON.parse(text) as Price;
        // The venue sends whole prices after each subscription, so a new connection heals a gap.
        if (sequence.take(seq) === 'gap') connection.drop('a message is missing');
        const market = games.get(game)?.markets.get(game);
        market?.outcomes[0]?.set({ decimal: home, size });
        market?.outcomes[1]?.set({ decimal: away, size });
      },
      // Nobody knows the prices any more: the rows stay, inactive.
      down: () => {
        for (const { markets } of games.values()) for (const market of markets.values()) market.clear();
      },
    });
    await Promise.all([publisher.run(signal), connection.run(signal)]);
    await publisher.suspendAll();
  }

  stop(): void {
    this.#stopping.abort();
  }
}

const server = await startServer({ settings: { port: '0', data }, feeds: [new VenueFeed()] });
process.stdout.write(`${server.url}/api/v1/odds?sportsbook=my-venue  (key: ${server.ownKey('sharp')})\n`);
process.once('SIGINT', () => void server.close());
process.once('SIGTERM', () => void server.close());
