// The Odds API's scores as results. What was sent before is not sent again.

import { LIMITS } from '../../../base/model/limits.js';
import type { IngestMessage } from '../../ingest/message.js';
import { fieldsOf, objectsOf, textOf } from '../kit/field-readers.js';
import { readInstant } from './instant.js';
import { derivedLeague } from './market-types.js';
import type { LeagueLookup } from './payload.js';

const SOURCE = 'the-odds-api';
const EVENTS_MAX = LIMITS.venueGames.max;

export class Scores {
  readonly #leagues: LeagueLookup;
  /** By the venue's event: what was sent last. */
  readonly #sent = new Map<string, string>();

  constructor(leagues: LeagueLookup) {
    this.#leagues = leagues;
  }

  /** Null if nothing is new. Malformed events are left out. */
  message(events: readonly unknown[], polledAt: string): IngestMessage | null {
    const results: object[] = [];
    for (const event of objectsOf(events)) {
      const id = textOf(event['id']);
      const result = this.#result(event);
      if (id === undefined || result === undefined) continue;
      const text = JSON.stringify(result);
      if (this.#sent.get(id) === text) continue;
      this.#sent.delete(id);
      this.#sent.set(id, text);
      if (this.#sent.size > EVENTS_MAX) this.#sent.delete(this.#sent.keys().next().value!);
      results.push(result);
    }
    if (results.length === 0) return null;
    return { book: SOURCE, source: SOURCE, polled_at: polledAt, scope: 'none', results };
  }

  /** The message was not taken in: all of it is sent again. */
  undelivered(): void {
    this.#sent.clear();
  }

  #result(event: Record<string, unknown>): object | undefined {
    const key = textOf(event['sport_key']);
    const [home_team, away_team] = [textOf(event['home_team']), textOf(event['away_team'])];
    const start = readInstant(event['commence_time']);
    const at = readInstant(event['last_update']);
    if (key === undefined || home_team === undefined || away_team === undefined || start === undefined)
      return undefined;
    const [home_score, away_score] = [scoreOf(event, home_team), scoreOf(event, away_team)];
    // A game that has not begun has no scores.
    if (home_score === undefined || away_score === undefined) return undefined;
    return {
      league: this.#leagues.leagueOf(key)?.id ?? derivedLeague(key),
      home_team,
      away_team,
      start_time: start.iso,
      status: event['completed'] === true ? 'final' : 'live',
      home_score,
      away_score,
      ...(at === undefined ? {} : { at: at.iso }),
    };
  }
}

function scoreOf(event: Record<string, unknown>, team: string): number | undefined {
  const scores = objectsOf(event['scores']).filter(({ name }) => name === team);
  const text = textOf(fieldsOf(scores[0])?.['score'])?.trim() ?? '';
  return scores.length === 1 && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}
