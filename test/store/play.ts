// Changes of a shard's rows that free pages of its store and overwrite them.
import { event, message, moneyline, total } from '../intake/ingest/messages.js';
import type { Rig } from '../writer/shard/rig.js';

/** Odds that are added, changed and removed, so that pages are freed and overwritten. */
export function play(rig: Rig, from: number, batches: number, games = 13): void {
  for (let i = from; i < from + batches; i++) {
    rig.nowMs += 1_000;
    const polled_at = new Date(rig.nowMs).toISOString();
    for (const book of ['draftkings', 'fanduel']) {
      const teams = { league: 'moon-cup', home_team: `Home ${i % games}`, away_team: `Away ${i % games}` };
      const markets = [moneyline(-110 - (i % 40), 100), ...(i % 3 === 0 ? [] : [total(200, -110, -110 - (i % 7))])];
      rig.send(message([event(markets, teams)], { book, polled_at }));
    }
  }
}
