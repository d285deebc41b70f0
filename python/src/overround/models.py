"""The shapes of answers and requests. Made from the server's OpenAPI document: npm run python."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from .rows import Row

class AccountKey(Row):
    """an API key of the account"""

    id: str
    """public id of the key"""
    id_masked: str
    """the key without its middle"""
    name: str
    """as given on creation"""
    tier: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """the key's tier"""
    is_active: bool
    created_at: str
    """when it was made; RFC 3339, UTC"""
    updated_at: str
    """when it was last changed; RFC 3339, UTC"""
    expires_at: Optional[str]
    """when it ends; there after a rotation; RFC 3339, UTC"""
    _times = ("created_at", "updated_at", "expires_at",)


class AlertFilters(Row):
    """omitted filters do not restrict"""

    sports: Optional[List[str]]
    """sport ids"""
    leagues: Optional[List[str]]
    """league ids"""
    sportsbooks: Optional[List[str]]
    """sportsbook ids: opportunities among these books alone"""
    markets: Optional[List[str]]
    """market types"""
    eventIds: Optional[List[str]]
    """event ids"""
    min_ev: Optional[float]
    """ev: lowest EV, percent; default 2"""
    min_profit: Optional[float]
    """arbitrage: lowest profit, percent; default 0.5"""
    max_hold: Optional[float]
    """low_hold: highest hold, percent; default 5"""
    min_size: Optional[float]
    """middles: smallest middle, points; default 0.5"""
    devig_book: Optional[str]
    """book or own model: the fair price is its own; default the sharp book, else the consensus"""
    min_stake: Optional[float]
    """lowest max_stake"""
    currency: Optional[str]
    """ISO 4217 code in which max_stake and min_stake are; default USD"""
    guaranteed: Optional[bool]
    """loses on no result of a played game"""
    include_assumed: Optional[bool]
    """also what is an ASSUMED_DISTRIBUTION"""
    laggards: Optional[List[str]]
    """moves: sportsbook ids, one of which has not followed"""
    min_edge: Optional[float]
    """moves: lowest edge of the best laggard (of those that laggards names), percent"""
    min_odds: Optional[float]
    """odds: lowest price, American"""
    max_odds: Optional[float]
    """odds: highest price, American"""
    kinds: Optional[List[str]]
    """moves: their kinds"""
    state: Optional[str]
    """US state code for deep links"""


class AlertTarget(Row):
    type: Literal["webhook", "discord", "slack", "telegram"]
    url: Optional[str]
    """for discord and slack only the host, because the rest is secret"""
    chat: Optional[str]
    """telegram: id of the chat, or @name of a channel"""


class AlertStatus(Row):
    state: Literal["active", "failing", "off", "paused"]
    """failing: the target does not accept messages, which are retried; off: it accepted none for 24 h or wants no more
    (410), and nothing is sent until it is tested or its target is changed; paused: by the account, or no active key of
    it includes the channel"""
    reason: Optional[str]
    """the target's last error"""
    since: Optional[str]
    delivered: int
    """messages accepted by the target"""
    last_delivered_at: Optional[str]
    queued: int
    """waiting messages"""
    next_attempt_at: Optional[str]
    _times = ("since", "last_delivered_at", "next_attempt_at",)


class Alert(Row):
    """a rule and the state of its messages"""

    id: str
    name: str
    channel: Literal["ev", "arbitrage", "middles", "low_hold", "moves", "odds"]
    filters: AlertFilters
    """omitted filters do not restrict"""
    target: AlertTarget
    quiet_s: int
    max_age_s: Optional[int]
    ended: bool
    paused: bool
    """by the account itself"""
    created_at: str
    """when it was made; RFC 3339, UTC"""
    status: AlertStatus

    _nested = {
        "filters": ("one", AlertFilters),
        "target": ("one", AlertTarget),
        "status": ("one", AlertStatus),
    }
    _times = ("created_at",)


class ResultException(Row):
    result: str
    """tie, retirement, shortened, overtime_draw, super_over; a total (7) or a margin (home by 3, draw)"""
    profit_percent: float
    """the least of the total stake, with the stakes as printed"""


class Commission(Row):
    """of a bet's winnings"""

    model: Literal["winnings"]
    rate: float
    """a fraction"""


class ArbitrageLegCommission2(Row):
    """rate * (p * (1 - p)) ^ exponent on a contract bought at p = 1 / decimal that pays 1"""

    model: Literal["contract"]
    rate: float
    """a fraction"""
    exponent: Optional[int]
    """absent: 1"""
    rounding: Optional[Literal["cent_up", "centicent_up"]]
    """cent_up: the fee of an order (100 contracts) is rounded up to the cent; centicent_up: that of a fill to a hundredth
    of a cent, which a large fill does not feel"""


class ArbitrageLeg(Row):
    sportsbook: str
    """sportsbook id"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    line: Optional[float]
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds"""
    odds_decimal_net: float
    """decimal odds after the commission of the book: what the opportunity is computed with"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """the book's commission; null if it has none"""
    currency: str
    """ISO 4217 code of the book's stakes and limits"""
    implied_probability: float
    """1 / odds_decimal, 0-1"""
    probability: float
    """the same as implied_probability"""
    stake_percent: float
    """share of the total stake in percent; the legs sum to 100.00; of a lay the liability"""
    is_lay: Optional[Literal[True]]
    """the selection is laid at odds_decimal; odds_decimal_net is per liability"""
    lay_stake_percent: Optional[float]
    """lays: the backer's stake, in percent of the total stake"""
    stake: Optional[float]
    """only with stake: what to stake here, in the book's currency; of a lay the liability"""
    max_stake: Optional[float]
    odds_id: str
    """id of the price in /odds"""
    external_event_id: Optional[str]
    """the book's own id of the event, where its feed tells it"""
    market_id: Optional[str]
    """the book's own id of the market, where its feed tells it"""
    selection_id: Optional[str]
    """the book's own id of the selection, where its feed tells it"""
    last_seen_at: str
    """poll that last showed the price; RFC 3339, UTC"""
    deep_link: Optional[str]

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
    }
    _times = ("last_seen_at",)


class GameState(Row):
    """score and progress of the game, as far as a source states them"""

    home_score: Optional[float]
    away_score: Optional[float]
    score_home: Optional[float]
    score_away: Optional[float]
    period: Optional[str]
    clock: Optional[str]
    score_type: Optional[str]
    possession: Optional[str]
    is_timeout: Optional[bool]
    fouls_home: Optional[float]
    fouls_away: Optional[float]
    power_play: Optional[str]
    last_play: Optional[str]
    inning: Optional[float]
    """baseball: the inning"""
    inning_half: Optional[str]
    """baseball: top or bottom"""
    outs: Optional[float]
    """baseball: outs of the half inning"""
    balls: Optional[float]
    """baseball: of the batter"""
    strikes: Optional[float]
    """baseball: of the batter"""
    on_first: Optional[bool]
    """baseball: a runner is on first base"""
    on_second: Optional[bool]
    """baseball: a runner is on second base"""
    on_third: Optional[bool]
    """baseball: a runner is on third base"""
    down: Optional[float]
    """American football: the down"""
    distance: Optional[float]
    """American football: yards to go"""
    yard_line: Optional[float]
    """American football: where the ball is, as the source counts"""
    home_timeouts: Optional[float]
    """timeouts left: the home side's"""
    away_timeouts: Optional[float]
    """timeouts left: the away side's"""
    current_set: Optional[float]
    """sets: the one that is played"""
    home_sets: Optional[float]
    """sets won: the home side's"""
    away_sets: Optional[float]
    """sets won: the away side's"""
    home_games: Optional[float]
    """tennis: games of the set: the home side's"""
    away_games: Optional[float]
    """tennis: games of the set: the away side's"""
    home_points: Optional[str]
    """tennis: points of the game, the home side's"""
    away_points: Optional[str]
    """tennis: points of the game, the away side's"""
    server: Optional[str]
    """who serves: home or away"""
    is_tie_break: Optional[bool]
    """tennis: the game is a tie-break"""
    home_red_cards: Optional[float]
    """soccer: red cards: the home side's"""
    away_red_cards: Optional[float]
    """soccer: red cards: the away side's"""
    home_yellow_cards: Optional[float]
    """soccer: yellow cards: the home side's"""
    away_yellow_cards: Optional[float]
    """soccer: yellow cards: the away side's"""
    home_corners: Optional[float]
    """soccer: corners: the home side's"""
    away_corners: Optional[float]
    """soccer: corners: the away side's"""
    home_shots: Optional[float]
    """shots on goal: the home side's"""
    away_shots: Optional[float]
    """shots on goal: the away side's"""
    home_wickets: Optional[float]
    """cricket: wickets lost: the home side's"""
    away_wickets: Optional[float]
    """cricket: wickets lost: the away side's"""
    home_overs: Optional[float]
    """cricket: overs faced: the home side's"""
    away_overs: Optional[float]
    """cricket: overs faced: the away side's"""


class ArbitrageOpportunity(Row):
    """prices of different books that together win on every result"""

    id: str
    """16 lowercase hex, of what it is and not of its prices; the same as hash_id"""
    hash_id: str
    """the same as id"""
    event_id: str
    """{league}_{home}_{away}_{date}"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: Optional[str]
    is_live: bool
    """true while the game is in play"""
    market_type: str
    """market type, as in /odds"""
    line: Optional[float]
    profit_percent: Optional[float]
    implied_total: float
    """sum of 1 / odds_decimal_net of the legs in percent; below 100"""
    max_stake: Optional[float]
    exceptions: List[ResultException]
    """results of a played game on which it makes something else than it prints"""
    legs: List[ArbitrageLeg]
    """one per side, or a back and a lay of one selection"""
    game_state: Optional[GameState]
    is_player_prop: bool
    """true for bets on a player"""
    player_name: Optional[str]
    stat_category: Optional[str]
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true if a side is not at the main line"""
    possibly_stale: bool
    """older than 300 s before the start, 60 s in play"""
    oldest_odds_age_seconds: float
    """age of the oldest price in it, seconds"""
    warnings: List[Literal["PUSH_POSSIBLE", "NET_OF_COMMISSION", "UNKNOWN_COMMISSION", "FEE_ASSUMED", "RULES_DIFFER", "TIE_SETTLES_HALF", "VOID_DIFFERS", "CURRENCIES_DIFFER", "STAKE_TOO_LARGE", "SUSPICIOUS_PROFIT", "LAY_LEG", "SAME_OWNER", "IMPLAUSIBLE_EV", "FEW_BOOKS", "WIDE_REFERENCE", "ONE_SIDED_PRICES", "ASSUMED_DISTRIBUTION", "WHOLE_GAME_DISTRIBUTION"]]
    """reservations; GET /warnings says what each means"""
    detected_at: str
    """when it was first detected in the caller's book universe; RFC 3339, UTC"""

    _nested = {
        "exceptions": ("list", ResultException),
        "legs": ("list", ArbitrageLeg),
        "game_state": ("one", GameState),
    }
    _times = ("start_time", "detected_at",)


class BatchEventOdd(Row):
    id: str
    """id of the odds row; numeric"""
    sportsbook: str
    """sportsbook id"""
    sportsbook_name: str
    """display name"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    odds_probability: float
    """implied probability, 0-1"""
    probability: float
    """implied probability, 0-1"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    odds_american_previous: Optional[float]
    """American odds before the last change; null if there are none"""
    last_seen_at: str
    """newest poll with the row; RFC 3339, UTC"""
    deep_link: Optional[str]
    """the book's page of it"""
    timestamp: str
    """the same as last_seen_at; RFC 3339, UTC"""
    _times = ("last_seen_at", "timestamp",)


class BatchEvent(Row):
    """an event with its odds"""

    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: str
    """scheduled start; RFC 3339, UTC"""
    is_live: bool
    """true while the game is in play"""
    game_state: Optional[GameState]
    """score and progress of the game, as far as a source states them"""
    odds: List[BatchEventOdd]

    _nested = {
        "game_state": ("one", GameState),
        "odds": ("list", BatchEventOdd),
    }
    _times = ("start_time",)


class BestOddsBestOdds(Row):
    american: float
    """American odds"""
    decimal: float
    """decimal odds, up to 6 decimals"""
    probability: float
    """implied probability, 0-1"""
    odds_probability: float
    """implied probability, 0-1"""
    decimal_net: float
    """decimal odds after the book's commission; prices are ranked by them"""


class BestOddsAllBook(Row):
    book: str
    """sportsbook id"""
    odds: BestOddsBestOdds
    edge: float
    """points of implied probability better than the worst price"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    odds_id: str
    """id of the odds row; numeric"""
    deep_link: Optional[str]
    """the book's page of it"""
    last_seen_at: Optional[str]
    """newest poll with the row; left out with at; RFC 3339, UTC"""

    _nested = {
        "odds": ("one", BestOddsBestOdds),
    }
    _times = ("last_seen_at",)


class BestOdds(Row):
    """the best price of one selection and line"""

    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: str
    """scheduled start; RFC 3339, UTC"""
    is_live: bool
    """true while the game is in play"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team_name: Optional[str]
    """team totals only: the team"""
    three_way: Optional[Literal[True]]
    """present if the draw is a selection of its own: never mixed with two-way prices"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    best_odds: BestOddsBestOdds
    best_book: str
    """sportsbook id; of equal prices the book listed first"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """the book's commission; null if it has none"""
    odds_id: str
    """id of the odds row; numeric"""
    deep_link: Optional[str]
    """the book's page of it"""
    all_books: List[BestOddsAllBook]
    """books with a fresh price, best first"""
    last_seen_at: Optional[str]
    """newest poll with the best price; left out with at; RFC 3339, UTC"""

    _nested = {
        "best_odds": ("one", BestOddsBestOdds),
        "commission": ("one", ArbitrageLegCommission2),
        "all_books": ("list", BestOddsAllBook),
    }
    _times = ("start_time", "last_seen_at",)


class ChangedAlertBodyTarget(Row):
    type: Literal["webhook", "discord", "slack", "telegram"]
    url: Optional[str]
    """for all types but telegram; must be on a public host"""
    chat: Optional[str]
    """telegram: id of the chat, or @name of a channel"""


