// What REST, the streams and deep links are served from: the universes in use, over the table of opportunities.

import type { EngineLog } from '../../base/model/log.js';
import type { Engine } from '../../engine/engine.js';
import { OpportunityLinks } from './links.js';
import { OpportunityPresenter } from './presenter.js';
import { OpportunityStreams } from './stream-view.js';
import { Universes } from './universes.js';

const SWEEP_MS = 1_000;

export class Opportunities {
  readonly universes: Universes;
  readonly streams: OpportunityStreams;
  readonly links: OpportunityLinks;
  readonly #engine: Engine;
  #sweep: NodeJS.Timeout | undefined;

  /** @param onReady called when a universe that streams wait for is complete */
  constructor(engine: Engine, log: EngineLog, onReady: () => void) {
    const { catalogue, clock, table } = engine;
    this.#engine = engine;
    this.universes = new Universes({
      source: engine,
      catalogue,
      clock,
      onReady,
      onFailed: (error, universe) => log.error({ err: error, universe }, 'a universe could not be registered'),
    });
    this.streams = new OpportunityStreams(
      engine.opportunities,
      this.universes,
      new OpportunityPresenter(catalogue, table),
      clock,
    );
    this.links = new OpportunityLinks(this.universes, catalogue, table);
  }

  /** Settles when the active opportunities of the tiers' books are known. */
  async start(): Promise<void> {
    this.#sweep = setInterval(() => this.universes.sweep(this.#engine.oldestPosition), SWEEP_MS);
    await this.universes.start();
  }

  close(): void {
    clearInterval(this.#sweep);
  }
}
