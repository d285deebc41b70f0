"""Every call against a real server: its type, and what beside it is said."""

from __future__ import annotations

import asyncio
import gzip
import inspect
import pickle
import subprocess
import sys
import unittest
from datetime import datetime, timezone

from overround import (
    UNSET,
    AsyncClient,
    AuthenticationError,
    Client,
    OverroundError,
    Row,
    Rows,
    TierRestrictedError,
    ValidationError,
    models,
)
from overround.rows import RateLimit, rows_of
from scripted import Scripted, raw, refusal
from world import START, WorldCase, now

try:
    import pandas
except ImportError:
    pandas = None  # type: ignore[assignment]
try:
    import polars
except ImportError:
    polars = None  # type: ignore[assignment]


class Calls(WorldCase):
    def test_a_misspelt_parameter_or_name_is_warned_of_at_the_line_that_has_it(self) -> None:
        with self.assertWarnsRegex(UserWarning, "knows no leage") as warned:
            self.client.odds.get(leage="nba")
        self.assertEqual(warned.filename, __file__)
        with self.assertWarnsRegex(UserWarning, "knows no basketbal"):
            self.client.odds.best(sport="basketbal")

    def test_rows_have_fields_as_attributes_and_items(self) -> None:
        rows = self.client.odds.get(league="nba", sportsbook=["draftkings", "fanduel"], market="moneyline")
        self.assertIsInstance(rows, Rows)
        self.assertIsInstance(rows[0], models.OddsRow)
        self.assertEqual(len(rows), 4)
        self.assertIs(rows.data, rows)
        self.assertEqual({row.sportsbook for row in rows}, {"draftkings", "fanduel"})
        self.assertEqual(rows[0].odds_american, rows[0]["odds_american"])
        # Declared, and not sent of a moneyline.
        self.assertIsNone(rows[0].player_name)
        with self.assertRaises(AttributeError):
            rows[0].no_such_field  # noqa: B018
        self.assertEqual(rows.meta.total, 4)
        self.assertEqual(rows.pagination.count, 4)
        self.assertGreater(rows.rate_limit.remaining or 0, 0)
        self.assertEqual(rows.rate_limit.tier, "enterprise")
        self.assertEqual(pickle.loads(pickle.dumps(rows[0])), rows[0])

    def test_iter_follows_cursors_over_all_pages(self) -> None:
        total = self.client.odds.get(limit=1).meta.total
        found = [row.id for row in self.client.odds.iter(limit=2)]
        self.assertEqual(len(found), total)
        self.assertEqual(len(set(found)), total)
        self.assertEqual(len(list(self.client.events.iter(limit=1, league="nba"))), 2)

    def test_best_comparison_batch_and_delta(self) -> None:
        best = self.client.odds.best(event=self.event, market="moneyline")
        self.assertEqual({row.best_book for row in best}, {"draftkings", "fanduel"})
        self.assertEqual(best[0].all_books[0].odds.american, best[0].best_odds.american)
        comparison = self.client.odds.comparison(self.event, market="moneyline")
        selection = comparison.markets[0].selections[0]
        self.assertIn("pinnacle", selection.books)
        self.assertIsInstance(selection.books["pinnacle"].odds_american, (int, float))
        self.assertEqual(comparison.meta.market_filter, "moneyline")
        batch = self.client.odds.batch([self.event, "nba_no_such_game"])
        self.assertEqual(batch.missing_events, ["nba_no_such_game"])
        self.assertEqual(batch.events[0].odds[0].market_type in ("moneyline", "total_points"), True)
        since = self.client.odds.get(limit=1).meta.server_time
        self.assertEqual(len(self.client.odds.delta(since)), 0)
        delta = self.client.odds.delta("2020-01-01T00:00:00Z")
        self.assertGreater(len(delta), 0)
        self.assertEqual(delta.removed, [])

    def test_opportunities_of_every_kind(self) -> None:
        arbitrage = self.client.arbitrage.get(min_profit=0.5)
        self.assertEqual(len(arbitrage), 1)
        self.assertEqual({leg.sportsbook for leg in arbitrage[0].legs}, {"draftkings", "fanduel"})
        self.assertAlmostEqual(sum(leg.stake_percent for leg in arbitrage[0].legs), 100, 1)
        ev = self.client.ev.get(min_ev=1)
        self.assertIn("draftkings", [row.sportsbook for row in ev])
        middles = self.client.middles.get(min_ev=-100)
        self.assertIn(222, middles[0].middle_numbers + middles[-1].middle_numbers)
        self.assertEqual(self.client.middles.one(middles[0].id).side1.book, middles[0].side1.book)
        self.assertGreaterEqual(self.client.middles.summary(min_ev=-100).total, 1)
        low_hold = self.client.low_hold.get(max_hold=5)
        self.assertIsInstance(low_hold[0].side1.odds.american, (int, float))
        self.assertTrue(self.client.arbitrage.csv().startswith("id,"))

    def test_reference_and_events(self) -> None:
        for listed in (self.client.sports, self.client.leagues, self.client.sportsbooks):
            self.assertEqual(listed()[0].id, listed.list()[0].id)
        self.assertEqual(self.client.sports.get("basketball").id, "basketball")
        self.assertEqual(self.client.leagues.get("nba").sport, "basketball")
        self.assertTrue(self.client.sportsbooks.get("pinnacle").is_sharp)
        event = self.client.events.get(self.event)
        self.assertEqual(event.home_team, "Boston Celtics")
        self.assertEqual(event.books[0].market_count, 2)
        self.assertEqual({market.market_type for market in self.client.events.markets(self.event)}, {"moneyline", "total_points"})
        self.assertGreater(len(self.client.events.odds(self.event)), 0)
        self.assertIn("LAL", [alias.upper() for team in self.client.teams.list(q="lakers") for alias in team.aliases])
        for listed in (self.client.markets, self.client.tiers, self.client.warnings):
            self.assertGreater(len(listed()), 3)
        self.assertEqual(self.client.futures()[0].market_id, "nba_championship_winner")
        self.assertEqual(self.client.futures.odds("nba_championship_winner")[0].odds_american, 450)
        self.assertEqual(self.client.splits()[0].moneyline.handle_pct.home, 0.6)
        self.assertIsInstance(self.client.splits.history(self.event), Rows)
        self.assertEqual(self.client.health().status, "ok")

    def test_what_prices_did_and_how_bets_ended(self) -> None:
        history = self.client.history(event=self.event, market="moneyline", from_=datetime(2020, 1, 1, tzinfo=timezone.utc))
        self.assertEqual(len(history), 6)
        self.assertIsInstance(history[0].points[0].odds_american, (int, float))
        self.assertIn("pinnacle", self.client.opening(self.event).books)
        lines = self.client.opening.get(self.event, sportsbook="draftkings").books["draftkings"]
        self.assertEqual({line.market_type for line in lines}, {"moneyline", "total_points"})
        self.assertEqual(self.client.closing(self.event).event_id, self.event)
        self.assertIsInstance(self.client.clv(group_by="sport").groups, list)
        row = self.client.odds.get(event=self.event, sportsbook="draftkings", market="moneyline")[0]
        graded = self.client.clv.grade([{"odds_id": row.id, "odds_american": 120, "at": now()}])
        self.assertEqual(len(graded), 1)
        results = self.client.results(league="nba")
        self.assertEqual((results[0].home_score, results[0].away_score), (101, 99))
        settled = self.client.grade(
            [{"event_id": results[0].event_id, "market_type": "moneyline", "selection_type": "home", "sportsbook": "draftkings", "odds_american": 110}]
        )
        self.assertEqual((settled[0].result, settled[0].profit_units), ("won", 1.1))
        self.assertIsInstance(self.client.moves(), Rows)
        self.assertIsInstance(self.client.gamestate.get("basketball"), Row)
        self.assertIsInstance(self.client.gamestate().sports, list)

    def test_the_account_its_bets_keys_and_alerts(self) -> None:
        me = self.client.account.me()
        self.assertEqual((me.key.tier, me.features.ev), ("enterprise", True))
        self.assertGreater(self.client.account.usage().requests.today, 0)
        row = self.client.odds.get(event=self.event, sportsbook="draftkings", market="moneyline")[0]
        bet = {"client_id": f"py-{now()}", "odds_id": row.id, "odds_american": row.odds_american, "stake": 20, "mode": "paper"}
        placed = self.client.bets.place([bet])
        self.assertEqual((placed[0].status, placed[0].fills[0].stake), ("filled", 20))
        self.assertEqual(self.client.bets.place([bet])[0].id, placed[0].id)
        self.assertEqual(self.client.bets.get(placed[0].id).client_id, bet["client_id"])
        self.assertIn(placed[0].id, [each.id for each in self.client.bets()])
        self.assertGreaterEqual(self.client.bets.summary().total.stake, 0)
        key = self.client.keys.create("of a test")
        self.assertTrue(key.key.startswith("sk_"))
        self.assertIn(key.id, [each.id for each in self.client.keys()])
        self.assertIsNone(self.client.keys.revoke(key.id))
        token = self.client.account.create_token(ttl_s=60, channels=["odds"]).token
        with Client(api_key=token) as viewer:
            self.assertGreater(len(viewer.odds.get()), 0)

    def test_a_change_to_none_takes_back_and_what_is_not_named_stays(self) -> None:
        row = self.client.odds.get(event=self.event, sportsbook="draftkings", market="moneyline")[0]
        bet = {"client_id": f"py-none-{now()}", "odds_id": row.id, "odds_american": row.odds_american, "stake": 20, "mode": "placed"}
        id = self.client.bets.place([bet])[0].id
        graded = self.client.bets.update(id, result="won", tag="steam", note="by hand")
        self.assertEqual((graded.result, graded.tag), ("won", "steam"))
        changed = self.client.bets.update(id, result=None, tag=None, stake=None)
        self.assertEqual((changed.result, changed.tag, changed.note, changed.stake), (None, None, "by hand", 20))
        self.client.bets.update(id, note=UNSET, tag="late")
        self.assertEqual((self.client.bets.get(id).note, self.client.bets.get(id).tag), ("by hand", "late"))
        target = {"type": "webhook", "url": "http://127.0.0.1:9/hook"}
        alert = self.client.alerts.create("of a test", "arbitrage", target, min_profit=1, max_age_s=30)
        self.assertEqual(self.client.alerts.update(alert.id, paused=True).max_age_s, 30)
        self.assertIsNone(self.client.alerts.update(alert.id, max_age_s=None).max_age_s)
        self.client.alerts.delete(alert.id)
        self.assertRegex(str(inspect.signature(self.client.bets.update)), r"note: [^=]+ = \.\.\.,")

    def test_the_async_client_changes_alike(self) -> None:
        async def work() -> None:
            async with AsyncClient() as client:
                row = (await client.odds.get(event=self.event, sportsbook="draftkings", market="moneyline"))[0]
                bet = {"client_id": f"py-async-{now()}", "odds_id": row.id, "odds_american": 120, "stake": 20, "mode": "placed"}
                id = (await client.bets.place([bet]))[0].id
                self.assertEqual((await client.bets.update(id, result="won", tag="steam")).result, "won")
                changed = await client.bets.update(id, result=None)
                self.assertEqual((changed.result, changed.tag), (None, "steam"))

        asyncio.run(work())

    def test_a_table_of_one_game_is_of_that_game(self) -> None:
        table = self.client.events.odds_csv(self.event, market="moneyline").splitlines()
        self.assertEqual(len(table) - 1, self.client.events.odds(self.event, market="moneyline").meta.total)
        self.assertIn("450", self.client.futures.odds_csv("nba_championship_winner"))
        self.assertIn("moneyline", self.client.splits.history_csv(self.event))

    def test_errors_say_what_the_server_said(self) -> None:
        with self.assertRaises(ValidationError) as refused:
            self.client.odds.get(limit=100_000)
        error = refused.exception
        self.assertEqual((error.status, error.code), (400, "invalid_request"))
        self.assertIn("limit", error.message)
        self.assertTrue(error.request_id)
        self.assertIsNone(error.retry_after)
        with self.assertRaises(AuthenticationError), Client(api_key="sk_test_nobody") as nobody:
            nobody.odds.get()
        with self.assertRaises(OverroundError) as gone:
            self.client.events.get("nba_no_such_game")
        self.assertEqual((gone.exception.status, gone.exception.code), (404, "not_found"))
        self.assertIsInstance(pickle.loads(pickle.dumps(gone.exception)), OverroundError)

    def test_the_module_prints_health_and_ten_rows(self) -> None:
        ran = subprocess.run([sys.executable, "-m", "overround"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        lines = ran.stdout.splitlines()
        self.assertEqual(len(lines), 11, ran.stdout)
        self.assertIn(": ok, ", lines[0])
        refused = subprocess.run([sys.executable, "-m", "overround", "http://127.0.0.1:1", "sk"], capture_output=True, text=True)
        self.assertEqual((refused.returncode, len(refused.stderr.splitlines())), (1, 1))

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_rows_become_a_pandas_table(self) -> None:
        frame = self.client.odds.get(event=self.event).to_pandas()
        self.assertEqual(len(frame), 12)
        self.assertEqual(frame["event_start_time"].iloc[0], pandas.Timestamp(START))
        self.assertGreater(frame[frame.sportsbook == "draftkings"].odds_decimal.max(), 2)
        self.assertIn("side1_odds_american", self.client.low_hold.get().to_pandas().columns)
        self.assertIn("odds_american", self.client.odds.get(event="nba_no_such_game").to_pandas().columns)

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_rows_become_a_polars_table(self) -> None:
        frame = self.client.odds.get(event=self.event).to_polars()
        self.assertEqual(frame.height, 12)
        self.assertEqual(frame["event_start_time"][0], START)
        self.assertIn("side1_odds_american", self.client.low_hold.get().to_polars().columns)
        self.assertIn("odds_american", self.client.odds.get(event="nba_no_such_game").to_polars().columns)

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_whole_and_broken_prices_within_a_list_are_one_column(self) -> None:
        prices = [2, 2.05, 3]
        answer = {"data": [{"selection": "Over", "all_books": [{"odds": {"decimal": price}} for price in prices]}]}
        books = rows_of(models.BestOdds, answer, RateLimit(1, 1, 0.0, None)).to_polars()["all_books"][0].to_list()
        self.assertEqual([book["odds"]["decimal"] for book in books], prices)


class Requests(unittest.TestCase):
    def test_a_table_takes_the_names_of_its_list(self) -> None:
        with Scripted(refusal(200, "id\r\n", Content_Type="text/csv")) as server, Client(url=server.url) as client:
            client.bets.csv(from_="2026-11-20")
            self.assertEqual(server.asked[0][0], "/api/v1/account/bets?format=csv&from=2026-11-20")


async def _leagues(url: str, key: str = "sk_test_1") -> None:
    async with AsyncClient(url=url, api_key=key, retries=0) as client:
        await client.leagues.list()


class Retries(unittest.TestCase):
    def test_a_read_waits_as_the_server_asks_and_is_tried_again(self) -> None:
        found = refusal(200, '{"success":true,"data":[{"id":"nba"}]}', Content_Type="application/json")
        with Scripted(refusal(503, Retry_After="0"), refusal(429, Retry_After="0"), found) as server, Client(url=server.url) as client:
            self.assertEqual(client.leagues.list()[0].id, "nba")
            self.assertEqual(len(server.asked), 3)

    def test_a_long_wait_is_an_error_that_says_so(self) -> None:
        body = '{"error":{"code":"rate_limited","message":"slower","retryAfter":50}}'
        with Scripted(refusal(429, body)) as server, Client(url=server.url) as client:
            with self.assertRaises(OverroundError) as refused:
                client.leagues.list()
            self.assertEqual((refused.exception.retry_after, len(server.asked)), (50, 1))

    def test_what_may_not_be_done_twice_is_not_sent_twice(self) -> None:
        with Scripted(refusal(503, Retry_After="0")) as server, Client(url=server.url) as client:
            with self.assertRaises(OverroundError):
                client.keys.create("one")
            self.assertEqual(len(server.asked), 1)

    def test_a_page_of_a_proxy_is_an_error_with_its_status(self) -> None:
        with Scripted(refusal(404, "<html>nothing here</html>")) as server, Client(url=server.url) as client:
            with self.assertRaises(OverroundError) as refused:
                client.leagues.list()
            self.assertEqual((refused.exception.status, refused.exception.code), (404, "http_error"))

    def test_an_answer_that_cannot_be_read_is_the_one_error_that_there_is(self) -> None:
        def answered(kind: str, body: bytes, *more: str) -> bytes:
            head = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more, "", ""]
            return "\r\n".join(head).encode() + body

        packed = gzip.compress(b'{"data":[]}')
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for broken in (
            answered("application/json", packed[:-9], "Content-Encoding: gzip"),
            answered("application/json", packed[:12] + b"\xff" * 20, "Content-Encoding: gzip"),
            answered("application/json", b"{}", "Content-Encoding: gzip"),
            answered("application/x-ndjson", b'{"id":1}\n{"id'),
            answered("text/csv", b"\xff\xfe"),
            answered("application/json", b'{"id":"\xff"}'),
            chunked + b"zz\r\n{}\r\n0\r\n\r\n",
            b"HTTP/1.1 fine OK\r\n\r\n",
            b"HTTP/1.1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n",
        ):
            with self.subTest(broken[:90]), Scripted(raw(broken)) as server:
                with Client(url=server.url, retries=0) as client, self.assertRaises(OverroundError):
                    client.leagues.list()
                with self.assertRaises(OverroundError):
                    asyncio.run(_leagues(server.url))

    def test_headers_that_are_no_numbers_are_none(self) -> None:
        told = {f"X_RateLimit_{name}": "many" for name in ("Limit", "Remaining", "Reset")}
        found = refusal(200, '{"data":[]}', Content_Type="application/json", **told)
        with Scripted(found) as server, Client(url=server.url) as client:
            self.assertEqual(len(client.leagues.list()), 0)
        for wait in ("inf", "nan", "-1"):
            with Scripted(refusal(503, Retry_After=wait)) as server, Client(url=server.url, retries=0) as client:
                with self.assertRaises(OverroundError) as refused:
                    client.leagues.list()
                self.assertIsNone(refused.exception.retry_after, wait)

    def test_a_key_cannot_add_headers(self) -> None:
        with Scripted(refusal(200)) as server:
            with self.assertRaises(ValueError), Client(url=server.url, api_key="a\r\nX-B: c") as client:
                client.leagues.list()
            with self.assertRaises(ValueError):
                asyncio.run(_leagues(server.url, "a\r\nX-B: c"))
            self.assertEqual(server.asked, [])

    def test_an_address_may_have_a_path_and_a_tier_error_its_tier(self) -> None:
        body = '{"error":{"code":"tier_restricted","message":"more","tier":"pro","max_books":15,"requested_books":["a"]}}'
        with Scripted(refusal(403, body)) as server, Client(url=f"{server.url}/odds-api/", api_key="sk_test_1") as client:
            with self.assertRaises(TierRestrictedError) as refused:
                client.ev.get(sport=["basketball", "hockey"], live=True)
            told = refused.exception
            self.assertEqual((told.required_tier, told.max_books, told.requested_books), ("pro", 15, ["a"]))
            path, headers = server.asked[0]
            self.assertEqual(path, "/odds-api/api/v1/opportunities/ev?sport=basketball%2Chockey&live=true")
            self.assertEqual(headers["x-api-key"], "sk_test_1")
