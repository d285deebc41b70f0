import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasShownDraw, noteDraw } from '../../src/detection/draws.js';
import { MarketTypes } from '../../src/rules/markets/market-types.js';
import { event, market, message, selection } from '../intake/ingest/messages.js';
import { rig } from '../writer/shard/rig.js';

const HOCKEY = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'New York Rangers' };

const moneyline = (draw: boolean) =>
  market([
    selection({ selection: 'h', selection_type: 'home', odds_decimal: 2.1 }),
    selection({ selection: 'a', selection_type: 'away', odds_decimal: 2.1 }),
    ...(draw ? [selection({ selection: 'Draw', selection_type: 'draw', odds_decimal: 4.2 })] : []),
  ]);

test('that a book showed a draw outlives the draw and a restart, for shard and table', async (t) => {
  const r = rig(t);
  const show = (book: string, draw: boolean) => r.send(message([event([moneyline(draw)], HOCKEY)], { book }));
  show('draftkings', true);
  show('fanduel', false);
  show('draftkings', false);
  const shown = () => {
    const [one] = r.table.events.ordered();
    return ['draftkings', 'fanduel'].map((book) => hasShownDraw(one!, book, 'moneyline'));
  };
  assert.deepEqual(shown(), [true, false]);
  await r.restart();
  assert.deepEqual(shown(), [true, false]);
  // The shard remembers it as well: the event it writes again still has the draw.
  r.send(message([event([moneyline(false)], { ...HOCKEY, is_live: true })], { book: 'fanduel' }));
  assert.deepEqual(shown(), [true, false]);
});

test('draws are recorded only where they matter, and once', () => {
  const TYPES = new MarketTypes();
  const draw = (market: string) => ({ market, selectionType: 'draw' });
  const soccer = { sport: 'soccer' };
  for (const type of ['moneyline', 'moneyline_h1', 'moneyline_3way', 'outright', 'moneyline_lay'])
    assert.equal(noteDraw(soccer, 'draftkings', draw(type), TYPES), false, type);
  assert.equal(noteDraw(soccer, 'draftkings', draw('point_spread'), TYPES), true);
  assert.equal(noteDraw(soccer, 'draftkings', draw('point_spread'), TYPES), false);
  const hockey = { sport: 'hockey' };
  for (const type of ['moneyline', 'moneyline_p1', 'puck_line'])
    assert.equal(noteDraw(hockey, 'fanduel', draw(type), TYPES), true);
  assert.deepEqual(hockey, {
    sport: 'hockey',
    draws: ['fanduel|moneyline', 'fanduel|moneyline_p1', 'fanduel|puck_line'],
  });
});
