// How fast bets are graded: the grader alone, and every price above fair of one game when its result comes, as the history
// thread does it; beside what the grader alone would take for as many.

import type { ResultRecord } from '../../src/base/model/result.js';
import { HOUR_MS } from '../../src/base/model/time.js';
import { Timeline } from '../../src/cli/backtest/timeline.js';
import type { IngestMarket, IngestMessage } from '../../src/intake/ingest/message.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { type BetQuestion, gradeBet } from '../../src/rules/grading/grade.js';
import { returnsOf, SETTLED } from '../../src/rules/grading/returns.js';
import { Grader } from '../../src/store/clv/grader.js';
import type { Prediction } from '../../src/store/clv/prediction.js';
import { Settler } from '../../src/store/clv/settler.js';
import type { HistoryEvent } from '../../src/store/history/event-record.js';
import { memoryHistoryStore } from '../../src/store/history/memory-store.js';
import { Recorder } from '../../src/store/history/recorder.js';
import type { Section } from '../bench.js';
import { alternate, median, pairedRatio } from '../statistics.js';

const BOOKS = 28;
const PLAYERS = 29;
const STATISTICS = ['points', 'rebounds', 'assists'] as const;
const PREDICTIONS = 5_000;
const ROUNDS = { short: 15, full: 60 } as const;
/** Bets of one round of the grader alone. */
const BETS = 500_000;
const BETS_PER_SECOND = 1_000_000;
const RESULT_MS = 50;

const catalogue = loadCatalogue();
const startMs = Date.UTC(2026, 10, 22, 1);
const at = (ms: number): string => new Date(ms).toISOString();
const player = (i: number): string => `Player ${'ABCD'[i >> 3]}${'eiouaynr'[i & 7]}lsen`;
const PAIR = ['over', 'under'] as const;

const GAME = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: at(startMs) };

function markets(): IngestMarket[] {
  const sides = (line: number) =>
    PAIR.map((side) => ({ selection: side, selection_type: side, line, odds_american: -110 }));
  const spread = [
    { selection: 'home', selection_type: 'home', line: -3.5, odds_american: -110 },
    { selection: 'away', selection_type: 'away', line: 3.5, odds_american: -110 },
  ];
  const props = Array.from({ length: PLAYERS }, (_, i) =>
    STATISTICS.map((stat) => ({
      market_type: `player_${stat}`,
      player_name: player(i),
      stat_category: stat,
      selections: sides(i + 0.5),
    })),
  );
  return [
    { market_type: 'moneyline', selections: spread.map(({ line: _line, ...side }) => side) },
    { market_type: 'point_spread', selections: spread },
    { market_type: 'total_points', selections: sides(224.5) },
    { market_type: 'moneyline_h1', selections: spread.map(({ line: _line, ...side }) => side) },
    ...props.flat(),
  ];
}

function result(): unknown {
  const parts = ['q1', 'q2', 'q3', 'q4'].map((part, i) => ({ part, home_score: 26 + i, away_score: 28 - i }));
  const players = Array.from({ length: PLAYERS }, (_, i) => ({
    player_name: player(i),
    played: i !== 3,
    stats: { points: i, rebounds: 7, assists: 4 },
  }));
  return { ...GAME, status: 'final', home_score: 110, away_score: 106, parts, players, at: at(startMs + 3 * HOUR_MS) };
}

interface Played {
  event: HistoryEvent;
  recorder: Recorder;
  results: Map<string, ResultRecord>;
  predictions: Prediction[];
}

