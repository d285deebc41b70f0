// Shapes of /account/alerts.
import type { Static } from 'typebox';
import { ALERT_CHANNELS, type AlertChannel, DELIVERY_STATES, TARGET_TYPES } from '../base/model/alert.js';
import { orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { instant, listBody, resultBody } from './envelope.js';
import * as filters from './parameters.js';

const names = (of: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100, description: of }),
  );
const number = (description: string) => Type.Optional(Type.Number({ description }));

/** Filters that narrow the channel. */
const narrowing = {
  min_ev: number('ev: lowest EV, percent; default 2'),
  min_profit: number('arbitrage: lowest profit, percent; default 0.5'),
  max_hold: number('low_hold: highest hold, percent; default 5'),
  min_size: number('middles: smallest middle, points; default 0.5'),
  devig_book: filters.devigBook,
  ...filters.staked,
  laggards: names('moves: sportsbook ids, one of which has not followed'),
  min_edge: number('moves: lowest edge of the best laggard (of those that laggards names), percent'),
  min_odds: number('odds: lowest price, American'),
  max_odds: number('odds: highest price, American'),
  kinds: names('moves: their kinds'),
};

const opportunities = ['ev', 'arbitrage', 'middles', 'low_hold'] as const;

/** The channels in which each of them says anything. */
const USED_BY: Readonly<Record<keyof typeof narrowing | 'ended', readonly AlertChannel[]>> = {
  min_ev: ['ev'],
  min_profit: ['arbitrage'],
  max_hold: ['low_hold'],
  min_size: ['middles'],
  devig_book: ['ev'],
  min_stake: opportunities,
  currency: opportunities,
  guaranteed: opportunities,
  include_assumed: ['ev', 'middles'],
  laggards: ['moves'],
  min_edge: ['moves'],
  min_odds: ['odds'],
  max_odds: ['odds'],
  kinds: ['moves'],
  ended: [...opportunities, 'moves'],
};

/** The names among these that the channel has no use for. */
export function unusedIn(channel: AlertChannel, names: readonly string[]): string[] {
  return names.filter(
    (name) => Object.hasOwn(USED_BY, name) && !USED_BY[name as keyof typeof USED_BY].includes(channel),
  );
}

const AlertFilters = Type.Object(
  {
    sports: names('sport ids'),
    leagues: names('league ids'),
    sportsbooks: names('sportsbook ids: opportunities among these books alone'),
    markets: names('market types'),
    eventIds: names('event ids'),
    ...narrowing,
    state: filters.state,
  },
  { additionalProperties: false, description: 'omitted filters do not restrict', examples: [{ leagues: ['nba'] }] },
);

const target = {
  type: Type.Enum([...TARGET_TYPES]),
  url: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'for all types but telegram; must be on a public host' }),
  ),
  chat: Type.Optional(Type.String({ maxLength: 200, description: 'telegram: id of the chat, or @name of a channel' })),
};

const Target = Type.Object(target, {
  additionalProperties: false,
  examples: [{ type: 'webhook', url: 'https://receiver.example/hook' }],
});

const alertName = Type.String({ minLength: 1, maxLength: 100 });
const options = {
  quiet_s: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.alertQuiet.max,
      description: 'minimum seconds between two messages; matches in that time are in the next one; default 0',
    }),
  ),
  max_age_s: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: LIMITS.alertQuiet.max }), Type.Null()], {
      description: 'seconds: of what was detected (odds: changed) longer ago nothing is sent; default: no limit',
      examples: [30],
    }),
  ),
  ended: Type.Optional(
    Type.Boolean({ description: 'true: that what was sent is over is sent too, as ids; not of odds; default false' }),
  ),
  paused: Type.Optional(
    Type.Boolean({ description: 'true: nothing is sent for now; what begins meanwhile is not sent later either' }),
  ),
};

export const NewAlertBody = Type.Object(
  {
    name: alertName,
    channel: Type.Enum([...ALERT_CHANNELS]),
    filters: Type.Optional(AlertFilters),
    ...narrowing,
    target: Target,
    ...options,
  },
  {
    additionalProperties: false,
    // Thresholds of all channels at once would show nobody how a rule looks.
    examples: [
      {
        name: 'arbitrages of the NBA',
        channel: 'arbitrage',
        filters: { leagues: ['nba'], min_profit: 1 },
        target: { type: 'webhook', url: 'https://receiver.example/hook' },
        quiet_s: 60,
      },
    ],
  },
);
export type NewAlertBody = Static<typeof NewAlertBody>;

export const ChangedAlertBody = Type.Object(
  {
    name: Type.Optional(alertName),
    channel: Type.Optional(Type.Enum([...ALERT_CHANNELS])),
    filters: Type.Optional(AlertFilters),
    ...narrowing,
    target: Type.Optional(Target),
    ...options,
  },
  {
    additionalProperties: false,
    description: 'what is to be changed; filters replace all of them, a threshold beside them its own',
    examples: [{ paused: true }],
  },
);
export type ChangedAlertBody = Static<typeof ChangedAlertBody>;

const instantOrNull = (description: string) => Type.Union([instant(description), Type.Null()]);

export const Alert = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    channel: Type.Enum([...ALERT_CHANNELS]),
    filters: AlertFilters,
    target: Type.Object({
      ...target,
      url: Type.Optional(
        Type.String({ description: 'for discord and slack only the host, because the rest is secret' }),
      ),
    }),
    quiet_s: Type.Integer(),
    max_age_s: orNull(Type.Integer()),
    ended: Type.Boolean(),
    paused: Type.Boolean({ description: 'by the account itself' }),
    created_at: instant('when it was made'),
    status: Type.Object({
      state: Type.Enum([...DELIVERY_STATES, 'paused'], {
        description:
          'failing: the target does not accept messages, which are retried; off: it accepted none for 24 h or wants no more (410), and nothing is sent until it is tested or its target is changed; paused: by the account, or no active key of it includes the channel',
      }),
      reason: orNull(Type.String(), "the target's last error"),
      since: instantOrNull('since when it is failing or off'),
      delivered: Type.Integer({ minimum: 0, description: 'messages accepted by the target' }),
      last_delivered_at: instantOrNull('when it accepted the last one'),
      queued: Type.Integer({ minimum: 0, description: 'waiting messages' }),
      next_attempt_at: instantOrNull('when the first of them is retried'),
    }),
  },
  { description: 'a rule and the state of its messages' },
);
export type Alert = Static<typeof Alert>;

export const AlertsBody = listBody(Alert);
export const AlertBody = resultBody(Alert);
export const TestedAlert = resultBody(
  Type.Object({
    id: Type.String(),
    queued: Type.Integer({ minimum: 1, description: 'messages that wait, with this one' }),
  }),
);

export const NewAlertAnswer = resultBody(
  Type.Object({
    id: Type.String(),
    secret: Type.String({ description: 'signs webhooks; shown only this once', examples: ['whsec_…'] }),
    name: Type.String(),
    channel: Type.Enum([...ALERT_CHANNELS]),
  }),
);
