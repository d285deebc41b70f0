// The messages between the test and the process it kills.
import type { IngestMessage } from '../../src/intake/ingest/message.js';

export type ToChild = { type: 'ingest'; seq: number; message: IngestMessage } | { type: 'dump' };

export type FromChild =
  | { type: 'done'; seq: number; accepted: number; rejected: number }
  | { type: 'refused'; seq: number; reason: string }
  | { type: 'position'; position: number }
  | {
      type: 'dump';
      quotes: Quote[];
      scores: Record<string, number>;
      position: number;
      epoch: string;
      /** In the universe of every book: as listed, and, but for moves, as an evaluation of the rows finds them. */
      opportunities: Listed[];
      evaluated: string[];
    };

export type Dump = Extract<FromChild, { type: 'dump' }>;

export interface Listed {
  kind: string;
  id: string;
  detectedUs: number;
}

export interface Quote {
  id: string;
  /** Book, event, market, side and alternate line. */
  key: string;
  american: number;
}
