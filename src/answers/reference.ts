// The reference lists: the catalogue's sports, leagues, books and market types with counts from the table, and those
// that only the table knows. The same for every caller, but for an account's private books.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { isModelPrice } from '../base/model/activity.js';
import type { Clock } from '../base/model/clock.js';
import { compareText } from '../base/model/compare.js';
import { LIMITS } from '../base/model/limits.js';
import { rateOf } from '../base/model/money.js';
import { formatMs } from '../base/model/time.js';
import { WARNING_CODES, WARNINGS } from '../base/model/warnings.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { BookEntry } from '../rules/catalogue/file-schema.js';
import { isPrivateBook, ownName, privateBook } from '../rules/catalogue/private-book.js';
import { slug } from '../rules/catalogue/team-name.js';
import { channelsOf, holdingOf, RIGHTS, TIER_RULES, UNLISTED_TIER } from '../rules/catalogue/tiers.js';
import { TIERS } from '../rules/catalogue/types.js';
import type { HouseRuleEntry } from '../rules/markets/house-rules.js';
import type {
  HouseRule,
  League,
  MarketType,
  Sport,
  Sportsbook,
  SportsbooksQuery,
  Team,
  TeamsQuery,
  TierRights,
  WarningMeaning,
} from '../schema/reference.js';
import { wordsOf, wordsStartIn } from '../tables/filter/event-search.js';
import { namesOf, requestedLeagues, requestedSports } from '../tables/filter/requested-names.js';
import type { OddsTable } from '../tables/table.js';
import { isCurrent, Tally } from './tally.js';

const UNLISTED_MAX = LIMITS.listedTypes.max;
/** A book polled within this time is active, with or without odds. */
const POLLED_LATELY_MS = 5 * 60_000;

export interface ListAnswer<Item> {
  items: Item[];
  /** Values of sport and league filters without a match. */
  unknown: string[];
}

export class ReferenceReader {
  readonly #catalogue: Catalogue;
  readonly #table: OddsTable;
  readonly #clock: Clock;
  readonly #tally: Tally;
  readonly #listedBooks: ReadonlySet<string>;

  constructor(engine: { catalogue: Catalogue; table: OddsTable; clock: Clock }) {
    this.#catalogue = engine.catalogue;
    this.#table = engine.table;
    this.#clock = engine.clock;
    this.#tally = new Tally(engine.table);
    this.#listedBooks = new Set(engine.catalogue.books.map((book) => book.id));
  }

  /** What the codes of opportunities' warnings mean. */
  warnings(): WarningMeaning[] {
    return WARNING_CODES.map((id) => ({ id, description: WARNINGS[id] }));
  }

  /** The table of rights, the lowest tier first. */
  tiers(): TierRights[] {
    return TIERS.map((id) => {
      const rules = TIER_RULES[id];
      return {
        id,
        requests_per_minute: rules.requestsPerMinute,
        data_delay_seconds: rules.delaySeconds,
        max_books: rules.maxBooks,
        books: this.#catalogue.booksOf(id)?.slice() ?? null,
        features: RIGHTS.filter((right) => holdingOf(id, right) === 'included'),
        addons: RIGHTS.filter((right) => holdingOf(id, right) === 'add-on'),
        channels: channelsOf(id),
        stream_slots: rules.maxStreams,
        limits: {
          batch_events: rules.batchMax,
          alert_rules: rules.alertRules,
          history_seconds: rules.historySeconds,
        },
      };
    });
  }

