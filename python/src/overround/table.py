"""The rows and opportunities of a stream, merged event by event: once `complete`, equal to the server's own under the
stream's filters."""

from __future__ import annotations

from typing import Any, Dict, Mapping

from . import events
from .models import (
    AccountBet,
    ArbitrageOpportunity,
    EvOpportunity,
    GameStateItem,
    LowHoldOpportunity,
    MiddleOpportunity,
    Move,
    OddsRow,
    Result,
)


class LiveTable:
    def __init__(self) -> None:
        self.odds: Dict[str, OddsRow] = {}
        """By id of the row."""
        self.ev: Dict[str, EvOpportunity] = {}
        """By id of the opportunity, as the next ones."""
        self.arbitrage: Dict[str, ArbitrageOpportunity] = {}
        self.middles: Dict[str, MiddleOpportunity] = {}
        self.low_hold: Dict[str, LowHoldOpportunity] = {}
        self.moves: Dict[str, Move] = {}
        self.games: Dict[str, GameStateItem] = {}
        """By event id; finished games are removed."""
        self.results: Dict[str, Result] = {}
        """By event id: the last of each game."""
        self.bets: Dict[str, AccountBet] = {}
        """By id: the account's own that were judged or graded while the stream was open."""
        self.complete = False
        """False from the start of a snapshot to its end, and after a start from a position that was handed in: then it
        has what came since."""

    @property
    def opportunities(self) -> Mapping[str, Dict[str, Any]]:
        """By kind, then by id."""
        return {
            "ev": self.ev,
            "arbitrage": self.arbitrage,
            "middles": self.middles,
            "low_hold": self.low_hold,
            "moves": self.moves,
        }

    def apply(self, event: events.Event) -> None:
        if isinstance(event, events.Connected):
            if not event.resumed:
                self._clear()
        elif isinstance(event, events.SnapshotRequired):
            self._clear()
        elif isinstance(event, (events.Snapshot, events.OddsAdded)):
            for row in event.items:
                self._put(row)
        elif isinstance(event, events.SnapshotComplete):
            self.complete = True
        elif isinstance(event, events.OddsUpdate):
            for delta in event.items:
                held = self.odds.get(delta["id"])
                if held is not None:
                    self.odds[delta["id"]] = OddsRow({**held, **delta, "probability": delta["odds_probability"]})
        elif isinstance(event, events.OddsRemoved):
            for id in event.ids:
                self.odds.pop(id, None)
        elif isinstance(event, events.OddsLocked):
            for id in event.ids:
                locked = self.odds.get(id)
                if locked is not None and locked.is_active:
                    self.odds[id] = OddsRow({**locked, "is_active": False})
        elif isinstance(event, events.Expired):
            for id in event.ids:
                self.opportunities[event.kind].pop(id, None)
        elif isinstance(event, events.GameStates):
            for game in event.items:
                if game.is_live:
                    self.games[game["event_id"]] = game
                else:
                    self.games.pop(game["event_id"], None)
        elif isinstance(event, events.GameStatesRemoved):
            for id in event.ids:
                self.games.pop(id, None)
        elif isinstance(event, events.ResultsUpdated):
            self.results.update({result["event_id"]: result for result in event.items})
        elif isinstance(event, events.Bets):
            self.bets.update({bet["id"]: bet for bet in event.items})
        elif event.kind is not None:
            self.opportunities[event.kind].update({item["id"]: item for item in event.items})

    def _put(self, row: OddsRow) -> None:
        """Only a snapshot's rows show openings: a row sent again keeps its own."""
        held = self.odds.get(row["id"])
        if held is not None and "opening" in held and "opening" not in row:
            row["opening"] = held["opening"]
        self.odds[row["id"]] = row

    def _clear(self) -> None:
        self.complete = False
        for rows in (self.odds, *self.opportunities.values(), self.games, self.results):
            rows.clear()