/** A game that every book offered, and a price above fair of nearly every row. */
function played(): Played {
  const recorder = new Recorder(memoryHistoryStore());
  recorder.begin('bench', 1);
  const timeline = new Timeline(catalogue, { key: 'bench', books: [], kept: { minEv: 0 } }, () => {}, recorder);
  const books = catalogue.data.books.slice(0, BOOKS);
  const messages = books.map(
    ({ id }, i): IngestMessage => ({
      book: id,
      polled_at: at(startMs - HOUR_MS + i),
      scope: 'event',
      events: [{ ...GAME, markets: markets() }],
    }),
  );
  timeline.play({ atMs: startMs - HOUR_MS + BOOKS, messages });
  const afterMs = startMs + 3 * HOUR_MS;
  const told = { source: 'league', polled_at: at(afterMs), results: [result()] } as IngestMessage;
  timeline.play({ atMs: afterMs, messages: [told] });
  recorder.flush();
  const [record] = timeline.results.values();
  const event = recorder.find(record!.eventId)!;
  const predictions = event.rows.slice(0, PREDICTIONS).map(
    (row, i): Prediction => ({
      id: `${i}`,
      oddsId: row.id,
      event: event.id,
      book: row.book,
      market: row.market,
      selection: row.selection,
      line: row.opening.line,
      decimalNet: 1.95,
      ev: 2,
      atUs: (startMs - HOUR_MS / 2) * 1000,
      devigBook: 'pinnacle',
    }),
  );
  return { event, recorder, results: timeline.results, predictions };
}

/** The questions of the game's rows, ready to be graded. */
function questionsOf({ event, predictions }: Played): BetQuestion[] {
  return predictions.map(({ oddsId, line }) => {
    const { market, selectionType, player, team } = event.byId.get(oddsId)!;
    return {
      rules: catalogue.types.of(market, event.sport),
      sport: event.sport,
      selection: selectionType,
      line,
      team,
      player: player === null ? null : player.toLowerCase(),
      threeWay: false,
      house: catalogue.houseRules.of('draftkings', event.sport, event.league),
    };
  });
}

export const grading: Section = {
  name: 'grading',
  about: 'bets graded by a result: the grader alone, and every price above fair of a game',
  underLoad: false,
  run: async (bench) => {
    const game = played();
    const { event, recorder, predictions, results } = game;
    const word = results.get(event.id)!.words['league']!;
    const questions = questionsOf(game);
    const resultOf = (id: string): ResultRecord | undefined => results.get(id);
    const nowMs = startMs + 4 * HOUR_MS;
    const alone = (): void => {
      for (const question of questions) returnsOf(gradeBet(question, word, false), 1.95, 1);
    };
    let settled = 0;
    const whole = (): void => {
      // As new as on the thread that has just read the result.
      const settler = new Settler(recorder, catalogue, { resultOf }, []);
      const grader = new Grader(recorder, catalogue);
      settled = 0;
      for (const prediction of predictions) {
        grader.grade(event, prediction, nowMs * 1000);
        if (SETTLED.has(settler.settlePrediction(event, prediction, nowMs).result)) settled++;
      }
    };
    const timed = (run: () => void) => async (): Promise<number> => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const repeats = Math.round(BETS / questions.length);
    const grader = timed(() => {
      for (let i = 0; i < repeats; i++) alone();
    });
    const rounds = ROUNDS[bench.full ? 'full' : 'short'];
    await alternate(3, [
      { name: 'alone', run: grader },
      { name: 'whole', run: timed(whole) },
    ]);
    const ms = await alternate(rounds, [
      { name: 'alone', run: grader },
      { name: 'whole', run: timed(whole) },
    ]);
    if (settled !== predictions.length || settled < PREDICTIONS * 0.95)
      throw new Error(`${settled} of ${predictions.length} are settled`);
    const perSecond = (repeats * questions.length) / (median(ms.get('alone')!) / 1000);
    bench.figure('bets graded on one core', perSecond, 'bets/s');
    // No control: it is as fast as the machine is at the moment.
    bench.ratio('bets', 'bets graded on one core', 'a million a second', perSecond / BETS_PER_SECOND, {
      target: 1,
      judged: false,
    });
    bench.figure(
      `${predictions.length} prices of a game, graded by close and result`,
      median(ms.get('whole')!),
      'ms',
      RESULT_MS,
    );
    const aloneMs = ms.get('alone')!.map((value) => value / repeats);
    bench.ratio(
      'game',
      'prices of a game, by close and result',
      'the grader alone',
      pairedRatio(aloneMs, ms.get('whole')!),
    );
  },
};
