// A game of a venue as an ingest event.
import type { IngestEvent, IngestMarket, IngestSelection } from '../../ingest/message.js';
import { formatMs } from '../../model/time.js';
import type { GameFacts, Outcome, Settled, VenueGame, VenueMarket } from './games.js';

/** What identifies the game, without its markets. */
export function refOf(facts: GameFacts): Omit<IngestEvent, 'markets'> {
  const { league, home, away, startMs, id, isLive, status } = facts;
  return {
    league,
    home_team: home,
    away_team: away,
    start_time: formatMs(startMs),
    external_id: id,
    ...(isLive === undefined ? {} : { is_live: isLive }),
    ...(status === undefined ? {} : { status }),
  };
}

/** As an ingest settlement. */
export function settlementOf({ game, market, outcome, word }: Settled): object {
  const { league, home_team, away_team, start_time } = refOf(game);
  const { selection, selectionType, line } = outcome;
  const named = selectionType === 'contract' ? { selection } : { selection_type: selectionType };
  return {
    ...{ league, home_team, away_team, start_time },
    market_type: market.type,
    ...(market.player === undefined ? {} : { player_name: market.player }),
    ...(market.team === undefined ? {} : { team: market.team }),
    ...named,
    ...(line === undefined ? {} : { line }),
    outcome: word,
  };
}

export function eventOf(game: VenueGame, markets: Iterable<VenueMarket>): IngestEvent {
  const stated: IngestMarket[] = [];
  for (const market of markets) {
    const one = marketOf(market);
    if (one !== undefined) stated.push(one);
  }
  return { ...refOf(game.facts), markets: stated };
}

/** Undefined if nothing of it was ever priced: it has no rows then. */
function marketOf(market: VenueMarket): IngestMarket | undefined {
  const { type, player, stat, team } = market.facts;
  const selections: IngestSelection[] = [];
  for (const outcome of market.outcomes)
    if (outcome.last !== null) selections.push(selectionOf(outcome, outcome.last, market));
  if (selections.length === 0) return undefined;
  return {
    market_type: type,
    ...(player === undefined ? {} : { player_name: player }),
    ...(stat === undefined ? {} : { stat_category: stat }),
    ...(team === undefined ? {} : { team }),
    ...(market.commission === null ? {} : { commission: market.commission }),
    ...(market.seenMs === null ? {} : { last_seen_at: formatMs(market.seenMs) }),
    selections,
  };
}

function selectionOf(outcome: Outcome, last: number, market: VenueMarket): IngestSelection {
  const { selection, selectionType, line, externalId, deepLink } = outcome.facts;
  const { decimal, size, tokenId, depth } = outcome;
  return {
    selection,
    selection_type: selectionType,
    ...(line === undefined ? {} : { line }),
    odds_decimal: decimal ?? last,
    ...(decimal === null ? { is_active: false } : {}),
    ...(market.alternate ? { is_alternate_line: true } : {}),
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(deepLink === undefined ? {} : { deep_link: deepLink }),
    ...(tokenId === undefined ? {} : { exchange_token_id: tokenId }),
    ...(size === null ? {} : { size }),
    ...(depth === null ? {} : { depth }),
    ...(market.volume24h === null ? {} : { volume_24h: market.volume24h }),
    ...(market.openInterest === null ? {} : { open_interest: market.openInterest }),
  };
}
