// A recording served on its own clock: how fast it is played at `max` while ten streams read, beside a backtest of the
// same file; and in lockstep the time of a step and of a paper bet, beside what the same message and another command of
// the account take where time runs.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '../../src/base/model/time.js';
import { SimMarket } from '../../src/intake/feeds/sim/market.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { type Bench, format, inTurn, type Section } from '../bench.js';
import { dataFolder, Overround } from '../overround.js';
import { type Child, start, wait } from '../process.js';
import { alternate, median, pairedRatio, quantile } from '../statistics.js';

const PROGRAM = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const SIM = { seed: 3, books: 6, events: 20, rate: 60, depth: 0 };
const POLL_EVERY_MS = 30_000;
const STREAMS = 10;
const LOOK_MS = 20;
/** Steps, posts and bets before they are measured. */
const WARM = 100;
const MAX_LEAST = 0.5;
const STEP_MS = 5;

const BACKTEST = 'backtest';
const REPLAY = `replay at max, ${STREAMS} streams reading`;

export const replay: Section = {
  name: 'replay',
  about: 'a recording served on its own clock, beside a backtest of it',
  underLoad: false,
  run: async (bench) => {
    const file = `${bench.folder}/recording.ndjson`;
    const messages = await record(file, bench.full ? 8 : 1);
    bench.say(`  ${format(messages.length)} messages of ${bench.full ? 8 : 1} hours of a simulated market`);
    await inTurn(
      () => atMax(bench, file),
      () => inLockstep(bench, file, messages),
    )(bench);
  },
};

async function record(file: string, hours: number): Promise<string[]> {
  const beginMs = Date.now() - hours * HOUR_MS;
  const market = new SimMarket({ ...SIM, hours: 0 }, loadCatalogue(), beginMs);
  const messages = [...market.opening()];
  for (let ms = beginMs; ms <= beginMs + hours * HOUR_MS; ms += POLL_EVERY_MS) messages.push(...market.step(ms));
  const lines = messages.map((message) => JSON.stringify(message));
  const out = createWriteStream(file);
  for (const line of lines) out.write(`${line}\n`);
  out.end();
  await finished(out);
  return lines;
}

/** Two programs, free to use both cores, in turns. */
async function atMax(bench: Bench, file: string): Promise<void> {
  let quotes = 0;
  const rates = await alternate(bench.full ? 5 : 3, [
    {
      name: BACKTEST,
      run: async () => {
        const told = await backtest(file);
        ({ quotes } = told);
        return told.perSecond;
      },
    },
    { name: REPLAY, run: async () => quotes / (await playedSeconds(file)) },
  ]);
  bench.figure(BACKTEST, median(rates.get(BACKTEST)!), 'quotes/s');
  bench.figure(REPLAY, median(rates.get(REPLAY)!), 'quotes/s');
  const ratio = pairedRatio(rates.get(REPLAY)!, rates.get(BACKTEST)!);
  bench.ratio('max', REPLAY, BACKTEST, ratio, { target: MAX_LEAST });
}

