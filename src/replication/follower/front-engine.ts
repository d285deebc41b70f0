// The engine of a front: its tables are loaded from the stores of another process, or from a snapshot of them; then the
// log that the other one writes is followed.

import { Engine } from '../../engine/engine.js';
import type { FrontOptions } from '../../engine/engine-options.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import { decodeDelta } from '../../log/delta/delta.js';
import type { Beat, Hello, LogHandlers, LogSource } from '../port/source.js';
import { type Node, RemoteRequests } from './remote-requests.js';

export interface FrontEngineOptions extends Omit<FrontOptions, 'node' | 'remote'> {
  source: LogSource;
  /** The log can no longer be followed: this front must be replaced. */
  onEnd(reason: string): void;
}

/** Follows the log and loads the tables; settles when it is connected, rejects if the stores cannot be read. */
export function openFrontEngine(options: FrontEngineOptions): Promise<Engine> {
  return new Promise((resolve, reject) => options.source.follow(new LogReader(options, resolve, reject)));
}

class LogReader implements LogHandlers, Node {
  readonly role = 'front';
  readonly leads = false;
  readonly request: LogSource['request'];
  writer: string | null = null;
  fronts = 0;
  feeds: readonly FeedInfo[] = [];
  readonly #options: FrontEngineOptions;
  readonly #loaded: (engine: Engine) => void;
  readonly #unreadable: (error: unknown) => void;
  #engine: Engine | undefined;
  #requests!: RemoteRequests;
  /** Position of the last message. */
  #reached = 0;
  /** The writer's clock when everything it had committed was known here. */
  #headMs = 0;

  constructor(options: FrontEngineOptions, loaded: (engine: Engine) => void, unreadable: (error: unknown) => void) {
    this.#options = options;
    this.request = (kind, body) => options.source.request(kind, body);
    this.#loaded = loaded;
    this.#unreadable = unreadable;
  }

  get lagMs(): number {
    return this.#headMs === 0 ? 0 : Math.max(0, Math.round(this.#options.clock.now() - this.#headMs));
  }

  disconnect(): Promise<void> {
    return this.#options.source.close();
  }

  opened(hello: Hello): void {
    if (this.#engine === undefined) this.#load(hello);
    else if (hello.epoch !== this.#options.directory.epoch)
      this.#options.onEnd('the log began anew: the data directory is of another epoch');
    else this.#whole(this.#engine, (engine) => this.#goOn(engine, hello));
  }

  message(bytes: Uint8Array): void {
    if (this.#engine !== undefined) this.#whole(this.#engine, (engine) => this.#take(engine, bytes));
  }

  beat({ position, writerMs, fronts, feeds }: Beat): void {
    this.fronts = fronts;
    this.feeds = feeds ?? [];
    this.#headMs = writerMs;
    this.#reach(position);
  }

  /** Nothing changes until there is a writer again. */
  lost(): void {
    this.writer = null;
  }

  tooOld(reason: string): void {
    this.#options.onEnd(reason);
  }

  /** Within the call that reported the connection: earlier commits are in the stores, later ones will be received. */
  #load(hello: Hello): void {
    try {
      if (hello.epoch !== this.#options.directory.epoch) throw new Error('the log is of another data directory');
      this.#engine = new Engine({
        ...this.#options,
        node: this,
        remote: (catalogue) => {
          this.#requests = new RemoteRequests(this, catalogue);
          return this.#requests;
        },
      });
      this.#connected(hello);
      this.#loaded(this.#engine);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  #goOn(engine: Engine, hello: Hello): void {
    if (hello.contiguous || this.#catchUp(engine, hello.head)) this.#connected(hello);
    else this.#options.onEnd('the log no longer holds what this front has missed');
  }

  #connected({ writer, head }: Hello): void {
    this.writer = writer;
    this.#reach(head);
    this.#requests.connected();
  }

  #take({ follower }: Engine, bytes: Uint8Array): void {
    const delta = decodeDelta(bytes);
    // What was loaded may be ahead of the log received by then.
    if (delta.position > follower.appliedOf(delta.shard)) follower.show(delta, bytes.length);
    this.#reach(delta.position);
  }

  #reach(position: number): void {
    this.#reached = Math.max(this.#reached, position);
    this.#engine?.reached(this.#reached);
  }

  /** Messages up to a position may have been missed, and are read from the log; false if they are gone. */
  #catchUp({ follower }: Engine, head: number): boolean {
    const missed = follower.missedOfAll(head);
    for (const { delta } of missed ?? []) follower.deliver(delta);
    return missed !== undefined;
  }

  #whole(engine: Engine, work: (engine: Engine) => void): void {
    try {
      work(engine);
    } catch (error) {
      this.#options.log.error({ err: error }, 'following the log failed');
      this.#options.onEnd('following the log failed');
    }
  }
}
