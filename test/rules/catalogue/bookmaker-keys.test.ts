// The bookmakers of The Odds API: who makes their prices, what they charge, in which currency.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOfKey } from '../../../src/intake/feeds/the-odds-api/market-types.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { folder } from './folders.js';

const catalogue = loadCatalogue();

const KEYS: Readonly<Record<string, string>> = {
  us: 'betonlineag betmgm betrivers betus bovada williamhill_us draftkings fanatics fanduel lowvig mybookieag',
  us2: 'ballybet betanysports betparx espnbet fliff hardrockbet hardrockbet_az hardrockbet_fl hardrockbet_oh rebet windcreek',
  us_ex: 'betopenly kalshi novig polymarket prophetx',
  uk: `sport888 betfair_ex_uk betfair_sb_uk betvictor betway boylesports casumo coral grosvenor ladbrokes_uk leovegas
    livescorebet matchbook paddypower skybet smarkets unibet_uk virginbet williamhill`,
  eu: `onexbet sport888 betclic_fr betanysports betfair_ex_eu betonlineag betsson betvictor codere_it coolbet everygame
    gtbets leovegas_se livescorebet_eu marathonbet matchbook mybookieag netbet_fr nordicbet parionssport_fr pinnacle
    pmu_fr suprabets tipico_de unibet_eu unibet_fr unibet_it unibet_nl unibet_se williamhill winamax_de winamax_fr`,
  au: `betfair_ex_au betr_au betright bet365_au boombet dabble_au ladbrokes_au neds playup pointsbetau sportsbet tab
    tabtouch unibet`,
};
const EXCHANGES = new Set([
  'betfair',
  'betopenly',
  'kalshi',
  'matchbook',
  'novig',
  'polymarket',
  'prophetx',
  'smarkets',
]);

test('every bookmaker key of every region is a book of the catalogue, and every exchange has its commission', () => {
  for (const [region, keys] of Object.entries(KEYS))
    for (const key of keys.trim().split(/\s+/)) {
      const book = catalogue.book(bookOfKey(key));
      assert.ok(book !== undefined, `${region}: ${key}`);
      assert.equal(book.isExchange, EXCHANGES.has(book.id), key);
      assert.ok(!book.isExchange || book.commission !== undefined, key);
      assert.equal(book.isExchange ? book.commission!.rate === 0 : false, book.id === 'novig', key);
    }
  assert.deepEqual(catalogue.commissionOf('smarkets'), { model: 'winnings', rate: 0.02 });
  assert.equal(catalogue.isCommissionKnown('novig'), true);
  assert.equal(catalogue.isCommissionKnown('skybet'), false);
  assert.equal(catalogue.isCommissionKnown('corner_shop'), false);
});

test('skins have the owner who makes their prices', () => {
  const owners = (...books: string[]) => [...new Set(books.map((book) => catalogue.ownerOf(book)))];
  assert.deepEqual(owners('betrivers', 'ballybet', 'betparx', 'unibet', 'unibet_nl', 'unibet_dk', 'leovegas_se'), [
    'kambi',
  ]);
  assert.deepEqual(owners('ladbrokes_uk', 'coral', 'neds', 'ladbrokes_au', 'betmgm'), ['entain']);
  assert.deepEqual(owners('skybet', 'paddypower', 'betfair_sb_uk', 'betfair_sb_se', 'sportsbet', 'fanduel'), [
    'flutter',
  ]);
  assert.deepEqual(owners('betsson', 'nordicbet', 'betsafe'), ['betsson']);
  assert.deepEqual(owners('williamhill', 'sport888'), ['evoke']);
  // The exchange's prices are its customers'.
  assert.deepEqual(owners('betfair', 'betfair_ex_uk', 'betfair_ex_au'), ['betfair']);
});

test('the bookmaker of an exchange’s company is no exchange', () => {
  assert.equal(catalogue.commissionOf('betfair_sb_uk'), null);
  assert.equal(catalogue.bookId('betfair_sb_uk'), 'betfair_sb_uk');
  for (const key of ['betfair_ex_uk', 'betfair_ex_eu', 'betfair_ex_au']) assert.equal(catalogue.bookId(key), 'betfair');
});

test('books have the currency of their stakes, the account’s at Betfair', () => {
  const currencies = Object.fromEntries(
    ['fanduel', 'skybet', 'onexbet', 'tab', 'unibet_se', 'betfair', 'corner_shop'].map((book) => [
      book,
      catalogue.currencyOf(book),
    ]),
  );
  const expected = { fanduel: 'USD', skybet: 'GBP', onexbet: 'EUR', tab: 'AUD', unibet_se: 'SEK', betfair: 'GBP' };
  assert.deepEqual(currencies, { ...expected, corner_shop: 'USD' });
  assert.equal(loadCatalogue(undefined, { currencies: { betfair: 'EUR' } }).currencyOf('betfair_ex_eu'), 'EUR');
});

test('a book that the operator lists is no unlisted one, and the others stay known', () => {
  const entry = { ...catalogue.book('smarkets')!, requiresTier: 'free' };
  const own = loadCatalogue(folder({ 'books.overlay.json': [entry] }));
  assert.equal(own.isUnlisted('smarkets'), false);
  assert.equal(own.isUnlisted('skybet'), true);
  assert.equal(own.tierAllows('free', 'smarkets'), true);
  assert.equal(own.ownerOf('skybet'), 'flutter');
  assert.equal(own.books.at(-1)!.id, 'smarkets');
});
