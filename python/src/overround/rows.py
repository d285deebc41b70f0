"""Rows as the server sends them: dictionaries whose fields are attributes, too, and lists of them with what came beside."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any, ClassVar, Dict, List, Mapping, NamedTuple, Optional, Tuple, Type, TypeVar

T = TypeVar("T")


class RateLimit(NamedTuple):
    """The key's request limit as of the newest answer that stated it."""

    limit: Optional[int] = None
    """Requests a minute."""
    remaining: Optional[int] = None
    """Requests left in this minute."""
    reset: Optional[float] = None
    """When the minute ends, in Unix seconds."""
    tier: Optional[str] = None
    """The key's tier."""


class Row(Dict[str, Any]):
    """A JSON object. A field is an item and an attribute alike: `row["line"]` is `row.line`.

    A field that the type declares and the server left out is None as an attribute. A field whose name is a word of
    Python has an underscore behind it: `move.books[0].from_`.
    """

    _nested: ClassVar[Mapping[str, Tuple[str, Any]]] = {}
    """Fields that hold rows: `one`, `list`, `map` or `lists` (a map of lists), and of which type."""
    _times: ClassVar[Tuple[str, ...]] = ()
    """Fields that are times (RFC 3339, UTC)."""

    def __init__(self, fields: Mapping[str, Any] = {}, **more: Any) -> None:
        super().__init__(fields, **more)
        for name, (form, kind) in self._nested.items():
            value = self.get(name)
            if value is not None:
                self[name] = _formed(form, kind, value)

    def __getattr__(self, name: str) -> Any:
        if name in self:
            value = self[name]
            if type(value) in (dict, list) and name not in self._nested:
                value = self[name] = _plain(value)
            return value
        declared = type(self).__dict__.get("__annotations__", {})
        plain = name[:-1] if name.endswith("_") else name
        if plain in self:
            return self[plain]
        if name in declared:
            return None
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self})


def _plain(value: Any) -> Any:
    """Objects that no type describes have attributes all the same."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return Row(value) if type(value) is dict else value


def _formed(form: str, kind: Any, value: Any) -> Any:
    if form == "one" and isinstance(value, dict):
        return kind(value)
    if form == "list" and isinstance(value, list):
        return [kind(item) if isinstance(item, dict) else item for item in value]
    if form == "map" and isinstance(value, dict):
        return Row({key: _formed("one", kind, item) for key, item in value.items()})
    if form == "lists" and isinstance(value, dict):
        return Row({key: _formed("list", kind, item) for key, item in value.items()})
    return value


class Rows(List[T]):
    """A list of rows as one answer gave it, with what came beside it.

    Other fields of the answer are attributes: `client.odds.delta(since).removed`.
    """

    def __init__(self, rows: Any = (), envelope: Optional[Mapping[str, Any]] = None, kind: Any = Row, rate_limit: Optional[RateLimit] = None) -> None:
        super().__init__(rows)
        self.envelope: Row = Row(envelope or {})
        """The answer without its rows."""
        self.meta: Row = Row(self.envelope.get("meta") or {})
        """Counts, applied filters, `unknown` and `ignored` names, `server_time`."""
        self.pagination: Row = Row(self.envelope.get("pagination") or self.meta.get("pagination") or {})
        self.rate_limit: RateLimit = rate_limit or RateLimit()
        self._kind = kind

    @property
    def data(self) -> Rows[T]:
        """The rows themselves."""
        return self

    def __getattr__(self, name: str) -> Any:
        envelope = self.__dict__.get("envelope")
        if envelope is not None and name in envelope:
            return envelope[name]
        raise AttributeError(f"the answer has no field {name!r}")

    def to_pandas(self, flatten: bool = True) -> Any:
        """A pandas.DataFrame, one row each; times are timestamps in UTC.

        With `flatten`, fields of objects become columns (`odds_american` of `odds`); lists stay as they are.

        >>> client.odds.get(league="nba").to_pandas().groupby("sportsbook").size()
        """
        pandas = import_module("pandas")

        frame = pandas.DataFrame(self._records(flatten), columns=None if self else list(self._columns()))
        # Since pandas 2 a column of times with and without fractions needs to be told so.
        form = {"format": "ISO8601"} if int(pandas.__version__.split(".")[0]) >= 2 else {}
        for name in self._kind._times:
            if name in frame:
                frame[name] = pandas.to_datetime(frame[name], utc=True, errors="coerce", **form)
        return frame

    def to_dataframe(self, flatten: bool = True) -> Any:
        """The same as `to_pandas`."""
        return self.to_pandas(flatten)

    def to_polars(self, flatten: bool = True) -> Any:
        """A polars.DataFrame, one row each; times are timestamps in UTC.

        >>> client.ev.get(min_ev=3).to_polars().sort("ev_percentage")
        """
        polars = import_module("polars")

        if not self:
            return polars.DataFrame({name: [] for name in self._columns()})
        # Not strict: in JSON a price of 2 beside one of 2.05 is a whole number, also within a list.
        frame = polars.DataFrame(self._records(flatten), infer_schema_length=None, strict=False)
        times = [name for name in self._kind._times if name in frame.columns and frame[name].dtype == polars.Utf8]
        return frame.with_columns([polars.col(name).str.to_datetime(time_zone="UTC", strict=False) for name in times])

    def _records(self, flatten: bool) -> List[Dict[str, Any]]:
        return [_flat(row) if flatten else dict(row) for row in self if isinstance(row, dict)]

    def _columns(self) -> List[str]:
        return list(self._kind.__dict__.get("__annotations__", {}))


def _flat(row: Mapping[str, Any], before: str = "") -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{name}_"))
        else:
            flat[before + name] = value
    return flat


RowType = TypeVar("RowType", bound=Row)


def rows_of(kind: Type[RowType], answer: Any, rate_limit: RateLimit) -> Rows[RowType]:
    """The answer of a list as typed rows. Asked for a table it is text, and has none."""
    if not isinstance(answer, dict):
        answer = {"table": answer}
    meta = answer.get("meta") or {}
    for name in [*(meta.get("ignored") or ()), *(meta.get("unknown") or ())]:
        # At the caller's line.
        warnings.warn(f"the server knows no {name} here", stacklevel=4)
    data = answer.get("data") or []
    items = [kind(item) if isinstance(item, dict) else item for item in data]
    return Rows(items, {name: value for name, value in answer.items() if name != "data"}, kind, rate_limit)


def row_of(kind: Type[RowType], answer: Any, rate_limit: RateLimit) -> RowType:
    """The answer about one thing: its fields, with `meta`, `rate_limit` and `data` (itself) beside them."""
    data = answer["data"] if isinstance(answer.get("data"), dict) else answer
    row = kind(data)
    beside = {"meta": Row(answer.get("meta") or {}), "rate_limit": rate_limit, "data": row}
    row.__dict__.update({name: value for name, value in beside.items() if name not in row})
    return row
