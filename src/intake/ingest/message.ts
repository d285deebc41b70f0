// The one message the engine accepts, as sent: its shape is the schema's. Every feed produces it and anyone may push it;
// normalise.ts turns it into a NormalMessage, or reports what is wrong with which part.
import type { Static } from 'typebox';
import type { IngestMessage as Schema } from '../../schema/ingest.js';

/** A message with nothing but results and settlements may have no book and no polled_at. */
export type IngestMessage = Static<typeof Schema>;
export type IngestEvent = NonNullable<IngestMessage['events']>[number];
export type IngestMarket = IngestEvent['markets'][number];
export type IngestSelection = IngestMarket['selections'][number];
