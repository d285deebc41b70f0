// Shapes of GET /ingest/unmatched.
import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { UNMATCHED_KINDS, UNMATCHED_REASONS } from '../base/model/unmatched.js';
import { instant, listBody } from './envelope.js';
import * as filters from './parameters.js';

const textOrNull = (description: string, example: string) =>
  Type.Union([Type.String({ examples: [example] }), Type.Null()], { description });

const Candidate = Type.Object({
  id: Type.String({ description: 'of the team, league, sportsbook, market type or event', examples: ['lakers'] }),
  name: Type.String({ examples: ['Los Angeles Lakers'] }),
  overlay: orNull(
    Type.Object({ id: Type.String(), aliases: Type.Array(Type.String(), { examples: [['LA Lakerz']] }) }),
    'the entry of overlay_file that makes the name an alias of this one; null where aliases do not help',
  ),
});

export const UnmatchedItem = Type.Object(
  {
    kind: Type.Enum([...UNMATCHED_KINDS], { description: 'what it is' }),
    reason: Type.Enum([...UNMATCHED_REASONS, 'apart'], {
      description:
        'unknown: accepted under this name; refused: rejected; unlisted: a feed left the game out; joined (with --match roster): a team whose game was joined to that of others by who plays and when; apart: a start, player, team or league that no other book has for the game, beside a similar one that others have',
    }),
    name: Type.String({ description: 'as it was sent; of a start, the time', examples: ['LA Lakerz'] }),
    league: textOrNull('of a team, start or player', 'nba'),
    event_id: textOrNull('where reason is apart', 'nba_celtics_lakers_2026-11-20'),
    why: textOrNull('why it was refused', 'missing or not an RFC 3339 time'),
    sportsbooks: Type.Array(Type.String(), { description: 'at most five that sent it', examples: [['draftkings']] }),
    times: Type.Integer({ minimum: 1, description: 'how often since the start; 1 where reason is apart' }),
    first_at: instant('when it was first seen'),
    last_at: instant('when it was last seen'),
    candidates: Type.Array(Candidate, { description: 'what it may have meant, the nearest first; at most three' }),
    overlay_file: textOrNull('where in the folder of --catalogue the entries belong', 'teams/nba.overlay.json'),
  },
  { description: 'what met nothing' },
);
export type UnmatchedItem = Static<typeof UnmatchedItem>;

export const UnmatchedQuery = Type.Object({
  kind: Type.Optional(Type.Enum([...UNMATCHED_KINDS], { description: 'only these' })),
  limit: filters.wholeLimit(100, 1_000),
  format: filters.listFormat,
});

const counts = (description: string) => Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });
export const UnmatchedBody = listBody(UnmatchedItem, {
  by_kind: counts('items by kind, those beyond the limit included'),
});
