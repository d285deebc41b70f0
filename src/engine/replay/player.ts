// Plays a recording into an engine on the recording's clock: its messages at their instants, and between them every
// deadline at its own, as a backtest does. How fast, up to when and in which steps is set from outside.
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { formatMs } from '../../base/model/time.js';
import type { RecordedTimes } from '../../writer/pool/recorded-run.js';
import type { Instant } from './instants.js';
import type { RecordedClock } from './recorded-clock.js';

/** What a recording is played into. */
export interface PlayerTarget {
  /** Settles when the messages are committed and every read shows them. */
  ingest(messages: readonly unknown[]): Promise<unknown>;
  /** Lets time pass in every shard; settles when that is committed. */
  passTime(): Promise<void>;
  /** Takes the messages of an instant without waiting until they are shown; settles when there is room for more. */
  playAhead(atMs: number, messages: readonly unknown[]): Promise<void>;
  /** Settles when everything played ahead is shown. */
  shown(): Promise<void>;
  /** The next moment (Unix ms) when time alone may change something; possibly too early. */
  readonly nextDeadlineMs: number;
  /** Settles when every open stream was sent all that changed; closes those that read nothing. */
  written(): Promise<void>;
  /** Sends heartbeats. */
  beat(): void;
}

export type ReplayState = 'running' | 'paused' | 'lockstep' | 'seeking' | 'ended' | 'failed';

export interface ReplayStatus {
  at: string;
  speed: number | 'max';
  state: ReplayState;
  /** Of a seek. */
  to?: string;
}

/** How far to play. */
export interface Step {
  /** Unix ms, inclusive. */
  untilMs?: number;
  messages?: number;
}

export interface PlayerOptions {
  clock: RecordedClock;
  /** Of the batches so far, those played ahead included. */
  times: RecordedTimes;
  instants: AsyncIterable<Instant>;
  target: PlayerTarget;
  /** Recorded seconds per second; Infinity for as fast as possible. */
  speed: number;
  /** Time stands but for steps. */
  lockstep: boolean;
  /** Time stands until it is resumed. */
  paused: boolean;
  /** Everything up to it (Unix ms, inclusive) is played before start() settles. */
  fromMs: number;
  /** Absent if this server cannot begin anew. */
  restart?: Restart;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  /** Called every few seconds of a seek. */
  onSeeking(status: ReplayStatus): void;
}

/** Begins anew and plays up to `fromMs` (Unix ms); time goes on as it did. */
export type Restart = (fromMs: number, as: { speed: number; paused: boolean }) => void;

/** A leap is a step without pauses, whatever the speed is. */
interface Leap {
  untilMs: number;
  messages: number;
  seeks: boolean;
  done(): void;
}

const BEAT_MS = 30_000;
const RESTART_AFTER_MS = 100;
const TELL_EVERY_MS = 5_000;
const STEP_MESSAGES_MAX = LIMITS.replayMessages.max;
const SPEED_MAX = LIMITS.replaySpeed.max;

