// The dependencies of the routes: one object, put together where the program starts.

import type { OpportunityLinks } from '../../answers/opportunities/opportunities.js';
import type { Engine } from '../../engine/engine.js';
import type { RecordingPlayer } from '../../engine/replay/player.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import type { AskHistory } from '../../store/clv/queries.js';

export interface BackupCopy {
  /** Everything that was acknowledged up to it is in the copy. */
  position: number;
  tar: AsyncIterable<Uint8Array>;
  /** To be called when it is sent, or not wanted any more. */
  close(): Promise<void>;
}

export interface RouteDeps {
  engine: Engine;
  /** Absent if no history is stored. */
  history?: AskHistory;
  feeds(): readonly FeedInfo[];
  /** The recording that is served, if one is. */
  replay?: RecordingPlayer;
  /** The program's release, as in package.json. */
  version: string;
  /** Makes a copy of the data directory; absent if there is none here. */
  backup?: () => Promise<BackupCopy>;
  /** Resolves ids of opportunities; if absent, none is known. */
  links?: OpportunityLinks;
  /** Hosts that a deep link may fall back to; `*` allows any. */
  fallbackHosts?: readonly string[];
}
