// A feed of one's own, to copy: it asks a URL for odds every few seconds.
//   MY_FEED_URL=http://127.0.0.1:9000/odds overround serve --feed ./my-feed.js:league=nba,every=5
// A server loads this file by its path; nothing else has to know it.

/** @type {import('overround').FeedKind} */
export const feed = {
  // The name in logs, /health and messages.
  kind: 'my-feed',
  // What may follow the colon, each name=value; a `list` may contain commas.
  parameters: { league: 'value', every: 'value' },
  // From the environment: addresses and keys. `parse` returns the value, or throws what it must be.
  settings: [
    {
      name: 'url',
      env: 'MY_FEED_URL',
      description: 'where the odds are',
      parse: (text) => new URL(text).href,
    },
  ],
  make({ args }, { settings, catalogue }) {
    const league = catalogue.leagueOf(args.league ?? 'nba');
    if (league === undefined) throw new Error('my-feed: a league that the catalogue does not know');
    if (settings.url === undefined) throw new Error('my-feed needs the environment variable MY_FEED_URL');
    return new MyFeed(settings.url, league.id, Number(args.every ?? 5) * 1_000);
  },
};

class MyFeed {
  /** True where prices are made up: /health and the banner say so. */
  simulated = false;
  #ended = new AbortController();

  constructor(url, league, everyMs) {
    this.name = `my-feed:league=${league}`;
    this.url = url;
    this.league = league;
    this.everyMs = everyMs;
  }

  /** Runs until stopped; it rejects only if no retry can help. */
  async run({ sink, log, report }) {
    while (!this.#ended.signal.aborted) {
      try {
        const polledAt = new Date().toISOString();
        const response = await fetch(this.url, { signal: this.#ended.signal });
        if (!response.ok) throw new Error(`${response.status} from the venue`);
        // Waits until everything is committed: no more is fetched than the server can take.
        const { rejected } = await sink([this.message(await response.json(), polledAt)]);
        for (const { path, reason } of rejected) log.warn({ path }, reason);
        report?.succeeded(this.league);
      } catch (error) {
        if (!this.#ended.signal.aborted) report?.failed(this.league, error.message);
      }
      await this.#pause();
    }
  }

  stop() {
    this.#ended.abort();
  }

  /** The venue's answer as an ingest message (the guide "Feeds and ingest" has all fields). */
  message(games, polledAt) {
    return {
      book: 'my-book',
      polled_at: polledAt,
      // What the answer is complete for: a game of this league that is not in it is gone.
      scope: 'league',
      league: this.league,
      events: games.map(({ home, away, start, homeOdds, awayOdds }) => ({
        league: this.league,
        home_team: home,
        away_team: away,
        start_time: start,
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection: home, selection_type: 'home', odds_american: homeOdds },
              { selection: away, selection_type: 'away', odds_american: awayOdds },
            ],
          },
        ],
      })),
    };
  }

  #pause() {
    const { signal } = this.#ended;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.everyMs);
      signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
  }
}