  /** Catalogue order, then sports only the table has; those without events only if `includeEmpty`. */
  sports(includeEmpty: boolean): Sport[] {
    const ids = new Set(this.#catalogue.sports.map((sport) => sport.id));
    for (const { sport } of this.#tally.leagues().values()) ids.add(sport);
    const sports = [...ids].map((id) => this.#sport(id, includeEmpty));
    return includeEmpty ? sports : sports.filter((sport) => sport.active);
  }

  /** By id or an alias of that sport alone; undefined if there is none. */
  sport(name: string): Sport | undefined {
    const { sports } = this.#catalogue.sportsMatching([name]);
    const id = sports.size === 1 ? [...sports][0]! : name;
    if (this.#catalogue.sport(id) !== undefined || namesOf(this.#table).hasSport(id)) return this.#sport(id, false);
    return undefined;
  }

  /** Catalogue order, then leagues only the table has; those without events only if `includeEmpty`. */
  leagues(sport: string | undefined, includeEmpty: boolean): ListAnswer<League> {
    const { ids: sports, unknown } = requestedSports(this.#catalogue, namesOf(this.#table), sport);
    const items = this.#allLeagues()
      .filter((league) => sports === null || sports.has(league.sport))
      .map(({ id, name, sport }): League => {
        const { events = 0, live = 0 } = this.#tally.leagues().get(id) ?? {};
        return { id, slug: id, name, sport, active: events > 0, event_count: events, live_count: live };
      });
    return { items: includeEmpty ? items : items.filter((league) => league.active), unknown };
  }

  /** By id or alias, with or without events. */
  league(name: string): League | undefined {
    const id = this.#catalogue.leagueOf(name)?.id ?? name.toLowerCase();
    return this.leagues(undefined, true).items.find((league) => league.id === id);
  }

  /** Catalogue order, then unlisted books by id. */
  books(filter: SportsbooksQuery, account?: string): Sportsbook[] {
    const books = this.#catalogue.books.map((book) => this.#listed(book));
    if (filter.include_unlisted)
      for (const id of this.#unlistedBooks(account)) books.push(this.#unlisted(id, this.#catalogue.book(id)));
    return books.filter(
      (book) =>
        (filter.region === undefined || book.regions.includes(filter.region)) &&
        (filter.sharp === undefined || book.is_sharp === filter.sharp) &&
        (filter.catalog || filter.include_inactive || book.event_count > 0),
    );
  }

  /** By id or alias, listed or not. */
  book(name: string, account?: string): Sportsbook | undefined {
    const entry = this.#catalogue.book(name);
    const stated = entry?.id ?? name.toLowerCase();
    const own = account === undefined ? stated : privateBook(stated, account);
    const id = this.#table.books.find(own) >= 0 ? own : stated;
    if (isPrivateBook(id) && id !== own) return undefined;
    if (entry !== undefined && !this.#catalogue.isUnlisted(id)) return this.#listed(entry);
    return entry !== undefined || this.#table.books.find(id) >= 0 ? this.#unlisted(id, entry) : undefined;
  }

  /** Every type of the catalogue, then those only the table has, by id: of too many, the ones of most events. */
  marketTypes(): { items: MarketType[]; omitted: number } {
    const tallies = this.#tally.markets();
    const types = this.#catalogue.marketTypes.map(({ id, name, description, examples, sports }): MarketType => {
      const tally = tallies.get(id);
      return {
        id,
        name,
        description,
        ...this.#rulesOf(id),
        examples,
        event_count: tally?.events ?? 0,
        selection_count: tally?.selections ?? 0,
        sports: tally === undefined ? sports : [...new Set([...sports, ...tally.sports])],
      };
    });
    const unlisted = [...tallies.keys()].filter((id) => this.#catalogue.marketType(id) === undefined);
    const eventsOf = (id: string): number => tallies.get(id)!.events;
    const shown = unlisted.sort((a, b) => eventsOf(b) - eventsOf(a) || compareText(a, b)).slice(0, UNLISTED_MAX);
    for (const id of shown.sort()) {
      const { events, selections, sports } = tallies.get(id)!;
      const counts = { event_count: events, selection_count: selections, sports: [...sports].sort() };
      types.push({ id, name: titled(id), description: '', ...this.#rulesOf(id), examples: [], ...counts });
    }
    return { items: types, omitted: unlisted.length - shown.length };
  }

  #rulesOf(type: string) {
    const { types } = this.#catalogue;
    const { type: _, rest, lay, backed, turned, derived, ...rules } = types.usual(type);
    const bySport = types.bySport(type);
    return {
      hasLine: rules.line === 'required',
      ...rules,
      ...(bySport === undefined ? {} : { by_sport: bySport }),
      ...(derived ? { derived } : {}),
    };
  }

  #sport(id: string, withEmptyLeagues: boolean): Sport {
    const leagues: string[] = [];
    let events = 0;
    let live = 0;
    for (const league of this.#allLeagues()) {
      if (league.sport !== id) continue;
      const tally = this.#tally.leagues().get(league.id);
      if (tally !== undefined || withEmptyLeagues) leagues.push(league.id);
      events += tally?.events ?? 0;
      live += tally?.live ?? 0;
    }
    const name = this.#catalogue.sport(id)?.name ?? titled(id);
    return { id, slug: id, name, active: events > 0, event_count: events, live_count: live, leagues };
  }

  #allLeagues(): { id: string; name: string; sport: string }[] {
    const leagues: { id: string; name: string; sport: string }[] = [...this.#catalogue.leagues];
    for (const [id, { sport }] of this.#tally.leagues())
      if (this.#catalogue.league(id) === undefined) leagues.push({ id, name: id, sport });
    return leagues;
  }

  #listed(book: BookEntry): Sportsbook {
    return {
      id: book.id,
      slug: book.id,
      name: book.name,
      display_name: book.displayName,
      kind: book.isExchange ? 'exchange' : 'sportsbook',
      is_sharp: book.isSharp,
      ...this.#money(book.id),
      has_live_odds: book.hasLiveOdds,
      has_player_props: book.hasPlayerProps,
      regions: book.regions,
      requires_tier: book.requiresTier,
      ...this.#state(book.id),
      unlisted: false,
    };
  }

  #unlisted(id: string, entry: BookEntry | undefined): Sportsbook {
    const no = this.#table.books.find(id);
    const { market, activity } = this.#table.columns;
    let live = false;
    let props = false;
    let model = false;
    for (const event of this.#table.events.ordered()) {
      const slots = event.byBook.get(no);
      if (slots === undefined) continue;
      live ||= event.live;
      model ||= slots.some((slot) => isModelPrice(activity[slot]!));
      props ||= slots.some((slot) => this.#table.rulesOf(market[slot]!).subject === 'player');
    }
    const name = ownName(id);
    return {
      id: name,
      slug: name,
      name: entry?.name ?? name,
      display_name: entry?.displayName ?? name,
      kind: model ? 'model' : entry?.isExchange === true ? 'exchange' : 'sportsbook',
      is_sharp: false,
      ...this.#money(id),
      has_live_odds: live,
      has_player_props: props,
      regions: entry?.regions ?? [],
      requires_tier: UNLISTED_TIER,
      ...this.#state(id),
      unlisted: true,
    };
  }

  #money(id: string) {
    const { currency, minStake, stakeStep, contracts, settles } = this.#catalogue.rulesOf(id);
    return {
      owner: this.#catalogue.ownerOf(id),
      commission: this.#catalogue.commissionOf(id),
      currency,
      usd_rate: rateOf(currency, this.#catalogue.rates) || null,
      min_stake: minStake || null,
      stake_step: stakeStep || null,
      contracts: contracts || null,
      settles,
      rules: this.#catalogue.houseRules.ofBook(id).flatMap((entry) => this.#rulesFrom(entry)),
    };
  }

  /** An entry may be about several leagues or sports: each is one line. */
  #rulesFrom({ id: _, books, owners, sports, leagues, families, ...rule }: HouseRuleEntry): HouseRule[] {
    const games: Pick<HouseRule, 'sport' | 'league'>[] =
      sports?.map((sport) => ({ sport })) ??
      leagues!.flatMap((league) => {
        const sport = this.#catalogue.league(league)?.sport;
        return sport === undefined ? [] : [{ sport, league }];
      });
    const { shortened, ...rest } = rule;
    const stated = { ...rest, ...(shortened === undefined || shortened === null ? {} : { shortened }) };
    return games.flatMap((game) =>
      families === undefined
        ? [{ ...game, ...stated }]
        : families.map((family): HouseRule => ({ ...game, family, ...stated })),
    );
  }

  #state(book: string): Pick<Sportsbook, 'status' | 'active' | 'event_count' | 'last_update'> {
    const no = this.#table.books.find(book);
    const polledMs = this.#table.bookPolledMs[no];
    const active =
      (this.#table.bookRows[no] ?? 0) > 0 ||
      (polledMs !== undefined && this.#clock.now() - polledMs <= POLLED_LATELY_MS);
    return {
      status: active ? 'active' : 'inactive',
      active,
      event_count: this.#tally.eventsOfBook(book),
      last_update: polledMs === undefined ? null : formatMs(polledMs),
    };
  }

  #unlistedBooks(account: string | undefined): string[] {
    const known = this.#catalogue.unlistedBooks.map(({ id }) => id);
    const isSeen = (id: string): boolean =>
      !this.#listedBooks.has(id) && (!isPrivateBook(id) || id === privateBook(ownName(id), account ?? ''));
    return [...new Set([...known, ...this.#table.books.names])].filter(isSeen).sort();
  }
}

/** `player_aces` → `Player Aces` */
function titled(id: string): string {
  return id.replaceAll('_', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

const TEAMS_MAX = LIMITS.listedTeams.max;
const LEAGUES_MAX = LIMITS.leaguesOfTeam.max;

interface Listed {
  team: Team;
  /** Names in the form of wordsOf. */
  words: string;
}

/** GET /teams: the catalogue's teams, league by league, then those that only the table's events have. */
export function teamReader({ catalogue, table }: { catalogue: Catalogue; table: OddsTable }) {
  /** All teams, as of a structure version of the table. */
  let listed: { structure: number; teams: readonly Listed[] } = { structure: -1, teams: [] };
  return ({ sport, league, q }: TeamsQuery): { items: Team[]; unknown: string[]; omitted: number } => {
    const known = namesOf(table);
    const sports = requestedSports(catalogue, known, sport);
    const leagues = requestedLeagues(catalogue, known, league);
    const words = q === undefined ? [] : slug(q).split('-');
    if (listed.structure !== table.structure)
      listed = { structure: table.structure, teams: allTeams(catalogue, table) };
    const items: Team[] = [];
    for (const { team, words: names } of listed.teams)
      if (
        (sports.ids === null || sports.ids.has(team.sport)) &&
        (leagues.ids === null || leagues.ids.has(team.league)) &&
        (words.length === 0 || wordsStartIn(words, names))
      )
        items.push(team);
    const unknown = [...sports.unknown, ...leagues.unknown];
    return { items: items.slice(0, TEAMS_MAX), unknown, omitted: Math.max(0, items.length - TEAMS_MAX) };
  };
}

function allTeams(catalogue: Catalogue, table: OddsTable): Listed[] {
  const teams = new Map<string, Team>();
  const add = (id: string, name: string, league: string, sport: string, aliases: string[]): Team =>
    getOrInsert(teams, `${league}|${id}`, () => {
      return { id, name, league, leagues: [], sport, aliases, event_count: 0, live_count: 0 };
    });
  for (const { id: league, sport } of catalogue.leagues)
    for (const { id, name, aliases } of catalogue.teams(league)) add(id, name, league, sport, aliases);
  for (const event of table.events.ordered()) {
    const { league, sport, homeToken, home, awayToken, away, live } = event;
    for (const team of [add(homeToken, home, league, sport, []), add(awayToken, away, league, sport, [])])
      if (isCurrent(event)) {
        team.event_count++;
        if (live) team.live_count++;
      }
  }
  const all = [...teams.values()];
  nameLeagues(all);
  return all.map((team) => ({ team, words: wordsOf(team.name, team.id, ...team.aliases) }));
}

/** One name in one sport is one team, whatever the competition: cups and leagues each have their own list. */
function nameLeagues(teams: readonly Team[]): void {
  const byName = new Map<string, string[]>();
  for (const team of teams) {
    const key = `${team.sport}|${slug(team.name)}`;
    const leagues = byName.get(key) ?? [];
    byName.set(key, leagues);
    if (leagues.length < LEAGUES_MAX) leagues.push(team.league);
    team.leagues = leagues;
  }
}
