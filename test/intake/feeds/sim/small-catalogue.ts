// A catalogue of a few books and two leagues of teams, enough for every kind of book in the simulation.

import type { SimCatalogue } from '../../../../src/intake/feeds/sim/fixtures.js';
import type { BookEntry } from '../../../../src/rules/catalogue/file-schema.js';

function book(id: string, more: Partial<BookEntry> = {}): BookEntry {
  return {
    id,
    name: id,
    displayName: id,
    owner: id,
    isSharp: false,
    isExchange: false,
    hasLiveOdds: true,
    hasPlayerProps: true,
    regions: ['US'],
    requiresTier: 'pro',
    aliases: [],
    deepLink: null,
    ...more,
  };
}

function teams(league: string): { id: string; name: string }[] {
  return Array.from({ length: 16 }, (_, i) => ({ id: `${league}-${i}`, name: `${league.toUpperCase()} Team ${i}` }));
}

export const SMALL_CATALOGUE: SimCatalogue = {
  books: [
    book('draftkings', {
      requiresTier: 'free',
      deepLink: {
        homepage: 'https://dk.example/',
        event: 'https://dk.example/event/{event}',
        outcome: 'https://dk.example/event/{event}?outcomes={outcome}',
        stateDependent: false,
      },
    }),
    book('fanduel', {
      requiresTier: 'free',
      deepLink: {
        homepage: 'https://{state}.fd.example/',
        event: null,
        outcome: 'https://{state}.fd.example/bet?market={market}&selection={outcome}',
        stateDependent: true,
      },
    }),
    book('twin_one', { owner: 'twins' }),
    book('twin_two', { owner: 'twins' }),
    book('prematch_only', { hasLiveOdds: false, hasPlayerProps: false }),
    book('exchange', { isExchange: true, regions: ['UK', 'EU'] }),
    book('european', { regions: ['EU'] }),
    book('pinnacle', { isSharp: true, regions: ['EU', 'GLOBAL'], requiresTier: 'sharp' }),
    book('circa', { hasPlayerProps: false, requiresTier: 'sharp' }),
  ],
  leagues: [
    { id: 'nba', name: 'NBA', sport: 'basketball', timeZone: 'America/New_York' },
    { id: 'nfl', name: 'NFL', sport: 'football', timeZone: 'America/New_York' },
    { id: 'nhl', name: 'NHL', sport: 'hockey', timeZone: 'America/New_York' },
    { id: 'mlb', name: 'MLB', sport: 'baseball', timeZone: 'America/New_York' },
    { id: 'epl', name: 'Premier League', sport: 'soccer', timeZone: 'Europe/London' },
    { id: 'atp', name: 'ATP', sport: 'tennis', timeZone: 'UTC' },
    { id: 'ufc', name: 'UFC', sport: 'mma', timeZone: 'America/New_York' },
    { id: 'pga', name: 'PGA Tour', sport: 'golf', timeZone: 'America/New_York' },
  ],
  teams: (league) => (['nba', 'nfl', 'nhl', 'mlb', 'epl'].includes(league) ? teams(league) : []),
};

/** An evening in November, UTC. */
export const EVENING_MS = Date.UTC(2026, 10, 20, 23, 0, 0);