class ChangedAlertBody(Row):
    """what is to be changed; filters replace all of them, a threshold beside them its own"""

    name: Optional[str]
    channel: Optional[Literal["ev", "arbitrage", "middles", "low_hold", "moves", "odds"]]
    filters: Optional[AlertFilters]
    """omitted filters do not restrict"""
    min_ev: Optional[float]
    """ev: lowest EV, percent; default 2"""
    min_profit: Optional[float]
    """arbitrage: lowest profit, percent; default 0.5"""
    max_hold: Optional[float]
    """low_hold: highest hold, percent; default 5"""
    min_size: Optional[float]
    """middles: smallest middle, points; default 0.5"""
    devig_book: Optional[str]
    """book or own model: the fair price is its own; default the sharp book, else the consensus"""
    min_stake: Optional[float]
    """lowest max_stake"""
    currency: Optional[str]
    """ISO 4217 code in which max_stake and min_stake are; default USD"""
    guaranteed: Optional[bool]
    """loses on no result of a played game"""
    include_assumed: Optional[bool]
    """also what is an ASSUMED_DISTRIBUTION"""
    laggards: Optional[List[str]]
    """moves: sportsbook ids, one of which has not followed"""
    min_edge: Optional[float]
    """moves: lowest edge of the best laggard (of those that laggards names), percent"""
    min_odds: Optional[float]
    """odds: lowest price, American"""
    max_odds: Optional[float]
    """odds: highest price, American"""
    kinds: Optional[List[str]]
    """moves: their kinds"""
    target: Optional[ChangedAlertBodyTarget]
    quiet_s: Optional[int]
    """minimum seconds between two messages; matches in that time are in the next one; default 0"""
    max_age_s: Optional[int]
    """seconds: of what was detected (odds: changed) longer ago nothing is sent; default: no limit"""
    ended: Optional[bool]
    """true: that what was sent is over is sent too, as ids; not of odds; default false"""
    paused: Optional[bool]
    """true: nothing is sent for now; what begins meanwhile is not sent later either"""

    _nested = {
        "filters": ("one", AlertFilters),
        "target": ("one", ChangedAlertBodyTarget),
    }


class ComparisonMarketHold(Row):
    best_available: Optional[float]
    """hold in percent of the best prices at the main line; null where no line is whole"""
    line: Optional[float]
    """the main line: the one most books quote whole"""
    by_book: Dict[str, float]
    """sportsbook id → hold in percent of the book's own line"""


class ComparisonMarketSelectionBook(Row):
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    odds_decimal_net: float
    """decimal odds after the book's commission; prices are ranked by them"""
    odds_probability: float
    """implied probability, 0-1"""
    probability: float
    """implied probability, 0-1"""
    last_seen_at: Optional[str]
    """newest poll with the row; left out with at; RFC 3339, UTC"""
    odds_id: str
    """id of the odds row; numeric"""
    deep_link: Optional[str]
    """the book's page of it"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    possibly_stale: Optional[bool]
    """true if the price is too old to count as best or worst; left out with at"""
    _times = ("last_seen_at",)


class ComparisonMarketSelection(Row):
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    books: Dict[str, ComparisonMarketSelectionBook]
    """sportsbook id → price"""
    best_book: Optional[str]
    """null if no price is fresh"""
    best_odds: Optional[float]
    """American"""
    best_odds_decimal: Optional[float]
    """decimal"""
    best_odds_decimal_net: Optional[float]
    """decimal, after commission"""
    worst_book: Optional[str]
    """null if no price is fresh"""
    worst_odds: Optional[float]
    """American"""
    worst_odds_decimal: Optional[float]
    """decimal"""
    worst_odds_decimal_net: Optional[float]
    """decimal, after commission"""
    spread: Optional[float]
    """points of implied probability between best and worst"""

    _nested = {
        "books": ("map", ComparisonMarketSelectionBook),
    }


class ComparisonMarket(Row):
    market_type: str
    """market type"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team_name: Optional[str]
    """team totals only: the team"""
    three_way: Optional[Literal[True]]
    """present if the draw is a selection of its own: never mixed with two-way prices"""
    hold: ComparisonMarketHold
    selections: List[ComparisonMarketSelection]

    _nested = {
        "hold": ("one", ComparisonMarketHold),
        "selections": ("list", ComparisonMarketSelection),
    }


class Comparison(Row):
    """all prices of one event side by side"""

    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: str
    """scheduled start; RFC 3339, UTC"""
    is_live: bool
    """true while the game is in play"""
    books_available: List[str]
    markets: List[ComparisonMarket]
    """one for each market type, and for each player, stat, team of it"""

    _nested = {
        "markets": ("list", ComparisonMarket),
    }
    _times = ("start_time",)


class Depth(Row):
    """levels of an exchange's order book, best first"""

    back: List[List[float]]
    """[odds_decimal, size] to back, highest odds first; size in the currency of the row"""
    lay: List[List[float]]
    """[odds_decimal, size] to lay, lowest odds first; size is the backers' stake"""


class EvOpportunity(Row):
    """a price better than fair"""

    id: str
    """16 lowercase hex, of what it is and not of its prices; the same as hash_id"""
    hash_id: str
    """the same as id"""
    game_id: str
    """the same as event_id"""
    event_id: str
    """{league}_{home}_{away}_{date}"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: Optional[str]
    is_live: bool
    """true while the game is in play"""
    market_type: str
    """market type, as in /odds"""
    game: str
    """the same as event_name"""
    market: str
    """the same as market_type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    line: Optional[float]
    sportsbook: str
    """sportsbook id"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds"""
    odds_decimal_net: float
    """decimal odds after the commission of the book: what the opportunity is computed with"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """the book's commission; null if it has none"""
    currency: str
    """ISO 4217 code of the book's stakes and limits"""
    implied_probability: float
    """1 / odds_decimal, 0-1; fair_probability is the fair one"""
    probability: float
    """the same as implied_probability"""
    ev_percentage: Optional[float]
    fair_probability: float
    """fair probability, 0-1; if pushes are possible, given that there is none"""
    no_vig_odds: float
    """the fair probability as American odds"""
    kelly_percent: float
    """full Kelly stake in percent of bankroll"""
    kelly_fraction: float
    """full Kelly stake as a fraction of bankroll"""
    max_stake: Optional[float]
    proposed_stake: Optional[float]
    """only with bankroll: the stake that, with those of all other matches, lets it grow most; below a confidence_score of
    80 at most 2 % of the bankroll, open bets on the price included; in `currency` of the request"""
    confidence_score: float
    """trust in the edge, 0-100"""
    book_count: int
    """books with a fresh price for the selection"""
    market_width: Optional[float]
    devig_method: Literal["power", "multiplicative", "additive", "shin", "odds_ratio", "probit", "worst_case"]
    """how the margin was removed from the reference"""
    sharp_book: str
    """sportsbook the fair price comes from, or consensus"""
    odds_id: str
    """id of the price in /odds"""
    external_event_id: Optional[str]
    market_id: Optional[str]
    selection_id: Optional[str]
    player_id: Optional[str]
    deep_link: Optional[str]
    arb_available: bool
    """true if the selection is a leg of an arbitrage"""
    arb_profit: Optional[float]
    is_player_prop: bool
    """true for bets on a player"""
    player_name: Optional[str]
    stat_category: Optional[str]
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true if a side is not at the main line"""
    possibly_stale: bool
    """older than 300 s before the start, 60 s in play"""
    oldest_odds_age_seconds: float
    """age of the oldest price in it, seconds"""
    warnings: List[Literal["PUSH_POSSIBLE", "NET_OF_COMMISSION", "UNKNOWN_COMMISSION", "FEE_ASSUMED", "RULES_DIFFER", "TIE_SETTLES_HALF", "VOID_DIFFERS", "CURRENCIES_DIFFER", "STAKE_TOO_LARGE", "SUSPICIOUS_PROFIT", "LAY_LEG", "SAME_OWNER", "IMPLAUSIBLE_EV", "FEW_BOOKS", "WIDE_REFERENCE", "ONE_SIDED_PRICES", "ASSUMED_DISTRIBUTION", "WHOLE_GAME_DISTRIBUTION"]]
    """reservations; GET /warnings says what each means"""
    detected_at: str
    """when it was first detected in the caller's book universe; RFC 3339, UTC"""

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
    }
    _times = ("start_time", "detected_at",)


class EventGameState(Row):
    """score and progress of the game, as far as a source states them"""

    home_score: Optional[float]
    away_score: Optional[float]
    score_home: Optional[float]
    score_away: Optional[float]
    period: Optional[str]
    clock: Optional[str]
    score_type: Optional[str]
    possession: Optional[str]
    is_timeout: Optional[bool]
    fouls_home: Optional[float]
    fouls_away: Optional[float]
    power_play: Optional[str]
    last_play: Optional[str]
    inning: Optional[float]
    """baseball: the inning"""
    inning_half: Optional[str]
    """baseball: top or bottom"""
    outs: Optional[float]
    """baseball: outs of the half inning"""
    balls: Optional[float]
    """baseball: of the batter"""
    strikes: Optional[float]
    """baseball: of the batter"""
    on_first: Optional[bool]
    """baseball: a runner is on first base"""
    on_second: Optional[bool]
    """baseball: a runner is on second base"""
    on_third: Optional[bool]
    """baseball: a runner is on third base"""
    down: Optional[float]
    """American football: the down"""
    distance: Optional[float]
    """American football: yards to go"""
    yard_line: Optional[float]
    """American football: where the ball is, as the source counts"""
    home_timeouts: Optional[float]
    """timeouts left: the home side's"""
    away_timeouts: Optional[float]
    """timeouts left: the away side's"""
    current_set: Optional[float]
    """sets: the one that is played"""
    home_sets: Optional[float]
    """sets won: the home side's"""
    away_sets: Optional[float]
    """sets won: the away side's"""
    home_games: Optional[float]
    """tennis: games of the set: the home side's"""
    away_games: Optional[float]
    """tennis: games of the set: the away side's"""
    home_points: Optional[str]
    """tennis: points of the game, the home side's"""
    away_points: Optional[str]
    """tennis: points of the game, the away side's"""
    server: Optional[str]
    """who serves: home or away"""
    is_tie_break: Optional[bool]
    """tennis: the game is a tie-break"""
    home_red_cards: Optional[float]
    """soccer: red cards: the home side's"""
    away_red_cards: Optional[float]
    """soccer: red cards: the away side's"""
    home_yellow_cards: Optional[float]
    """soccer: yellow cards: the home side's"""
    away_yellow_cards: Optional[float]
    """soccer: yellow cards: the away side's"""
    home_corners: Optional[float]
    """soccer: corners: the home side's"""
    away_corners: Optional[float]
    """soccer: corners: the away side's"""
    home_shots: Optional[float]
    """shots on goal: the home side's"""
    away_shots: Optional[float]
    """shots on goal: the away side's"""
    home_wickets: Optional[float]
    """cricket: wickets lost: the home side's"""
    away_wickets: Optional[float]
    """cricket: wickets lost: the away side's"""
    home_overs: Optional[float]
    """cricket: overs faced: the home side's"""
    away_overs: Optional[float]
    """cricket: overs faced: the away side's"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    is_live: bool
    """true while the game is in play"""
    game_period: Optional[str]
    game_clock: Optional[str]
    primary_book: Optional[str]
    """the source furthest in the game"""
    book_count: int
    """sources with a state of the game"""


class Event(Row):
    """an event with the names of its markets and books"""

    id: str
    """the same as event_id"""
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    external_ids: Dict[str, str]
    """sportsbook id → the book's own id of the event"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    event_name: str
    """{away_team} @ {home_team}"""
    start_time: str
    """scheduled start; RFC 3339, UTC"""
    status: Literal["upcoming", "live", "ended", "postponed", "cancelled"]
    """as stated by the books, otherwise by its start"""
    is_live: bool
    """true while the game is in play"""
    book_count: int
    """books with odds for it"""
    markets: List[str]
    """market types with odds"""
    books: List[str]
    """ids of the books with odds"""
    game_state: Optional[EventGameState]
    """score and progress of the game, as far as a source states them"""

    _nested = {
        "game_state": ("one", EventGameState),
    }
    _times = ("start_time",)


class EventDetailMarket(Row):
    type: str
    """market type"""
    selection_count: int
    """selections, each line separately; one with prices of several books counts once"""
    book_count: int
    """books that price it"""


class EventDetailBook(Row):
    id: str
    """sportsbook id"""
    name: str
    """display name"""
    market_count: int
    """market types it prices for the event"""
    last_update: str
    """newest poll with one of its prices for the event; RFC 3339, UTC"""
    _times = ("last_update",)


class EventDetail(Row):
    """an event with the counts of each book and market type"""

    id: str
    """the same as event_id"""
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    external_ids: Dict[str, str]
    """sportsbook id → the book's own id of the event"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    event_name: str
    """{away_team} @ {home_team}"""
    start_time: str
    """scheduled start; RFC 3339, UTC"""
    status: Literal["upcoming", "live", "ended", "postponed", "cancelled"]
    """as stated by the books, otherwise by its start"""
    is_live: bool
    """true while the game is in play"""
    book_count: int
    """books with odds for it"""
    markets: List[EventDetailMarket]
    """market types with odds"""
    books: List[EventDetailBook]
    """books with odds"""
    game_state: Optional[EventGameState]
    """score and progress of the game, as far as a source states them"""

    _nested = {
        "markets": ("list", EventDetailMarket),
        "books": ("list", EventDetailBook),
        "game_state": ("one", EventGameState),
    }
    _times = ("start_time",)


class EventMarketSelection(Row):
    name: str
    """team, Over, Under, Draw, or as the book calls it"""
    type: str
    """home, away, draw, over, under, …"""
    line: Optional[float]
    """points, goals, …; absent if the selection has none"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team_name: Optional[str]
    """team totals only: the team"""
    book_count: int
    """books that price it"""


