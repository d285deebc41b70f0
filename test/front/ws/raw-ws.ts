// An independent WebSocket client: frames as received, each validated against the schemas, numbers without gaps.
import assert from 'node:assert/strict';
import { decode, encode } from '../../../src/base/wire/codec.js';
import { fromWs } from '../../../src/client/events.js';
import { LiveTable } from '../../../src/client/live-table.js';
import { checkWs } from '../../broadcast/frame-check.js';
import { type RawSocket, RawWebSocket } from '../../client/ws-package.js';
import { until } from '../../support/until.js';
import type { Api } from '../api.js';

export type Frame = Record<string, unknown> & { type: string; seq: number };

export class RawWs {
  readonly frames: Frame[] = [];
  readonly table = new LiveTable();
  closed: number | null = null;
  reason = '';
  bytes = 0;
  /** The last global_seq that was not 0. */
  position = 0;
  readonly socket: RawSocket;
  #opened = false;
  /** Why it could not be opened: no frame will come. */
  #refused: Error | undefined;

  constructor(api: Pick<Api, 'url'>, query: Record<string, string> = {}, protocols: string[] = []) {
    const url = new URL('/ws', api.url.replace('http', 'ws'));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    this.socket = new RawWebSocket(url.href, protocols);
    this.socket.on('open', () => {
      this.#opened = true;
    });
    this.socket.on('error', (error: Error) => {
      if (!this.#opened) this.#refused = error;
    });
    this.socket.on('close', (code, reason) => {
      this.closed = code;
      this.reason = reason.toString();
    });
    this.socket.on('message', (data, isBinary) => {
      assert.equal(isBinary, this.socket.protocol === 'overround.msgpack');
      this.bytes += data.length;
      const frame = (isBinary ? decode(data) : JSON.parse(data.toString())) as Frame;
      checkWs(frame);
      assert.equal(frame.seq, this.frames.length + 1, 'seq has no gap');
      this.frames.push(frame);
      const position = Number(frame['global_seq'] ?? 0);
      if (position > 0) {
        assert.ok(position >= this.position, 'positions never go back');
        this.position = position;
      }
      for (const event of fromWs(frame).events) this.table.apply(event);
    });
  }

  get opened(): boolean {
    return this.#opened;
  }

  get types(): string[] {
    return this.frames.map(({ type }) => type);
  }

  say(message: object, binary = false): void {
    this.socket.send(binary ? encode(message) : JSON.stringify(message));
  }

  /** The first frame of a type from `from` on, once it is there. */
  async frame(type: string, from = 0): Promise<Frame> {
    return await until(
      () => `${type} among ${this.types.slice(from)}, ${this.closed === null ? 'open' : `closed with ${this.closed}`}`,
      () => {
        if (this.#refused !== undefined) throw this.#refused;
        return this.frames.slice(from).find((frame) => frame.type === type);
      },
    );
  }
}
