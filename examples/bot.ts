// Prints every arbitrage as it appears and ends, with the stakes of a bankroll. Runs until it is interrupted:
//   npm run -s build && node dist/examples/bot.js http://127.0.0.1:8080 sk_test_… 100
import { OverroundClient, OverroundError } from 'overround/client';

const { OVERROUND_URL = 'http://127.0.0.1:8080', OVERROUND_KEY = '' } = process.env;
const [url = OVERROUND_URL, apiKey = OVERROUND_KEY, bankroll = '100'] = process.argv.slice(2);
const client = new OverroundClient({ url, apiKey });
// Its reader has what it wanted (`… | head`).
process.stdout.on('error', () => process.exit());

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  const stream = client.stream(
    'opportunities',
    {},
    {
      onEvent: (event) => {
        if (event.type !== 'detected' || event.channel !== 'arbitrage') return;
        for (const { event_name, market_type, profit_percent, legs } of event.items) {
          say(`${profit_percent?.toFixed(2)} %  ${event_name}  ${market_type}`);
          for (const { sportsbook, selection, odds_american, stake_percent } of legs)
            say(
              `    ${((stake_percent / 100) * Number(bankroll)).toFixed(2)} on ${selection} at ${sportsbook} (${odds_american})`,
            );
        }
      },
    },
  );
  await stream.ready;
  say(`live: ${stream.table.opportunities.arbitrage.size} arbitrages`);
} catch (error) {
  if (!(error instanceof OverroundError)) throw error;
  process.stderr.write(`refused: ${error.code}: ${error.message}\n`);
  process.exitCode = 1;
}
