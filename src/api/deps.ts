// What the routes are made of: one object, put together where the program starts.
import type { ClvSource } from '../clv/source.js';
import type { EngineView } from '../engine/engine-view.js';
import type { FeedInfo } from '../feeds/feed-watch.js';
import type { HistorySource } from '../history/source.js';
import type { OpportunityLinkSource } from '../reader/deep-links.js';

export interface RouteDeps {
  engine: EngineView;
  /** Where none is kept, not given. */
  history?: HistorySource;
  clv?: ClvSource;
  /** True where any running feed makes its prices up. */
  simulated: boolean;
  feeds(): readonly FeedInfo[];
  /** The program's release, as in package.json. */
  version: string;
  /** Where ids of opportunities lead; none is known where not given. */
  links?: OpportunityLinkSource;
  /** Hosts a deep link may fall back to; `*` is any. */
  fallbackHosts?: readonly string[];
}
