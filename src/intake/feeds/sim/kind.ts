// The simulated market on the command line: `sim:seed=7,books=28,events=120,rate=3000`.
import { feedKind, numberArg } from '../feed-kind.js';

const NUMBERS = ['seed', 'books', 'events', 'rate', 'hours'] as const;

export const feed = feedKind({
  kind: 'sim',
  parameters: { seed: 'value', books: 'value', events: 'value', rate: 'value', hours: 'value' },
  simulated: () => true,
  async make(spec, { catalogue, depth }) {
    const { SimFeed } = await import('./feed.js');
    const given = NUMBERS.map((name) => [name, numberArg(spec, name, 0, Number.MAX_SAFE_INTEGER)] as const);
    return new SimFeed({ ...Object.fromEntries(given), depth }, catalogue);
  },
});
