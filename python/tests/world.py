"""What the tests push into the server that OVERROUND_URL and OVERROUND_KEY name: an enterprise key that may send odds."""

from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Optional

from overround import Client

START = (datetime.now(timezone.utc) + timedelta(hours=3)).replace(microsecond=0)


def now(seconds: float = 0) -> str:
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat()


def game(home: str = "Boston Celtics", away: str = "Los Angeles Lakers") -> Dict[str, Any]:
    return {"league": "nba", "home_team": home, "away_team": away, "start_time": START.isoformat()}


def moneyline(home: float, away: float, teams: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    of = teams or game()
    return {
        "market_type": "moneyline",
        "selections": [
            {"selection": of["home_team"], "selection_type": "home", "odds_american": home},
            {"selection": of["away_team"], "selection_type": "away", "odds_american": away},
        ],
    }


def total(line: float, over: float, under: float) -> Dict[str, Any]:
    return {
        "market_type": "total_points",
        "selections": [
            {"selection": "Over", "selection_type": "over", "line": line, "odds_american": over},
            {"selection": "Under", "selection_type": "under", "line": line, "odds_american": under},
        ],
    }


def poll(book: str, *markets: Dict[str, Any], of: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    return {"book": book, "polled_at": now(), "scope": "event", "events": [{**(of or game()), "markets": list(markets)}]}


SPLIT = {
    "handle_pct": {"home": 0.6, "away": 0.4},
    "bets_pct": {"home": 0.45, "away": 0.55},
}

OVER = game("Chicago Bulls", "Miami Heat")


def world() -> List[Dict[str, Any]]:
    """A game with an arbitrage, +EV, a middle and low holds; another one whose result is known; splits, a future."""
    return [
        poll("pinnacle", moneyline(-102, -108), total(221.5, -108, -104)),
        poll("draftkings", moneyline(115, -125), total(219.5, -105, -115)),
        poll("fanduel", moneyline(-112, 104), total(224.5, -115, -105)),
        poll("betmgm", moneyline(-110, -110, OVER), of=OVER),
        {
            "book": "draftkings",
            "polled_at": now(),
            "scope": "none",
            "events": [],
            "splits": [{**game(), "sportsbook": "draftkings", "moneyline": {"home_odds": 115, "away_odds": -125, **SPLIT}, "fetched_at": now()}],
            "futures": [
                {
                    "league": "nba",
                    "market": "championship_winner",
                    "display_name": "NBA Championship Winner",
                    "future_type": "TEAM",
                    "selections": [{"selection": "Boston Celtics", "odds_american": 450}],
                }
            ],
            "results": [{**OVER, "status": "final", "home_score": 101, "away_score": 99}],
        },
    ]


class WorldCase(unittest.TestCase):
    client: Client
    event: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = Client()
        receipt = cls.client.ingest.push(world())
        assert receipt.rejected == [], receipt
        cls.event = cls.client.events.list(q="celtics")[0].event_id

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()