class EventMarket(Row):
    """a market type of one event with its selections"""

    type: str
    """market type"""
    market_type: str
    """the same as type"""
    selection_count: int
    """selections, each line separately; one with prices of several books counts once"""
    book_count: int
    """books that price it"""
    selections: List[EventMarketSelection]

    _nested = {
        "selections": ("list", EventMarketSelection),
    }


class EventOddsOdds(Row):
    american: float
    """American odds"""
    decimal: float
    """decimal odds, up to 6 decimals"""
    probability: float
    """implied probability, 0-1"""
    odds_probability: float
    """implied probability, 0-1"""


class Opening(Row):
    """the first price of the row"""

    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    at: str
    """when the row was first seen; RFC 3339, UTC"""
    _times = ("at",)


class EventOdds(Row):
    """a row with its price as an object as well"""

    id: str
    """id of the odds row; numeric"""
    sportsbook: str
    """sportsbook id"""
    sportsbook_name: str
    """display name"""
    currency: str
    """ISO 4217 code of stakes and limits at the book"""
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team: Optional[Literal["home", "away"]]
    """team totals only"""
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true for lines other than the book's main line"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    odds_probability: float
    """implied probability, 0-1"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_live: bool
    """true while the game is in play"""
    odds_changed_at: str
    """when price, line, liveness or activity last changed here; RFC 3339, UTC"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    is_main_line: bool
    """true for the book's main line: not is_alternate_line"""
    is_stale_pregame_price: Optional[bool]
    """of games in play: true while the price has not moved since the start"""
    odds_american_previous: Optional[float]
    """American odds before the last change; null if there are none"""
    probability: float
    """implied probability, 0-1"""
    last_seen_at: Optional[str]
    """newest poll with the row; left out with at; RFC 3339, UTC"""
    timestamp: Optional[str]
    """the same as last_seen_at; left out with at; RFC 3339, UTC"""
    event_start_time: str
    """scheduled start; RFC 3339, UTC"""
    status: Literal["upcoming", "live", "ended", "postponed", "cancelled"]
    """the event's"""
    deep_link: Optional[str]
    """the book's page of it"""
    public_bet_pct: Optional[float]
    """share of tickets, 0-1"""
    max_bet: Optional[float]
    """largest stake, in currency"""
    size: Optional[float]
    """exchanges: the stake available at the price, in currency"""
    volume_24h: Optional[float]
    """exchanges: traded in 24 h"""
    open_interest: Optional[float]
    """exchanges: open contracts"""
    exchange_token_id: Optional[str]
    """exchanges: identifier used in an order"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """what its market alone charges, in place of the book's commission; rate 0: nothing. Absent: the book's"""
    external_event_id: Optional[str]
    """the book's own id of the event, where its feed tells it"""
    market_id: Optional[str]
    """the book's own id of the market, where its feed tells it"""
    selection_id: Optional[str]
    """the book's own id of the selection, where its feed tells it"""
    odds: EventOddsOdds
    opening: Optional[Opening]
    """with include=opening; null if none is known"""
    depth: Optional[Depth]
    """with include=depth; null in a change: it has none any more"""

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
        "odds": ("one", EventOddsOdds),
        "opening": ("one", Opening),
        "depth": ("one", Depth),
    }
    _times = ("odds_changed_at", "last_seen_at", "timestamp", "event_start_time",)


class Future(Row):
    """a futures market"""

    market_id: str
    """{league}_{market}: unique over all leagues"""
    display_name: str
    """display name"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    future_type: Literal["TEAM", "PLAYER", "OVER_UNDER", "YES_NO"]
    """kind of its selections"""
    selection_count: int
    """different selections over all books"""
    books_available: List[str]
    """books of the caller's universe that list it"""


class FutureOdds(Row):
    """one book's price of one selection of a future"""

    selection: str
    """team, player, Over, …"""
    sportsbook: str
    """sportsbook id"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    odds_probability: float
    """implied probability, 0-1"""
    probability: float
    """implied probability, 0-1"""
    line: Optional[float]
    """wins, points, …; only if the selection has one"""
    future_type: Literal["TEAM", "PLAYER", "OVER_UNDER", "YES_NO"]
    """kind of its selections"""
    future_market_id: str
    """{league}_{market}: unique over all leagues"""
    future_market_name: str
    """display name"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    event_start_time: Optional[str]
    """as stated by the book; null if it states none"""
    timestamp: str
    """poll with this price; RFC 3339, UTC"""
    _times = ("event_start_time", "timestamp",)


class GameStateItem(Row):
    """score and progress of one game"""

    home_team: str
    """display name"""
    away_team: str
    """display name"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    is_live: bool
    """true while the game is in play"""
    home_score: Optional[float]
    """the home team's score"""
    away_score: Optional[float]
    """the away team's score"""
    score_home: Optional[float]
    """the same as home_score"""
    score_away: Optional[float]
    """the same as away_score"""
    game_period: Optional[str]
    """quarter, half, inning, set, … as the source names it"""
    period: Optional[str]
    """the same as game_period"""
    game_clock: Optional[str]
    """the period's clock"""
    clock: Optional[str]
    """the same as game_clock"""
    score_type: Optional[str]
    """what the scores count"""
    possession: Optional[str]
    """home or away"""
    is_timeout: Optional[bool]
    """null if no source states it"""
    fouls_home: Optional[float]
    """null if no source states it"""
    fouls_away: Optional[float]
    """null if no source states it"""
    power_play: Optional[str]
    """who has it"""
    last_play: Optional[str]
    """as the source states it"""
    inning: Optional[float]
    """baseball: the inning"""
    inning_half: Optional[str]
    """baseball: top or bottom"""
    outs: Optional[float]
    """baseball: outs of the half inning"""
    balls: Optional[float]
    """baseball: of the batter"""
    strikes: Optional[float]
    """baseball: of the batter"""
    on_first: Optional[bool]
    """baseball: a runner is on first base"""
    on_second: Optional[bool]
    """baseball: a runner is on second base"""
    on_third: Optional[bool]
    """baseball: a runner is on third base"""
    down: Optional[float]
    """American football: the down"""
    distance: Optional[float]
    """American football: yards to go"""
    yard_line: Optional[float]
    """American football: where the ball is, as the source counts"""
    home_timeouts: Optional[float]
    """timeouts left: the home side's"""
    away_timeouts: Optional[float]
    """timeouts left: the away side's"""
    current_set: Optional[float]
    """sets: the one that is played"""
    home_sets: Optional[float]
    """sets won: the home side's"""
    away_sets: Optional[float]
    """sets won: the away side's"""
    home_games: Optional[float]
    """tennis: games of the set: the home side's"""
    away_games: Optional[float]
    """tennis: games of the set: the away side's"""
    home_points: Optional[str]
    """tennis: points of the game, the home side's"""
    away_points: Optional[str]
    """tennis: points of the game, the away side's"""
    server: Optional[str]
    """who serves: home or away"""
    is_tie_break: Optional[bool]
    """tennis: the game is a tie-break"""
    home_red_cards: Optional[float]
    """soccer: red cards: the home side's"""
    away_red_cards: Optional[float]
    """soccer: red cards: the away side's"""
    home_yellow_cards: Optional[float]
    """soccer: yellow cards: the home side's"""
    away_yellow_cards: Optional[float]
    """soccer: yellow cards: the away side's"""
    home_corners: Optional[float]
    """soccer: corners: the home side's"""
    away_corners: Optional[float]
    """soccer: corners: the away side's"""
    home_shots: Optional[float]
    """shots on goal: the home side's"""
    away_shots: Optional[float]
    """shots on goal: the away side's"""
    home_wickets: Optional[float]
    """cricket: wickets lost: the home side's"""
    away_wickets: Optional[float]
    """cricket: wickets lost: the away side's"""
    home_overs: Optional[float]
    """cricket: overs faced: the home side's"""
    away_overs: Optional[float]
    """cricket: overs faced: the away side's"""
    primary_book: Optional[str]
    """the source furthest in the game; what it leaves out comes from the others"""
    book_count: int
    """sources with a state of the game"""
    stale: Optional[Literal[True]]
    """present if the game is live and its primary book was silent for 60 s"""


class HealthFeedNotUnderstoodUnknownField(Row):
    field: str
    """kind of object and field: `market.new_fee`; `others`: further ones"""
    times: int
    """how often it was there, in samples"""


class HealthFeedNotUnderstood(Row):
    """what was not understood of its source since the start"""

    bad_messages: int
    """messages that cannot be read"""
    refused_parts: int
    """parts of messages that cannot be: prices, levels"""
    left_out: int
    """markets and games whose meaning nothing tells"""
    unknown_fields: List[HealthFeedNotUnderstoodUnknownField]
    """fields that the upstream's documents, as they were last read, do not have"""

    _nested = {
        "unknown_fields": ("list", HealthFeedNotUnderstoodUnknownField),
    }


class HealthFeed(Row):
    kind: str
    """sim, replay, the-odds-api, …"""
    simulated: bool
    """true if its prices are simulated"""
    state: Literal["starting", "running", "failing", "ended", "failed"]
    """starting: nothing has arrived yet; running; failing: its last attempt failed, and it retries; ended: its recording
    is over; failed: it gave up"""
    last_success_at: Optional[str]
    error: Optional[str]
    lag_ms: Optional[int]
    not_understood: HealthFeedNotUnderstood
    """what was not understood of its source since the start"""

    _nested = {
        "not_understood": ("one", HealthFeedNotUnderstood),
    }
    _times = ("last_success_at",)


class HealthBook(Row):
    sportsbook: str
    """book id"""
    newest_poll_at: str
    """its newest poll; RFC 3339, UTC"""
    age_seconds: int
    """age of that, in seconds"""
    _times = ("newest_poll_at",)


class HealthCluster(Row):
    role: Literal["engine", "front", "all"]
    """role of the process that answers; all: engine and front"""
    writer: Optional[str]
    position: int
    """position in the change log that this process serves"""
    lag_ms: int
    """how far that is behind the writer, in milliseconds"""
    fronts: int
    """running front processes"""


class HealthReplay(Row):
    """where the server is in the recording it serves"""

    at: str
    """the recording's clock; RFC 3339, UTC"""
    speed: Union[float, Literal["max"]]
    """recorded seconds per second, or max"""
    state: Literal["running", "paused", "lockstep", "seeking", "ended", "failed"]
    """lockstep: time stands but for steps; seeking: playing up to a time without pauses; ended: the recording is over and
    the clock stands; failed: it could not be played any further"""
    to: Optional[str]
    """of a seek under way; RFC 3339, UTC"""
    _times = ("at", "to",)


class HealthChecksLmdb(Row):
    status: Literal["ok", "degraded", "down"]
    latency_ms: Optional[int]
    """milliseconds the check took"""
    message: Optional[str]
    """what was found"""


class HealthChecks(Row):
    lmdb: HealthChecksLmdb
    data: HealthChecksLmdb
    schema: HealthChecksLmdb

    _nested = {
        "lmdb": ("one", HealthChecksLmdb),
        "data": ("one", HealthChecksLmdb),
        "schema": ("one", HealthChecksLmdb),
    }


class Health(Row):
    """state of the service"""

    status: Literal["ok", "degraded", "down"]
    """the worst of the checks; down comes with HTTP 503"""
    version: Literal["v1"]
    """version of the API"""
    release: str
    """version of the program"""
    timestamp: str
    """when the checks were made; RFC 3339, UTC"""
    simulated: bool
    """true while the prices of a running feed are simulated"""
    feeds: List[HealthFeed]
    """all feeds"""
    books: List[HealthBook]
    """every book with odds, and the age of its newest poll"""
    cluster: HealthCluster
    replay: Optional[HealthReplay]
    """where the server is in the recording it serves"""
    checks: HealthChecks

    _nested = {
        "feeds": ("list", HealthFeed),
        "books": ("list", HealthBook),
        "cluster": ("one", HealthCluster),
        "replay": ("one", HealthReplay),
        "checks": ("one", HealthChecks),
    }
    _times = ("timestamp",)


class HouseRuleShortened(Row):
    """the least of a game at which bets stand that it had not decided"""

    innings: Optional[float]
    overs: Optional[float]
    share: Optional[float]


class HouseRule(Row):
    """how a bet ends at a book, where books differ"""

    sport: str
    """sport id; *: every sport"""
    league: Optional[str]
    """league id, where it holds in one league alone"""
    family: Optional[Literal["winner", "handicap", "total", "yes_no", "odd_even", "outright", "other"]]
    """family of market types, where it holds for one alone"""
    overtime: Optional[Literal["counts", "regulation"]]
    """of a winner shown with a draw, its double chance and draw no bet: what decides them"""
    score_from: Optional[Literal["match", "bet"]]
    """bet: a handicap made in play counts only what follows the bet"""
    retirement: Optional[Literal["completed", "first_set", "started"]]
    """when a winner stands although a side gave up: never, after a set, once a point was played"""
    shortened: Optional[HouseRuleShortened]
    """the least of a game at which bets stand that it had not decided"""
    postponed_hours: Optional[Union[float, Literal["same_day"]]]
    """void if not begun within so many hours, or on the same local day of the league"""
    tie: Optional[Literal["push", "half", "dead_heat", "loses"]]
    """what a tie pays in a winner of the game that is shown without a draw"""
    dead_heat: Optional[Literal["divide", "full"]]
    """whether those who share a place share the stake, or are paid in full"""
    super_over: Optional[Literal["counts", "does_not"]]
    """whether what decides a tied cricket match decides its winner"""
    source: str
    """where it is public, in words"""

    _nested = {
        "shortened": ("one", HouseRuleShortened),
    }


class League(Row):
    """a league"""

    id: str
    """league id, the first part of its event ids"""
    slug: str
    """the same as id"""
    name: str
    """display name"""
    sport: str
    """sport id"""
    active: bool
    """true if event_count is above 0"""
    event_count: int
    """events in the table that have not ended and have odds or a score"""
    live_count: int
    """those of them that are live"""


