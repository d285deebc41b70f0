// What a server does only while its process writes the log: it evaluates and sends alerts, and from the first time on it
// runs feeds. One term's alerts are over before the next one's begin.

import type { Terms } from '../replication/port/source.js';
import type { Log } from './observe/log.js';

interface Closed {
  close(): Promise<void>;
}

export class ServerTerms implements Terms {
  readonly #openAlerts: () => Closed;
  readonly #log: Log;
  readonly #begun: Promise<void>;
  #nowBegun = (): void => {};
  #alerts: Closed | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(openAlerts: () => Closed, log: Log) {
    this.#openAlerts = openAlerts;
    this.#log = log;
    this.#begun = new Promise((resolve) => {
      this.#nowBegun = resolve;
    });
  }

  /** Settles when the first term begins. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  begin(): void {
    this.#nowBegun();
    void this.#inTurn(() => {
      this.#alerts = this.#openAlerts();
    });
  }

  end(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#alerts?.close();
      this.#alerts = undefined;
    });
  }

  #inTurn(work: () => Promise<void> | void): Promise<void> {
    this.#turn = this.#turn
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, 'alerts could not be continued'));
    return this.#turn;
  }
}
