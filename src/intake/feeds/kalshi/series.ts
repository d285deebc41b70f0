// Kalshi's series: the league and question of each. By list: other series ask something else, whatever their names
// suggest.
import { present } from '../../../base/model/present.js';
import { slug } from '../../../rules/catalogue/team-name.js';
import type { FeedContext } from '../feed.js';
import { type Fields, fieldsOf, numberOf, textOf } from '../kit/field-readers.js';
import type { Rest } from '../kit/rest.js';

export type SeriesKind = 'winner' | 'spread' | 'total' | 'other';

export interface Series {
  ticker: string;
  league: string;
  kind: SeriesKind;
}

/** The part between KX and the question, by catalogue league. */
const LEAGUES: Readonly<Record<string, string>> = {
  NBA: 'nba',
  WNBA: 'wnba',
  NCAAMB: 'ncaab',
  NFL: 'nfl',
  NCAAF: 'ncaaf',
  MLB: 'mlb',
  NHL: 'nhl',
  EPL: 'epl',
  LALIGA: 'la-liga',
  BUNDESLIGA: 'bundesliga',
  SERIEA: 'serie-a',
  LIGUE1: 'ligue-1',
  UCL: 'ucl',
  UEL: 'uel',
  MLS: 'mls',
  UECL: 'uecl',
  EREDIVISIE: 'eredivisie',
  LIGAPORTUGAL: 'primeira-liga',
  LIGAMX: 'liga-mx',
  EFLCHAMPIONSHIP: 'efl-championship',
  SUPERLIG: 'super-lig',
  SCOTTISHPREM: 'scottish-premiership',
  BELGIANPL: 'belgian-pro-league',
  LALIGA2: 'la-liga-2',
  BUNDESLIGA2: '2-bundesliga',
  SERIEB: 'serie-b',
  CSGO: 'cs2',
  CS2: 'cs2',
  LOL: 'lol',
  DOTA2: 'dota2',
  VALORANT: 'valorant',
};

const KINDS: Readonly<Record<string, SeriesKind>> = { GAME: 'winner', SPREAD: 'spread', TOTAL: 'total' };
const TICKER = /^KX[A-Z0-9]{1,40}$/;

/** Series of games in the known leagues, the default. */
const USUAL = ['NBA', 'NFL', 'MLB', 'NHL'].flatMap((league) => Object.keys(KINDS).map((kind) => `KX${league}${kind}`));

/** The requested series. Throws if a name is not a series, or its league is unknown. */
export function seriesOf(requested: readonly string[]): Series[] {
  const names = requested.length === 0 ? [...USUAL, 'KXEPLGAME'] : requested.map((name) => name.toUpperCase());
  return [...new Set(names)].map((ticker) => {
    if (!TICKER.test(ticker)) throw new Error('kalshi: series has a name that is no series ticker (KX…)');
    // The longest league name first: KXNCAAFGAME is not a series of the NCAA's basketball.
    const code = Object.keys(LEAGUES)
      .sort((a, b) => b.length - a.length)
      .find((each) => ticker.startsWith(`KX${each}`));
    if (code === undefined)
      throw new Error(`kalshi: series has one of an unknown league; known: ${Object.keys(LEAGUES).join(', ')}`);
    return { ticker, league: LEAGUES[code]!, kind: KINDS[ticker.slice(2 + code.length)] ?? 'other' };
  });
}

// What only a series itself states: its fee, a multiplier of the usual one, and the title in addresses of its pages.

/** Fees change rarely, and by announcement. */
const CACHED_MS = 600_000;
/** Fee types in which the taker pays p (1 - p) times the rate. */
const QUADRATIC = new Set(['quadratic', 'quadratic_with_maker_fees', 'quadratic_with_combo_maker_fees']);

/** What a series states of its fees, or an event in place of its series. */
export interface Fees {
  type?: string;
  multiplier?: number;
}

/** @param suffix of the fields: those of an event have one */
export function feesIn(fields: Fields, suffix = ''): Fees {
  const multiplier = numberOf(fields[`fee_multiplier${suffix}`]);
  return present({
    type: textOf(fields[`fee_type${suffix}`]),
    multiplier: multiplier !== undefined && multiplier >= 0 ? multiplier : undefined,
  });
}

export class SeriesFacts {
  readonly #rest: Rest;
  readonly #context: FeedContext;
  readonly #fees = new Map<string, Fees>();
  readonly #titles = new Map<string, string>();
  readonly #warned = new Set<string>();
  #requestedMs = Number.NEGATIVE_INFINITY;

  constructor(rest: Rest, context: FeedContext) {
    this.#rest = rest;
    this.#context = context;
  }

  /** Multiplier of the usual fee; undefined if none is stated. What an event states comes before its series. */
  multiplierOf(series: string, ofEvent: Fees = {}): number | undefined {
    const { type, multiplier } = { ...this.#fees.get(series), ...ofEvent };
    if (type === undefined || QUADRATIC.has(type)) return multiplier;
    this.#say(series, type);
    return undefined;
  }

  /** The page of an event: its series, the title of that in words, and itself. */
  pageOf(series: string, event: string): string {
    const title = slug(this.#titles.get(series) ?? series);
    const [code, page] = [series, event].map((ticker) => encodeURIComponent(ticker.toLowerCase()));
    return `https://kalshi.com/markets/${code}/${title}/${page}`;
  }

  /**
   * Requests each series that was not requested recently; a value stays known if its series does not answer. Never
   * rejects.
   */
  async refresh(series: readonly string[]): Promise<void> {
    const nowMs = this.#context.clock.now();
    if (nowMs - this.#requestedMs < CACHED_MS) return;
    this.#requestedMs = nowMs;
    await Promise.all(series.map((ticker) => this.#request(ticker)));
  }

  async #request(ticker: string): Promise<void> {
    try {
      const series = fieldsOf(fieldsOf(await this.#rest.get(`/series/${ticker}`))?.['series']);
      if (series === undefined) return;
      const title = textOf(series['title']);
      if (title !== undefined && slug(title) !== '') this.#titles.set(ticker, title);
      this.#fees.set(ticker, { ...this.#fees.get(ticker), ...feesIn(series) });
    } catch (error) {
      this.#context.log.info({ series: ticker, reason: (error as Error).message }, 'kalshi: fees of a series unknown');
    }
  }

  #say(series: string, fee_type: string): void {
    if (this.#warned.has(series)) return;
    this.#warned.add(series);
    this.#context.log.warn(
      { series, fee_type },
      'kalshi: a series has fees of another kind; the usual ones are assumed',
    );
  }
}