export class RecordingPlayer {
  readonly #options: PlayerOptions;
  readonly #stopping = new AbortController();
  /** Ends the present wait, as what it waits for has changed. */
  #changed = new AbortController();
  #speed: number;
  #paused: boolean;
  #over: 'ended' | 'failed' | null = null;
  #leap: Leap | null = null;
  #restarting = false;
  /** Told once nothing is under way and time stands. */
  #pausing: (() => void)[] = [];
  #nextBeatMs: number;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#speed = options.speed;
    this.#paused = options.paused;
    this.#nextBeatMs = options.lockstep ? options.clock.now() + BEAT_MS : Number.POSITIVE_INFINITY;
  }

  get status(): ReplayStatus {
    const at = formatMs(this.#options.clock.now());
    const leap = this.#leap;
    const to = leap?.seeks && leap.untilMs < Number.POSITIVE_INFINITY ? { to: formatMs(leap.untilMs) } : {};
    return { at, speed: Number.isFinite(this.#speed) ? this.#speed : 'max', state: this.#state, ...to };
  }

  /** Streams get what is changed with the end of a step. */
  get stepping(): boolean {
    return this.#options.lockstep && this.#leap !== null;
  }

  /** Streams get each instant's changes for themselves, before the next one's are shown. */
  get sendsEach(): boolean {
    return this.#options.lockstep || (this.#leap !== null && !this.#leap.seeks);
  }

  /** When the next heartbeat is due (Unix ms). */
  get nextBeatMs(): number {
    return this.#nextBeatMs;
  }

  get #state(): ReplayState {
    if (this.#restarting) return 'seeking';
    if (this.#over !== null) return this.#over;
    if (this.#leap?.seeks) return 'seeking';
    if (this.#options.lockstep) return 'lockstep';
    return this.#paused ? 'paused' : 'running';
  }

  /** Settles once everything up to `fromMs` is played, or the recording's end is reached. */
  async start(onFailure: (error: unknown) => void): Promise<void> {
    const { fromMs, clock } = this.#options;
    const begun = fromMs >= clock.now() ? this.#leapTo({ untilMs: fromMs }, true) : undefined;
    this.#running = this.#run().then(
      () => this.#finish('ended'),
      (error: unknown) => {
        this.#finish('failed');
        if (!this.#stopping.signal.aborted) onFailure(error);
      },
    );
    await begun;
  }

  /** Settles once the instant under way is shown; a seek goes on to its end by itself. */
  async pause(): Promise<void> {
    this.#refuseInLockstep();
    if (this.#over !== null) return;
    const standing = new Promise<void>((resolve) => this.#pausing.push(resolve));
    this.#paused = true;
    this.#options.clock.stand();
    if (this.#leap !== null) this.#stands();
    this.#wake();
    await standing;
  }

  resume(): void {
    this.#refuseInLockstep();
    this.#paused = false;
    this.#stands();
    this.#wake();
  }

  /** @param speed recorded seconds per second, or Infinity */
  setSpeed(speed: number): void {
    this.#refuseInLockstep();
    if (!(speed > 0 && (speed <= SPEED_MAX || speed === Number.POSITIVE_INFINITY)))
      throw new ApiError('invalid_request', `speed must be max, or more than 0 and at most ${SPEED_MAX}`);
    this.#speed = speed;
    this.#options.clock.stand();
    this.#wake();
  }

  /** Plays so far and no further; settles when every stream was sent what that changed. */
  async step({ untilMs, messages }: Step): Promise<void> {
    if ((untilMs === undefined) === (messages === undefined))
      throw new ApiError('invalid_request', 'a step needs either until or messages');
    if (!this.#options.lockstep && !this.#paused && this.#over === null)
      throw new ApiError('invalid_request', 'time is running: pause first, or serve with --lockstep');
    if (messages !== undefined && !(Number.isInteger(messages) && messages >= 1 && messages <= STEP_MESSAGES_MAX))
      throw new ApiError('invalid_request', `messages must be a whole number from 1 to ${STEP_MESSAGES_MAX}`);
    await this.#leapTo({ ...(untilMs === undefined ? {} : { untilMs }), ...(messages && { messages }) }, false);
  }

  /** Plays the rest at once; settles at the recording's end. */
  async playOut(): Promise<void> {
    if (this.#leap === null && this.#over === null) await this.#leapTo({}, true);
    await this.#running;
  }

  /** Plays up to `toMs` at once, from the beginning if that has passed. */
  async seek(toMs: number): Promise<void> {
    const { clock, restart, wait } = this.#options;
    this.#refuseAtRestart();
    if (toMs >= clock.now()) return this.#leapTo({ untilMs: toMs }, true);
    if (restart === undefined) throw new ApiError('invalid_request', 'this server can only seek forward');
    // Its answer is sent before the connections are closed.
    this.#restarting = true;
    void wait(RESTART_AFTER_MS, this.#stopping.signal).then(() =>
      restart(toMs, { speed: this.#speed, paused: this.#paused }),
    );
  }

  /** Settles when nothing is being played any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
  }

  /** Settles at the recording's end, or when it was stopped. */
  get finished(): Promise<void> {
    return this.#running;
  }

  #refuseInLockstep(): void {
    if (this.#options.lockstep)
      throw new ApiError('invalid_request', 'time moves by steps alone where --lockstep is set');
  }

  /** What was played now would be lost. */
  #refuseAtRestart(): void {
    if (this.#restarting) throw new ApiError('conflict', 'a seek is under way');
  }

  async #leapTo({ untilMs = Number.POSITIVE_INFINITY, messages = Number.POSITIVE_INFINITY }: Step, seeks: boolean) {
    this.#refuseAtRestart();
    if (this.#leap !== null) throw new ApiError('conflict', 'another step is under way');
    if (this.#over !== null) return;
    const done = new Promise<void>((resolve) => {
      this.#leap = { untilMs, messages, seeks, done: resolve };
    });
    this.#wake();
    const telling = seeks ? setInterval(() => this.#options.onSeeking(this.status), TELL_EVERY_MS) : undefined;
    await done;
    clearInterval(telling);
  }

  #finish(over: 'ended' | 'failed'): void {
    this.#over = over;
    this.#options.clock.stand();
    this.#stands();
    this.#endLeap();
  }

  #stands(): void {
    for (const settle of this.#pausing.splice(0)) settle();
  }

  #endLeap(): void {
    const leap = this.#leap;
    this.#leap = null;
    leap?.done();
  }

  #wake(): void {
    this.#changed.abort();
  }

  async #run(): Promise<void> {
    const { instants, target } = this.#options;
    try {
      for await (const { atMs, messages } of instants)
        for (let rest = messages; rest.length > 0; ) {
          if (this.#stopping.signal.aborted) return;
          if (this.#goesAhead(atMs)) rest = await this.#playAhead(atMs, rest);
          else {
            await target.shown();
            if ((await this.#passTimeTo(atMs)) && (await this.#play(atMs, rest))) break;
          }
        }
    } finally {
      await target.shown();
    }
    // What was said at its last instant is out.
    await target.written();
  }

  /** Nothing waits for an instant by itself: time does not stand before it. */
  #goesAhead(atMs: number): boolean {
    if (this.#leap !== null) return atMs <= this.#leap.untilMs;
    return !this.#options.lockstep && !this.#paused && this.#speed === Number.POSITIVE_INFINITY;
  }

  /** Returns what a step leaves of the messages. */
  async #playAhead(atMs: number, messages: Instant['messages']): Promise<Instant['messages']> {
    const leap = this.#leap;
    const count = Math.min(messages.length, leap?.messages ?? Number.POSITIVE_INFINITY);
    await this.#options.target.playAhead(atMs, messages.slice(0, count));
    if (leap !== null) {
      leap.messages -= count;
      if (leap.messages === 0) await this.#endSteps();
    }
    return messages.slice(count);
  }

  /** Lets every deadline before an instant pass at its own; false if that goes ahead now, or was stopped. */
  async #passTimeTo(atMs: number): Promise<boolean> {
    const { target, times, clock } = this.#options;
    for (;;) {
      const deadlineMs = times.deadlineMs(target.nextDeadlineMs);
      const dueMs = Math.min(deadlineMs, this.#nextBeatMs);
      if (!(dueMs < atMs)) return true;
      if (!(await this.#reach(dueMs, atMs))) return false;
      if (dueMs === deadlineMs) {
        clock.arrive(times.afterDeadline(deadlineMs));
        await target.passTime();
        if (this.sendsEach) await target.written();
      }
      this.beat();
    }
  }

  /** A heartbeat, if one is due. */
  beat(): void {
    if (this.#options.clock.now() < this.#nextBeatMs) return;
    this.#nextBeatMs += BEAT_MS;
    this.#options.target.beat();
  }

  async #play(atMs: number, messages: Instant['messages']): Promise<boolean> {
    const { target, times, clock } = this.#options;
    if (!(await this.#reach(atMs, atMs))) return false;
    clock.arrive(times.ofInstant(atMs));
    await target.ingest(messages);
    return true;
  }

  /** Settles when the clock stands at a time; false if the next instant goes ahead now, or it was stopped before. */
  async #reach(atMs: number, instantMs: number): Promise<boolean> {
    const { clock, lockstep, wait } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted && !this.#goesAhead(instantMs)) {
      this.#changed = new AbortController();
      const leap = this.#leap;
      if (leap !== null && atMs > leap.untilMs) {
        clock.stand(leap.untilMs);
        await this.#endSteps();
      } else if (leap === null && (lockstep || this.#paused)) {
        clock.stand();
        this.#stands();
        await aborted(this.#changed.signal);
      } else if (leap !== null) {
        clock.stand(atMs);
        return true;
      } else {
        if (atMs > clock.now()) clock.run(this.#speed, atMs);
        const leftMs = atMs - clock.now();
        if (leftMs <= 0) {
          clock.arrive(atMs);
          return true;
        }
        await wait(leftMs / this.#speed, this.#changed.signal);
      }
    }
    return false;
  }

  async #endSteps(): Promise<void> {
    const { target } = this.#options;
    await target.shown();
    await target.written();
    this.#endLeap();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