class LowHoldSideOdds(Row):
    american: float
    """American odds"""
    decimal: float
    """decimal odds"""
    decimal_net: float
    """decimal odds after the commission of the book: what the opportunity is computed with"""
    implied_probability: float
    """1 / decimal, 0-1"""
    probability: float
    """the same as implied_probability"""
    fair_probability: float
    """0-1, without margin"""


class LowHoldSide(Row):
    selection: str
    """team, Over, Under, Draw"""
    books: List[str]
    """sportsbooks with the best price"""
    line: Optional[float]
    odds: LowHoldSideOdds
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """the book's commission; null if it has none"""
    currency: str
    """ISO 4217 code of the book's stakes and limits"""
    stake: Optional[float]
    """only with stake: what to stake here, in the book's currency; of a lay the liability"""
    max_stake: Optional[float]
    deep_links: Dict[str, str]
    """sportsbook id → URL of the bet; books without one are left out"""

    _nested = {
        "odds": ("one", LowHoldSideOdds),
        "commission": ("one", ArbitrageLegCommission2),
    }


class LowHoldOpportunity(Row):
    """a market whose best prices together have almost no margin"""

    id: str
    """16 lowercase hex, of what it is and not of its prices; the same as hash_id"""
    hash_id: str
    """the same as id"""
    event_id: str
    """{league}_{home}_{away}_{date}"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: Optional[str]
    is_live: bool
    """true while the game is in play"""
    market_type: str
    """market type, as in /odds"""
    line: Optional[float]
    hold_percentage: Optional[float]
    max_stake: Optional[float]
    exceptions: List[ResultException]
    """results of a played game on which it makes something else than it prints"""
    side1: LowHoldSide
    side2: LowHoldSide
    side3: Optional[LowHoldSide]
    all_books: List[str]
    """sportsbooks of all sides"""
    confidence: float
    """trust in the prices, 0-100"""
    game_state: Optional[GameState]
    is_player_prop: bool
    """true for bets on a player"""
    player_name: Optional[str]
    stat_category: Optional[str]
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true if a side is not at the main line"""
    odds_age_seconds: float
    """age of the stalest odds, seconds"""
    warnings: List[Literal["PUSH_POSSIBLE", "NET_OF_COMMISSION", "UNKNOWN_COMMISSION", "FEE_ASSUMED", "RULES_DIFFER", "TIE_SETTLES_HALF", "VOID_DIFFERS", "CURRENCIES_DIFFER", "STAKE_TOO_LARGE", "SUSPICIOUS_PROFIT", "LAY_LEG", "SAME_OWNER", "IMPLAUSIBLE_EV", "FEW_BOOKS", "WIDE_REFERENCE", "ONE_SIDED_PRICES", "ASSUMED_DISTRIBUTION", "WHOLE_GAME_DISTRIBUTION"]]
    """reservations; GET /warnings says what each means"""
    possibly_stale: bool
    """older than 300 s before the start, 60 s in play"""
    detected_at: str
    """when it was first detected in the caller's book universe; RFC 3339, UTC"""

    _nested = {
        "exceptions": ("list", ResultException),
        "side1": ("one", LowHoldSide),
        "side2": ("one", LowHoldSide),
        "side3": ("one", LowHoldSide),
        "game_state": ("one", GameState),
    }
    _times = ("start_time", "detected_at",)


class LowHoldSummary(Row):
    """over all matches, not only the page"""

    count: int
    avg_hold: Optional[float]
    min_hold: Optional[float]
    by_market: Dict[str, int]
    """market type → count"""
    by_sport: Dict[str, int]
    """sport id → count"""


class MarketTypeBySport(Row):
    family: Optional[Literal["winner", "handicap", "total", "yes_no", "odd_even", "outright", "other"]]
    """kind of question"""
    sides: Optional[Literal["two", "three", "by_book"]]
    """results to bet on; by_book: three where a book shows a draw"""
    part: Optional[str]
    """game, regulation, h1, h2, q1 …, p1 …, innings_1_5 …, set_1 …"""
    subject: Optional[Literal["game", "team", "player"]]
    """whose result it is; team needs `team`, player `player_name`"""
    line: Optional[Literal["required", "none"]]
    """whether its selections need a line"""
    line_step: Optional[float]
    statistic: Optional[str]
    tie: Optional[Literal["push", "loses", "third_side", "cannot_happen"]]
    """what becomes of a bet on a draw, or on a result equal to the line"""
    overtime: Optional[Literal["counts", "does_not"]]
    """whether overtime counts"""
    model: Optional[Literal["margin", "total", "wide_margin", "wide_total"]]


class MarketType(Row):
    """a market type"""

    id: str
    """market type, as market_type of odds"""
    name: str
    """display name"""
    description: str
    """subject of its bets"""
    hasLine: bool
    """true if its selections need a line (points, goals, …)"""
    family: Literal["winner", "handicap", "total", "yes_no", "odd_even", "outright", "other"]
    """kind of question"""
    sides: Literal["two", "three", "by_book"]
    """results to bet on; by_book: three where a book shows a draw"""
    part: str
    """game, regulation, h1, h2, q1 …, p1 …, innings_1_5 …, set_1 …"""
    subject: Literal["game", "team", "player"]
    """whose result it is; team needs `team`, player `player_name`"""
    line: Literal["required", "none"]
    """whether its selections need a line"""
    line_step: Optional[float]
    statistic: Optional[str]
    tie: Literal["push", "loses", "third_side", "cannot_happen"]
    """what becomes of a bet on a draw, or on a result equal to the line"""
    overtime: Literal["counts", "does_not"]
    """whether overtime counts"""
    model: Optional[Literal["margin", "total", "wide_margin", "wide_total"]]
    by_sport: Optional[Dict[str, MarketTypeBySport]]
    """what differs in single sports, by sport id; absent if nothing does"""
    derived: Optional[bool]
    """true where the catalogue lacks the type and its name implies these rules"""
    examples: List[str]
    """examples of selections"""
    event_count: int
    """events that have not ended with odds of this type"""
    selection_count: int
    """selections of this type in those events; one with prices of several books counts once"""
    sports: List[str]
    """ids of the sports that have it"""

    _nested = {
        "by_sport": ("map", MarketTypeBySport),
    }


class MiddleSideOdds(Row):
    american: float
    """American odds"""
    decimal: float
    """decimal odds"""
    decimal_net: float
    """decimal odds after the commission of the book: what the opportunity is computed with"""
    probability: float
    """1 / decimal, 0-1"""
    implied_probability: float
    """the same as probability"""
    fair_probability: float
    """0-1, without margin"""


class MiddleSide(Row):
    book: str
    """sportsbook id"""
    selection: str
    """team, Over or Under"""
    line: float
    """points, goals, …"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds"""
    odds_probability: float
    """1 / odds_decimal, 0-1"""
    odds: MiddleSideOdds
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """the book's commission; null if it has none"""
    currency: str
    """ISO 4217 code of the book's stakes and limits"""
    stake_percent: float
    """share of the total stake in percent"""
    stake: Optional[float]
    """only with stake: what to stake here, in the book's currency; of a lay the liability"""
    max_stake: Optional[float]
    odds_id: str
    """id of the price in /odds"""
    external_event_id: Optional[str]
    """the book's own id of the event, where its feed tells it"""
    market_id: Optional[str]
    """the book's own id of the market, where its feed tells it"""
    selection_id: Optional[str]
    """the book's own id of the selection, where its feed tells it"""
    odds_age_seconds: float
    """age of the price, seconds"""
    deep_link: Optional[str]

    _nested = {
        "odds": ("one", MiddleSideOdds),
        "commission": ("one", ArbitrageLegCommission2),
    }


class MiddleOpportunityAltSide1(Row):
    book: str
    """sportsbook id"""
    odds: float
    """American odds"""


class MiddleOpportunity(Row):
    """two lines with results between them at which both bets win"""

    id: str
    """16 lowercase hex, of what it is and not of its prices; the same as hash_id"""
    hash_id: str
    """the same as id"""
    event_id: str
    """{league}_{home}_{away}_{date}"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: Optional[str]
    is_live: bool
    """true while the game is in play"""
    market_type: str
    """market type, as in /odds"""
    side1: MiddleSide
    side2: MiddleSide
    alt_side1: Optional[List[MiddleOpportunityAltSide1]]
    """the caller's other books that offer this side at its line, best first, as of sending"""
    alt_side2: Optional[List[MiddleOpportunityAltSide1]]
    """the caller's other books that offer this side at its line, best first, as of sending"""
    max_stake: Optional[float]
    exceptions: List[ResultException]
    """results of a played game on which it makes something else than it prints"""
    middle_size: float
    """distance between the two lines, points"""
    middle_numbers: List[int]
    """results at which both sides win, ascending; for spreads the margin of the side that must win"""
    middle_probability: float
    """probability that both sides win, 0-1"""
    expected_value: Optional[float]
    roi_percentage: Optional[float]
    worst_case_loss: Optional[float]
    best_case_profit: Optional[float]
    break_even_percent: float
    """chance of the middle at which the expected value is 0, percent"""
    is_guaranteed_profit: bool
    """true if every result wins, with the stakes as shown and after commission"""
    guaranteed_roi: Optional[float]
    is_team_total: bool
    """true for totals of one team; team_name says whose"""
    odds_age_seconds: float
    """the same as oldest_odds_age_seconds"""
    key_numbers: List[int]
    """the most frequent results in middle_numbers"""
    key_number_probability: float
    """probability of one of the key numbers, 0-1"""
    market_overround: float
    """sum of 1 / decimal_net of the two prices; 1.05 is 5 % over"""
    quality_score: float
    """how good a middle it is, 0-100"""
    is_player_prop: bool
    """true for bets on a player"""
    player_name: Optional[str]
    stat_category: Optional[str]
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true if a side is not at the main line"""
    possibly_stale: bool
    """older than 300 s before the start, 60 s in play"""
    oldest_odds_age_seconds: float
    """age of the oldest price in it, seconds"""
    warnings: List[Literal["PUSH_POSSIBLE", "NET_OF_COMMISSION", "UNKNOWN_COMMISSION", "FEE_ASSUMED", "RULES_DIFFER", "TIE_SETTLES_HALF", "VOID_DIFFERS", "CURRENCIES_DIFFER", "STAKE_TOO_LARGE", "SUSPICIOUS_PROFIT", "LAY_LEG", "SAME_OWNER", "IMPLAUSIBLE_EV", "FEW_BOOKS", "WIDE_REFERENCE", "ONE_SIDED_PRICES", "ASSUMED_DISTRIBUTION", "WHOLE_GAME_DISTRIBUTION"]]
    """reservations; GET /warnings says what each means"""
    detected_at: str
    """when it was first detected in the caller's book universe; RFC 3339, UTC"""

    _nested = {
        "side1": ("one", MiddleSide),
        "side2": ("one", MiddleSide),
        "alt_side1": ("list", MiddleOpportunityAltSide1),
        "alt_side2": ("list", MiddleOpportunityAltSide1),
        "exceptions": ("list", ResultException),
    }
    _times = ("start_time", "detected_at",)


class MiddlesSummaryBestEv(Row):
    ev: float
    """percent"""
    sport: str
    market: str
    """market type"""


class MiddlesSummary(Row):
    """counts of the matching middles"""

    total: int
    positive_ev_count: int
    """those with an expected value above 0"""
    guaranteed_profit_count: int
    """those that lose on no result"""
    player_prop_count: int
    by_sport: Dict[str, int]
    """sport id → count"""
    by_market: Dict[str, int]
    """market type → count"""
    by_sportsbook: Dict[str, int]
    """sportsbook id → count"""
    avg_middle_size: Optional[float]
    avg_probability: Optional[float]
    avg_ev: Optional[float]
    best_ev: Optional[MiddlesSummaryBestEv]
    has_key_numbers_count: int
    """those with a key number inside"""

    _nested = {
        "best_ev": ("one", MiddlesSummaryBestEv),
    }


class MoveBook(Row):
    book: str
    """sportsbook id"""
    from_: float
    """American odds before; for moves of a line, the line"""
    to: float
    """the present value"""
    at: str
    """when it last moved, as odds_changed_at; RFC 3339, UTC"""
    _times = ("at",)


class MoveLaggard(Row):
    book: str
    """sportsbook id"""
    odds: float
    """American odds of the selection"""
    odds_decimal: float
    line: Optional[float]
    """its line; null if the market has none"""
    edge_percent: Optional[float]
    """expected value in percent of the stake, after commission, against the fair price of the books that moved; null
    where that is not known"""
    odds_id: str
    """id of the price in /odds"""


class Move(Row):
    """the move, the books that made it, and those that have not followed"""

    id: str
    """16 lowercase hex, of what moved and when that began"""
    kind: Literal["steam", "drop", "line", "reverse"]
    """steam: several books move an outcome in the same direction at once; drop: a price changed by a lot; line: the
    consensus main line moved; reverse: a steam or line move against most bets"""
    direction: Literal["up", "down"]
    """up: the selection became more likely, its price shorter, or the line moved towards it"""
    event_id: str
    """{league}_{home}_{away}_{date}"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    start_time: Optional[str]
    """null where unknown"""
    is_live: bool
    """true while the game is in play"""
    market_type: str
    """market type, as in /odds"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team_name: Optional[str]
    """markets of one team only"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """as in /odds"""
    line_from: Optional[float]
    """the selection's line before; null if the market has none"""
    line_to: Optional[float]
    """the selection's present line; different from the earlier one only in moves of a line; null if the market has none"""
    probability_from: Optional[float]
    """before: implied probability (0-1), mean over the books; null for moves of a line"""
    probability_to: Optional[float]
    """now: implied probability (0-1), mean over the books; null for moves of a line"""
    books: List[MoveBook]
    """the books that moved, in order of time"""
    laggards: List[MoveLaggard]
    """books that have not followed yet, best edge first"""
    started_at: str
    """when the first of the books began to move; RFC 3339, UTC"""
    last_moved_at: str
    """when the last of them moved; RFC 3339, UTC"""
    detected_at: str
    """when it was first detected in the caller's book universe; RFC 3339, UTC"""

    _nested = {
        "books": ("list", MoveBook),
        "laggards": ("list", MoveLaggard),
    }
    _times = ("start_time", "started_at", "last_moved_at", "detected_at",)


