// A shard without a disk and the table built from its deltas: the path from a message to a reader, without threads.

import type { Rejection } from '../../src/base/model/normal-message.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { decodeDelta } from '../../src/log/delta/delta.js';
import type { Catalogue } from '../../src/rules/catalogue/catalogue.js';
import type { OddsTable } from '../../src/tables/table.js';
import { Shard } from '../../src/writer/shard/shard.js';
import { latest } from '../intake/ingest/messages.js';
import { memoryStore } from '../writer/shard/memory-store.js';
import { catalogue, newTable } from '../writer/shard/rig.js';

export class Spine {
  readonly catalogue: Catalogue = catalogue;
  readonly table: OddsTable = newTable();
  readonly rejected: Rejection[] = [];
  /** Unix ms: the next batch is committed then, or a little later. */
  nowMs: number;
  readonly #shard = new Shard(0, catalogue, memoryStore);
  #position: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
    this.#position = nowMs * 1000;
    this.table.position = this.#position;
  }

  send(...raw: readonly IngestMessage[]): void {
    const context = { catalogue, clock: latest, leagueOfEvent: (id: string) => this.table.events.get(id) };
    const messages = raw
      .map((message) => normalise(message, '', context, this.rejected))
      .filter((message) => message !== undefined);
    this.#position = Math.max(this.#position + 1, Math.floor(this.nowMs * 1000));
    const { delta } = this.#shard.apply(messages, this.#position);
    if (delta !== null) this.table.apply(decodeDelta(Uint8Array.from(delta)));
  }
}
