"""The methods of `Client`. Made from the server's OpenAPI document: npm run python."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, Optional, Sequence, Union

from .models import (
    Account,
    AccountBet,
    AccountKey,
    Alert,
    AlertTest,
    ArbitrageOpportunity,
    Bankroll,
    Batch,
    BestOdds,
    Bet,
    BetGrade,
    BetsSummary,
    ClosingDay,
    Clv,
    Comparison,
    CreatedAlert,
    EvOpportunity,
    Event,
    EventDetail,
    EventLines,
    EventMarket,
    EventOdds,
    Executable,
    Future,
    FutureOdds,
    Health,
    HealthReplay,
    HistoryRow,
    IngestMessage,
    IngestReceipt,
    League,
    LowHoldOpportunity,
    MarketType,
    MiddleOpportunity,
    MiddlesSummary,
    Move,
    NewAlertFilters,
    NewAlertTarget,
    NewBet,
    NewKey,
    OddsRow,
    Prediction,
    Result,
    RotatedKey,
    Settled,
    SplitsGame,
    SplitsHistoryEntry,
    Sport,
    Sportsbook,
    Team,
    TierRights,
    UnmatchedItem,
    Usage,
    ViewerToken,
    WarningMeaning,
)
from .requests import UNSET, Call, Unset, given, json_call, path_of, segment
from .rows import Row, Rows
from .stream import Stream

if TYPE_CHECKING:
    from .client import Client

Text = Union[str, Sequence[str], date, datetime]
"""A value, several, or a time."""


class Resource:
    def __init__(self, calls: Client) -> None:
        self._calls = calls


class OddsResource(Resource):
    """`GET /odds`, `GET /odds/best`, `GET /odds/comparison`, `GET /odds/delta`, `POST /odds/batch`, `GET /odds/executable`."""

    def get(self, *, sportsbook: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, at: Optional[Text] = None, is_active: Optional[bool] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, team: Optional[Text] = None, date: Optional[Text] = None, q: Optional[Text] = None, sort: Optional[Text] = None, fields: Optional[Text] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, group_by: Optional[Literal["event"]] = None, state: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, cursor: Optional[Text] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[OddsRow]:
        """Odds, page by page. All tiers.

        Args:
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            at: RFC 3339: the answer as it was then (Pro back to 24 h, Sharp 7 days, Enterprise all that is kept),
                without last_seen_at and volume_24h (empty in CSV), not with include=depth; meta.as_of
            is_active: false only suspended rows, true only the others
            is_main_line: true only the books' main lines, false only the others
            is_stale_pregame_price: true only prices of games in play that have not moved since the start, false
                all others
            team: teams, comma-separated: id, alias or whole words of the name
            date: YYYY-MM-DD: day of the start in the league's home time zone
            q: words in the names of teams, league or sport; beginnings of words are enough
            sort: time (the start), odds, probability, timestamp (last seen), sportsbook, league, sport, or a field
                of that meaning; with - in front descending
            fields: names of the fields to include, comma-separated; in /odds `opening` and `depth` mean include
            min_odds: lowest price, American
            max_odds: highest price, American
            include: opening: adds the first price of each row, in streams of each row of a snapshot (from Pro);
                depth: adds the ladder of rows that have one, in streams also to changes, and sends changes of it
            group_by: event: groups the rows of the page by event
            state: US state code for deep links
            limit: rows per page, 1 to 500; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            cursor: next_cursor of the previous page; goes before offset
            format: csv: the rows as a table with a heading, ndjson: a line of JSON a row; total and next_cursor
                are HTTP headers then

        >>> client.odds.get(league="nba", market="main", limit=3)[0].odds_american
        """
        return self._calls._list(OddsRow, Call("GET", path_of("/odds", {"sportsbook": sportsbook, "sport": sport, "league": league, "market": market, "event": event, "live": live, "at": at, "is_active": is_active, "is_main_line": is_main_line, "is_stale_pregame_price": is_stale_pregame_price, "team": team, "date": date, "q": q, "sort": sort, "fields": fields, "min_odds": min_odds, "max_odds": max_odds, "include": include, "group_by": group_by, "state": state, "limit": limit, "offset": offset, "cursor": cursor, "format": format, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[OddsRow]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.odds.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, True)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.odds.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/odds", {"format": "csv", **filters})))

    def best(self, *, sportsbook: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, at: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, team: Optional[Text] = None, date: Optional[Text] = None, q: Optional[Text] = None, sort: Optional[Text] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, state: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[BestOdds]:
        """The best fresh price of every selection. All tiers.

        Args:
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            at: RFC 3339: the answer as it was then (Pro back to 24 h, Sharp 7 days, Enterprise all that is kept),
                without last_seen_at and volume_24h (empty in CSV), not with include=depth; meta.as_of
            is_main_line: true only the books' main lines, false only the others
            is_stale_pregame_price: true only prices of games in play that have not moved since the start, false
                all others
            team: teams, comma-separated: id, alias or whole words of the name
            date: YYYY-MM-DD: day of the start in the league's home time zone
            q: words in the names of teams, league or sport; beginnings of words are enough
            sort: time (the start), odds, probability, timestamp (last seen), sportsbook, league, sport, or a field
                of that meaning; with - in front descending
            min_odds: lowest best price, American
            max_odds: highest best price, American
            state: US state code for deep links
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading, without the other books; ndjson: a line of JSON a row; the total
                is an HTTP header then

        >>> client.odds.best(league="nba", market="moneyline")[0].best_book
        """
        return self._calls._list(BestOdds, Call("GET", path_of("/odds/best", {"sportsbook": sportsbook, "sport": sport, "league": league, "market": market, "event": event, "live": live, "at": at, "is_main_line": is_main_line, "is_stale_pregame_price": is_stale_pregame_price, "team": team, "date": date, "q": q, "sort": sort, "min_odds": min_odds, "max_odds": max_odds, "state": state, "limit": limit, "offset": offset, "format": format, **more})))

    def iter_best(self, **filters: Any) -> Iterator[BestOdds]:
        """Every row of all pages of `best`, which has the filters.

        >>> for row in client.odds.iter_best(): print(row)
        """
        return self._calls._pages(self.best, {**filters}, False)

    def best_csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `best` has the filters.

        >>> print(client.odds.best_csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/odds/best", {"format": "csv", **filters})))

    def comparison(self, event_id: Text, *, at: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, state: Optional[Text] = None, **more: Any) -> Comparison:
        """All books' prices of one event side by side. All tiers.

        Args:
            at: RFC 3339: the answer as it was then (Pro back to 24 h, Sharp 7 days, Enterprise all that is kept),
                without last_seen_at and volume_24h (empty in CSV), not with include=depth; meta.as_of
            event_id: event id
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            state: US state code for deep links

        >>> client.odds.comparison("nba_lakers_celtics_2026-11-20").markets[0].hold.best_available
        """
        return self._calls._one(Comparison, Call("GET", path_of("/odds/comparison", {"at": at, "event": event_id, "market": market, "sportsbook": sportsbook, "state": state, **more})))

    def delta(self, since: Text, *, sportsbook: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, is_active: Optional[bool] = None, team: Optional[Text] = None, date: Optional[Text] = None, q: Optional[Text] = None, sort: Optional[Text] = None, fields: Optional[Text] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, state: Optional[Text] = None, limit: Optional[int] = None, offset: Optional[int] = None, **more: Any) -> Rows[OddsRow]:
        """Odds that changed since a time, and ids of removed rows. All tiers.

        Args:
            since: server_time of the previous answer (or of /odds); RFC 3339. The answer has strictly later
                changes
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: false: games that have not begun (once they begin their rows are in removed), true: games in
                play. Follow each by itself, from /odds with the same live
            is_active: false only suspended rows, true only the others
            team: teams, comma-separated: id, alias or whole words of the name
            date: YYYY-MM-DD: day of the start in the league's home time zone
            q: words in the names of teams, league or sport; beginnings of words are enough
            sort: as in /odds; server_time stays where it was until the last page then: ask for the next page by
                offset, not by since
            fields: names of the fields to include, comma-separated; in /odds `opening` and `depth` mean include
            min_odds: lowest price, American
            max_odds: highest price, American
            state: US state code for deep links
            limit: rows per page, 1 to 200
            offset: rows to skip

        >>> client.odds.delta(since).removed
        """
        return self._calls._list(OddsRow, Call("GET", path_of("/odds/delta", {"since": since, "sportsbook": sportsbook, "sport": sport, "league": league, "market": market, "event": event, "live": live, "is_active": is_active, "team": team, "date": date, "q": q, "sort": sort, "fields": fields, "min_odds": min_odds, "max_odds": max_odds, "state": state, "limit": limit, "offset": offset, **more})))

    def iter_delta(self, since: Text, **filters: Any) -> Iterator[OddsRow]:
        """Every row of all pages of `delta`, which has the filters.

        >>> for row in client.odds.iter_delta(since): print(row)
        """
        return self._calls._pages(self.delta, {"since": since, **filters}, False)

    def batch(self, event_ids: Sequence[str], *, sportsbook: Optional[str] = None, market: Optional[str] = None, state: Optional[str] = None, **more: Any) -> Batch:
        """Odds of many events at once. All tiers.

        Args:
            event_ids: event ids, at most as many as the tier allows (10, 10, 50, 50, 100)
            sportsbook: sportsbook id; default all of the tier
            market: market type; default all
            state: US state code for deep links

        >>> client.odds.batch(["nba_lakers_celtics_2026-11-20"]).events[0].odds
        """
        return self._calls._one(Batch, json_call("POST", "/odds/batch", given({"event_ids": event_ids, "sportsbook": sportsbook, "market": market, "state": state, **more}), True))

    def executable(self, odds_id: Text, stake: float, **more: Any) -> Executable:
        """What a stake on one price would be filled at. All tiers.

        Args:
            odds_id: id of a row
            stake: in the row's currency; of a lay the backers'

        >>> client.odds.executable("4611686018427387904", 250).odds_decimal_average
        """
        return self._calls._one(Executable, Call("GET", path_of("/odds/executable", {"odds_id": odds_id, "stake": stake, **more})))

    def opening(self, event_id: str, *, sportsbook: Optional[Text] = None, **more: Any) -> EventLines:
        """The same as `client.opening.get`.

        >>> client.odds.opening("nba_lakers_celtics_2026-11-20")
        """
        return OpeningResource(self._calls).get(event_id, sportsbook=sportsbook, **more)

    def closing(self, event_id: str, *, sportsbook: Optional[Text] = None, **more: Any) -> EventLines:
        """The same as `client.closing.get`.

        >>> client.odds.closing("nba_lakers_celtics_2026-11-20")
        """
        return ClosingResource(self._calls).get(event_id, sportsbook=sportsbook, **more)

    __call__ = get


class EvResource(Resource):
    """`GET /opportunities/ev`."""

    def get(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, state: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, stake: Optional[float] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, at: Optional[Text] = None, team: Optional[Text] = None, max_odds_age: Optional[float] = None, date_range: Optional[Literal["today", "tomorrow", "week"]] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, min_ev: Optional[float] = None, max_ev: Optional[float] = None, min_market_width: Optional[float] = None, max_market_width: Optional[float] = None, sort: Optional[Literal["ev", "-ev", "profit", "-profit", "confidence", "-confidence", "quality", "-quality", "kelly", "-kelly", "book_count", "-book_count", "start_time", "-start_time", "time", "-time", "event_start_time", "-event_start_time", "sport", "-sport", "league", "-league", "market", "-market", "odds", "-odds", "odds_decimal", "-odds_decimal", "odds_american", "-odds_american", "odds_probability", "-odds_probability", "probability", "-probability", "last_seen_at", "-last_seen_at", "timestamp", "-timestamp"]] = None, devig: Optional[Literal["power", "multiplicative", "additive", "shin", "odds_ratio", "probit", "worst_case"]] = None, devig_book: Optional[Text] = None, bankroll: Optional[float] = None, kelly: Optional[float] = None, max_event: Optional[float] = None, max_book: Optional[float] = None, **more: Any) -> Rows[EvOpportunity]:
        """Prices better than fair. Tier pro or higher.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated: prices of these alone, and the same fair prices as without
                it; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            state: US state code for deep links
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            stake: a total stake in `currency`: prices, profit and stakes are those of taking the levels of the
                ladders for it, and max_stake is the greatest at which the threshold holds; a profit is null
                (STAKE_TOO_LARGE) where it cannot be had
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json
            at: RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the
                one that the recording stands at (seek it first); meta.as_of
            team: teams, comma-separated: id, alias or whole words of the name
            max_odds_age: maximum age of the oldest price, seconds
            date_range: day of the start in the league's home time zone; week: today and the six days after
            min_odds: of all legs, American
            max_odds: of all legs, American
            min_ev: lowest EV; may be negative, percent
            max_ev: highest EV, percent
            min_market_width: narrowest market (hold of the reference), percent
            max_market_width: widest market (hold of the reference), percent
            sort: default -ev, highest first; odds, probability: the longest; timestamp: the stalest; - descending
            devig: how the margin is taken out of the reference; default power
            devig_book: book or own model: the fair price is its own; default the sharp book, else the consensus
            bankroll: in `currency`, the stakes of your open bets (/account/bets) included: proposes a stake for
                each of all matches together, as proposed_stake, beside those bets; at most 2 % of it on a price with a
                confidence_score below 80
            kelly: with bankroll: share of the full Kelly stakes; default 0.25
            max_event: with bankroll: most at stake on one event, open bets included, percent of it; default 5
            max_book: with bankroll: most at stake at one sportsbook, open bets included, percent of it; default 50

        >>> client.ev.get(min_ev=3, sport="basketball")[0].ev_percentage
        """
        return self._calls._list(EvOpportunity, Call("GET", path_of("/opportunities/ev", {"sport": sport, "league": league, "sportsbook": sportsbook, "market": market, "event": event, "live": live, "state": state, "limit": limit, "offset": offset, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "stake": stake, "format": format, "at": at, "team": team, "max_odds_age": max_odds_age, "date_range": date_range, "min_odds": min_odds, "max_odds": max_odds, "min_ev": min_ev, "max_ev": max_ev, "min_market_width": min_market_width, "max_market_width": max_market_width, "sort": sort, "devig": devig, "devig_book": devig_book, "bankroll": bankroll, "kelly": kelly, "max_event": max_event, "max_book": max_book, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[EvOpportunity]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.ev.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.ev.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/opportunities/ev", {"format": "csv", **filters})))

    __call__ = get


class ArbitrageResource(Resource):
    """`GET /opportunities/arbitrage`."""

    def get(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, state: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, stake: Optional[float] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, at: Optional[Text] = None, team: Optional[Text] = None, max_odds_age: Optional[float] = None, date_range: Optional[Literal["today", "tomorrow", "week"]] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, min_profit: Optional[float] = None, group: Optional[Literal["best"]] = None, sort: Optional[Literal["profit", "-profit", "ev", "-ev", "start_time", "-start_time", "time", "-time", "event_start_time", "-event_start_time", "sport", "-sport", "league", "-league", "market", "-market", "odds", "-odds", "odds_decimal", "-odds_decimal", "odds_american", "-odds_american", "odds_probability", "-odds_probability", "probability", "-probability", "last_seen_at", "-last_seen_at", "timestamp", "-timestamp"]] = None, include_suspicious: Optional[bool] = None, **more: Any) -> Rows[ArbitrageOpportunity]:
        """Arbitrages: bets at different books that together win on every result. Tier hobby or higher.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated: opportunities among these alone; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            state: US state code for deep links
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            stake: a total stake in `currency`: prices, profit and stakes are those of taking the levels of the
                ladders for it, and max_stake is the greatest at which the threshold holds; a profit is null
                (STAKE_TOO_LARGE) where it cannot be had
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json
            at: RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the
                one that the recording stands at (seek it first); meta.as_of
            team: teams, comma-separated: id, alias or whole words of the name
            max_odds_age: maximum age of the oldest price, seconds
            date_range: day of the start in the league's home time zone; week: today and the six days after
            min_odds: of all legs, American
            max_odds: of all legs, American
            min_profit: lowest profit, percent
            group: best: only the best of each event
            sort: default profit, highest first with - and without; odds, probability: the longest; timestamp: the
                stalest; - descending
            include_suspicious: true: also profits above 10 %, which are rarely real

        >>> client.arbitrage.get(min_profit=1)[0].legs[0].stake_percent
        """
        return self._calls._list(ArbitrageOpportunity, Call("GET", path_of("/opportunities/arbitrage", {"sport": sport, "league": league, "sportsbook": sportsbook, "market": market, "event": event, "live": live, "state": state, "limit": limit, "offset": offset, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "stake": stake, "format": format, "at": at, "team": team, "max_odds_age": max_odds_age, "date_range": date_range, "min_odds": min_odds, "max_odds": max_odds, "min_profit": min_profit, "group": group, "sort": sort, "include_suspicious": include_suspicious, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[ArbitrageOpportunity]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.arbitrage.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.arbitrage.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/opportunities/arbitrage", {"format": "csv", **filters})))

    __call__ = get


class MiddlesResource(Resource):
    """`GET /opportunities/middles`, `GET /opportunities/middles/{id}`, `GET /opportunities/middles/summary`."""

    def get(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, state: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, stake: Optional[float] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, at: Optional[Text] = None, team: Optional[Text] = None, max_odds_age: Optional[float] = None, date_range: Optional[Literal["today", "tomorrow", "week"]] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, min_ev: Optional[float] = None, min_size: Optional[float] = None, sort: Optional[Literal["quality", "-quality", "ev", "-ev", "profit", "-profit", "middle_size", "-middle_size", "start_time", "-start_time", "time", "-time", "event_start_time", "-event_start_time", "sport", "-sport", "league", "-league", "market", "-market", "odds", "-odds", "odds_decimal", "-odds_decimal", "odds_american", "-odds_american", "odds_probability", "-odds_probability", "probability", "-probability", "last_seen_at", "-last_seen_at", "timestamp", "-timestamp"]] = None, **more: Any) -> Rows[MiddleOpportunity]:
        """Middles: two lines with results between them at which both bets win. Tier pro or higher.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated: opportunities among these alone; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            state: US state code for deep links
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            stake: a total stake in `currency`: prices, profit and stakes are those of taking the levels of the
                ladders for it, and max_stake is the greatest at which the threshold holds; a profit is null
                (STAKE_TOO_LARGE) where it cannot be had
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json
            at: RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the
                one that the recording stands at (seek it first); meta.as_of
            team: teams, comma-separated: id, alias or whole words of the name
            max_odds_age: maximum age of the oldest price, seconds
            date_range: day of the start in the league's home time zone; week: today and the six days after
            min_odds: of all legs, American
            max_odds: of all legs, American
            min_ev: lowest expected value, percent
            min_size: smallest distance between the lines, points
            sort: default quality; it, ev, probability (of the middle) and middle_size highest first; odds,
                probability: the longest; timestamp: the stalest; - descending

        >>> client.middles.get(min_size=3)[0].middle_numbers
        """
        return self._calls._list(MiddleOpportunity, Call("GET", path_of("/opportunities/middles", {"sport": sport, "league": league, "sportsbook": sportsbook, "market": market, "event": event, "live": live, "state": state, "limit": limit, "offset": offset, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "stake": stake, "format": format, "at": at, "team": team, "max_odds_age": max_odds_age, "date_range": date_range, "min_odds": min_odds, "max_odds": max_odds, "min_ev": min_ev, "min_size": min_size, "sort": sort, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[MiddleOpportunity]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.middles.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.middles.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/opportunities/middles", {"format": "csv", **filters})))

    def one(self, id: Text, *, sportsbook: Optional[Text] = None, min_ev: Optional[float] = None, min_size: Optional[float] = None, state: Optional[Text] = None, currency: Optional[Text] = None, stake: Optional[float] = None, at: Optional[Text] = None, **more: Any) -> MiddleOpportunity:
        """One active middle of the caller's books. Tier pro or higher.

        Args:
            sportsbook: sportsbook ids, comma-separated: opportunities among these alone; default all of the tier
            min_ev: lowest expected value, percent
            min_size: smallest distance between the lines, points
            state: US state code for deep links
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            stake: a total stake in `currency`: prices, profit and stakes are those of taking the levels of the
                ladders for it, and max_stake is the greatest at which the threshold holds; a profit is null
                (STAKE_TOO_LARGE) where it cannot be had
            at: RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the
                one that the recording stands at (seek it first); meta.as_of

        >>> client.middles.one("0f3a5c7e9b1d2468").expected_value
        """
        return self._calls._one(MiddleOpportunity, Call("GET", path_of(f"/opportunities/middles/{segment(id)}", {"sportsbook": sportsbook, "min_ev": min_ev, "min_size": min_size, "state": state, "currency": currency, "stake": stake, "at": at, **more})))

    def summary(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, at: Optional[Text] = None, team: Optional[Text] = None, max_odds_age: Optional[float] = None, date_range: Optional[Literal["today", "tomorrow", "week"]] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, min_ev: Optional[float] = None, min_size: Optional[float] = None, **more: Any) -> MiddlesSummary:
        """Counts of the matching middles. Tier pro or higher.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated: opportunities among these alone; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            at: RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the
                one that the recording stands at (seek it first); meta.as_of
            team: teams, comma-separated: id, alias or whole words of the name
            max_odds_age: maximum age of the oldest price, seconds
            date_range: day of the start in the league's home time zone; week: today and the six days after
            min_odds: of all legs, American
            max_odds: of all legs, American
            min_ev: lowest expected value, percent
            min_size: smallest distance between the lines, points

        >>> client.middles.summary().positive_ev_count
        """
        return self._calls._one(MiddlesSummary, Call("GET", path_of("/opportunities/middles/summary", {"sport": sport, "league": league, "sportsbook": sportsbook, "market": market, "event": event, "live": live, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "at": at, "team": team, "max_odds_age": max_odds_age, "date_range": date_range, "min_odds": min_odds, "max_odds": max_odds, "min_ev": min_ev, "min_size": min_size, **more})))

    __call__ = get


class LowHoldResource(Resource):
    """`GET /opportunities/low_hold`."""

    def get(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, state: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, stake: Optional[float] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, at: Optional[Text] = None, team: Optional[Text] = None, max_odds_age: Optional[float] = None, date_range: Optional[Literal["today", "tomorrow", "week"]] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, max_hold: Optional[float] = None, sort: Optional[Literal["hold", "-hold", "confidence", "-confidence", "quality", "-quality", "start_time", "-start_time", "time", "-time", "event_start_time", "-event_start_time", "sport", "-sport", "league", "-league", "market", "-market", "odds", "-odds", "odds_decimal", "-odds_decimal", "odds_american", "-odds_american", "odds_probability", "-odds_probability", "probability", "-probability", "last_seen_at", "-last_seen_at", "timestamp", "-timestamp"]] = None, **more: Any) -> Rows[LowHoldOpportunity]:
        """Markets whose best prices have almost no margin. Tier pro or higher. The feature low_hold.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated: opportunities among these alone; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            state: US state code for deep links
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            stake: a total stake in `currency`: prices, profit and stakes are those of taking the levels of the
                ladders for it, and max_stake is the greatest at which the threshold holds; a profit is null
                (STAKE_TOO_LARGE) where it cannot be had
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json
            at: RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the
                one that the recording stands at (seek it first); meta.as_of
            team: teams, comma-separated: id, alias or whole words of the name
            max_odds_age: maximum age of the oldest price, seconds
            date_range: day of the start in the league's home time zone; week: today and the six days after
            min_odds: of all legs, American
            max_odds: of all legs, American
            max_hold: highest hold, percent
            sort: default hold, lowest first; odds, probability: the longest; timestamp: the stalest; - descending

        >>> client.low_hold.get(max_hold=2)[0].hold_percentage
        """
        return self._calls._list(LowHoldOpportunity, Call("GET", path_of("/opportunities/low_hold", {"sport": sport, "league": league, "sportsbook": sportsbook, "market": market, "event": event, "live": live, "state": state, "limit": limit, "offset": offset, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "stake": stake, "format": format, "at": at, "team": team, "max_odds_age": max_odds_age, "date_range": date_range, "min_odds": min_odds, "max_odds": max_odds, "max_hold": max_hold, "sort": sort, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[LowHoldOpportunity]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.low_hold.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.low_hold.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/opportunities/low_hold", {"format": "csv", **filters})))

    __call__ = get


class EventsResource(Resource):
    """`GET /events`, `GET /events/{eventId}`, `GET /events/{eventId}/markets`, `GET /events/{eventId}/odds`."""

    def list(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, live: Optional[bool] = None, has_score: Optional[bool] = None, date: Optional[Text] = None, team: Optional[Text] = None, q: Optional[Text] = None, sort: Optional[Literal["start_time", "-start_time", "time", "-time", "event_start_time", "-event_start_time", "sport", "-sport", "league", "-league"]] = None, limit: Optional[Union[int, Literal["all"]]] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, offset: Optional[int] = None, **more: Any) -> Rows[Event]:
        """Events with odds, by start. All tiers.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            live: true: live only, false: prematch only
            has_score: true only events with a score, false only those without
            date: YYYY-MM-DD: day of the start in the league's home time zone
            team: teams, comma-separated: id, alias or whole words of the name
            q: words in the names of teams, league or sport; beginnings of words are enough
            sort: default time (the start); a leading - means descending
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json
            offset: rows to skip

        >>> client.events.list(league="nba", live=True)[0].event_name
        """
        return self._calls._list(Event, Call("GET", path_of("/events", {"sport": sport, "league": league, "sportsbook": sportsbook, "live": live, "has_score": has_score, "date": date, "team": team, "q": q, "sort": sort, "limit": limit, "format": format, "offset": offset, **more})))

    def iter(self, **filters: Any) -> Iterator[Event]:
        """Every row of all pages of `list`, which has the filters.

        >>> for row in client.events.iter(): print(row)
        """
        return self._calls._pages(self.list, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `list` has the filters.

        >>> print(client.events.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/events", {"format": "csv", **filters})))

    def get(self, event_id: Text, *, sportsbook: Optional[Text] = None, **more: Any) -> EventDetail:
        """One event with its books and market types. All tiers.

        Args:
            sportsbook: sportsbook ids, comma-separated; default all of the tier

        >>> client.events.get("nba_lakers_celtics_2026-11-20").books
        """
        return self._calls._one(EventDetail, Call("GET", path_of(f"/events/{segment(event_id)}", {"sportsbook": sportsbook, **more})))

    def markets(self, event_id: Text, *, sportsbook: Optional[Text] = None, market: Optional[Text] = None, **more: Any) -> Rows[EventMarket]:
        """One event's market types with their selections. All tiers.

        Args:
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated

        >>> client.events.markets("nba_lakers_celtics_2026-11-20")[0].market_type
        """
        return self._calls._list(EventMarket, Call("GET", path_of(f"/events/{segment(event_id)}/markets", {"sportsbook": sportsbook, "market": market, **more})))

    def odds(self, event_id: Text, *, at: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, state: Optional[Text] = None, is_active: Optional[bool] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[EventOdds]:
        """Odds of one event. All tiers.

        Args:
            at: RFC 3339: the answer as it was then (Pro back to 24 h, Sharp 7 days, Enterprise all that is kept),
                without last_seen_at and volume_24h (empty in CSV), not with include=depth; meta.as_of
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            state: US state code for deep links
            is_active: false only suspended rows, true only the others
            include: opening: adds the first price of each row, in streams of each row of a snapshot (from Pro);
                depth: adds the ladder of rows that have one, in streams also to changes, and sends changes of it
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.events.odds("nba_lakers_celtics_2026-11-20")[0].odds.american
        """
        return self._calls._list(EventOdds, Call("GET", path_of(f"/events/{segment(event_id)}/odds", {"at": at, "sportsbook": sportsbook, "market": market, "state": state, "is_active": is_active, "include": include, "limit": limit, "offset": offset, "format": format, **more})))

    def iter_odds(self, event_id: Text, **filters: Any) -> Iterator[EventOdds]:
        """Every row of all pages of `odds`, which has the filters.

        >>> for row in client.events.iter_odds(event_id): print(row)
        """
        return self._calls._pages(self.odds, {"event_id": event_id, **filters}, False)

    def odds_csv(self, event_id: Text, **filters: Any) -> str:
        """The same as a table (RFC 4180); `odds` has the filters.

        >>> print(client.events.odds_csv(event_id, limit=3))
        """
        return self._calls._table(Call("GET", path_of(f"/events/{segment(event_id)}/odds", {"format": "csv", **filters})))

    __call__ = list


class SportsResource(Resource):
    """`GET /sports`, `GET /sports/{sportId}`."""

    def list(self, *, include_empty: Optional[bool] = None, **more: Any) -> Rows[Sport]:
        """Sports with events. A key gives the tier's limit; without one an address has 10 requests a minute.

        Args:
            include_empty: true also lists those without events

        >>> client.sports.list()[0].event_count
        """
        return self._calls._list(Sport, Call("GET", path_of("/sports", {"include_empty": include_empty, **more})))

    def get(self, sport_id: Text, **more: Any) -> Sport:
        """One sport. All tiers.

        >>> client.sports.get("basketball").leagues
        """
        return self._calls._one(Sport, Call("GET", path_of(f"/sports/{segment(sport_id)}", more)))

    __call__ = list


class LeaguesResource(Resource):
    """`GET /leagues`, `GET /leagues/{leagueId}`."""

    def list(self, *, sport: Optional[Text] = None, include_empty: Optional[bool] = None, **more: Any) -> Rows[League]:
        """Leagues with events. A key gives the tier's limit; without one an address has 10 requests a minute.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            include_empty: true also lists those without events

        >>> client.leagues.list(sport="basketball")[0].name
        """
        return self._calls._list(League, Call("GET", path_of("/leagues", {"sport": sport, "include_empty": include_empty, **more})))

    def get(self, league_id: Text, **more: Any) -> League:
        """One league. All tiers.

        >>> client.leagues.get("nba").live_count
        """
        return self._calls._one(League, Call("GET", path_of(f"/leagues/{segment(league_id)}", more)))

    __call__ = list


class SportsbooksResource(Resource):
    """`GET /sportsbooks`, `GET /sportsbooks/{bookId}`."""

    def list(self, *, region: Optional[Literal["US", "UK", "EU", "AU", "GLOBAL"]] = None, sharp: Optional[bool] = None, catalog: Optional[bool] = None, include_unlisted: Optional[bool] = None, include_inactive: Optional[bool] = None, **more: Any) -> Rows[Sportsbook]:
        """Sportsbooks with events. A key gives the tier's limit; without one an address has 10 requests a minute.

        Args:
            region: only books that accept bets there
            sharp: true only sharp books, false only the others; default both
            catalog: true lists the whole catalogue, with or without odds
            include_unlisted: true also lists books that the catalogue does not have
            include_inactive: true also lists books without events

        >>> client.sportsbooks.list(sharp=True)[0].id
        """
        return self._calls._list(Sportsbook, Call("GET", path_of("/sportsbooks", {"region": region, "sharp": sharp, "catalog": catalog, "include_unlisted": include_unlisted, "include_inactive": include_inactive, **more})))

    def get(self, book_id: Text, **more: Any) -> Sportsbook:
        """One sportsbook. All tiers.

        >>> client.sportsbooks.get("pinnacle").commission
        """
        return self._calls._one(Sportsbook, Call("GET", path_of(f"/sportsbooks/{segment(book_id)}", more)))

    __call__ = list


class MarketsResource(Resource):
    """`GET /markets`."""

    def list(self, **more: Any) -> Rows[MarketType]:
        """Market types. A key gives the tier's limit; without one an address has 10 requests a minute.

        >>> client.markets.list()[0].examples
        """
        return self._calls._list(MarketType, Call("GET", path_of("/markets", more)))

    __call__ = list


class TeamsResource(Resource):
    """`GET /teams`."""

    def list(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, q: Optional[Text] = None, **more: Any) -> Rows[Team]:
        """Teams and their names. All tiers.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            q: words that the name, the id or an alias must have; beginnings of words are enough

        >>> client.teams.list(league="nba")[0].aliases
        """
        return self._calls._list(Team, Call("GET", path_of("/teams", {"sport": sport, "league": league, "q": q, **more})))

    __call__ = list


class TiersResource(Resource):
    """`GET /tiers`."""

    def list(self, **more: Any) -> Rows[TierRights]:
        """What each tier may see. A key gives the tier's limit; without one an address has 10 requests a minute.

        >>> client.tiers.list()[0].requests_per_minute
        """
        return self._calls._list(TierRights, Call("GET", path_of("/tiers", more)))

    __call__ = list


class WarningsResource(Resource):
    """`GET /warnings`."""

    def list(self, **more: Any) -> Rows[WarningMeaning]:
        """What the warnings of opportunities mean. A key gives the tier's limit; without one an address has 10 requests a
        minute.

        >>> client.warnings.list()[0].description
        """
        return self._calls._list(WarningMeaning, Call("GET", path_of("/warnings", more)))

    __call__ = list


class FuturesResource(Resource):
    """`GET /futures`, `GET /futures/odds`."""

    def list(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, future_type: Optional[Literal["TEAM", "PLAYER", "OVER_UNDER", "YES_NO"]] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[Future]:
        """Futures markets: champions, awards, season totals. All tiers.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            future_type: only of this type
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.futures.list(league="nba")[0].market_id
        """
        return self._calls._list(Future, Call("GET", path_of("/futures", {"sport": sport, "league": league, "sportsbook": sportsbook, "future_type": future_type, "limit": limit, "offset": offset, "format": format, **more})))

    get = list

    def iter(self, **filters: Any) -> Iterator[Future]:
        """Every row of all pages of `list`, which has the filters.

        >>> for row in client.futures.iter(): print(row)
        """
        return self._calls._pages(self.list, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `list` has the filters.

        >>> print(client.futures.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/futures", {"format": "csv", **filters})))

    def odds(self, future_id: Text, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[FutureOdds]:
        """All prices of one futures market. All tiers.

        Args:
            future_id: market_id of GET /futures
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.futures.odds("nba_championship_winner")[0].odds_american
        """
        return self._calls._list(FutureOdds, Call("GET", path_of("/futures/odds", {"future_id": future_id, "sport": sport, "league": league, "sportsbook": sportsbook, "limit": limit, "offset": offset, "format": format, **more})))

    def iter_odds(self, future_id: Text, **filters: Any) -> Iterator[FutureOdds]:
        """Every row of all pages of `odds`, which has the filters.

        >>> for row in client.futures.iter_odds(future_id): print(row)
        """
        return self._calls._pages(self.odds, {"future_id": future_id, **filters}, False)

    def odds_csv(self, future_id: Text, **filters: Any) -> str:
        """The same as a table (RFC 4180); `odds` has the filters.

        >>> print(client.futures.odds_csv(future_id, limit=3))
        """
        return self._calls._table(Call("GET", path_of("/futures/odds", {"future_id": future_id, "format": "csv", **filters})))

    __call__ = list


class SplitsResource(Resource):
    """`GET /splits`, `GET /splits/history`."""

    def get(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, event: Optional[Text] = None, market: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[SplitsGame]:
        """Shares of money and tickets, by event and source. All tiers.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sources of splits, comma-separated: draftkings, circa
            event: event ids, comma-separated
            market: only events with splits for one of these
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.splits.get(league="nba")[0].moneyline.handle_pct.home
        """
        return self._calls._list(SplitsGame, Call("GET", path_of("/splits", {"sport": sport, "league": league, "sportsbook": sportsbook, "event": event, "market": market, "limit": limit, "offset": offset, "format": format, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[SplitsGame]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.splits.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.splits.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/splits", {"format": "csv", **filters})))

    def history(self, event_id: Text, *, sportsbook: Optional[Text] = None, start_time: Optional[Text] = None, end_time: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[SplitsHistoryEntry]:
        """One event's splits of the last 48 hours, every 5 minutes. All tiers.

        Args:
            event_id: event id
            sportsbook: sources of splits, comma-separated: draftkings, circa
            start_time: the earliest entry; RFC 3339 or Unix seconds
            end_time: the latest entry; RFC 3339 or Unix seconds
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.splits.history("nba_lakers_celtics_2026-11-20")[-1].ts
        """
        return self._calls._list(SplitsHistoryEntry, Call("GET", path_of("/splits/history", {"event_id": event_id, "sportsbook": sportsbook, "start_time": start_time, "end_time": end_time, "limit": limit, "offset": offset, "format": format, **more})))

    def iter_history(self, event_id: Text, **filters: Any) -> Iterator[SplitsHistoryEntry]:
        """Every row of all pages of `history`, which has the filters.

        >>> for row in client.splits.iter_history(event_id): print(row)
        """
        return self._calls._pages(self.history, {"event_id": event_id, **filters}, False)

    def history_csv(self, event_id: Text, **filters: Any) -> str:
        """The same as a table (RFC 4180); `history` has the filters.

        >>> print(client.splits.history_csv(event_id, limit=3))
        """
        return self._calls._table(Call("GET", path_of("/splits/history", {"event_id": event_id, "format": "csv", **filters})))

    __call__ = get


class AccountResource(Resource):
    """`GET /account`, `GET /account/usage`, `POST /account/tokens`, `GET /account/bankroll`, `PUT /account/bankroll`."""

    def me(self, **more: Any) -> Account:
        """The key, its rights and limits. All tiers.

        >>> client.account.me().limits.requests_per_minute
        """
        return self._calls._one(Account, Call("GET", path_of("/account", more)))

    get = me

    def usage(self, **more: Any) -> Usage:
        """Requests and streams used by the account. All tiers.

        >>> client.account.usage().requests.today
        """
        return self._calls._one(Usage, Call("GET", path_of("/account/usage", more)))

    def create_token(self, ttl_s: int, *, channels: Optional[Sequence[Literal["odds", "ev", "arbitrage", "middles", "low_hold", "moves", "gamestate", "results"]]] = None, filters: Optional[Mapping[str, Any]] = None, origin: Union[Optional[str], Unset] = UNSET, **more: Any) -> ViewerToken:
        """A short-lived token for web pages, which only reads and streams. All tiers.

        Args:
            ttl_s: seconds until it expires, at most a day
            channels: channels it may see; default all of the key's
            filters: filters that it cannot exceed, by sport, league, sportsbook, market, event, or their plurals
            origin: only pages of this origin may use it: it is refused without that Origin header

        >>> client.account.create_token(ttl_s=3600).token
        """
        return self._calls._one(ViewerToken, json_call("POST", "/account/tokens", given({"ttl_s": ttl_s, "channels": channels, "filters": filters, **more}, {"origin": origin}), False))

    def bankroll(self, **more: Any) -> Bankroll:
        """Deposits, cash, open stakes and profit of the bets of the account. Tier pro or higher.

        >>> client.account.bankroll().cash
        """
        return self._calls._one(Bankroll, Call("GET", path_of("/account/bankroll", more)))

    def set_bankroll(self, deposits: Optional[float], *, currency: Optional[str] = None, **more: Any) -> Bankroll:
        """State the deposits: a paper bet beyond the cash is rejected then. Tier pro or higher.

        Args:
            deposits: all of them together; null takes them back: no bet is beyond the cash then
            currency: ISO 4217; default as it is

        >>> client.account.set_bankroll(1000, currency="USD").cash
        """
        return self._calls._one(Bankroll, json_call("PUT", "/account/bankroll", given({"currency": currency, **more}, {"deposits": deposits}), True))

    __call__ = me


class KeysResource(Resource):
    """`GET /account/keys`, `POST /account/keys`, `DELETE /account/keys/{keyId}`, `POST /account/keys/{keyId}/rotate`."""

    def list(self, **more: Any) -> Rows[AccountKey]:
        """The account's keys. All tiers.

        >>> client.keys.list()[0].id_masked
        """
        return self._calls._list(AccountKey, Call("GET", path_of("/account/keys", more)))

    def create(self, name: str, **more: Any) -> NewKey:
        """A new key with the tier and rights of the one in use; it may not ingest. Ten at most. All tiers.

        Args:
            name: a name for the key

        >>> client.keys.create("my bot").key
        """
        return self._calls._one(NewKey, json_call("POST", "/account/keys", given({"name": name, **more}), False))

    def revoke(self, key_id: Text, **more: Any) -> None:
        """Revokes a key at once; not the one in use, nor one with more rights. All tiers.

        >>> client.keys.revoke("key_…")
        """
        self._calls._text(Call("DELETE", path_of(f"/account/keys/{segment(key_id)}", more), again=False))

    delete = revoke

    def rotate(self, key_id: Text, *, gracePeriodHours: Optional[float] = None, name: Optional[str] = None, **more: Any) -> RotatedKey:
        """Replaces an active key, which still works for a grace period: one's own or self-made, not one with more rights.
        All tiers.

        Args:
            gracePeriodHours: how long the old key still works; default 24, 0 ends it at once
            name: a name for the key

        >>> client.keys.rotate("key_…", gracePeriodHours=24).new_key
        """
        return self._calls._one(RotatedKey, json_call("POST", f"/account/keys/{segment(key_id)}/rotate", given({"gracePeriodHours": gracePeriodHours, "name": name, **more}), False))

    __call__ = list


class HistoryResource(Resource):
    """`GET /odds/history`."""

    def get(self, *, odds_id: Optional[Text] = None, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, selection: Optional[Text] = None, line: Optional[float] = None, from_: Optional[Text] = None, to: Optional[Text] = None, interval: Optional[Literal["1m", "5m", "1h"]] = None, include: Optional[Literal["removals"]] = None, limit: Optional[Union[int, Literal["all"]]] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, cursor: Optional[Text] = None, **more: Any) -> Rows[HistoryRow]:
        """Price history: every change, or candles. Tier pro or higher.

        Args:
            odds_id: id of one row, which every other filter must match as well
            event: event ids, comma-separated; one alone needs no from
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            selection: name or type of a selection
            line: only the time in which the row was at this line
            from_: changes from then on; needed without odds_id or one event: then of all games; RFC 3339, or a day
                in UTC, all of which is meant
            to: changes up to then; default now; RFC 3339, or a day in UTC, all of which is meant
            interval: candles of this length instead of every change
            include: removals: each time at which the book took a row down, counted as a point; not with line,
                interval or format=csv
            limit: points per page, over all rows, 1 to 10000; all: every point of a row or an event in one answer,
                with format=ndjson or csv, which counts as a request for each 200 begun
            format: csv: a table with a heading, a line a point; ndjson: a line of JSON a row; default json
            cursor: next_cursor of the previous page

        >>> client.history.get(event="nba_lakers_celtics_2026-11-20", market="moneyline", interval="5m")[0].points
        """
        return self._calls._list(HistoryRow, Call("GET", path_of("/odds/history", {"odds_id": odds_id, "event": event, "sport": sport, "league": league, "market": market, "sportsbook": sportsbook, "selection": selection, "line": line, "from": from_, "to": to, "interval": interval, "include": include, "limit": limit, "format": format, "cursor": cursor, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[HistoryRow]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.history.iter(event="nba_lakers_celtics_2026-11-20"): print(row)
        """
        return self._calls._pages(self.get, {**filters}, True)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.history.csv(event="nba_lakers_celtics_2026-11-20", limit=3))
        """
        return self._calls._table(Call("GET", path_of("/odds/history", {"format": "csv", **filters})))

    __call__ = get


class OpeningResource(Resource):
    """`GET /odds/opening`."""

    def get(self, event_id: Text, *, sportsbook: Optional[Text] = None, **more: Any) -> EventLines:
        """An event's opening prices, by sportsbook. Tier pro or higher.

        Args:
            event_id: event id
            sportsbook: sportsbook ids, comma-separated; default all of the tier

        >>> client.opening.get("nba_lakers_celtics_2026-11-20").books["pinnacle"][0].odds_american
        """
        return self._calls._one(EventLines, Call("GET", path_of("/odds/opening", {"event_id": event_id, "sportsbook": sportsbook, **more})))

    __call__ = get


class ClosingResource(Resource):
    """`GET /odds/closing`, `GET /historical/odds/closing`."""

    def get(self, event_id: Text, *, sportsbook: Optional[Text] = None, **more: Any) -> EventLines:
        """An event's closing prices, by sportsbook. Tier pro or higher.

        Args:
            event_id: event id
            sportsbook: sportsbook ids, comma-separated; default all of the tier

        >>> client.closing.get("nba_lakers_celtics_2026-11-20").books["pinnacle"][0].odds_american
        """
        return self._calls._one(EventLines, Call("GET", path_of("/odds/closing", {"event_id": event_id, "sportsbook": sportsbook, **more})))

    def day(self, date: Text, sport: Text, league: Text, *, sportsbook: Optional[Text] = None, devig: Optional[Literal["power", "multiplicative", "additive", "shin", "odds_ratio", "probit", "worst_case"]] = None, **more: Any) -> ClosingDay:
        """Closing prices of a league's games of a day, with probabilities without margin. Tier sharp or higher.

        Args:
            date: UTC day of the start: YYYY-MM-DD
            sport: sport id
            league: league id
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            devig: how the margin is taken out of each book

        >>> client.closing.day("2026-11-20", "basketball", "nba").events[0].books[0].lines[0].no_vig_probability
        """
        return self._calls._one(ClosingDay, Call("GET", path_of("/historical/odds/closing", {"date": date, "sport": sport, "league": league, "sportsbook": sportsbook, "devig": devig, **more})))

    __call__ = get


class ClvResource(Resource):
    """`GET /historical/clv`, `GET /historical/predictions`, `POST /clv`."""

    def get(self, *, group_by: Optional[Literal["sportsbook", "sport", "league", "market", "day", "devig_book", "edge"]] = None, from_: Optional[Text] = None, to: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, against: Optional[Text] = None, devig_book: Optional[Text] = None, **more: Any) -> Clv:
        """Whether the close confirmed the prices that were detected above fair. Tier enterprise or higher.

        Args:
            group_by: grouping; day is that of the detection in UTC, edge a range of edges
            from_: detected from then on; RFC 3339, or a day in UTC, all of which is meant
            to: detected up to then; RFC 3339, or a day in UTC, all of which is meant
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            against: the book, or the model of your own, whose closing prices are the fair ones; default the sharp
                book’s, else the consensus
            devig_book: books behind the fair price at the close, comma-separated; consensus is one of them

        >>> client.clv.get(group_by="sportsbook").groups[0].avg_clv_percent
        """
        return self._calls._one(Clv, Call("GET", path_of("/historical/clv", {"group_by": group_by, "from": from_, "to": to, "sport": sport, "league": league, "sportsbook": sportsbook, "against": against, "devig_book": devig_book, **more})))

    def predictions(self, event: Text, *, market: Optional[Text] = None, id: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[Prediction]:
        """Prices above fair that were detected in events: as they were, as they closed, how they ended. Tier enterprise
        or higher.

        Args:
            event: event ids, comma-separated, at most 50
            market: market types, comma-separated
            id: ids of opportunities, comma-separated
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            limit: rows per page, 1 to 1000; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.clv.predictions("nba_lakers_celtics_2026-11-20")[0].clv_percent
        """
        return self._calls._list(Prediction, Call("GET", path_of("/historical/predictions", {"event": event, "market": market, "id": id, "sport": sport, "league": league, "sportsbook": sportsbook, "limit": limit, "format": format, **more})))

    def predictions_csv(self, event: Text, **filters: Any) -> str:
        """The same as a table (RFC 4180); `predictions` has the filters.

        >>> print(client.clv.predictions_csv(event, limit=3))
        """
        return self._calls._table(Call("GET", path_of("/historical/predictions", {"event": event, "format": "csv", **filters})))

    def grade(self, bets: Sequence[Union[Bet, Mapping[str, Any]]], *, devig_book: Optional[str] = None, **more: Any) -> Rows[BetGrade]:
        """Whether the close confirmed bets of your own. Tier enterprise or higher.

        Args:
            bets: bets to grade
            devig_book: book or own model: the fair price is its own; default the sharp book, else the consensus

        >>> client.clv.grade([{"odds_id": "4611686018427387904", "odds_american": 104, "at": "2026-11-20T18:00:00Z"}])[0].clv_percent
        """
        return self._calls._list(BetGrade, json_call("POST", "/clv", given({"bets": bets, "devig_book": devig_book, **more}), True))

    __call__ = get


class GradeResource(Resource):
    """`POST /grade`."""

    def bets(self, bets: Sequence[Any], **more: Any) -> Rows[Settled]:
        """How bets of your own ended, by the results of their games. Tier hobby or higher.

        Args:
            bets: bets to grade; one that cannot be read is ungradeable among the others

        >>> client.grade([{"odds_id": "4611686018427387904", "odds_american": 104}])[0].result
        """
        return self._calls._list(Settled, json_call("POST", "/grade", given({"bets": bets, **more}), True))

    get = bets

    __call__ = bets


class ResultsResource(Resource):
    """`GET /results`."""

    def get(self, *, event_id: Optional[Text] = None, event: Optional[Text] = None, league: Optional[Text] = None, sport: Optional[Text] = None, date: Optional[Text] = None, status: Optional[Text] = None, updated_since: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, cursor: Optional[Text] = None, **more: Any) -> Rows[Result]:
        """Results of games: final scores, parts, players; corrections have a higher revision. All tiers.

        Args:
            event_id: event ids, comma-separated
            event: event ids, comma-separated
            league: league ids, comma-separated
            sport: sport ids, comma-separated; category aliases are accepted
            date: YYYY-MM-DD: day of the start in the league's home time zone
            status: comma-separated: live, final, postponed, cancelled, abandoned
            updated_since: RFC 3339: only results that changed after it
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json
            cursor: next_cursor of the page before

        >>> client.results.get(league="nba", status="final")[0].home_score
        """
        return self._calls._list(Result, Call("GET", path_of("/results", {"event_id": event_id, "event": event, "league": league, "sport": sport, "date": date, "status": status, "updated_since": updated_since, "limit": limit, "format": format, "cursor": cursor, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[Result]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.results.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, True)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.results.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/results", {"format": "csv", **filters})))

    __call__ = get


class MovesResource(Resource):
    """`GET /moves`."""

    def get(self, *, sport: Optional[Text] = None, league: Optional[Text] = None, sportsbook: Optional[Text] = None, market: Optional[Text] = None, event: Optional[Text] = None, live: Optional[bool] = None, team: Optional[Text] = None, kind: Optional[Text] = None, laggard: Optional[Text] = None, min_edge: Optional[float] = None, sort: Optional[Literal["detected_at", "-detected_at", "last_moved_at", "-last_moved_at", "timestamp", "-timestamp", "edge", "-edge", "book_count", "-book_count", "start_time", "-start_time", "time", "-time", "event_start_time", "-event_start_time", "sport", "-sport", "league", "-league", "market", "-market"]] = None, limit: Optional[Union[int, Literal["all"]]] = None, offset: Optional[int] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[Move]:
        """Moves: steam, drops, line moves, moves against most bets, with the books that have not followed. Tier sharp or
        higher.

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            sportsbook: sportsbook ids, comma-separated: moves among these books alone; default all of the tier
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            event: event ids, comma-separated
            live: true: live only, false: prematch only
            team: teams, comma-separated: id, alias or whole words of the name
            kind: kinds, comma-separated: steam, drop, line, reverse; default all
            laggard: sportsbook ids, comma-separated: moves of all books that one of these has not followed
            min_edge: lowest edge of the best laggard (of those that laggard names), percent
            sort: default -detected_at, newest first; edge: of the best laggard; with - in front descending
            limit: rows per page, 1 to 200; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            offset: rows to skip
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.moves.get(kind="steam")[0].laggards
        """
        return self._calls._list(Move, Call("GET", path_of("/moves", {"sport": sport, "league": league, "sportsbook": sportsbook, "market": market, "event": event, "live": live, "team": team, "kind": kind, "laggard": laggard, "min_edge": min_edge, "sort": sort, "limit": limit, "offset": offset, "format": format, **more})))

    list = get

    def iter(self, **filters: Any) -> Iterator[Move]:
        """Every row of all pages of `get`, which has the filters.

        >>> for row in client.moves.iter(): print(row)
        """
        return self._calls._pages(self.get, {**filters}, False)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `get` has the filters.

        >>> print(client.moves.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/moves", {"format": "csv", **filters})))

    __call__ = get


class BetsResource(Resource):
    """`GET /account/bets`, `GET /account/bets/{id}`, `POST /account/bets`, `POST /account/bets/csv`, `DELETE /account/bets/{id}`, `PATCH /account/bets/{id}`, `GET /account/bets/summary`."""

    def list(self, *, status: Optional[Literal["pending", "filled", "part_filled", "rejected", "struck"]] = None, tag: Optional[Text] = None, from_: Optional[Text] = None, to: Optional[Text] = None, limit: Optional[Union[int, Literal["all"]]] = None, cursor: Optional[Text] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[AccountBet]:
        """Bets of the account, newest first. Tier pro or higher.

        Args:
            status: only these
            tag: only these
            from_: recorded from then on; RFC 3339, or a day in UTC, all of which is meant
            to: recorded up to then; RFC 3339, or a day in UTC, all of which is meant
            limit: bets of a page; default 100, of a table 1000; all: every bet, with format=ndjson or csv
            cursor: next_cursor of the page before
            format: csv: a table, which POST /account/bets/csv takes back; ndjson: a line of JSON a bet

        >>> client.bets.list(status="filled")[0].profit
        """
        return self._calls._list(AccountBet, Call("GET", path_of("/account/bets", {"status": status, "tag": tag, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format, **more})))

    def iter(self, **filters: Any) -> Iterator[AccountBet]:
        """Every row of all pages of `list`, which has the filters.

        >>> for row in client.bets.iter(): print(row)
        """
        return self._calls._pages(self.list, {**filters}, True)

    def csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `list` has the filters.

        >>> print(client.bets.csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/account/bets", {"format": "csv", **filters})))

    def get(self, id: Text, **more: Any) -> AccountBet:
        """A bet of the account. Tier pro or higher.

        >>> client.bets.get("bet_…").result
        """
        return self._calls._one(AccountBet, Call("GET", path_of(f"/account/bets/{segment(id)}", more)))

    def place(self, bets: Sequence[Union[NewBet, Mapping[str, Any]]], **more: Any) -> Rows[AccountBet]:
        """Record bets: on paper, filled from what stands in the table, or placed elsewhere. Tier pro or higher.

        Args:
            bets: recorded all, or none

        >>> client.bets.place([{"client_id": "a1", "odds_id": "4611686018427387904", "odds_american": 104, "stake": 20, "mode": "paper"}])[0].status
        """
        return self._calls._list(AccountBet, json_call("POST", "/account/bets", given({"bets": bets, **more}), True))

    def place_table(self, table: str, **more: Any) -> Rows[AccountBet]:
        """Record the bets of a CSV table, with the columns of the list: all, or none. Tier pro or higher.

        Args:
            table: CSV with a head

        >>> client.bets.place_table(open("bets.csv").read())[0].status
        """
        return self._calls._list(AccountBet, Call("POST", "/account/bets/csv", table.encode(), "text/csv"))

    def strike(self, id: Text, **more: Any) -> AccountBet:
        """Strike a placed bet that was recorded by mistake: it stays in the list, marked. Tier pro or higher.

        >>> client.bets.strike("bet_…").status
        """
        return self._calls._one(AccountBet, Call("DELETE", path_of(f"/account/bets/{segment(id)}", more), again=False))

    delete = strike

    def update(self, id: Text, *, stake: Optional[float] = None, odds_american: Optional[float] = None, odds_decimal: Optional[float] = None, tag: Union[Optional[str], Unset] = UNSET, note: Union[Optional[str], Unset] = UNSET, result: Union[Optional[Literal["won", "half_won", "push", "half_lost", "lost", "void"]], Unset] = UNSET, struck: Optional[bool] = None, **more: Any) -> AccountBet:
        """Change a bet: stake and price of a placed one, its result by hand, tag and note; or take a strike back. Tier
        pro or higher.

        Args:
            stake: at most two decimals
            odds_american: the price that you got
            odds_decimal: in place of odds_american
            result: how it ended, whatever results say; null takes that back: the bet is graded by results again
            struck: true: recorded by mistake, as DELETE does; false: not after all

        >>> client.bets.update("bet_…", result="won").profit
        """
        return self._calls._one(AccountBet, json_call("PATCH", f"/account/bets/{segment(id)}", given({"stake": stake, "odds_american": odds_american, "odds_decimal": odds_decimal, "struck": struck, **more}, {"tag": tag, "note": note, "result": result}), False))

    def summary(self, *, group_by: Optional[Literal["sportsbook", "sport", "league", "market", "day", "tag"]] = None, **more: Any) -> BetsSummary:
        """What the bets of the account did, in groups. Tier pro or higher.

        Args:
            group_by: what is summed up

        >>> client.bets.summary(group_by="sportsbook").groups[0].roi_percent
        """
        return self._calls._one(BetsSummary, Call("GET", path_of("/account/bets/summary", {"group_by": group_by, **more})))

    __call__ = list


class AlertsResource(Resource):
    """`GET /account/alerts`, `POST /account/alerts`, `PATCH /account/alerts/{id}`, `POST /account/alerts/{id}/test`, `DELETE /account/alerts/{id}`."""

    def list(self, **more: Any) -> Rows[Alert]:
        """Alerts of the account and the state of their messages. Tier pro or higher.

        >>> client.alerts.list()[0].status
        """
        return self._calls._list(Alert, Call("GET", path_of("/account/alerts", more)))

    def create(self, name: str, channel: Literal["ev", "arbitrage", "middles", "low_hold", "moves", "odds"], target: Union[NewAlertTarget, Mapping[str, Any]], *, filters: Optional[Union[NewAlertFilters, Mapping[str, Any]]] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, devig_book: Optional[str] = None, min_stake: Optional[float] = None, currency: Optional[str] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, laggards: Optional[Sequence[str]] = None, min_edge: Optional[float] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, kinds: Optional[Sequence[str]] = None, quiet_s: Optional[int] = None, max_age_s: Union[Optional[int], Unset] = UNSET, ended: Optional[bool] = None, paused: Optional[bool] = None, **more: Any) -> CreatedAlert:
        """A new alert: opportunities, moves or prices to a webhook, Discord, Slack or Telegram. Tier pro or higher.

        Args:
            filters: omitted filters do not restrict
            min_ev: ev: lowest EV, percent; default 2
            min_profit: arbitrage: lowest profit, percent; default 0.5
            max_hold: low_hold: highest hold, percent; default 5
            min_size: middles: smallest middle, points; default 0.5
            devig_book: book or own model: the fair price is its own; default the sharp book, else the consensus
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            laggards: moves: sportsbook ids, one of which has not followed
            min_edge: moves: lowest edge of the best laggard (of those that laggards names), percent
            min_odds: odds: lowest price, American
            max_odds: odds: highest price, American
            kinds: moves: their kinds
            quiet_s: minimum seconds between two messages; matches in that time are in the next one; default 0
            max_age_s: seconds: of what was detected (odds: changed) longer ago nothing is sent; default: no limit
            ended: true: that what was sent is over is sent too, as ids; not of odds; default false
            paused: true: nothing is sent for now; what begins meanwhile is not sent later either

        >>> client.alerts.create("arbs", "arbitrage", {"type": "webhook", "url": "https://example.com/hook"}, min_profit=1).secret
        """
        return self._calls._one(CreatedAlert, json_call("POST", "/account/alerts", given({"name": name, "channel": channel, "filters": filters, "min_ev": min_ev, "min_profit": min_profit, "max_hold": max_hold, "min_size": min_size, "devig_book": devig_book, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "laggards": laggards, "min_edge": min_edge, "min_odds": min_odds, "max_odds": max_odds, "kinds": kinds, "target": target, "quiet_s": quiet_s, "ended": ended, "paused": paused, **more}, {"max_age_s": max_age_s}), False))

    def update(self, id: Text, *, name: Optional[str] = None, channel: Optional[Literal["ev", "arbitrage", "middles", "low_hold", "moves", "odds"]] = None, filters: Optional[Union[NewAlertFilters, Mapping[str, Any]]] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, devig_book: Optional[str] = None, min_stake: Optional[float] = None, currency: Optional[str] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, laggards: Optional[Sequence[str]] = None, min_edge: Optional[float] = None, min_odds: Optional[float] = None, max_odds: Optional[float] = None, kinds: Optional[Sequence[str]] = None, target: Optional[Union[NewAlertTarget, Mapping[str, Any]]] = None, quiet_s: Optional[int] = None, max_age_s: Union[Optional[int], Unset] = UNSET, ended: Optional[bool] = None, paused: Optional[bool] = None, **more: Any) -> Alert:
        """Changes an alert, pauses it or goes on with it. Tier pro or higher.

        Args:
            filters: omitted filters do not restrict
            min_ev: ev: lowest EV, percent; default 2
            min_profit: arbitrage: lowest profit, percent; default 0.5
            max_hold: low_hold: highest hold, percent; default 5
            min_size: middles: smallest middle, points; default 0.5
            devig_book: book or own model: the fair price is its own; default the sharp book, else the consensus
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            laggards: moves: sportsbook ids, one of which has not followed
            min_edge: moves: lowest edge of the best laggard (of those that laggards names), percent
            min_odds: odds: lowest price, American
            max_odds: odds: highest price, American
            kinds: moves: their kinds
            quiet_s: minimum seconds between two messages; matches in that time are in the next one; default 0
            max_age_s: seconds: of what was detected (odds: changed) longer ago nothing is sent; default: no limit
            ended: true: that what was sent is over is sent too, as ids; not of odds; default false
            paused: true: nothing is sent for now; what begins meanwhile is not sent later either

        >>> client.alerts.update("alr_…", paused=True).status
        """
        return self._calls._one(Alert, json_call("PATCH", f"/account/alerts/{segment(id)}", given({"name": name, "channel": channel, "filters": filters, "min_ev": min_ev, "min_profit": min_profit, "max_hold": max_hold, "min_size": min_size, "devig_book": devig_book, "min_stake": min_stake, "currency": currency, "guaranteed": guaranteed, "include_assumed": include_assumed, "laggards": laggards, "min_edge": min_edge, "min_odds": min_odds, "max_odds": max_odds, "kinds": kinds, "target": target, "quiet_s": quiet_s, "ended": ended, "paused": paused, **more}, {"max_age_s": max_age_s}), False))

    def test(self, id: Text, **more: Any) -> AlertTest:
        """Sends one example to the target of an alert, now. Tier pro or higher.

        >>> client.alerts.test("alr_…")
        """
        return self._calls._one(AlertTest, Call("POST", path_of(f"/account/alerts/{segment(id)}/test", more), again=False))

    def delete(self, id: Text, **more: Any) -> None:
        """Deletes an alert; waiting messages are dropped. Tier pro or higher.

        >>> client.alerts.delete("alr_…")
        """
        self._calls._text(Call("DELETE", path_of(f"/account/alerts/{segment(id)}", more), again=False))

    __call__ = list


class IngestResource(Resource):
    """`GET /ingest/unmatched`."""

    def unmatched(self, *, kind: Optional[Literal["team", "league", "market", "sportsbook", "player", "time", "price", "other"]] = None, limit: Optional[Union[int, Literal["all"]]] = None, format: Optional[Literal["json", "csv", "ndjson"]] = None, **more: Any) -> Rows[UnmatchedItem]:
        """Names, starts and players that met nothing, what was refused, and what they may have meant: the most frequent
        first. A key with the scope ingest.

        Args:
            kind: only these
            limit: rows per page, 1 to 1000; all: every row in one answer, with format=ndjson or csv, which counts
                as a request for each 200 rows begun
            format: csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json

        >>> client.ingest.unmatched()[0].name
        """
        return self._calls._list(UnmatchedItem, Call("GET", path_of("/ingest/unmatched", {"kind": kind, "limit": limit, "format": format, **more})))

    def unmatched_csv(self, **filters: Any) -> str:
        """The same as a table (RFC 4180); `unmatched` has the filters.

        >>> print(client.ingest.unmatched_csv(limit=3))
        """
        return self._calls._table(Call("GET", path_of("/ingest/unmatched", {"format": "csv", **filters})))

    def push(self, messages: Union[IngestMessage, Mapping[str, Any], Sequence[Union[IngestMessage, Mapping[str, Any]]]], *, strict: bool = False, **more: Any) -> IngestReceipt:
        """Pushes one ingest message or several; returns when they are committed. Sending the same again changes nothing.

        With `strict`, messages with names that the catalogue does not know are rejected. Needs a key with the scope ingest.

        >>> client.ingest.push({"book": "draftkings", "polled_at": "2026-11-20T18:00:00Z", "scope": "none", "events": []})
        """
        return IngestReceipt(self._calls._push(messages, {"strict": strict or None, **more}))

    __call__ = push


class GamestateResource(Resource):
    """`GET /gamestate/{sport}`."""

    def get(self, sport: Optional[Text] = None, *, league: Optional[Text] = None, live: Optional[bool] = None, **more: Any) -> Row:
        """A sport's games: score, period, clock, possession. Tier enterprise or higher.

        Args:
            league: league ids, comma-separated
            live: true: live only, false: prematch only

        >>> client.gamestate.get("basketball")["nba_lakers_celtics_2026-11-20"].home_score
        """
        return self._calls._one(Row, Call("GET", path_of("/gamestate" if sport is None else f"/gamestate/{segment(sport)}", {"league": league, "live": live, **more})))

    __call__ = get


class DeepLinksResource(Resource):
    """`POST /deeplinks/batch`."""

    def batch(self, ids: Sequence[str], *, state: Optional[str] = None, **more: Any) -> Row:
        """Which ids have deep links, and their paths. Tier hobby or higher.

        Args:
            ids: odds ids and ids of opportunities
            state: US state code, for books whose pages differ by state

        >>> client.deep_links.batch(["4611686018427387904"], state="nj")
        """
        return self._calls._one(Row, json_call("POST", "/deeplinks/batch", given({"ids": ids, "state": state, **more}), True))

    __call__ = batch


class HealthResource(Resource):
    """`GET /health`."""

    def get(self, **more: Any) -> Health:
        """State of the service: 200 while it works (ok or degraded), 503 with status down. Without a key an address has
        10 requests a minute; the server itself is not limited.

        >>> client.health.get().status
        """
        return self._calls._one(Health, Call("GET", path_of("/health", more)))

    __call__ = get


class ReplayResource(Resource):
    """`POST /replay`."""

    def act(self, action: Literal["pause", "resume", "speed", "seek", "step"], *, speed: Optional[Union[float, Literal["max"]]] = None, to: Optional[str] = None, until: Optional[str] = None, messages: Optional[int] = None, **more: Any) -> HealthReplay:
        """Move the clock of the recording that is served: pause, resume, speed, seek, step. A key with the scope ingest.

        Args:
            action: speed sets it; seek plays up to a time at once, from the beginning if it has passed (the server
                closes its connections then); step plays up to a time or so many messages and answers when every open
                stream was sent all that they changed
            speed: recorded seconds per second, or max
            to: of seek; RFC 3339, UTC
            until: of step, inclusive; RFC 3339, UTC
            messages: of step, in place of until

        >>> client.replay.act("step", messages=20).state
        """
        return self._calls._one(HealthReplay, json_call("POST", "/replay", given({"action": action, "speed": speed, "to": to, "until": until, "messages": messages, **more}), False))

    __call__ = act


class Streams(Resource):
    """Opens streams: each is an iterator of events that reconnects and goes on exactly where it was, with a live table."""

    def odds(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """Prices as they change. Filters:

        Args:
            sport: sport ids, comma-separated; category aliases are accepted
            league: league ids, comma-separated
            market: market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads,
                totals, btts …), comma-separated
            sportsbook: sportsbook ids, comma-separated; default all of the tier
            is_main_line: true only the books' main lines, false only the others
            is_stale_pregame_price: true only prices of games in play that have not moved since the start, false
                all others
            min_ev: lowest EV in percent, for ev:detected
            min_profit: lowest profit in percent, for arb:detected
            max_hold: highest hold in percent, for low_hold:detected
            min_size: smallest middle, for middles:detected
            min_stake: lowest max_stake
            currency: ISO 4217 code in which max_stake and min_stake are; default USD
            guaranteed: loses on no result of a played game
            include_assumed: also what is an ASSUMED_DISTRIBUTION
            devig_book: book or own model: the fair price is its own; default the sharp book, else the consensus
            state: US state code for deep links
            include: opening: adds the first price of each row, in streams of each row of a snapshot (from Pro);
                depth: adds the ladder of rows that have one, in streams also to changes, and sends changes of it
            max_hz: ticks a second at most: what changes in between is merged by id, the last state wins; default:
                every tick

        >>> for event in client.stream.odds(league="nba", market="moneyline"): print(event.type, len(event.items))
        """
        return self.open("/stream", channel="odds", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def opportunities(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """+EV, arbitrage, middles and low holds as they begin and end: of them what the key may see. Filters are those of `odds`.

        >>> for event in client.stream.opportunities(min_profit=1): print(event.kind, event.items, event.ids)
        """
        return self.open("/stream", channel="opportunities", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def all(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """Prices and opportunities. Filters are those of `odds`.

        >>> for event in client.stream.all(league="nba"): print(event.type)
        """
        return self.open("/stream", channel="all", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def moves(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """Steam, drops, moved lines. Filters are those of `odds`.

        >>> for event in client.stream.moves(): print(event.items, event.ids)
        """
        return self.open("/stream", channel="moves", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def gamestate(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """Scores and clocks of games in play. Filters are those of `odds`.

        >>> for event in client.stream.gamestate(sport="basketball"): print(event.items)
        """
        return self.open("/stream", channel="gamestate", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def results(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """What became of games, and corrections of it. Filters are those of `odds`.

        >>> for event in client.stream.results(): print(event.items)
        """
        return self.open("/stream", channel="results", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def bets(self, *, event: Optional[Text] = None, sport: Optional[Text] = None, league: Optional[Text] = None, market: Optional[Text] = None, sportsbook: Optional[Text] = None, is_main_line: Optional[bool] = None, is_stale_pregame_price: Optional[bool] = None, min_ev: Optional[float] = None, min_profit: Optional[float] = None, max_hold: Optional[float] = None, min_size: Optional[float] = None, min_stake: Optional[float] = None, currency: Optional[Text] = None, guaranteed: Optional[bool] = None, include_assumed: Optional[bool] = None, devig_book: Optional[Text] = None, state: Optional[Text] = None, include: Optional[Literal["opening", "depth", "opening,depth", "depth,opening"]] = None, max_hz: Optional[float] = None, **more: Any) -> Stream:
        """The account's own bets, as they are judged and graded. Filters are those of `odds`.

        >>> for event in client.stream.bets(): print(event.type, event.items)
        """
        return self.open("/stream", channel="bets", event=event, sport=sport, league=league, market=market, sportsbook=sportsbook, is_main_line=is_main_line, is_stale_pregame_price=is_stale_pregame_price, min_ev=min_ev, min_profit=min_profit, max_hold=max_hold, min_size=min_size, min_stake=min_stake, currency=currency, guaranteed=guaranteed, include_assumed=include_assumed, devig_book=devig_book, state=state, include=include, max_hz=max_hz, **more)

    def event(self, event_id: str, **more: Any) -> Stream:
        """The prices of one game; `odds` has the filters.

        >>> for event in client.stream.event("nba_lakers_celtics_2026-11-20"): print(event)
        """
        return self.odds(event=event_id, **more)

    def open(
        self,
        path: str,
        *,
        position: Optional[Union[str, int]] = None,
        first_tries: Optional[int] = 5,
        silence_s: float = 60.0,
        **filters: Any,
    ) -> Stream:
        """Any stream of the server. All others take these arguments, too.

        Args:
            position: goes on after it, as `stream.position` or `event.id` said it. What is too old to go on from is told
                by a `snapshot_required`, and the whole state follows.
            first_tries: failures in a row before it ever stood after which it raises the last one, about 15 s; None waits
                for ever, as it always does once it stood.
            silence_s: longest silence; the server sends a heartbeat every 30 s.

        >>> for event in client.stream.open("/stream", channel="odds", league="nba"): print(event.kind)
        """
        return self._calls._stream(path, filters, position, first_tries, silence_s)



class Resources:
    """All of them, by name."""

    def __init__(self, calls: Client) -> None:
        self.odds = OddsResource(calls)
        self.ev = EvResource(calls)
        self.arbitrage = ArbitrageResource(calls)
        self.middles = MiddlesResource(calls)
        self.low_hold = LowHoldResource(calls)
        self.events = EventsResource(calls)
        self.sports = SportsResource(calls)
        self.leagues = LeaguesResource(calls)
        self.sportsbooks = SportsbooksResource(calls)
        self.markets = MarketsResource(calls)
        self.teams = TeamsResource(calls)
        self.tiers = TiersResource(calls)
        self.warnings = WarningsResource(calls)
        self.futures = FuturesResource(calls)
        self.splits = SplitsResource(calls)
        self.account = AccountResource(calls)
        self.keys = KeysResource(calls)
        self.history = HistoryResource(calls)
        self.opening = OpeningResource(calls)
        self.closing = ClosingResource(calls)
        self.clv = ClvResource(calls)
        self.grade = GradeResource(calls)
        self.results = ResultsResource(calls)
        self.moves = MovesResource(calls)
        self.bets = BetsResource(calls)
        self.alerts = AlertsResource(calls)
        self.ingest = IngestResource(calls)
        self.gamestate = GamestateResource(calls)
        self.deep_links = DeepLinksResource(calls)
        self.health = HealthResource(calls)
        self.replay = ReplayResource(calls)
        self.stream = Streams(calls)
