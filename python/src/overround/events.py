"""The events of a stream, typed by what they are about."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Dict, Generic, Iterator, List, Literal, Optional, Sequence, Type, TypeVar, Union

from .errors import OverroundError
from .models import (
    AccountBet,
    ArbitrageOpportunity,
    Depth,
    EvOpportunity,
    GameStateItem,
    LowHoldOpportunity,
    MiddleOpportunity,
    Move,
    OddsRow,
    Result,
)
from .rows import Row

T = TypeVar("T", bound=Row)


class OddsDelta(Row):
    """What changed of a row that is held: its price, line, liveness or activity. Merged by `id`."""

    id: str
    odds_american: float
    odds_decimal: float
    odds_probability: float
    """Implied probability, 0-1."""
    odds_american_previous: Optional[float]
    line: Optional[float]
    is_live: bool
    is_active: bool
    indicative: Optional[bool]
    is_main_line: bool
    is_stale_pregame_price: Optional[bool]
    depth: Optional[Depth]
    odds_changed_at: str
    _nested = {"depth": ("one", Depth)}


class Event:
    """One event. It can be taken apart: `for kind, data in stream` is `event.type, event.data`."""

    type: str = ""
    """Its name on the wire: `ev:detected`, `odds:update`, `heartbeat`, …"""
    data: Any
    """All of it, as sent."""
    id: Optional[str] = None
    """Position after it, with which a stream resumes; only the last event of a change of the server has one."""
    items: Sequence[Any] = ()
    """What it is about: opportunities, rows, games, results, bets."""
    ids: Sequence[str] = ()
    """Of what ended, was removed or suspended."""
    kind: Optional[str] = None
    """Of opportunities: `ev`, `arbitrage`, `middles`, `low_hold` or `moves`."""

    _row: ClassVar[Type[Row]] = Row

    def __init__(self, type: str, data: Any, id: Optional[str] = None) -> None:
        self.type = type
        self.data = Row(data) if isinstance(data, dict) else data
        self.id = id
        self._read(data)

    def _read(self, data: Any) -> None:
        """Fields of its own."""

    def __iter__(self) -> Iterator[Any]:
        yield self.type
        yield self.data

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type} items={len(self.items)} ids={len(self.ids)} id={self.id}>"


class _Items(Event, Generic[T]):
    items: List[T]

    def _read(self, data: Any) -> None:
        told = data if isinstance(data, list) else data.get("odds", data.get("data", ()))
        self.items = [self._row(item) for item in told]  # type: ignore[misc]
        if isinstance(data, list):
            self.data = self.items


class _Ids(Event):
    ids: List[str]

    def _read(self, data: Any) -> None:
        self.ids = list(data.get("ids", data.get("expired", ())))


class Connected(Event):
    """The stream is open: what follows is the whole state, or, `resumed`, what was missed."""

    type: Literal["connected"]
    resumed: bool
    epoch: Optional[str]

    def _read(self, data: Any) -> None:
        self.resumed = data.get("resumed") is True
        self.epoch = data.get("epoch")


class SnapshotRequired(Event):
    """What was missed is not known any more: the whole state follows."""

    type: Literal["snapshot_required"]
    reason: str

    def _read(self, data: Any) -> None:
        self.reason = str(data.get("reason"))


class Snapshot(_Items[OddsRow]):
    """A part of the state at the beginning."""

    type: Literal["snapshot"]
    _row = OddsRow


class SnapshotComplete(Event):
    """The state is whole."""

    type: Literal["snapshot:complete"]


class OddsAdded(_Items[OddsRow]):
    """Rows that are new."""

    type: Literal["odds:added"]
    _row = OddsRow


class OddsUpdate(_Items[OddsDelta]):
    """What changed of rows that are held."""

    type: Literal["odds:update"]
    _row = OddsDelta


class OddsRemoved(_Ids):
    type: Literal["odds:removed"]


class OddsLocked(_Ids):
    """Suspended: each is also in the update before it."""

    type: Literal["odds:locked"]


class EvDetected(_Items[EvOpportunity]):
    type: Literal["ev:detected"]
    kind = "ev"
    _row = EvOpportunity


class ArbitrageDetected(_Items[ArbitrageOpportunity]):
    type: Literal["arb:detected"]
    kind = "arbitrage"
    _row = ArbitrageOpportunity


class MiddlesDetected(_Items[MiddleOpportunity]):
    type: Literal["middles:detected"]
    kind = "middles"
    _row = MiddleOpportunity


class LowHoldDetected(_Items[LowHoldOpportunity]):
    type: Literal["low_hold:detected"]
    kind = "low_hold"
    _row = LowHoldOpportunity


class MovesDetected(_Items[Move]):
    type: Literal["moves:detected"]
    kind = "moves"
    _row = Move


class Expired(_Ids):
    """Opportunities or moves that ended; `kind` says which."""

    type: Literal["ev:expired", "arb:expired", "middles:expired", "low_hold:expired", "moves:expired"]
    kind: str

    def _read(self, data: Any) -> None:
        super()._read(data)
        self.kind = PREFIXES[self.type.split(":")[0]]


class GameStates(_Items[GameStateItem]):
    """Games in play: scores, clocks; `is_live` false is the last of a game."""

    type: Literal["gamestate:snapshot", "gamestate:update"]
    _row = GameStateItem


class GameStatesRemoved(_Ids):
    """Games that are not in play any more; `ids` are of events."""

    type: Literal["gamestate:removed"]

    def _read(self, data: Any) -> None:
        told = data if isinstance(data, list) else data.get("ids", data.get("event_ids", data.get("data", ())))
        self.ids = [item["event_id"] if isinstance(item, dict) else str(item) for item in told]


class ResultsUpdated(_Items[Result]):
    type: Literal["results:updated"]
    _row = Result


class Bets(_Items[AccountBet]):
    """The account's own: each when it was judged, and when it was graded, also anew."""

    type: Literal["bets:filled", "bets:graded"]
    _row = AccountBet


