"""Programs written for SharpAPI's own client: each call of its documents, and the fields that it needs of an answer."""

from __future__ import annotations

import os
import unittest

from overround.sharpapi import (
    AuthenticationError,
    RateLimitedError,
    SharpAPI,
    SharpAPIError,
    TierRestrictedError,
    american_to_decimal,
    american_to_probability,
    decimal_to_american,
)
from world import WorldCase

# What its models declare without a default.
ODDS = "id sportsbook event_id sport league home_team away_team market_type selection odds_american odds_decimal probability"
EV = "id sport league selection sportsbook odds_american odds_decimal ev_percentage kelly_percent event_id event_name market_type"
ARBITRAGE = "id event_name sport market_type profit_percent legs"
LEG = "sportsbook selection odds_american odds_decimal stake_percent"
MIDDLE = "id event_name sport market_type side1 side2 middle_size"
LOW_HOLD = "id event_name sport market_type hold_percentage"
LISTED = "id name slug active"
EVENT = "id sport league home_team away_team"


class SharpApi(WorldCase):
    sharp: SharpAPI

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.sharp = SharpAPI(os.environ["OVERROUND_KEY"], base_url=os.environ["OVERROUND_URL"] + "/api/v1")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.sharp.close()
        super().tearDownClass()

    def has(self, row: object, fields: str) -> None:
        for name in fields.split():
            self.assertIsNotNone(getattr(row, name), name)

    def test_odds(self) -> None:
        self.has(self.sharp.odds.get(sport="basketball", league="nba", add_sportsbook="pinnacle").data[0], ODDS)
        self.assertEqual(self.sharp.odds.get(group_by="event").data[0].odds[0].sportsbook in ("betmgm", "draftkings", "fanduel", "pinnacle"), True)
        best = self.sharp.odds.best(league="nba", market="moneyline").data[0]
        self.has(best, "selection best_book best_odds event_name")
        self.assertIn(best.best_odds.american, (104, 115, -110))
        self.has(self.sharp.odds.comparison(event_id=self.event), "event_id markets")
        self.has(self.sharp.odds.batch(event_ids=[self.event]), "events")
        self.assertIsInstance(self.sharp.odds.closing(self.event).books, dict)

    def test_opportunities(self) -> None:
        self.has(self.sharp.ev.get(min_ev=1.0, sport="basketball", sort="-ev").data[0], EV)
        found = self.sharp.arbitrage.get(min_profit=0.5, sport="basketball", group="best").data[0]
        self.has(found, ARBITRAGE)
        for leg in found.legs:
            self.has(leg, LEG)
        self.assertIn(found.possibly_stale, (True, False))
        self.assertIsInstance(found.warnings, list)
        self.has(self.sharp.middles.get(sport="basketball", min_size=1.0, min_ev=-100).data[0], MIDDLE)
        self.has(self.sharp.low_hold.get(max_hold=5.0).data[0], LOW_HOLD)
        self.assertIn("profit_percent", self.sharp.arbitrage.csv(min_profit=0.5))

    def test_reference_and_account(self) -> None:
        self.has(self.sharp.sports.list().data[0], LISTED)
        self.has(self.sharp.sports.get("basketball"), LISTED)
        self.has(self.sharp.leagues.list(sport="basketball").data[0], LISTED)
        self.has(self.sharp.leagues.get("nba"), LISTED)
        self.has(self.sharp.sportsbooks.list().data[0], LISTED)
        self.has(self.sharp.sportsbooks.get("draftkings"), LISTED)
        self.has(self.sharp.events.list(league="nba").data[0], EVENT)
        self.has(self.sharp.events.get(self.event), EVENT)
        self.has(self.sharp.events.markets(self.event).data[0], "market_type")
        self.has(self.sharp.account.me(), "key limits features")
        self.has(self.sharp.account.usage(), "requests")
        self.has(self.sharp.keys.list().data[0], "id name tier")
        self.assertIsInstance(self.sharp.gamestate.get(), dict)
        self.has(self.sharp.rate_limit, "limit remaining reset tier")

    def test_streams(self) -> None:
        for stream in (
            self.sharp.stream.odds(league="nba"),
            self.sharp.stream.opportunities(min_ev=3.0),
            self.sharp.stream.all(sport="basketball"),
            self.sharp.stream.event(self.event),
            self.sharp.stream.gamestate(),
        ):
            with stream:
                kind, data = next(stream.iter_events())
                self.assertEqual((kind, data["resumed"]), ("connected", False))

    def test_errors_by_their_names(self) -> None:
        with self.assertRaises(AuthenticationError) as refused, SharpAPI("sk_test_nobody") as nobody:
            nobody.ev.get()
        self.assertIsInstance(refused.exception, SharpAPIError)
        self.assertTrue(issubclass(RateLimitedError, SharpAPIError) and issubclass(TierRestrictedError, SharpAPIError))

    def test_the_frame_has_its_columns(self) -> None:
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.sharp.arbitrage.get(min_profit=0.5).to_dataframe()
        self.assertEqual(len(frame), 1)
        self.assertEqual(len(frame.legs[0]), 2)


class Conversions(unittest.TestCase):
    def test_odds_are_converted(self) -> None:
        self.assertAlmostEqual(american_to_decimal(-110), 1.909, 3)
        self.assertEqual(american_to_decimal(150), 2.5)
        self.assertAlmostEqual(american_to_probability(-110), 0.524, 3)
        self.assertEqual((decimal_to_american(2.5), decimal_to_american(1.5)), (150, -200))


class Addresses(unittest.TestCase):
    def test_an_address_without_its_scheme_is_no_key(self) -> None:
        for given in ("localhost:8080", "127.0.0.1:9000", "odds.example:443/base", "[::1]:8080", "[::1]"):
            with self.assertRaises(ValueError):
                SharpAPI(given)
        for given in ("odds.example", "::1"):
            with self.assertRaises(ValueError) as refused:
                SharpAPI("sk_test_abc", base_url=given)
            self.assertNotIn("sk_test_abc", str(refused.exception))
        self.assertEqual(SharpAPI("sk_test_abc", base_url="http://127.0.0.1:1").url, "http://127.0.0.1:1")
