// The tools: the route that answers each, the part of its answer that is shown, and the text of a row. Data, not code:
// checks and answers are the routes'.

import type { AlertChannel } from '../../base/model/alert.js';
import { words } from '../../base/model/words.js';
import { ACCOUNT_TOOLS } from './account-tools.js';
import { ODDS_TOOLS, OTHER_TOOLS } from './odds-tools.js';
import { OPPORTUNITY_TOOLS } from './opportunity-tools.js';
import { oddsRow, type ToolEntry } from './tool-entry.js';

/** Parameters no tool has: a table as text is no structured content. */
export const HIDDEN = ['format'] as const;

/** Parameters that are accepted but not listed: for programs, not worth every model's reading. */
export const UNLISTED = words(`
  state devig_book min_market_width max_market_width max_odds_age max_ev max_odds q date_range currency bankroll
  stake kelly max_event max_book max_hz at fields include is_active is_main_line is_stale_pregame_price has_score
  include_empty include_inactive include_unlisted catalog sharp region
`);

export const TOOLS: readonly ToolEntry[] = [...ODDS_TOOLS, ...OPPORTUNITY_TOOLS, ...OTHER_TOOLS, ...ACCOUNT_TOOLS];

const PATHS: Readonly<Record<Exclude<AlertChannel, 'odds'>, string>> = {
  ev: '/opportunities/ev',
  arbitrage: '/opportunities/arbitrage',
  middles: '/opportunities/middles',
  low_hold: '/opportunities/low_hold',
  moves: '/moves',
};

/** A row of an alert as a line of text, in the same form as the tools'. */
export function alertLine(channel: AlertChannel, item: unknown): string {
  const line = channel === 'odds' ? oddsRow : TOOLS.find(({ path }) => path === PATHS[channel])?.line;
  return line?.(item) ?? '';
}