/** As it tells them: without the start of the process. */
async function backtest(file: string): Promise<{ quotes: number; perSecond: number }> {
  const child = start(process.execPath, [PROGRAM, 'backtest', file, '--out', '/dev/null'], null);
  let text = '';
  child.process.stderr!.on('data', (bytes: Buffer) => (text += bytes));
  await once(child.process, 'close');
  const told = /(\d+) quotes in .* \((\d+) quotes\/s/.exec(text);
  if (told === null) throw new Error(`backtest said: ${text}`);
  return { quotes: Number(told[1]), perSecond: Number(told[2]) };
}

/** From the order to play at `max` until the recording is over. */
async function playedSeconds(file: string): Promise<number> {
  const server = await ServedRecording.start(file, []);
  for (let i = 0; i < STREAMS; i++) await server.stream(i % 2 === 0 ? 'all' : 'opportunities');
  const begun = performance.now();
  await server.post('/replay', { action: 'speed', speed: 'max' });
  while (!(await server.ended())) await wait(LOOK_MS);
  const seconds = (performance.now() - begun) / 1000;
  await server.stop();
  return seconds;
}

async function inLockstep(bench: Bench, file: string, messages: readonly string[]): Promise<void> {
  const count = bench.full ? 2_000 : 400;
  const recorded = await ServedRecording.start(file, ['--lockstep']);
  await recorded.stream('all');
  const live = await Overround.start({
    dataDir: dataFolder(bench.folder, 'replay'),
    core: null,
    flags: ['--history', '7'],
  });
  const posted = new Connection(live.port, live.key);
  const [steps, posts]: [number[], number[]] = [[], []];
  // In turns: what disturbs one disturbs the other.
  for (const message of messages.slice(0, WARM + count)) {
    steps.push(await recorded.post('/replay', { action: 'step', messages: 1 }));
    posts.push(
      await posted.post(
        '/ingest',
        JSON.parse(message.replace(/"polled_at":"[^"]*"/, `"polled_at":"${new Date().toISOString()}"`)),
      ),
    );
  }
  await live.stop();
  const step = quantile(steps.slice(WARM), 0.5);
  const post = quantile(posts.slice(WARM), 0.5);
  bench.figure('a step of one message in lockstep, a stream reading: p50', step, 'ms', STEP_MS);
  bench.figure('the same messages posted where time runs: p50', post, 'ms');
  bench.ratio('step', 'a step of one message in lockstep (inverse)', 'the same message posted', post / step);
  await paperBets(bench, recorded, count);
  await recorded.stop();
}

/** One at a time, on prices as they stand. */
async function paperBets(bench: Bench, server: ServedRecording, count: number): Promise<void> {
  const { data: rows } = await server.json<{ data: { id: string; odds_american: number }[] }>(
    '/odds?is_active=true&limit=200',
  );
  const [bets, others]: [number[], number[]] = [[], []];
  for (let i = 0; i < WARM + count; i++) {
    const { id, odds_american } = rows[i % rows.length]!;
    const bet = { client_id: `bench-${i}`, odds_id: id, stake: 1, odds_american, mode: 'paper' };
    bets.push(await server.post('/account/bets', { bets: [bet] }));
    others.push(await server.post('/account/bankroll', { deposits: 1_000_000 + i, currency: 'USD' }, 'PUT'));
  }
  const bet = quantile(bets.slice(WARM), 0.5);
  const other = quantile(others.slice(WARM), 0.5);
  bench.figure('a paper bet: p50', bet, 'ms');
  bench.figure("a bankroll's deposits, the same commit without a fill: p50", other, 'ms');
  bench.ratio('bet', 'a paper bet (inverse)', "a bankroll's deposits", other / bet);
}

/** One connection, one request at a time. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  readonly key: string;

  constructor(port: number, key: string) {
    this.#port = port;
    this.key = key;
  }

  async json<Body>(path: string): Promise<Body> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/api/v1${path}`, { headers: { 'x-api-key': this.key } });
    return (await answer.json()) as Body;
  }

  /** Answers the milliseconds that it took. */
  post(path: string, body: object, method = 'POST'): Promise<number> {
    const text = JSON.stringify(body);
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, path: `/api/v1${path}`, method, agent: this.#agent };
      const headers = {
        'x-api-key': this.key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      };
      const sent = request({ ...options, headers }, (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode! < 300) resolve(performance.now() - begun);
          else reject(new Error(`${method} ${path}: ${answer.statusCode}`));
        });
      });
      // A connection that was idle for long may just be closed: nothing of the request was read then.
      const again = (error: Error): void => {
        if (sent.reusedSocket) this.post(path, body, method).then(resolve, reject);
        else reject(error);
      };
      sent.on('error', again).end(text);
    });
  }

  /** Reads a stream for as long as the server lives; settles with its first bytes. */
  stream(channel: string): Promise<void> {
    const options = { host: '127.0.0.1', port: this.#port, path: `/api/v1/stream?channel=${channel}` };
    return new Promise((resolve, reject) => {
      get({ ...options, headers: { 'x-api-key': this.key } }, (answer) => {
        // The server ends before it.
        answer.on('error', () => undefined).once('data', () => resolve());
        answer.resume();
      }).on('error', reject);
    });
  }
}

class ServedRecording extends Connection {
  readonly #child: Child;

  private constructor(child: Child, port: number, key: string) {
    super(port, key);
    this.#child = child;
  }

  static async start(file: string, flags: readonly string[]): Promise<ServedRecording> {
    const child = start(process.execPath, [PROGRAM, 'serve', '--replay', file, '--port', '0', ...flags], null);
    for (let key = ''; ; ) {
      const line = await child.line();
      key = /\(enterprise, ingest\): (\S+)/.exec(line)?.[1] ?? key;
      const port = /"msg":"listening".*"port":(\d+)/.exec(line)?.[1];
      if (port !== undefined) return new ServedRecording(child, Number(port), key);
    }
  }

  async ended(): Promise<boolean> {
    const { replay } = await this.json<{ replay: { state: string } }>('/health');
    if (replay.state === 'failed') throw new Error('the recording could not be played');
    return replay.state === 'ended';
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
