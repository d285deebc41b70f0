// A recording as a server serves it: its clock, what identifies it, and the player that plays it into the engine.

import { accessSync, constants, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bets } from '../accounts/bets/bets.js';
import { type Clock, systemClock } from '../base/model/clock.js';
import type { Broadcaster } from '../broadcast/broadcaster.js';
import { type Config, ConfigError } from '../config/config.js';
import type { Engine } from '../engine/engine.js';
import { epochOf, readInstants, startOf } from '../engine/replay/instants.js';
import { RecordingPlayer, type Restart } from '../engine/replay/player.js';
import { RecordedClock } from '../engine/replay/recorded-clock.js';
import { CUT_SHORT } from '../intake/feeds/files/sources.js';
import { isSimulatedRecording } from '../intake/feeds/replay/recording.js';
import { wait } from '../intake/feeds/wait.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { controlPath } from '../store/control-store.js';
import { openControlAlone, readIdentity } from '../store/data-directory.js';
import { lockDirectory } from '../store/directory-lock.js';
import { RecordedTimes } from '../writer/pool/recorded-run.js';
import type { Log } from './observe/log.js';
import type { ServedRecording } from './server-parts.js';

/** A stream that reads nothing for so long is closed instead of holding a step up. */
const STEP_STUCK_MS = 2_000;

export interface RecordingRun {
  /** Closes this server and starts one that has played up to then (Unix ms); absent if nothing can. */
  restart?: Restart;
  /** The data directory is that of an earlier run, whose keys are kept. */
  again?: boolean;
}

export interface OpenedRecording {
  served: ServedRecording;
  dataDir: string;
  /** Removes the directory, if it is a temporary one. */
  remove(): void;
}

/**
 * Opens the recording of the settings. Throws ConfigError if it cannot be read, is no recording, or the data directory
 * holds something.
 */
export async function openServedRecording(
  config: Config,
  catalogue: Catalogue,
  log: Log,
  { restart, again = false }: RecordingRun,
): Promise<OpenedRecording> {
  const {
    replay: file = '',
    replayResults: results,
    replaySpeed: speed,
    lockstep,
    replayPaused: paused = false,
  } = config;
  let told = false;
  const files = {
    file,
    results,
    leagues: catalogue,
    onBadLine: (path: string, bad: object) => {
      if (!told) log.warn({ file: path, ...bad }, 'a line of the recording cannot be read');
      told = true;
    },
    onCutShort: (name: string) => log.warn({ file: name }, `the file ${CUT_SHORT}`),
  };
  checkReadable('--replay', file);
  if (results !== undefined) checkReadable('--results', results);
  try {
    const startMs = await startOf(files);
    const fromMs = config.replayFrom ?? Number.NEGATIVE_INFINITY;
    const epoch = await epochOf(files, String(fromMs));
    const simulated = await isSimulatedRecording(file);
    const instants = await readInstants(files);
    const { dataDir, remove } = await directoryOf(config, again, startMs);
    const clock = new RecordedClock(startMs);
    const served = { clock, instants, speed, lockstep, paused, fromMs, epoch, simulated, again };
    return { served: { ...served, ...(restart === undefined ? {} : { restart }) }, dataDir, remove };
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`--replay ${file}: ${(error as Error).message}`);
  }
}

function checkReadable(flag: string, path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' || code === 'ENOTDIR' ? 'there is no such file' : message;
    throw new ConfigError(`${flag} ${path} cannot be read: ${why}`);
  }
}

async function directoryOf(
  { dataDir, dataDirGiven }: Config,
  again: boolean,
  startMs: number,
): Promise<{ dataDir: string; remove(): void }> {
  if (!dataDirGiven) {
    const made = await temporaryDirectory();
    return { dataDir: made, remove: () => rmSync(made, { recursive: true, force: true }) };
  }
  if (again) forgetRun(dataDir);
  if (readIdentity(dataDir) !== undefined)
    throw new ConfigError(`--data ${dataDir}: a recording is served from its beginning, in a directory without odds`);
  await beginKeysAt(dataDir, startMs);
  return { dataDir, remove: () => undefined };
}

/** Keys made before are of a later time: it would count as the recording's, which is when its games are over. */
async function beginKeysAt(dataDir: string, startMs: number): Promise<void> {
  if (!existsSync(controlPath(dataDir))) return;
  const store = openControlAlone(dataDir);
  store.beginAt(Math.floor(startMs * 1000) - 1);
  await store.close();
}

/** What an earlier run of the recording made; the keys stay, in the control store, whose bets are forgotten later. */
function forgetRun(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (join(dataDir, name) !== controlPath(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

export function playerFor(
  { epoch: _epoch, simulated: _simulated, again: _again, ...options }: ServedRecording,
  engine: Engine,
  broadcaster: Broadcaster,
  bets: Bets,
  log: Log,
): RecordingPlayer {
  const { clock } = options;
  const times = new RecordedTimes(clock.now());
  const passTime = async (): Promise<void> => {
    await engine.passTime();
    await bets.passTime();
  };
  const written = async (): Promise<void> => {
    engine.delayed.advance();
    await bets.graded();
    await broadcaster.written(STEP_STUCK_MS);
  };
  const shown = async (): Promise<void> => {
    if (!player.sendsEach) return;
    await bets.passTime();
    await written();
  };
  const reach = async (atMs: number): Promise<void> => {
    for (;;) {
      const dueMs = Math.min(bets.nextDeadlineMs, player.nextBeatMs);
      if (!(dueMs < atMs)) break;
      clock.stand(dueMs);
      await bets.passTime();
      await shown();
      player.beat();
    }
    clock.stand(atMs);
  };
  const runs = engine.recordedRuns({ times, reach, shown });
  const player = new RecordingPlayer({
    ...options,
    times,
    wait,
    onSeeking: ({ at, to }) => log.info({ at, to }, 'playing the recording up to the time that is sought'),
    target: {
      ingest: (messages) => engine.ingest(messages),
      passTime,
      playAhead: (atMs, messages) => runs.add(atMs, messages),
      shown: async () => {
        await runs.shown();
        engine.delayed.advance();
        await bets.passTime();
      },
      get nextDeadlineMs() {
        return Math.min(engine.nextDeadlineMs, bets.nextDeadlineMs);
      },
      written,
      beat: () => broadcaster.beat(),
    },
  });
  return player;
}

const PREFIX = 'overround-replay-';
/** A directory is made, or left for a new beginning, a little before it is locked. */
const UNLOCKED_MS = 60_000;

/**
 * The data directory of a recording that is served without --data: removed at the end or, if its server was killed, when the
 * next one starts.
 */
export async function temporaryDirectory(parent = tmpdir(), clock: Clock = systemClock): Promise<string> {
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX)) await removeIfAbandoned(join(parent, name), clock.now());
  return mkdtempSync(join(parent, PREFIX));
}

async function removeIfAbandoned(path: string, nowMs: number): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || nowMs - found.mtimeMs < UNLOCKED_MS) return;
  if (process.getuid !== undefined && found.uid !== process.getuid()) return;
  const unlock = await lockDirectory(path).catch(() => undefined);
  // Its server is running.
  if (unlock === undefined) return;
  rmSync(path, { recursive: true, force: true });
  await unlock();
}