class OddsRow(Row):
    """one book's price of one selection"""

    id: str
    """id of the odds row; numeric"""
    sportsbook: str
    """sportsbook id"""
    sportsbook_name: str
    """display name"""
    currency: str
    """ISO 4217 code of stakes and limits at the book"""
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team: Optional[Literal["home", "away"]]
    """team totals only"""
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true for lines other than the book's main line"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    odds_probability: float
    """implied probability, 0-1"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_live: bool
    """true while the game is in play"""
    odds_changed_at: str
    """when price, line, liveness or activity last changed here; RFC 3339, UTC"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    is_main_line: bool
    """true for the book's main line: not is_alternate_line"""
    is_stale_pregame_price: Optional[bool]
    """of games in play: true while the price has not moved since the start"""
    odds_american_previous: Optional[float]
    """American odds before the last change; null if there are none"""
    probability: float
    """implied probability, 0-1"""
    last_seen_at: str
    """newest poll with the row; RFC 3339, UTC"""
    timestamp: str
    """the same as last_seen_at; RFC 3339, UTC"""
    event_start_time: str
    """scheduled start; RFC 3339, UTC"""
    status: Literal["upcoming", "live", "ended", "postponed", "cancelled"]
    """the event's"""
    deep_link: Optional[str]
    """the book's page of it"""
    public_bet_pct: Optional[float]
    """share of tickets, 0-1"""
    max_bet: Optional[float]
    """largest stake, in currency"""
    size: Optional[float]
    """exchanges: the stake available at the price, in currency"""
    volume_24h: Optional[float]
    """exchanges: traded in 24 h"""
    open_interest: Optional[float]
    """exchanges: open contracts"""
    exchange_token_id: Optional[str]
    """exchanges: identifier used in an order"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """what its market alone charges, in place of the book's commission; rate 0: nothing. Absent: the book's"""
    external_event_id: Optional[str]
    """the book's own id of the event, where its feed tells it"""
    market_id: Optional[str]
    """the book's own id of the market, where its feed tells it"""
    selection_id: Optional[str]
    """the book's own id of the selection, where its feed tells it"""
    opening: Optional[Opening]
    """with include=opening; null if none is known"""
    depth: Optional[Depth]
    """with include=depth; null in a change: it has none any more"""

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
        "opening": ("one", Opening),
        "depth": ("one", Depth),
    }
    _times = ("odds_changed_at", "last_seen_at", "timestamp", "event_start_time",)


class OddsGroupOdd(Row):
    id: str
    """id of the odds row; numeric"""
    sportsbook: str
    """sportsbook id"""
    sportsbook_name: str
    """display name"""
    currency: str
    """ISO 4217 code of stakes and limits at the book"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: bool
    """true for lines other than the book's main line"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    odds_probability: float
    """implied probability, 0-1"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_live: bool
    """true while the game is in play"""
    odds_changed_at: str
    """when price, line, liveness or activity last changed here; RFC 3339, UTC"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    is_main_line: bool
    """true for the book's main line: not is_alternate_line"""
    is_stale_pregame_price: Optional[bool]
    """of games in play: true while the price has not moved since the start"""
    odds_american_previous: Optional[float]
    """American odds before the last change; null if there are none"""
    probability: float
    """implied probability, 0-1"""
    last_seen_at: str
    """newest poll with the row; RFC 3339, UTC"""
    timestamp: str
    """the same as last_seen_at; RFC 3339, UTC"""
    deep_link: Optional[str]
    """the book's page of it"""
    size: Optional[float]
    """exchanges: the stake available at the price, in currency"""
    volume_24h: Optional[float]
    """exchanges: traded in 24 h"""
    open_interest: Optional[float]
    """exchanges: open contracts"""
    exchange_token_id: Optional[str]
    """exchanges: identifier used in an order"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """what its market alone charges, in place of the book's commission; rate 0: nothing. Absent: the book's"""
    external_event_id: Optional[str]
    """the book's own id of the event, where its feed tells it"""
    market_id: Optional[str]
    """the book's own id of the market, where its feed tells it"""
    selection_id: Optional[str]
    """the book's own id of the selection, where its feed tells it"""
    opening: Optional[Opening]
    """with include=opening; null if none is known"""
    depth: Optional[Depth]
    """with include=depth; null in a change: it has none any more"""

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
        "opening": ("one", Opening),
        "depth": ("one", Depth),
    }
    _times = ("odds_changed_at", "last_seen_at", "timestamp",)


class OddsPart(Row):
    """the requested fields"""

    id: Optional[str]
    """id of the odds row; numeric"""
    sportsbook: Optional[str]
    """sportsbook id"""
    sportsbook_name: Optional[str]
    """display name"""
    currency: Optional[str]
    """ISO 4217 code of stakes and limits at the book"""
    event_id: Optional[str]
    """{league}_{home}_{away}_{date}; never changes"""
    sport: Optional[str]
    """sport id"""
    league: Optional[str]
    """league id"""
    home_team: Optional[str]
    """display name"""
    away_team: Optional[str]
    """display name"""
    market_type: Optional[str]
    """market type"""
    selection: Optional[str]
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: Optional[str]
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team: Optional[Literal["home", "away"]]
    """team totals only"""
    team_name: Optional[str]
    """team totals only: the team"""
    is_alternate_line: Optional[bool]
    """true for lines other than the book's main line"""
    odds_american: Optional[float]
    """American odds"""
    odds_decimal: Optional[float]
    """decimal odds, up to 6 decimals"""
    odds_probability: Optional[float]
    """implied probability, 0-1"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_live: Optional[bool]
    """true while the game is in play"""
    odds_changed_at: Optional[str]
    """when price, line, liveness or activity last changed here; RFC 3339, UTC"""
    is_active: Optional[bool]
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    is_main_line: Optional[bool]
    """true for the book's main line: not is_alternate_line"""
    is_stale_pregame_price: Optional[bool]
    """of games in play: true while the price has not moved since the start"""
    odds_american_previous: Optional[float]
    """American odds before the last change; null if there are none"""
    probability: Optional[float]
    """implied probability, 0-1"""
    last_seen_at: Optional[str]
    """newest poll with the row; RFC 3339, UTC"""
    timestamp: Optional[str]
    """the same as last_seen_at; RFC 3339, UTC"""
    event_start_time: Optional[str]
    """scheduled start; RFC 3339, UTC"""
    status: Optional[Literal["upcoming", "live", "ended", "postponed", "cancelled"]]
    """the event's"""
    deep_link: Optional[str]
    """the book's page of it"""
    public_bet_pct: Optional[float]
    """share of tickets, 0-1"""
    max_bet: Optional[float]
    """largest stake, in currency"""
    size: Optional[float]
    """exchanges: the stake available at the price, in currency"""
    volume_24h: Optional[float]
    """exchanges: traded in 24 h"""
    open_interest: Optional[float]
    """exchanges: open contracts"""
    exchange_token_id: Optional[str]
    """exchanges: identifier used in an order"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """what its market alone charges, in place of the book's commission; rate 0: nothing. Absent: the book's"""
    external_event_id: Optional[str]
    """the book's own id of the event, where its feed tells it"""
    market_id: Optional[str]
    """the book's own id of the market, where its feed tells it"""
    selection_id: Optional[str]
    """the book's own id of the selection, where its feed tells it"""
    opening: Optional[Opening]
    """with include=opening; null if none is known"""
    depth: Optional[Depth]
    """with include=depth; null in a change: it has none any more"""

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
        "opening": ("one", Opening),
        "depth": ("one", Depth),
    }
    _times = ("odds_changed_at", "last_seen_at", "timestamp", "event_start_time",)


class OddsGroup(Row):
    """a page's rows of one event"""

    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    event_name: str
    """{away_team} @ {home_team}"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    start_time: str
    """scheduled start; RFC 3339, UTC"""
    is_live: bool
    """true while the game is in play"""
    odds: Union[List[OddsGroupOdd], List[OddsPart]]
    """rows; with fields only these"""

    _nested = {
        "odds": ("list", OddsPart),
    }
    _times = ("start_time",)


class Pagination(Row):
    """place of the page in the full list"""

    limit: int
    """maximum number of items of a page"""
    offset: int
    """items skipped before this page"""
    count: int
    """items of this page"""
    total: int
    """items that match, over all pages"""
    has_more: bool
    """true if more items follow"""
    next_offset: Optional[int]
    """offset of the next page; null on the last one"""


class SplitsGameSpreadHandlePct(Row):
    away: Optional[float]
    home: Optional[float]


class SplitsGameSpread(Row):
    away_odds: Optional[float]
    """the LINE of the away team, whatever the name says"""
    home_odds: Optional[float]
    """the LINE of the home team, whatever the name says"""
    handle_pct: Optional[SplitsGameSpreadHandlePct]
    """share of money, 0-1"""
    bets_pct: Optional[SplitsGameSpreadHandlePct]
    """share of tickets, 0-1"""

    _nested = {
        "handle_pct": ("one", SplitsGameSpreadHandlePct),
        "bets_pct": ("one", SplitsGameSpreadHandlePct),
    }


class SplitsGameTotalHandlePct(Row):
    over: Optional[float]
    under: Optional[float]


class SplitsGameTotal(Row):
    line: Optional[float]
    """the total"""
    handle_pct: Optional[SplitsGameTotalHandlePct]
    """share of money, 0-1"""
    bets_pct: Optional[SplitsGameTotalHandlePct]
    """share of tickets, 0-1"""

    _nested = {
        "handle_pct": ("one", SplitsGameTotalHandlePct),
        "bets_pct": ("one", SplitsGameTotalHandlePct),
    }


class SplitsGameMoneyline(Row):
    away_odds: Optional[float]
    """American"""
    home_odds: Optional[float]
    """American"""
    handle_pct: Optional[SplitsGameSpreadHandlePct]
    """share of money, 0-1"""
    bets_pct: Optional[SplitsGameSpreadHandlePct]
    """share of tickets, 0-1"""

    _nested = {
        "handle_pct": ("one", SplitsGameSpreadHandlePct),
        "bets_pct": ("one", SplitsGameSpreadHandlePct),
    }


class SplitsGame(Row):
    """betting splits of one event at one source"""

    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    sportsbook: str
    """where the splits come from"""
    away_team: str
    """display name"""
    home_team: str
    """display name"""
    spread: Optional[SplitsGameSpread]
    """null if there are none"""
    total: Optional[SplitsGameTotal]
    """null if there are none"""
    moneyline: Optional[SplitsGameMoneyline]
    """null if there are none"""
    fetched_at: str
    """when the source was read; RFC 3339, UTC"""

    _nested = {
        "spread": ("one", SplitsGameSpread),
        "total": ("one", SplitsGameTotal),
        "moneyline": ("one", SplitsGameMoneyline),
    }
    _times = ("fetched_at",)


class SplitsHistoryEntrySpread(Row):
    away_line: Optional[float]
    """the away team's line"""
    home_line: Optional[float]
    """the home team's line"""
    handle_pct: Optional[SplitsGameSpreadHandlePct]
    """share of money, 0-1"""
    bets_pct: Optional[SplitsGameSpreadHandlePct]
    """share of tickets, 0-1"""

    _nested = {
        "handle_pct": ("one", SplitsGameSpreadHandlePct),
        "bets_pct": ("one", SplitsGameSpreadHandlePct),
    }


class SplitsHistoryEntry(Row):
    """betting splits at one time"""

    book: str
    """where the splits come from"""
    ts: str
    """when the source was read; RFC 3339, UTC"""
    timestamp: float
    """the same in Unix seconds"""
    spread: Optional[SplitsHistoryEntrySpread]
    """null if there are none"""
    total: Optional[SplitsGameTotal]
    """null if there are none"""
    moneyline: Optional[SplitsGameMoneyline]
    """null if there are none"""
    fetched_at: str
    """when the source was read; RFC 3339, UTC"""

    _nested = {
        "spread": ("one", SplitsHistoryEntrySpread),
        "total": ("one", SplitsGameTotal),
        "moneyline": ("one", SplitsGameMoneyline),
    }
    _times = ("ts", "fetched_at",)


class Sport(Row):
    """a sport"""

    id: str
    """sport id"""
    slug: str
    """the same as id"""
    name: str
    """display name"""
    active: bool
    """true if event_count is above 0"""
    event_count: int
    """events in the table that have not ended and have odds or a score"""
    live_count: int
    """those of them that are live"""
    leagues: List[str]
    """ids of its leagues that have events; with include_empty=true of all its leagues"""


class SportsbookSettles(Row):
    """where it settles a bet otherwise than its peers; empty if nowhere"""

    tie: Optional[Literal["half"]]
    """a tie in a two-way winner of a game pays half of what a win pays; elsewhere it is refunded"""
    void: Optional[Literal["last_price", "half"]]
    """what a bet on a game that is not played is paid at; elsewhere it is refunded"""


