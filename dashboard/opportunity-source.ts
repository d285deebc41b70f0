// The source of opportunities: a stream, or polling of the kinds the key may see; and which kinds those are.
import {
  LiveTable,
  type OpportunityChannel,
  type OpportunityItem,
  type OverroundError,
  type StreamEvent,
} from '../src/client/client.js';
import { KINDS } from './model/address.js';
import type { Session } from './session.js';

export interface OpportunitySourceOptions {
  session: Session;
  onChange(detected: { kind: OpportunityChannel; items: OpportunityItem[] } | undefined): void;
  onRefused(error: OverroundError): void;
}

const POLL_MS = 15_000;
/** Threshold of the stream; the list narrows further. */
const STREAMED_FROM = { min_ev: 0.5, min_profit: 0 };

export class OpportunitySource {
  table = new LiveTable();
  readonly #options: OpportunitySourceOptions;
  #stopped = false;

  constructor(options: OpportunitySourceOptions) {
    this.#options = options;
    if (options.session.account.features.streaming) this.#stream();
    else void this.#poll();
  }

  /** Whether the key's tier has opportunities of this kind. */
  has(kind: OpportunityChannel): boolean {
    return this.#options.session.account.features[kind];
  }

  #stream(): void {
    const { session, onChange, onRefused } = this.#options;
    const stream = session.client.stream('opportunities', STREAMED_FROM, {
      firstTriesMax: Number.POSITIVE_INFINITY,
      onEvent: (event) => onChange(newsOf(event, stream.table.complete)),
      onError: () => undefined,
    });
    this.table = stream.table;
    void stream.ended.then((error) => {
      if (error === undefined) return;
      if (error.status === 403) void this.#poll();
      else onRefused(error);
    });
  }

  async #poll(): Promise<void> {
    this.table = new LiveTable();
    while (!this.#stopped && KINDS.some((kind) => this.has(kind))) {
      for (const kind of KINDS) if (this.has(kind)) await this.#read(kind);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #read(kind: OpportunityChannel): Promise<void> {
    const { session, onChange } = this.#options;
    try {
      const { data } = await session.client.opportunities(kind, { limit: 200 });
      const items = this.table.opportunities[kind] as Map<string, OpportunityItem>;
      const news = data.filter(({ id }) => !items.has(id));
      const begun = items.size > 0;
      items.clear();
      for (const item of data) items.set(item.id, item);
      onChange(begun && news.length > 0 ? { kind, items: news } : undefined);
    } catch {
      // The listed items stay, with their ages, until the next turn.
      onChange(undefined);
    }
  }

  close(): void {
    this.#stopped = true;
  }
}

/** Newly detected items; nothing of a snapshot is new. */
function newsOf(event: StreamEvent, complete: boolean) {
  // The board requests no moves.
  if (event.type !== 'detected' || event.channel === 'moves' || !complete) return undefined;
  return { kind: event.channel, items: event.items };
}
