// kill -9 in the middle of a recording, repeatedly: after a restart history has every price, opening and close of the
// polls, and grades bets like an independent reading of them.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ManualClock, systemClock } from '../../../src/base/model/clock.js';
import { type RecordedPoll, readRecording } from '../../../src/intake/feeds/replay/recording.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { openDataDirectory } from '../../../src/store/data-directory.js';
import { HistoryFile } from '../../../src/store/history-store.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import type { Json } from '../../front/api.js';
import { newFolder } from '../../temp-folders.js';
import { judgedBets } from './judged-bets.js';
import { compare, type Game, POLLS, readGames, skip } from './polls.js';
import type { PollProgress, PollToServer } from './recording-child.js';
import { recordingServer } from './recording-server.js';
import { readHistory } from './stored-log.js';

const CHILD = fileURLToPath(new URL('./recording-child.js', import.meta.url));
const POLLS_MAX = 300;
/** Number of polls ingested before each kill. */
const KILLED_AFTER = [7, 41, 42, 120, 121, 204, 260];
/** Answers are rounded to four places. */
const CLV_PERCENT = 1e-3;

/** Ingests polls one after the other; the process is killed while the one at `until` is under way. */
async function played(dir: string, polls: readonly RecordedPoll[], from: number, until: number): Promise<void> {
  const child = fork(CHILD, [dir, String(polls[from]!.atMs)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const send = (poll: number): void => {
    const { atMs, messages } = polls[poll]!;
    child.send({ poll, atMs, messages } satisfies PollToServer, () => {
      if (poll === until) child.kill('SIGKILL');
    });
  };
  child.on('message', (values: PollProgress) => {
    if (values.kind === 'ready') send(from);
    else if (values.poll < until) send(values.poll + 1);
  });
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
}

/** Compares opening prices and bets of a server started on the directory; returns how many of each were compared. */
async function asked(dir: string): Promise<{ openings: number; bets: number }> {
  const never = { after: () => undefined };
  const { server, port, close } = await recordingServer(never, dir, new ManualClock(readGames().lastMs));
  try {
    const url = `http://127.0.0.1:${port}/api/v1`;
    const key = atOnce(server.accounts).create({ tier: 'enterprise', requestsPerMinute: 100_000 }).key;
    return await compareAnswers(eventIds(dir), async (path, body) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const answer = (await (await fetch(`${url}${path}`, { headers, ...init })).json()) as Json;
      assert.ok(answer.success, `${path}: ${JSON.stringify(answer)}`);
      return answer.data;
    });
  } finally {
    await close();
  }
}

async function compareAnswers(
  ids: ReadonlyMap<string, string>,
  ask: (path: string, body?: object) => Promise<Json>,
): Promise<{ openings: number; bets: number }> {
  const catalogue = loadCatalogue();
  const { games, pollsMs, lastMs } = readGames();
  const all = { openings: 0, bets: 0 };
  for (const game of games) {
    const [home, away] = [game.home, game.away].map((name) => catalogue.resolveTeam('mlb', name).name);
    const event = ids.get(`${home}|${away}|${game.startMs}`)!;
    all.openings += compareOpenings(await ask(`/odds/opening?event_id=${event}`), game);
    const judged = game.startMs > lastMs ? [] : judgedBets(game, pollsMs);
    if (judged.length === 0) continue;
    const bets = judged.map(({ book, side, american, atMs }) => ({
      event,
      market: 'moneyline',
      selection: side,
      sportsbook: book,
      odds_american: american,
      at: new Date(atMs).toISOString(),
    }));
    const grades = await ask('/clv', { bets });
    for (const [i, { american, probability }] of judged.entries()) {
      const { clv_percent: clv, reason } = grades[i];
      const said = JSON.stringify([grades[i], judged[i]]);
      if (probability === null) assert.deepEqual([clv, reason], [null, 'no_reference'], said);
      else {
        const decimal = 1 + (american > 0 ? american / 100 : 100 / -american);
        assert.ok(Math.abs(clv - 100 * (probability * decimal - 1)) < CLV_PERCENT, said);
        all.bets++;
      }
    }
  }
  return all;
}

function eventIds(dir: string): Map<string, string> {
  const file = new HistoryFile(dir, true);
  const ids = new Map<string, string>();
  for (const { fields } of file.events()) ids.set(`${fields.home}|${fields.away}|${fields.startMs}`, fields.id);
  void file.close();
  return ids;
}

function compareOpenings({ books }: Json, { prices, startMs }: Game): number {
  const shown = Object.values(books as Record<string, Json[]>)
    .flat()
    .filter(({ market_type }) => market_type === 'moneyline')
    .map(({ sportsbook, selection_type, odds_american, captured_at }) => [
      `${sportsbook}|${selection_type}`,
      [Date.parse(captured_at), odds_american],
    ]);
  const first = [...prices].flatMap(([place, [opening]]) => (opening![0] < startMs ? [[place, opening]] : []));
  assert.deepEqual(shown.sort(), first.sort());
  return first.length;
}

test('killed in the middle of a recording, history has every price and every close of the polls, and judges bets by them', {
  skip,
  timeout: 300_000,
}, async () => {
  const catalogue = loadCatalogue();
  const polls: RecordedPoll[] = [];
  for await (const poll of readRecording(POLLS, { leagues: catalogue })) polls.push(poll);
  assert.equal(polls.length, POLLS_MAX);
  const dir = newFolder();
  let from = 0;
  for (const until of [...KILLED_AFTER, polls.length - 1]) {
    await played(dir, polls, from, until);
    // The poll under way may be there completely, in part or not at all: it is sent again.
    from = until;
  }
  await played(dir, [...polls, polls.at(-1)!], from, polls.length);
  const directory = openDataDirectory(dir, 1, systemClock);
  const { file, recorder } = readHistory(dir, directory);
  const { compared, closes } = compare(catalogue, file, recorder);
  assert.ok(compared > 3_000 && closes > 3_000, `${compared} rows and ${closes} closes`);
  await file.close();
  await directory.close();
  const { openings, bets } = await asked(dir);
  assert.ok(openings > 3_000 && bets > 1_000, `${openings} openings and ${bets} bets`);
});