class Sportsbook(Row):
    """a sportsbook"""

    id: str
    """sportsbook id"""
    slug: str
    """the same as id"""
    name: str
    """short name"""
    display_name: str
    """full name"""
    owner: str
    """who makes its prices, else its company: books of one owner are one opinion about a price"""
    kind: Literal["sportsbook", "exchange", "model"]
    """model: somebody’s own fair prices, at which nothing is on offer"""
    is_sharp: bool
    """true for books whose prices the market follows"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """its commission on bets; null if it has none"""
    currency: str
    """ISO 4217 code of its stakes, sizes and limits"""
    usd_rate: Optional[float]
    """US dollars for one unit of its currency (--fx); null if no rate is stated"""
    min_stake: Optional[float]
    """its smallest bet, in its currency; null if none is known"""
    stake_step: Optional[float]
    """what its stakes are multiples of, in its currency; null if nothing is known"""
    contracts: Optional[float]
    """venues of contracts that pay 1: what the number in an order is a multiple of; null for others"""
    settles: SportsbookSettles
    """where it settles a bet otherwise than its peers; empty if nowhere"""
    rules: List[HouseRule]
    """its own house rules; where it has none, those of every book hold"""
    has_live_odds: bool
    """true if it prices games in play"""
    has_player_props: bool
    """true if it prices player props"""
    regions: List[Literal["US", "UK", "EU", "AU", "GLOBAL"]]
    """where it accepts bets"""
    requires_tier: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """the lowest tier that sees its odds"""
    status: Literal["active", "inactive"]
    """active if it has odds in the table or was polled within the last 5 minutes"""
    active: bool
    """true if status is active"""
    event_count: int
    """events that have not ended for which it has odds"""
    last_update: Optional[str]
    """newest poll of the book; RFC 3339, UTC; null if it was never polled"""
    unlisted: bool
    """true for a book of a feed that the catalogue does not have"""

    _nested = {
        "commission": ("one", ArbitrageLegCommission2),
        "settles": ("one", SportsbookSettles),
        "rules": ("list", HouseRule),
    }
    _times = ("last_update",)


class Team(Row):
    """a team"""

    id: str
    """team token, unique in its league; part of event ids"""
    name: str
    """display name"""
    league: str
    """league id"""
    leagues: List[str]
    """ids of all leagues with a team of that name, including this one"""
    sport: str
    """sport id"""
    aliases: List[str]
    """other names by which feeds and filters know it"""
    event_count: int
    """its events in the league, upcoming and live"""
    live_count: int
    """those in play"""


class TierRights(Row):
    """what a tier may see"""

    id: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """tier"""
    requests_per_minute: Optional[int]
    data_delay_seconds: int
    """age of what is shown; 0 is the present"""
    max_books: Optional[int]
    books: Optional[List[str]]
    features: List[Literal["ev", "arbitrage", "middles", "low_hold", "moves", "game_state", "streaming", "deep_links", "grading", "history", "openings", "alerts", "bets", "closing_day", "clv"]]
    """what every key of the tier has"""
    addons: List[Literal["ev", "arbitrage", "middles", "low_hold", "moves", "game_state", "streaming", "deep_links", "grading", "history", "openings", "alerts", "bets", "closing_day", "clv"]]
    """what a key of the tier can have in addition"""
    channels: List[Literal["odds", "ev", "arbitrage", "middles", "low_hold", "moves", "gamestate", "results", "bets"]]
    """channels of its streams, those of add-ons aside; empty if it cannot stream"""
    stream_slots: Optional[int]
    limits: Dict[str, Optional[int]]
    """by name; null: no limit. batch_events: event ids of a batch; alert_rules: alerts of an account; history_seconds:
    how far history reaches back"""


class IngestReceiptRejected(Row):
    path: str
    """place in the message"""
    reason: str
    """reason"""


class IngestReceiptUnknownTeam(Row):
    name: str
    """name as sent"""
    league: Optional[str]
    """league of a team"""
    nearest: List[str]
    """known names that are spelled like it"""


class IngestReceiptUnknownLeague(Row):
    name: str
    """league id"""
    league: Optional[str]
    """league of a team"""
    nearest: List[str]
    """known names that are spelled like it"""


class IngestReceiptUnknownMarket(Row):
    name: str
    """market type"""
    league: Optional[str]
    """league of a team"""
    nearest: List[str]
    """known names that are spelled like it"""


class IngestReceiptUnknownBook(Row):
    name: str
    """sportsbook id"""
    league: Optional[str]
    """league of a team"""
    nearest: List[str]
    """known names that are spelled like it"""


class IngestReceiptUnknown(Row):
    """names that the catalogue does not know, at most ten of a kind; they were accepted as new ones, unless strict=true"""

    teams: List[IngestReceiptUnknownTeam]
    leagues: List[IngestReceiptUnknownLeague]
    markets: List[IngestReceiptUnknownMarket]
    books: List[IngestReceiptUnknownBook]

    _nested = {
        "teams": ("list", IngestReceiptUnknownTeam),
        "leagues": ("list", IngestReceiptUnknownLeague),
        "markets": ("list", IngestReceiptUnknownMarket),
        "books": ("list", IngestReceiptUnknownBook),
    }


class IngestReceiptData(Row):
    accepted: int
    """accepted quotes"""
    changed: int
    """new or changed quotes"""
    removed: int
    """removed quotes"""
    rejected: List[IngestReceiptRejected]
    unknown: IngestReceiptUnknown
    """names that the catalogue does not know, at most ten of a kind; they were accepted as new ones, unless strict=true"""

    _nested = {
        "rejected": ("list", IngestReceiptRejected),
        "unknown": ("one", IngestReceiptUnknown),
    }


class IngestReceipt(Row):
    success: Literal[True]
    """always true; the HTTP status is the authority"""
    accepted: int
    """accepted quotes"""
    changed: int
    """new or changed quotes"""
    removed: int
    """removed quotes"""
    rejected: List[IngestReceiptRejected]
    unknown: IngestReceiptUnknown
    """names that the catalogue does not know, at most ten of a kind; they were accepted as new ones, unless strict=true"""
    stale: int
    """events ignored because the message was older than the stored state"""
    position: int
    """position in the change log that includes all of it: use it as min_position of a read"""
    data: IngestReceiptData
    updated_at: str
    """when the server sent the answer; RFC 3339, UTC"""

    _nested = {
        "rejected": ("list", IngestReceiptRejected),
        "unknown": ("one", IngestReceiptUnknown),
        "data": ("one", IngestReceiptData),
    }
    _times = ("updated_at",)


class Batch(Row):
    events: List[BatchEvent]
    missing_events: List[str]
    """ids of unknown and of ended events"""

    _nested = {
        "events": ("list", BatchEvent),
    }


class Executable(Row):
    """taking the ladder of a row"""

    odds_id: str
    """as requested"""
    sportsbook: str
    """sportsbook id"""
    currency: str
    """ISO 4217 code of the stakes"""
    stake: float
    """as requested"""
    odds_decimal_average: Optional[float]
    """average price over what is filled; null if nothing can be staked"""
    odds_decimal_worst: Optional[float]
    """price of the last level taken; null if nothing can be staked"""
    stake_filled: float
    """how much of the stake the levels take, within max_bet"""
    levels: int
    """levels taken"""


class WarningMeaning(Row):
    id: Literal["PUSH_POSSIBLE", "NET_OF_COMMISSION", "UNKNOWN_COMMISSION", "FEE_ASSUMED", "RULES_DIFFER", "TIE_SETTLES_HALF", "VOID_DIFFERS", "CURRENCIES_DIFFER", "STAKE_TOO_LARGE", "SUSPICIOUS_PROFIT", "LAY_LEG", "SAME_OWNER", "IMPLAUSIBLE_EV", "FEW_BOOKS", "WIDE_REFERENCE", "ONE_SIDED_PRICES", "ASSUMED_DISTRIBUTION", "WHOLE_GAME_DISTRIBUTION"]
    """as in warnings of opportunities"""
    description: str
    """what it means"""


class AccountRateLimit(Row):
    """the same as in limits"""

    requests_per_minute: int
    """requests a minute"""
    max_books: Optional[int]


class AccountStreaming(Row):
    enabled: bool
    max_connections: int
    """streams open at once"""


class AccountLimits(Row):
    requests_per_minute: int
    """requests a minute, of all keys of the account together"""
    max_streams: int
    """streams open at once, of all keys of the account; 0 if the key may not stream now"""
    odds_delay_seconds: int
    """age of the odds it sees; 0 is real time"""
    max_books: Optional[int]
    """books it sees; null is all"""


class AccountFeatures(Row):
    ev: bool
    arbitrage: bool
    middles: bool
    low_hold: bool
    moves: bool
    streaming: bool


class AccountStreamingTrial(Row):
    """lets a key stream without the add-on for a limited time"""

    active: bool
    """false: it has ended"""
    expires_at: str
    """when it ends; RFC 3339, UTC"""
    remaining_hours: float
    """hours left; 0 once it has ended"""
    max_streams: int
    """streams open at once while it is active"""
    _times = ("expires_at",)


class Account(Row):
    key: AccountKey
    key_id: str
    """public id of the key"""
    tier: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """the key's tier"""
    rate_limit: AccountRateLimit
    """the same as in limits"""
    streaming: AccountStreaming
    limits: AccountLimits
    features: AccountFeatures
    addons: List[str]
    """features beyond the tier"""
    streaming_trial: Optional[AccountStreamingTrial]
    """lets a key stream without the add-on for a limited time"""

    _nested = {
        "key": ("one", AccountKey),
        "rate_limit": ("one", AccountRateLimit),
        "streaming": ("one", AccountStreaming),
        "limits": ("one", AccountLimits),
        "features": ("one", AccountFeatures),
        "streaming_trial": ("one", AccountStreamingTrial),
    }


class UsageRequestsLimit(Row):
    per_minute: int
    """requests a minute, of all keys of the account together"""
    remaining: int
    """left in this minute"""
    resets_at: str
    """when the minute ends; RFC 3339, UTC"""
    _times = ("resets_at",)


class UsageRequests(Row):
    today: int
    """requests of this day (UTC)"""
    this_week: int
    """requests since Monday (UTC)"""
    this_month: int
    """requests of this month (UTC)"""
    limit: UsageRequestsLimit

    _nested = {
        "limit": ("one", UsageRequestsLimit),
    }


class UsageStreams(Row):
    active: int
    """open now"""
    max: int
    """open at once"""


class UsagePeriod(Row):
    start: str
    """begin of the month; RFC 3339, UTC"""
    end: str
    """its end; RFC 3339, UTC"""
    _times = ("start", "end",)


class Usage(Row):
    requests: UsageRequests
    streams: UsageStreams
    period: UsagePeriod

    _nested = {
        "requests": ("one", UsageRequests),
        "streams": ("one", UsageStreams),
        "period": ("one", UsagePeriod),
    }


class ViewerTokenFilters(Row):
    """its filters"""

    sport: Optional[List[str]]
    league: Optional[List[str]]
    sportsbook: Optional[List[str]]
    market: Optional[List[str]]
    event: Optional[List[str]]


class ViewerToken(Row):
    token: str
    """sent like a key, or as ?token="""
    expires_at: str
    """when it expires, or its key if that is sooner; RFC 3339, UTC"""
    channels: List[Literal["odds", "ev", "arbitrage", "middles", "low_hold", "moves", "gamestate", "results"]]
    """channels it may see"""
    filters: ViewerTokenFilters
    """its filters"""
    origin: Optional[str]
    """the origin whose pages may use it; null: any program"""

    _nested = {
        "filters": ("one", ViewerTokenFilters),
    }
    _times = ("expires_at",)


class Bankroll(Row):
    currency: str
    deposits: Optional[float]
    """null if none were stated: no bet is beyond the cash then"""
    cash: float
    """deposits + profit - open stakes"""
    open_stakes: float
    """of bets that are not settled; of lays what they may lose"""
    profit: float
    """of those that are"""
    paper_max: float
    """what paper bets get of a price whose book states no limit, size or ladder, in the row's currency"""


class NewKey(Row):
    id: str
    """public id of the key"""
    key: str
    """the key itself; shown only this once and not stored"""
    name: str
    """as given on creation"""
    tier: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """the key's tier"""


class RotatedKey(Row):
    id: str
    """public id of the key"""
    key: str
    """the key itself; shown only this once and not stored"""
    name: str
    """as given on creation"""
    tier: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """the key's tier"""
    new_key_id: str
    """public id of the key"""
    new_key: str
    """the key itself; shown only this once and not stored"""
    new_key_name: str
    """as given on creation"""
    new_key_tier: Literal["free", "hobby", "pro", "sharp", "enterprise"]
    """the key's tier"""
    old_key_id: str
    """public id of the key"""
    old_key_expires_at: str
    """when the old key ends; RFC 3339, UTC"""
    _times = ("old_key_expires_at",)


class HistoryRowPoint(Row):
    at: str
    """when the price changed: the row's odds_changed_at at that time; RFC 3339, UTC"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_live: bool
    """true while the game was in play"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    _times = ("at",)


class HistoryRowPoints2American(Row):
    """the same prices as American odds"""

    open: float
    """American odds"""
    high: float
    """American odds"""
    low: float
    """American odds"""
    close: float
    """American odds"""


class HistoryRowPoints2(Row):
    at: str
    """when the candle begins; RFC 3339, UTC"""
    open: float
    """decimal odds, up to 6 decimals"""
    high: float
    """decimal odds, up to 6 decimals"""
    low: float
    """decimal odds, up to 6 decimals"""
    close: float
    """decimal odds, up to 6 decimals"""
    american: HistoryRowPoints2American
    """the same prices as American odds"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    changes: int
    """changes in it; candles without any are omitted"""
    is_live: bool
    """true while the game was in play"""
    is_active: bool
    """false: suspended, no bets are accepted"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""

    _nested = {
        "american": ("one", HistoryRowPoints2American),
    }
    _times = ("at",)


class HistoryRow(Row):
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    odds_id: str
    """id of the odds row; numeric"""
    sportsbook: str
    """sportsbook id"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team: Optional[Literal["home", "away"]]
    """team totals only: the team"""
    is_alternate_line: bool
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    opening: Opening
    removed_at: Optional[str]
    """null while the book lists it"""
    points: Union[List[HistoryRowPoint], List[HistoryRowPoints2]]
    """in the order of time; with interval candles"""
    removals: Optional[List[str]]
    """with include=removals"""

    _nested = {
        "opening": ("one", Opening),
        "points": ("list", HistoryRowPoints2),
    }
    _times = ("removed_at",)


class EventLinesBook(Row):
    odds_id: str
    """id of the odds row; numeric"""
    sportsbook: str
    """sportsbook id"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team: Optional[Literal["home", "away"]]
    """team totals only: the team"""
    line: Optional[float]
    is_alternate_line: bool
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    captured_at: str
    """when the price became this one; RFC 3339, UTC"""
    _times = ("captured_at",)


class EventLines(Row):
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    event_start_time: str
    """start of the game; RFC 3339, UTC"""
    captured_at: Optional[str]
    """null if there is none yet"""
    books: Dict[str, List[EventLinesBook]]
    """by sportsbook id"""

    _nested = {
        "books": ("lists", EventLinesBook),
    }
    _times = ("event_start_time", "captured_at",)


