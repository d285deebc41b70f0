// A shard that commits to a store in a folder, and history that follows its log: it reads exactly what was committed,
// or reports a gap.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type DataDirectory, openDataDirectory } from '../../../src/store/data-directory.js';
import type { EventLog } from '../../../src/store/history/event-log.js';
import type { HistoryEvent } from '../../../src/store/history/event-record.js';
import type { Gap } from '../../../src/store/history/port.js';
import { Recorder } from '../../../src/store/history/recorder.js';
import { HistoryLog } from '../../../src/store/history-log.js';
import { HistoryFile } from '../../../src/store/history-store.js';
import { WriteBehind } from '../../../src/store/write-behind.js';
import { ShardWriter } from '../../../src/writer/pool/shard-writer.js';
import { Shard } from '../../../src/writer/shard/shard.js';
import { moneyline } from '../../intake/ingest/messages.js';
import { newFolder } from '../../temp-folders.js';

export const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const START = '2026-11-25T00:00:00Z';

/** `[at (Unix ms), American odds]` of one side. */
export type Series = [atMs: number, american: number][];

export class StoredLog {
  readonly catalogue = loadCatalogue();
  readonly clock = new ManualClock(NOON);
  readonly path: string;
  readonly directory;
  readonly env;
  readonly gaps: Gap[] = [];
  readonly readErrors: number[] = [];
  readonly writer: ShardWriter;
  readonly #shard: Shard;

  constructor(t: TestContext, logSeconds = 1e6, logBytesMax = 1e9) {
    this.path = newFolder();
    this.directory = openDataDirectory(this.path, 1, this.clock);
    t.after(() => this.directory.close());
    this.env = this.directory.envs[0]!;
    const retention = { logSeconds, logBytesMax, fileBytesMax: 1e10 };
    this.writer = new ShardWriter(this.env, this.catalogue, retention);
    this.#shard = new Shard(0, this.catalogue, this.writer);
  }

  /** Commits one price for the home team of each of the games, or none, a minute after the last commit; returns its position. */
  commit(american: number | null, games: readonly number[] = [0], book = 'draftkings'): number {
    this.clock.set(this.clock.now() + MINUTE_MS);
    const { catalogue, clock } = this;
    const message = normalise(
      {
        book,
        polled_at: new Date(clock.now()).toISOString(),
        scope: 'event',
        events: games.map((game) => ({
          league: 'nba',
          home_team: `Home ${game}`,
          away_team: `Away ${game}`,
          start_time: START,
          markets: american === null ? [] : [moneyline(american, -american - 20)],
        })),
      },
      '',
      { catalogue, clock, leagueOfEvent: () => undefined },
      [],
    );
    const position = clock.now() * 1000;
    this.#shard.apply([message!], position);
    return position;
  }

  /** History as opened by its thread; `recorder` and `epoch` replace its own recorder and the directory's epoch. */
  open(
    t: TestContext,
    wrap: (store: HistoryFile) => Recorder = (store) => new Recorder(store),
    epoch = this.directory.epoch,
    events?: EventLog,
    commits = new WriteBehind(),
  ) {
    const store = new HistoryFile(this.path, false, commits);
    t.after(() => store.close());
    const recorder = wrap(store);
    const log = new HistoryLog({
      envs: [this.env],
      recorder,
      epoch,
      createdPosition: this.directory.createdPosition,
      alsoTake: (delta) => events?.take(delta),
      alsoFlush: () => events?.flush(),
      isWriting: () => commits.isWriting,
      onGap: (shard, fromUs, toUs) => this.gaps.push({ shard, fromUs, toUs }),
      onReadError: (_shard, position) => this.readErrors.push(position),
    });
    return { store, recorder, log };
  }
}

/** History as after a restart: the file's, and the rest from the log. Fails if the log has a gap or cannot be read. */
export function readHistory(path: string, { envs, epoch, createdPosition }: DataDirectory) {
  const file = new HistoryFile(path);
  const recorder = new Recorder(file);
  const fail = (...values: unknown[]): never => assert.fail(JSON.stringify(values));
  const log = new HistoryLog({ envs, recorder, epoch, createdPosition, onGap: fail, onReadError: fail });
  assert.equal(log.read(), true);
  recorder.flush();
  assert.deepEqual(recorder.gaps.list, []);
  return { file, recorder };
}

export function eventOf(recorder: Recorder, game: number): HistoryEvent {
  return recorder.find(`nba_home-${game}_away-${game}_2026-11-24`)!;
}

/** The home team's prices. */
export function seriesOf(recorder: Recorder, game: number, book = 'draftkings'): Series {
  const event = eventOf(recorder, game);
  const series: Series = [];
  recorder.changes(event, 0, Number.MAX_SAFE_INTEGER, (place, atUs, american) => {
    const row = event.rows[place]!;
    if (row.selectionType === 'home' && row.book === book) series.push([atUs / 1000, american]);
  });
  return series;
}
