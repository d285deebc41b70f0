// Runs a feed of a user's own so that whatever it throws is its fault alone: also what no promise of run() carries, from
// a timer or a promise that it forgot. It is then stopped; one of a module is made anew and begun again, after a while, and
// one that an embedding program made, of which there is no other, has failed.
import { AsyncLocalStorage } from 'node:async_hooks';
import { monotonicMs } from '../../base/model/clock.js';
import type { Feed, FeedContext, IngestSink } from './feed.js';
import { backoffMs, wait } from './wait.js';

/** What runs on behalf of an instance of a feed. Nothing else pays for it: promises cost more where it is used. */
const running = new AsyncLocalStorage<Instance | undefined>();

/** Whether an error that nothing caught came from a feed of a user's own, which then fails alone. */
export function tookStrayError(error: unknown): boolean {
  const instance = running.getStore();
  instance?.failed(error);
  return instance !== undefined;
}

let servers = 0;

/**
 * Takes such errors in a program of a user's own, until the returned function is called. Any other ends the process as it
 * would without this, or is the program's where it listens to uncaught exceptions itself.
 */
export function takeStrayErrors(): () => void {
  if (servers++ === 0) process.on('uncaughtException', onUncaught);
  let taken = true;
  return () => {
    if (taken && --servers === 0) process.off('uncaughtException', onUncaught);
    taken = false;
  };
}

function onUncaught(error: unknown): void {
  if (tookStrayError(error) || process.listenerCount('uncaughtException') > 1) return;
  process.off('uncaughtException', onUncaught);
  // Thrown in a listener it would end the process with another code, without its listeners of exit.
  process.nextTick(() => {
    throw error;
  });
}

interface Instance {
  failed(error: unknown): void;
}

const BACKOFF = { firstMs: 1_000, capMs: 60_000 };
/** After so long without a fault the next one counts as the first. */
const RECOVERED_MS = 10 * 60_000;
/** How long a feed that failed may take to stop, before it is left behind. */
const STOP_MS = 5_000;
/** Under which /health says so. */
const PART = 'the feed itself';
const AFTER_ITS_END = 'a feed threw what nothing caught after its end';

export class OwnFeed implements Feed {
  readonly name: string;
  readonly simulated: boolean;
  readonly #make: (() => Promise<Feed>) | undefined;
  readonly #ended = new AbortController();
  #feed: Feed;

  readonly #random: () => number;

  /**
   * @param make another one like `first`; undefined if nothing can
   * @param random uniform in [0, 1)
   */
  constructor(first: Feed, make: (() => Promise<Feed>) | undefined, random: () => number) {
    this.#random = random;
    this.#feed = first;
    this.#make = make;
    this.name = first.name;
    this.simulated = first.simulated;
  }

  /** Rejects as the feed's own does, and with its fault if there is no other to begin again with. */
  async run(context: FeedContext): Promise<void> {
    for (let faults = 0; ; ) {
      const fromMs = monotonicMs();
      const fault = await this.#runOnce(context);
      if (fault === undefined) return;
      if (this.#make === undefined) throw fault.error;
      faults = monotonicMs() - fromMs > RECOVERED_MS ? 1 : faults + 1;
      const message = fault.error instanceof Error ? fault.error.message : String(fault.error);
      context.report?.failed(PART, message);
      context.log.error({ feed: this.name, err: fault.error }, 'a feed threw what nothing caught; it begins again');
      if (!(await wait(backoffMs(faults, BACKOFF, this.#random), this.#ended.signal))) return;
      this.#feed = await this.#make();
    }
  }

  stop(): void {
    this.#ended.abort();
    this.#feed.stop();
  }

  /** Until it ends, or throws what nothing catches. */
  async #runOnce(context: FeedContext): Promise<{ error: unknown } | undefined> {
    const feed = this.#feed;
    let fault: { error: unknown } | undefined;
    let failed: (() => void) | undefined;
    let isOver = false;
    let isTold = false;
    const faulty = new Promise<void>((resolve) => {
      failed = resolve;
    });
    const instance: Instance = {
      failed: (error) => {
        // The first one: a timer that it left behind may throw for ever.
        if (isOver && !isTold) context.log.error({ feed: this.name, err: error }, AFTER_ITS_END);
        isTold ||= isOver;
        fault ??= { error };
        failed!();
      },
    };
    const sink: IngestSink = (messages) => {
      if (fault !== undefined) return Promise.reject(new Error('the feed has failed'));
      // What happens on our side is none of the feed's faults.
      return running.run(undefined, async () => {
        const receipt = await context.sink(messages);
        context.report?.succeeded(PART);
        return receipt;
      });
    };
    const run = running.run(instance, async () => feed.run({ ...context, sink }));
    await Promise.race([run, faulty]).finally(() => {
      isOver = true;
    });
    if (fault === undefined) return undefined;
    running.run(instance, () => feed.stop());
    const ended = new AbortController();
    await Promise.race([run.catch(() => undefined), wait(STOP_MS, ended.signal)]);
    ended.abort();
    return fault;
  }
}