class ClosingDayEventBookLine(Row):
    odds_id: str
    """id of the odds row; numeric"""
    market_type: str
    """market type"""
    selection: str
    """team, Over, Under, Draw, or as the book calls it"""
    selection_type: str
    """home, away, draw, over, under, …"""
    player_name: Optional[str]
    """player props only"""
    stat_category: Optional[str]
    """player props only"""
    team: Optional[Literal["home", "away"]]
    """team totals only: the team"""
    line: Optional[float]
    """points, goals, …; null if the selection has none"""
    is_main_line: bool
    """true for the book's main line: not is_alternate_line"""
    odds_american: float
    """American odds"""
    odds_decimal: float
    """decimal odds, up to 6 decimals"""
    indicative: Optional[bool]
    """true: a price at which something was traded; nothing is on offer at it. Absent: false"""
    implied_probability: float
    """implied probability, 0-1"""
    no_vig_probability: Optional[float]
    """without the book's own margin, 0-1; null if it has not all sides"""


class ClosingDayEventBook(Row):
    book: str
    """sportsbook id"""
    captured_at: str
    """the latest of its prices; RFC 3339, UTC"""
    lines: List[ClosingDayEventBookLine]

    _nested = {
        "lines": ("list", ClosingDayEventBookLine),
    }
    _times = ("captured_at",)


class ClosingDayEvent(Row):
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    event_start_time: str
    """start of the game; RFC 3339, UTC"""
    first_captured_at: str
    """the earliest of its prices; RFC 3339, UTC"""
    books: List[ClosingDayEventBook]

    _nested = {
        "books": ("list", ClosingDayEventBook),
    }
    _times = ("event_start_time", "first_captured_at",)


class ClosingDay(Row):
    date: str
    """as asked"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    events: List[ClosingDayEvent]
    """games of which a book has closed, by start"""
    total_events: int
    total_lines: int
    """prices of all games and books"""

    _nested = {
        "events": ("list", ClosingDayEvent),
    }


class ClvDateRange(Row):
    from_: Optional[str]
    to: Optional[str]
    _times = ("from", "to",)


class ClvGroup(Row):
    group_key: str
    total_predictions: int
    """detected prices above fair, each counted once at its first price"""
    total_graded: int
    """those that the close could grade; those of the last five minutes before it are left out"""
    total_at_close: int
    """those first seen in the last five minutes before the close"""
    avg_clv_percent: Optional[float]
    """(closing no-vig probability * net decimal odds - 1) * 100"""
    median_clv_percent: Optional[float]
    """median of the same"""
    positive_clv_rate: Optional[float]
    """share of the graded above 0, 0-1"""
    avg_ev_percent: Optional[float]
    """edge when they were detected, of all"""
    total_settled: int
    """those whose games have a result; voids are left out"""
    win_rate: Optional[float]
    """won ones of those won and lost, 0-1; half won and half lost count half"""
    roi_percent: Optional[float]
    """profit of equal stakes on the settled, net of commission"""
    roi_error_percent: Optional[float]
    """standard error of roi_percent: how far chance alone moves it, at the odds of the settled"""
    expected_roi_percent: Optional[float]
    """edge when they were detected, of the settled"""


class Clv(Row):
    date_range: ClvDateRange
    groups: List[ClvGroup]
    """the largest first"""

    _nested = {
        "date_range": ("one", ClvDateRange),
        "groups": ("list", ClvGroup),
    }


class Prediction(Row):
    """a price above fair and what became of it"""

    id: str
    """of the opportunity"""
    odds_id: str
    """id of the row"""
    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    market_type: str
    selection: str
    player_name: Optional[str]
    team_name: Optional[str]
    sportsbook: str
    line: Optional[float]
    """as it was detected"""
    odds_decimal_net: float
    """first price above fair, after commission"""
    ev_percentage: float
    """edge of that price"""
    detected_at: str
    """when it was detected; RFC 3339, UTC"""
    closing_odds_american: Optional[float]
    """closing price of the same bet"""
    closing_odds_decimal: Optional[float]
    """the same as decimal odds"""
    closing_no_vig_probability: Optional[float]
    """fair probability at the close, 0-1"""
    devig_book: Optional[str]
    """book whose prices it is based on, or consensus"""
    clv_percent: Optional[float]
    """(closing no-vig probability * net decimal odds - 1) * 100"""
    result: Literal["won", "lost", "half_won", "half_lost", "push", "void", "half", "pending", "ungradeable"]
    """of a bet at that price"""
    result_reason: Optional[str]
    """why it is not won or lost"""
    profit_units: Optional[float]
    """profit per unit staked, net of commission; null while it is open"""
    revision: int
    """of the result; 0 if there is none"""
    _times = ("detected_at",)


class BetGrade(Row):
    odds_id: Optional[str]
    event_id: Optional[str]
    market_type: Optional[str]
    selection: Optional[str]
    sportsbook: Optional[str]
    line: Optional[float]
    """as it was bet"""
    odds_american: Optional[float]
    """as it was bet"""
    closing_odds_american: Optional[float]
    """closing price of the same bet"""
    closing_odds_decimal: Optional[float]
    """the same as decimal odds"""
    closing_no_vig_probability: Optional[float]
    """fair probability at the close, 0-1"""
    devig_book: Optional[str]
    """book whose prices it is based on, or consensus"""
    clv_percent: Optional[float]
    """(closing no-vig probability * net decimal odds - 1) * 100"""
    reason: Optional[Literal["unknown_bet", "not_closed", "no_price", "in_play", "no_closing_line", "no_reference"]]
    """reason why there is no value"""


class Settled(Row):
    result: Literal["won", "lost", "half_won", "half_lost", "push", "void", "half", "pending", "ungradeable"]
    """how the bet ended; pending while it may still end otherwise"""
    reason: Optional[Literal["no_result", "not_final", "postponed", "cancelled", "abandoned", "retired", "walkover", "disqualified", "shortened", "awarded", "no_contest", "did_not_play", "settled_at_value", "final_score_not_told", "regulation_not_told", "part_not_told", "sets_not_told", "innings_not_told", "play_not_told", "winner_not_told", "advanced_not_told", "statistic_not_told", "player_not_told", "places_not_told", "score_not_told", "not_told", "no_line", "no_team", "unknown_selection", "no_rule", "tie", "dead_heat", "unknown_bet", "no_price", "malformed"]]
    """why it is not won or lost"""
    profit_units: Optional[float]
    """profit per unit staked, net of commission; null while it is not settled"""
    return_units: Optional[float]
    """what a unit staked returns, net of commission"""
    revision: int
    """of the result it was graded by; a corrected result has a higher one"""


class ResultPart(Row):
    part: str
    """as in market types: q1, h2, p3, innings_1_1, set_2; ot, et, pens"""
    home_score: float
    """of the home team"""
    away_score: float
    """of the away team"""
    final: Optional[Literal[True]]
    """over, in a game that did not come to its end"""
    tie_break: Optional[Literal[True]]
    """a tie-break played in place of a set: it counts as one set and one game"""


class ResultRegulation(Row):
    """score after regular time, where a source tells it"""

    home_score: float
    """of the home team"""
    away_score: float
    """of the away team"""


class ResultStat(Row):
    home: float
    away: float


class ResultPlayer(Row):
    player_name: str
    played: bool
    """false: bets on the player are void"""
    stats: Dict[str, float]
    """by statistic, as in player market types"""


class Result(Row):
    """what became of a game"""

    event_id: str
    """{league}_{home}_{away}_{date}; never changes"""
    sport: str
    """sport id"""
    league: str
    """league id"""
    home_team: str
    """display name"""
    away_team: str
    """display name"""
    event_start_time: str
    """scheduled start; RFC 3339, UTC"""
    status: Literal["live", "final", "postponed", "cancelled", "abandoned"]
    """of the game"""
    home_score: Optional[float]
    """of the home team, overtime included; null if not told"""
    away_score: Optional[float]
    """of the away team"""
    parts: List[ResultPart]
    """scores of single parts, where a source tells them"""
    regulation: Optional[ResultRegulation]
    """score after regular time, where a source tells it"""
    stats: Optional[Dict[str, ResultStat]]
    """corners, cards and other statistics of the game"""
    players: Optional[List[ResultPlayer]]
    winner: Optional[Literal["home", "away", "draw", "none"]]
    """who won where the score does not say; none: no contest, bets are void"""
    advanced: Optional[Literal["home", "away"]]
    """who goes on to the next round"""
    ended: Optional[Literal["normal", "overtime", "penalties", "retired", "walkover", "disqualified", "shortened", "awarded"]]
    """normal: the final score is that of regular time; shortened: called early"""
    innings: Optional[float]
    """innings played; a half where only one side batted"""
    source: str
    """whose word it is"""
    revision: int
    """rises with every statement that changed the result"""
    updated_at: str
    """when it last changed here; RFC 3339, UTC"""

    _nested = {
        "parts": ("list", ResultPart),
        "regulation": ("one", ResultRegulation),
        "stats": ("map", ResultStat),
        "players": ("list", ResultPlayer),
    }
    _times = ("event_start_time", "updated_at",)


class AccountBetFill(Row):
    odds_decimal: float
    stake: float
    """in the row's currency"""
    at: str
    """when it was filled; RFC 3339, UTC"""
    _times = ("at",)


class AccountBet(Row):
    id: str
    """counted in the account"""
    client_id: str
    mode: Literal["paper", "placed"]
    status: Literal["pending", "filled", "part_filled", "rejected", "struck"]
    """pending: in play, judged when the delay of its book is over; struck: recorded by mistake"""
    reason: Optional[Literal["unknown_odds", "game_over", "postponed", "suspended", "model", "stale_price", "no_score", "price_moved", "below_minimum", "no_liquidity", "insufficient_funds", "no_rate"]]
    """why it was rejected"""
    fills: List[AccountBetFill]
    stake: float
    """as asked, in the row's currency"""
    is_lay: bool
    """the selection is laid: the stake is the backer’s"""
    stake_filled: float
    """of that"""
    exposure: float
    """what it may lose, in the bankroll's currency: the stake; of a lay stake × (odds - 1)"""
    currency: Optional[str]
    """the row's"""
    limited_by: Optional[Literal["depth", "size", "max_bet", "paper_max"]]
    """what bounded a paper fill; paper_max: the book states neither limit nor size"""
    odds_id: str
    odds_american: float
    """as asked"""
    odds_decimal: float
    """the same"""
    event_id: Optional[str]
    """event id; null if the row was unknown, as in the next ones"""
    event_name: Optional[str]
    """away @ home"""
    sport: Optional[str]
    """sport id"""
    league: Optional[str]
    """league id"""
    sportsbook: Optional[str]
    """sportsbook id"""
    market_type: Optional[str]
    """market type"""
    selection: Optional[str]
    """name"""
    selection_type: Optional[str]
    """home, away, draw, over, under …"""
    player_name: Optional[str]
    """markets of a player"""
    stat_category: Optional[str]
    """the statistic, of a row that has one"""
    team_name: Optional[str]
    """markets of one team"""
    line: Optional[float]
    """as it was bet"""
    three_way: Optional[Literal[True]]
    """its book offered a draw in the market: then both teams lose on one"""
    commission: Optional[Union[Commission, ArbitrageLegCommission2]]
    """what its market charged; absent: what its book charges"""
    is_live: bool
    """recorded in play"""
    recorded_at: str
    """when it was recorded; RFC 3339, UTC"""
    judged_at: Optional[str]
    tag: Optional[str]
    """yours"""
    note: Optional[str]
    """yours"""
    result: Optional[Literal["won", "lost", "half_won", "half_lost", "push", "void", "half", "pending", "ungradeable"]]
    """null before it was graded"""
    result_reason: Optional[str]
    """why it is not won or lost; by_hand: you stated it; no_rule from the start: no result can say how it ends"""
    profit: Optional[float]
    """in the bankroll's currency, net of commission; null while it is open"""
    clv_percent: Optional[float]
    """closing line value; null where there is none"""
    revision: int
    """of the result it was graded by"""
    graded_at: Optional[str]

    _nested = {
        "fills": ("list", AccountBetFill),
        "commission": ("one", ArbitrageLegCommission2),
    }
    _times = ("recorded_at", "judged_at", "graded_at",)


class BetsSummaryGroup(Row):
    group_key: str
    """of the group"""
    bets: int
    """filled ones; rejected and struck ones are left out"""
    stake: float
    """staked; of lays by the backers"""
    profit: float
    """of the settled ones, net of commission"""
    roi_percent: Optional[float]
    """profit of what was at risk on the settled ones, voids left out: of lays their liability"""
    clv_percent: Optional[float]
    """mean closing line value"""
    win_rate: Optional[float]
    """won of won and lost, 0-1; a half won counts as half a win, a half lost as half a loss"""
    max_drawdown: float
    """deepest fall of the profit, in the order of settlement"""
    open_exposure: float
    """what the open ones may lose"""


class BetsSummaryTotal(Row):
    """all of them together"""

    bets: int
    """filled ones; rejected and struck ones are left out"""
    stake: float
    """staked; of lays by the backers"""
    profit: float
    """of the settled ones, net of commission"""
    roi_percent: Optional[float]
    """profit of what was at risk on the settled ones, voids left out: of lays their liability"""
    clv_percent: Optional[float]
    """mean closing line value"""
    win_rate: Optional[float]
    """won of won and lost, 0-1; a half won counts as half a win, a half lost as half a loss"""
    max_drawdown: float
    """deepest fall of the profit, in the order of settlement"""
    open_exposure: float
    """what the open ones may lose"""


class BetsSummary(Row):
    groups: List[BetsSummaryGroup]
    """the largest stake first; beyond 1,000 groups the rest together as the last one, `other`"""
    total: BetsSummaryTotal
    """all of them together"""
    currency: str
    """of all amounts"""
    cash: float
    """deposits + profit - what is open"""
    deposits: Optional[float]
    """null if none were stated"""
    struck: int
    """bets recorded by mistake"""

    _nested = {
        "groups": ("list", BetsSummaryGroup),
        "total": ("one", BetsSummaryTotal),
    }


