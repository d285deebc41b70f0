// Rows of alerts as lines of text, in the same form as the tools'.
import type { AlertChannel } from '../../base/model/alert.js';
import { oddsRow } from './tool-lines.js';
import { TOOLS } from './tool-table.js';

const PATHS: Readonly<Record<Exclude<AlertChannel, 'odds'>, string>> = {
  ev: '/opportunities/ev',
  arbitrage: '/opportunities/arbitrage',
  middles: '/opportunities/middles',
  low_hold: '/opportunities/low_hold',
  moves: '/moves',
};

export function alertLine(channel: AlertChannel, item: unknown): string {
  const line = channel === 'odds' ? oddsRow : TOOLS.find(({ path }) => path === PATHS[channel])?.line;
  return line?.(item) ?? '';
}
