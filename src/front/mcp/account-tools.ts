// Tools of an account's own: its bets, what was predicted, its alerts.

import { ALERT_CHANNELS } from '../../base/model/alert.js';
import { words } from '../../base/model/words.js';
import { american, field, labelled, percent } from './readable.js';
import { type Change, PAGE, row, type ToolEntry } from './tool-entry.js';

const text = { type: 'string' };
const number = { type: 'number' };

const paperBet: Change = {
  requests: { place: { method: 'POST', path: '/account/bets' } },
  arguments: {
    client_id: { ...text, description: 'your own; sent again it is not recorded again' },
    odds_id: { ...text, description: 'id of a row of get_odds' },
    stake: number,
    odds_american: { ...number, description: 'filled at it or better' },
    tag: text,
  },
  required: ['client_id', 'odds_id', 'stake', 'odds_american'],
  body: (args) => ({ bets: [{ ...args, mode: 'paper' }] }),
};

const newAlert: Change = {
  requests: { create: { method: 'POST', path: '/account/alerts' } },
  arguments: {
    name: text,
    channel: { enum: [...ALERT_CHANNELS] },
    filters: {
      type: 'object',
      description: 'sports, leagues, sportsbooks, markets, event_ids (lists), min_ev, min_profit, max_hold',
    },
    target: { type: 'object', description: 'type webhook, discord, slack (url) or telegram (chat)' },
    quiet_s: number,
  },
  required: ['name', 'channel', 'target'],
};

const ALERT = '/account/alerts/:id';
const changedAlert: Change = {
  requests: {
    pause: { method: 'PATCH', path: ALERT, body: { paused: true } },
    resume: { method: 'PATCH', path: ALERT, body: { paused: false } },
    test: { method: 'POST', path: `${ALERT}/test` },
    delete: { method: 'DELETE', path: ALERT },
  },
  arguments: { id: text, action: { enum: ['pause', 'resume', 'test', 'delete'] } },
  required: ['id', 'action'],
  destructive: true,
};

const alertLine = row(
  field('id'),
  field('name'),
  field('channel'),
  labelled('status.state', 'state'),
  labelled('paused', 'paused'),
);
const betLine = row(
  field('id'),
  field('mode'),
  field('status'),
  field('event_name'),
  field('selection'),
  field('line'),
  field('sportsbook'),
  american('odds_american'),
  labelled('stake', 'stake'),
  labelled('reason', 'because'),
  labelled('profit', 'profit'),
);
const BET = words(`
  id client_id mode status reason odds_id event_name sportsbook selection line
  odds_american stake stake_filled result profit clv_percent tag
`);

export const ACCOUNT_TOOLS: readonly ToolEntry[] = [
  {
    name: 'place_paper_bet',
    title: 'Paper bet',
    description: 'Records a bet without money, filled from the present price.',
    path: '/account/bets',
    change: paperBet,
    shows: ['id', 'status', 'reason', 'stake_filled'],
    line: betLine,
  },
  {
    name: 'get_bets',
    title: 'Bets',
    description: 'Recorded bets, newest first, with result and CLV.',
    path: '/account/bets',
    shows: BET,
    unlisted: ['from', 'to'],
    defaults: PAGE,
    line: betLine,
  },
  {
    name: 'get_bets_summary',
    title: 'Bets summed up',
    description: 'Profit, ROI and CLV of the recorded bets, in groups.',
    path: '/account/bets/summary',
    shows: ['groups', 'total', 'currency', 'cash'],
    line: row(labelled('total', 'all')),
  },
  {
    name: 'get_predictions',
    title: 'Detected edges',
    description: 'Prices above fair in an event: as detected, as closed, how they ended. Enterprise.',
    path: '/historical/predictions',
    shows: words(`
      id sportsbook market_type selection line odds_decimal_net ev_percentage clv_percent result
    `),
    unlisted: ['id', 'sport', 'league', 'sportsbook', 'market'],
    defaults: PAGE,
    line: row(
      field('market_type'),
      field('selection'),
      field('line'),
      field('sportsbook'),
      field('odds_decimal_net'),
      percent('ev_percentage', 'EV'),
      percent('clv_percent', 'CLV'),
      field('result'),
    ),
  },
  {
    name: 'get_alerts',
    title: 'Alerts',
    description: 'Alert rules and whether they deliver. Pro and up.',
    path: '/account/alerts',
    shows: ['id', 'name', 'channel', 'filters', 'target', 'paused', 'status.state', 'status.reason'],
    line: alertLine,
  },
  {
    name: 'create_alert',
    title: 'New alert',
    description: 'Sends what a channel finds to a target from now on.',
    path: '/account/alerts',
    change: newAlert,
    shows: ['id', 'secret'],
    line: row(labelled('id', 'alert'), field('name')),
  },
  {
    name: 'change_alert',
    title: 'Change an alert',
    description: 'Pauses, resumes, tests (sends an example) or deletes it.',
    path: '/account/alerts',
    change: changedAlert,
    shows: ['id', 'paused'],
    line: alertLine,
  },
];