class CreatedAlert(Row):
    id: str
    secret: str
    """signs webhooks; shown only this once"""
    name: str
    channel: Literal["ev", "arbitrage", "middles", "low_hold", "moves", "odds"]


class AlertTest(Row):
    id: str
    queued: int
    """messages that wait, with this one"""


class UnmatchedItemCandidateOverlay(Row):
    id: str
    aliases: List[str]


class UnmatchedItemCandidate(Row):
    id: str
    """of the team, league, sportsbook, market type or event"""
    name: str
    overlay: Optional[UnmatchedItemCandidateOverlay]
    """the entry of overlay_file that makes the name an alias of this one; null where aliases do not help"""

    _nested = {
        "overlay": ("one", UnmatchedItemCandidateOverlay),
    }


class UnmatchedItem(Row):
    """what met nothing"""

    kind: Literal["team", "league", "market", "sportsbook", "player", "time", "price", "other"]
    """what it is"""
    reason: Literal["unknown", "refused", "unlisted", "joined", "apart"]
    """unknown: accepted under this name; refused: rejected; unlisted: a feed left the game out; joined (with --match
    roster): a team whose game was joined to that of others by who plays and when; apart: a start, player, team or
    league that no other book has for the game, beside a similar one that others have"""
    name: str
    """as it was sent; of a start, the time"""
    league: Optional[str]
    """of a team, start or player"""
    event_id: Optional[str]
    """where reason is apart"""
    why: Optional[str]
    """why it was refused"""
    sportsbooks: List[str]
    """at most five that sent it"""
    times: int
    """how often since the start; 1 where reason is apart"""
    first_at: str
    """when it was first seen; RFC 3339, UTC"""
    last_at: str
    """when it was last seen; RFC 3339, UTC"""
    candidates: List[UnmatchedItemCandidate]
    """what it may have meant, the nearest first; at most three"""
    overlay_file: Optional[str]
    """where in the folder of --catalogue the entries belong"""

    _nested = {
        "candidates": ("list", UnmatchedItemCandidate),
    }
    _times = ("first_at", "last_at",)


# of a bet's winnings
IngestMessageEventMarketCommission = TypedDict(
    "IngestMessageEventMarketCommission",
    {
        "model": Literal["winnings"],  # Needed.
        "rate": float,  # Needed. a fraction
    },
    total=False,
)


# exchanges: the order book, best first; the best ten levels of a side are kept
IngestMessageEventMarketSelectionDepth = TypedDict(
    "IngestMessageEventMarketSelectionDepth",
    {
        "back": Sequence[Sequence[float]],  # [odds_decimal, size] to back, highest odds first; size in the currency of the row
        "lay": Sequence[Sequence[float]],  # [odds_decimal, size] to lay, lowest odds first; size is the backers' stake
    },
    total=False,
)


IngestMessageEventMarketSelection = TypedDict(
    "IngestMessageEventMarketSelection",
    {
        "selection": str,  # Needed. team, Over, Under, …
        "selection_type": str,  # Needed. home, away, draw, over, under; 1x, draw_or_home … become home_or_draw; others are kept as they are
        "line": Optional[float],  # points, goals, …
        "odds_american": Union[float, str],  # this or odds_decimal
        "odds_decimal": Union[float, str],
        "probability": float,  # a model's own estimate, in place of a price
        "is_active": bool,  # false: suspended; the row stays, and the price may be omitted if it is known
        "indicative": bool,  # true: a price at which something was traded; nothing is on offer at it
        "is_removed": bool,  # true: the book has taken it back: its row is removed, in any scope, and a price is not read
        "is_alternate_line": bool,  # true for lines other than the book's main line
        "deep_link": str,  # http or https
        "external_id": str,  # the book's own id of the selection
        "selection_id": str,  # the same as external_id
        "market_id": str,  # the book's own id of the market at this line, if not the market's
        "public_bet_pct": float,
        "depth": IngestMessageEventMarketSelectionDepth,  # exchanges: the order book, best first; the best ten levels of a side are kept
        "size": float,  # exchanges: the stake available at the price
        "volume_24h": float,  # exchanges: traded in 24 h
        "open_interest": float,  # exchanges: open contracts
        "exchange_token_id": str,  # exchanges: identifier used in an order
    },
    total=False,
)


IngestMessageEventMarket = TypedDict(
    "IngestMessageEventMarket",
    {
        "market_type": str,  # Needed. [a-z0-9_]+
        "player_name": str,  # required for player_*
        "stat_category": str,
        "team": Literal["home", "away"],  # team_total only
        "max_bet": float,  # largest stake, in the book's currency
        "commission": IngestMessageEventMarketCommission,  # commission of this market, if it differs from the book's
        "is_active": bool,  # false: suspended are the selections it lists or, if it lists none, all that the book has there
        "market_id": str,  # the book's own id of the market
        "last_seen_at": str,  # when the source last saw this market, if it states that; otherwise polled_at; RFC 3339, UTC
        "selections": Sequence[IngestMessageEventMarketSelection],  # Needed.
    },
    total=False,
)


IngestMessageEvent = TypedDict(
    "IngestMessageEvent",
    {
        "league": str,  # league id; with teams and start_time, or event_id in place of the four
        "home_team": str,  # any name the team is known by
        "away_team": str,  # any name the team is known by
        "start_time": str,  # scheduled start; RFC 3339, UTC
        "start_estimated": bool,  # true: start_time is the source's own estimate; it finds the game, and any stated start counts before it
        "event_id": str,  # id of a known event
        "external_id": str,  # the book's own id of the event
        "external_event_id": str,  # the same as external_id
        "is_live": bool,
        "status": Literal["upcoming", "live", "ended", "postponed", "cancelled"],
        "game_state": Mapping[str, Any],  # home_score, away_score, period, clock, …, and what its sport has: inning, outs, down, home_sets …
        "suspended": bool,  # true: no bets are accepted on the event; markets may be empty
        "markets": Sequence[IngestMessageEventMarket],  # Needed.
    },
    total=False,
)


IngestMessageResultPart = TypedDict(
    "IngestMessageResultPart",
    {
        "part": str,  # Needed. as in market types: q1, h2, p3, innings_1_1, set_2; ot, et, pens
        "home_score": float,  # Needed. of the home team
        "away_score": float,  # Needed. of the away team
        "final": Literal[True],  # over, in a game that did not come to its end
        "tie_break": Literal[True],  # a tie-break played in place of a set: it counts as one set and one game
    },
    total=False,
)


# score after regular time, where a source tells it
IngestMessageResultRegulation = TypedDict(
    "IngestMessageResultRegulation",
    {
        "home_score": float,  # Needed. of the home team
        "away_score": float,  # Needed. of the away team
    },
    total=False,
)


IngestMessageResultPlayer = TypedDict(
    "IngestMessageResultPlayer",
    {
        "player_name": str,  # Needed.
        "played": bool,  # Needed. false: bets on the player are void
        "stats": Mapping[str, Any],  # Needed. by statistic, as in player market types
    },
    total=False,
)


IngestMessageResult = TypedDict(
    "IngestMessageResult",
    {
        "event_id": str,  # event id; else league, teams and start
        "league": str,  # league id
        "home_team": str,  # name, alias or abbreviation
        "away_team": str,  # the same
        "start_time": str,  # scheduled start; RFC 3339, UTC
        "status": Literal["live", "final", "postponed", "cancelled", "abandoned"],  # Needed. of the game
        "home_score": float,  # of the home team, overtime included
        "away_score": float,  # of the away team
        "parts": Sequence[IngestMessageResultPart],
        "regulation": IngestMessageResultRegulation,  # score after regular time, where a source tells it
        "stats": Mapping[str, Any],  # corners, cards and other statistics of the game
        "players": Sequence[IngestMessageResultPlayer],
        "winner": Literal["home", "away", "draw", "none"],  # who won where the score does not say; none: no contest, bets are void
        "advanced": Literal["home", "away"],  # who goes on to the next round
        "ended": Literal["normal", "overtime", "penalties", "retired", "walkover", "disqualified", "shortened", "awarded"],  # normal: the final score is that of regular time; shortened: called early
        "innings": float,  # innings played; a half where only one side batted
        "at": str,  # when it was so; a later one of the same source replaces it; RFC 3339, UTC
    },
    total=False,
)


IngestMessageSettlement = TypedDict(
    "IngestMessageSettlement",
    {
        "event_id": str,  # event id; else league, teams and start
        "league": str,  # league id
        "home_team": str,  # name, alias or abbreviation
        "away_team": str,  # the same
        "start_time": str,  # scheduled start; RFC 3339, UTC
        "market_type": str,  # Needed. market type
        "selection_type": str,  # home, away, draw, over, under …
        "selection": str,  # in place of selection_type: the name
        "line": Optional[float],
        "player_name": str,  # markets of a player
        "team": Literal["home", "away"],  # markets of a team
        "outcome": Literal["won", "lost", "half", "void"],  # the venue's own word; half pays half of what a win pays
        "value": float,  # in place of outcome: what was paid for a contract
    },
    total=False,
)


# the prices of one book at one time
IngestMessage = TypedDict(
    "IngestMessage",
    {
        "book": str,  # Needed. sportsbook id or alias
        "kind": Literal["book", "model"],  # model: the prices are somebody's own estimate: fair, and on offer nowhere. Every message of a model says so
        "private": bool,  # of a model: seen by the account alone that pushes it
        "polled_at": str,  # Needed. when the book was asked; refused more than 30 s ahead of the server; RFC 3339, UTC
        "scope": Literal["event", "league", "none"],  # Needed. what the message is complete for: earlier prices of the book there that are not repeated are removed
        "league": str,  # required for scope league
        "simulated": bool,  # true in recordings of the simulated market; refused by a server of real odds
        "events": Sequence[IngestMessageEvent],
        "splits": Sequence[Mapping[str, Any]],
        "futures": Sequence[Mapping[str, Any]],
        "game_states": Sequence[Mapping[str, Any]],
        "results": Sequence[IngestMessageResult],
        "settlements": Sequence[IngestMessageSettlement],
        "source": str,  # who states the results; default the sportsbook, else manual
    },
    total=False,
)


Bet = TypedDict(
    "Bet",
    {
        "odds_id": str,  # id of the row; else event, market, selection and sportsbook are needed
        "event": str,  # event id
        "event_id": str,  # the same as event
        "market": str,  # market type
        "market_type": str,  # the same as market
        "selection": str,  # name or type of the selection
        "selection_type": str,  # the same as selection
        "sportsbook": str,  # sportsbook id
        "book": str,  # the same as sportsbook
        "player_name": str,  # markets of a player
        "team": Literal["home", "away"],  # markets of a team
        "line": Optional[float],  # as it was bet
        "odds_american": float,  # as it was bet; default: the row's price at that time
        "odds_decimal": float,  # in place of odds_american
        "at": str,  # when it was bet; RFC 3339. Default: before the close; the price is needed then
        "stake": float,  # not needed
    },
    total=False,
)


NewBet = TypedDict(
    "NewBet",
    {
        "client_id": str,  # Needed. your own id: a bet sent again with it is not recorded again
        "odds_id": str,  # id of the row; else event_id, market_type, selection and sportsbook say which it is
        "event_id": str,  # in place of odds_id, with the next ones: event id
        "event": str,  # the same as event_id
        "market_type": str,  # market type
        "market": str,  # the same as market_type
        "selection": str,  # name or type of the selection
        "selection_type": str,  # the same as selection
        "sportsbook": str,  # sportsbook id
        "book": str,  # the same as sportsbook
        "line": Optional[float],  # what was bet, of a row whose main line has moved since; default: the row's, or the book's main line
        "player_name": str,  # markets of a player
        "team": Literal["home", "away"],  # markets of a team
        "stake": float,  # Needed. in the row's currency, at most two decimals; of a lay the backer's
        "odds_american": float,  # the least price of a paper bet, the price of another
        "odds_decimal": float,  # in place of odds_american
        "mode": Literal["paper", "placed"],  # Needed. paper: filled from what stands in the table; placed: what you did elsewhere, taken as stated
        "tag": str,  # summaries can be grouped by it
        "note": str,  # for yourself
    },
    total=False,
)


# omitted filters do not restrict
NewAlertFilters = TypedDict(
    "NewAlertFilters",
    {
        "sports": Sequence[str],  # sport ids
        "leagues": Sequence[str],  # league ids
        "sportsbooks": Sequence[str],  # sportsbook ids: opportunities among these books alone
        "markets": Sequence[str],  # market types
        "eventIds": Sequence[str],  # event ids
        "min_ev": float,  # ev: lowest EV, percent; default 2
        "min_profit": float,  # arbitrage: lowest profit, percent; default 0.5
        "max_hold": float,  # low_hold: highest hold, percent; default 5
        "min_size": float,  # middles: smallest middle, points; default 0.5
        "devig_book": str,  # book or own model: the fair price is its own; default the sharp book, else the consensus
        "min_stake": float,  # lowest max_stake
        "currency": str,  # ISO 4217 code in which max_stake and min_stake are; default USD
        "guaranteed": bool,  # loses on no result of a played game
        "include_assumed": bool,  # also what is an ASSUMED_DISTRIBUTION
        "laggards": Sequence[str],  # moves: sportsbook ids, one of which has not followed
        "min_edge": float,  # moves: lowest edge of the best laggard (of those that laggards names), percent
        "min_odds": float,  # odds: lowest price, American
        "max_odds": float,  # odds: highest price, American
        "kinds": Sequence[str],  # moves: their kinds
        "state": str,  # US state code for deep links
    },
    total=False,
)


NewAlertTarget = TypedDict(
    "NewAlertTarget",
    {
        "type": Literal["webhook", "discord", "slack", "telegram"],  # Needed.
        "url": str,  # for all types but telegram; must be on a public host
        "chat": str,  # telegram: id of the chat, or @name of a channel
    },
    total=False,
)
