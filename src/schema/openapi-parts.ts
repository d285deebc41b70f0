// The parts of the OpenAPI document that are the same for every route.

import { LIMITS } from '../base/model/limits.js';
import { TIER_RULES } from '../rules/catalogue/tiers.js';
import { TIERS } from '../rules/catalogue/types.js';

function tierTable(): string {
  const rows = TIERS.map((tier) => {
    const { requestsPerMinute, delaySeconds, maxBooks, batchMax, features } = TIER_RULES[tier];
    const delay = delaySeconds === 0 ? 'real time' : `${delaySeconds} s`;
    return `| ${tier} | ${requestsPerMinute} | ${delay} | ${maxBooks ?? 'all'} | ${batchMax} | ${features.join(', ') || '-'} |`;
  });
  return [
    '| tier | requests/min | delay | books | batch | features |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

export const INFO = {
  title: 'overround',
  version: '2.0.0',
  description: `Sports betting odds of many books: snapshots, best prices, comparisons, deltas, opportunities, splits, streams.

Every answer has \`success\`, \`data\` and \`updated_at\`, lists also \`pagination\` and \`meta\`. Errors have
\`error.code\` and \`error.message\`. Parameters an endpoint does not have change nothing and are listed in
\`meta.ignored\`; unknown sports, leagues and sportsbooks match nothing and are listed in \`meta.unknown\`.
A list may be separated by commas or given several times, and
go by its plural (\`leagues\`, \`eventIds\`) as by its singular; \`is_live\` is \`live\`. A value given twice where one is
taken is refused, and with \`strict=true\` so is a parameter nobody knows. All times are RFC 3339 in UTC.

An answer that looked at more than ${LIMITS.chargedRows.max.toLocaleString('en')} rows counts as one request more for each as many. Opportunities
with another \`devig\` or \`devig_book\`, or beyond the usual thresholds, are evaluated for the request: 50 rows for each price
that they are about, so filters by league and event make them cheap; a row of a batch
counts as many. \`X-RateLimit-Remaining\` shows what is left.

\`GET /tiers\` has all of this table, with the books, channels and other limits of each tier.

${tierTable()}`,
  license: { name: 'MIT', identifier: 'MIT' },
};

const ABOUT_TAGS = {
  odds: 'prices: pages, best, comparison, batch, changes',
  history: 'what prices did: changes, opening and closing prices',
  events: 'games, their markets and books',
  opportunities: '+EV, arbitrage, middles, low hold, moves',
  splits: 'where money and tickets go',
  futures: 'champions, awards, season totals',
  'game state': 'scores, periods, clocks',
  results: 'what became of games',
  'deep links': "to the sportsbook's page",
  stream: 'changes as they happen (server-sent events)',
  reference: 'sports, leagues, sportsbooks, market types, teams',
  account: 'the key, its use, the account and its keys',
  ingest: 'odds pushed in',
  service: 'health and these documents',
};

export const TAGS = Object.entries(ABOUT_TAGS).map(([name, description]) => ({ name, description }));

export const SECURITY_SCHEMES = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'checked first' },
  bearer: { type: 'http', scheme: 'bearer', description: 'used if X-API-Key is not sent' },
  apiKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'for browsers that cannot set headers; token means the same. Web pages should use a viewer token instead of the key (POST /account/tokens)',
  },
};

/** Parameters of every request that returns data. */
export const EVERYWHERE = [
  {
    name: 'strict',
    in: 'query',
    description:
      'true: an unknown parameter is refused (400) instead of listed in meta.ignored, and so is a name that means nothing (a sport, league, book or market type) instead of listed in meta.unknown',
    schema: { type: 'boolean', default: false },
  },
  {
    name: 'min_position',
    in: 'query',
    description:
      'the answer shows at least this position of the change log, as given by X-Position or the answer to an ingest; waits for it at most 2 seconds, without a key not at all, then 503 behind',
    schema: { type: 'integer', minimum: 0 },
  },
  {
    name: 'Prefer',
    in: 'header',
    description: 'handling=strict is the same as strict=true (RFC 7240)',
    schema: { type: 'string' },
  },
];

const KEYED = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

export function securityOf(auth: string): object[] {
  if (auth === 'public' || auth === 'metered') return [];
  return auth === 'optional' || auth === 'probe' ? [{}, ...KEYED] : KEYED;
}

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

export const HEADERS = {
  'X-Request-Id': text('id of this request, for questions about it'),
  'X-RateLimit-Limit': integer('requests a minute'),
  'X-RateLimit-Remaining': integer('requests left in this minute'),
  'X-RateLimit-Reset': integer('when the minute ends, Unix seconds'),
  'X-Data-Delay': integer('age of the odds in seconds; 0 is real time'),
  'X-Tier': text("the key's tier"),
  'X-Position': integer('position in the change log of what the answer shows'),
  ETag: text('of the content; send it back as If-None-Match; a whole answer (limit=all) has none'),
  'Retry-After': integer('seconds to wait before the next try'),
};

/** The headers of a successful answer. */
export function headersOf({ auth }: { auth: string }, tagged: boolean): Record<string, object> {
  const counted = ['public', 'metered', 'probe'].includes(auth)
    ? []
    : ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const keyed = auth === 'required' ? ['X-Data-Delay', 'X-Tier', 'X-Position'] : [];
  const names = ['X-Request-Id', ...counted, ...keyed, ...(tagged ? ['ETag'] : [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
