// Backs every price of the next hours' games above fair once, on paper. As it happens, or over a recording in steps that two runs take alike:
//   npm run -s build && node dist/examples/paper-bot.js http://127.0.0.1:8080 sk_test_…
//   overround simulate night.ndjson.gz --lockstep -- node dist/examples/paper-bot.js --step 20
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { OverroundClient, OverroundError } from 'overround/client';

const { OVERROUND_URL = 'http://127.0.0.1:8080', OVERROUND_KEY = '' } = process.env;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { step: { type: 'string' } } });
const [url = OVERROUND_URL, apiKey = OVERROUND_KEY] = positionals;
const client = new OverroundClient({ url, apiKey });
// Its reader has what it wanted (`… | head`).
process.stdout.on('error', () => process.exit());

const MIN_EV = 1;
const SOON_MS = 2 * 3_600_000;
const STAKE = 20;
const seen = new Set<string>();
/** No answer, too many requests, and what a server or a proxy says that has no room, restarts or is gone. */
const PASSING = [0, 429, 502, 503, 504];

/** Asks again until it is answered. Only for what may be asked twice: a bet is known by its client_id. */
async function lasting<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let waitS = 1; ; waitS = Math.min(waitS * 2, 30))
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OverroundError) || !PASSING.includes(error.status)) throw error;
      const asked = error.retryAfter ?? waitS;
      process.stderr.write(`not answered: ${error.message}; again in ${asked} s\n`);
      await pause(asked * 1_000);
    }
}

interface Price {
  odds_id: string;
  odds_american: number;
  start_time: string | null;
  detected_at: string;
}

/** Or is live. Both times are the server's: in a recording the clock here says nothing. */
function startsSoon({ start_time, detected_at }: Price): boolean {
  return start_time !== null && Date.parse(start_time) - Date.parse(detected_at) < SOON_MS;
}

async function back(prices: readonly Price[]): Promise<void> {
  const fresh = prices.filter((price) => !seen.has(price.odds_id) && startsSoon(price)).slice(0, 100);
  for (const { odds_id } of fresh) seen.add(odds_id);
  if (fresh.length === 0) return;
  const bets = fresh.map(({ odds_id, odds_american }) => ({
    client_id: odds_id,
    odds_id,
    odds_american,
    stake: STAKE,
    mode: 'paper' as const,
  }));
  const { data } = await lasting(() => client.placeBets(bets));
  for (const { client_id, status, reason } of data) process.stdout.write(`${client_id} ${status} ${reason ?? ''}\n`);
}

if (values.step === undefined) {
  client.stream(
    'opportunities',
    { min_ev: MIN_EV },
    {
      onEvent: async (event) => {
        if (event.type === 'detected' && event.channel === 'ev') await back(event.items);
      },
    },
  );
} else {
  for (let state = ''; state !== 'ended'; ) {
    ({ state } = (await client.replay({ action: 'step', messages: Number(values.step) })).data);
    await back((await lasting(() => client.opportunities('ev', { min_ev: MIN_EV, limit: 100 }))).data);
  }
}
