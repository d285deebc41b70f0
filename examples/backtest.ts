// What a recording would have offered: runs the engine over it and sums up what it found, by kind.
//   npm run -s build && node dist/examples/backtest.js FILE
import { DEFAULT_LIMITS, loadCatalogue, runBacktest } from 'overround';

const [file = ''] = process.argv.slice(2);
const { polls, quotes, kinds } = await runBacktest({
  file,
  catalogue: loadCatalogue(),
  books: null,
  limits: DEFAULT_LIMITS,
  write: () => undefined,
});
process.stdout.write(`${polls} polls, ${quotes} quotes\n`);
for (const kind of kinds) process.stdout.write(`${JSON.stringify(kind)}\n`);