class Heartbeat(Event):
    """Every 30 s."""

    type: Literal["heartbeat"]


class ServerError(Event):
    """Something failed on the server; the stream goes on, if need be over another connection."""

    type: Literal["error"]
    code: str
    message: str

    def _read(self, data: Any) -> None:
        self.code = str(data.get("code"))
        self.message = str(data.get("message"))


StreamEvent = Union[
    Connected,
    SnapshotRequired,
    Snapshot,
    SnapshotComplete,
    OddsAdded,
    OddsUpdate,
    OddsRemoved,
    OddsLocked,
    EvDetected,
    ArbitrageDetected,
    MiddlesDetected,
    LowHoldDetected,
    MovesDetected,
    Expired,
    GameStates,
    GameStatesRemoved,
    ResultsUpdated,
    Bets,
    Heartbeat,
    ServerError,
    Event,
]
"""`Event` itself is what a newer server sends and this package does not know."""

PREFIXES: Dict[str, str] = {"ev": "ev", "arb": "arbitrage", "middles": "middles", "low_hold": "low_hold", "moves": "moves"}

_TYPES: Dict[str, Type[Event]] = {
    "connected": Connected,
    "snapshot_required": SnapshotRequired,
    "snapshot": Snapshot,
    "snapshot:complete": SnapshotComplete,
    "odds:added": OddsAdded,
    "odds:update": OddsUpdate,
    "odds:removed": OddsRemoved,
    "odds:locked": OddsLocked,
    "ev:detected": EvDetected,
    "arb:detected": ArbitrageDetected,
    "middles:detected": MiddlesDetected,
    "low_hold:detected": LowHoldDetected,
    "moves:detected": MovesDetected,
    **{f"{prefix}:expired": Expired for prefix in PREFIXES},
    "gamestate:snapshot": GameStates,
    "gamestate:update": GameStates,
    "gamestate:removed": GameStatesRemoved,
    "results:updated": ResultsUpdated,
    "bets:filled": Bets,
    "bets:graded": Bets,
    "heartbeat": Heartbeat,
    "error": ServerError,
}


def event_of(type: str, text: str, id: Optional[str]) -> Event:
    """Raises OverroundError `bad_frame` for what is no event."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise OverroundError(0, "bad_frame", "the server sent what is no JSON") from error
    if not isinstance(data, (dict, list)):
        raise OverroundError(0, "bad_frame", "the server sent JSON that is no event")
    return _TYPES.get(type, Event)(type, data, id)
