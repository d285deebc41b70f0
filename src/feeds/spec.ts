// Parses `--feed`: `sim:seed=7,books=28`, `replay:FILE,speed=60`, `the-odds-api:sports=a,b,regions=us`, `none`. Error
// messages may end up in a log, so they name parameters but never repeat their values.

export const FEED_KINDS = [
  'sim',
  'replay',
  'the-odds-api',
  'polymarket',
  'kalshi',
  'betfair-stream',
  'opticodds',
  'sharpapi',
  'none',
] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export interface FeedSpec {
  kind: FeedKind;
  args: Record<string, string>;
  /** The recording (`replay` only). */
  path?: string;
}

/** The parameters of each kind. `list`: the value may contain commas. */
const PARAMETERS: Record<FeedKind, Record<string, 'value' | 'list'>> = {
  sim: { seed: 'value', books: 'value', events: 'value', rate: 'value' },
  replay: { speed: 'value', timestamps: 'value' },
  'the-odds-api': {
    sports: 'list',
    regions: 'list',
    markets: 'list',
    bookmakers: 'list',
    every: 'value',
    url: 'value',
  },
  polymarket: { sports: 'list' },
  kalshi: { series: 'list' },
  'betfair-stream': { sports: 'list', replay: 'value', catalogue: 'value', speed: 'value', timestamps: 'value' },
  opticodds: { leagues: 'list', books: 'list' },
  sharpapi: { leagues: 'list', books: 'list' },
  none: {},
};

const SECRET_NAME = /key|token|secret|password/i;
const PLAIN_NAME = /^[a-z][a-z0-9_-]{0,23}$/;

/** Parses a feed specification. Throws an Error whose message is one line without any value. */
export function parseFeedSpec(text: string): FeedSpec {
  const colon = text.indexOf(':');
  const kindText = (colon === -1 ? text : text.slice(0, colon)).trim();
  const rest = colon === -1 ? '' : text.slice(colon + 1).trim();
  const kind = FEED_KINDS.find((known) => known === kindText);
  if (kind === undefined) throw new Error(`unknown feed${shown(kindText)}; known: ${FEED_KINDS.join(', ')}`);
  if (kind === 'replay') return replaySpec(rest);
  const args = parseArgs(kind, rest);
  if (kind === 'the-odds-api') {
    if (args['sports'] === undefined) throw new Error('the-odds-api: sports=… is missing');
    if (args['regions'] === undefined && args['bookmakers'] === undefined)
      throw new Error('the-odds-api: regions=… (or bookmakers=…) is missing');
  }
  return { kind, args };
}

/** A file name may contain commas and equals signs: it ends where the first known parameter begins. */
function replaySpec(rest: string): FeedSpec {
  const parameters = /,(?=[a-z_]+=)/.exec(rest);
  const path = (parameters === null ? rest : rest.slice(0, parameters.index)).trim();
  if (path === '') throw new Error('replay: the recording is missing (replay:FILE)');
  return {
    kind: 'replay',
    path,
    args: parseArgs('replay', parameters === null ? '' : rest.slice(parameters.index + 1)),
  };
}

function parseArgs(kind: FeedKind, text: string): Record<string, string> {
  const args: Record<string, string> = {};
  const known = PARAMETERS[kind];
  let last: string | undefined;
  for (const segment of text === '' ? [] : text.split(',')) {
    const equals = segment.indexOf('=');
    if (equals === -1) {
      if (last === undefined || known[last] !== 'list' || segment.trim() === '')
        throw new Error(`${kind}: expected name=value, separated by commas`);
      args[last] += `,${segment.trim()}`;
      continue;
    }
    last = segment.slice(0, equals).trim();
    const value = segment.slice(equals + 1).trim();
    if (!Object.hasOwn(known, last)) throw new Error(unknownParameter(kind, last));
    if (Object.hasOwn(args, last)) throw new Error(`${kind}: ${last} is given twice`);
    if (value === '') throw new Error(`${kind}: ${last} is empty`);
    args[last] = value;
  }
  return args;
}

function unknownParameter(kind: FeedKind, name: string): string {
  if (kind === 'the-odds-api' && SECRET_NAME.test(name))
    return 'the-odds-api: the API key does not belong on the command line; set THE_ODDS_API_KEY';
  const known = Object.keys(PARAMETERS[kind]);
  const hint = known.length === 0 ? 'it takes none' : `known: ${known.join(', ')}`;
  return `${kind}: unknown parameter${shown(name)}; ${hint}`;
}

/** A name as the user wrote it, unless it might be a secret in the wrong position. */
function shown(name: string): string {
  return PLAIN_NAME.test(name) && !name.startsWith('sk_') ? ` "${name}"` : '';
}

/** A numeric parameter, or undefined if absent. Throws if it is not a number from `min` to `max`. */
export function numberArg(spec: FeedSpec, name: string, min: number, max: number): number | undefined {
  const text = spec.args[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= min && value <= max)) throw new Error(`${spec.kind}: ${name} is not a number from ${min} to ${max}`);
  return value;
}

/** A list parameter, empty if absent. */
export function listArg(spec: FeedSpec, name: string): string[] {
  const parts = (spec.args[name] ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** A parameter with a fixed set of values, or undefined if absent. */
export function wordArg<T extends string>(spec: FeedSpec, name: string, words: readonly T[]): T | undefined {
  const text = spec.args[name];
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (word === undefined) throw new Error(`${spec.kind}: ${name} is not one of ${words.join(', ')}`);
  return word;
}
