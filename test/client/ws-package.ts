// The package `ws` (it has no types of its own), for Node 20, which has no WebSocket.
import { createRequire } from 'node:module';
import type { WebSocketConstructor } from '../../src/client/client.js';

export interface RawSocket {
  readonly protocol: string;
  send(data: string | Uint8Array): void;
  close(): void;
  terminate(): void;
  ping(): void;
  pong(): void;
  pause(): void;
  resume(): void;
  on(event: 'open' | 'ping', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): void;
}

const exported: unknown = createRequire(import.meta.url)('ws');

export const RawWebSocket = exported as new (url: string, protocols?: string | string[]) => RawSocket;
export const WebSocketClass = exported as WebSocketConstructor;
