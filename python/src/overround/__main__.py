"""Prints a server's health and ten rows: python -m overround [URL] [KEY]."""

from __future__ import annotations

import sys
from typing import Sequence

from . import Client, OverroundError


def main(arguments: Sequence[str]) -> int:
    url, key = (*arguments, None, None)[:2]
    try:
        with Client(url=url, api_key=key) as client:
            health = client.health()
            print(f"{client.url}: {health.status}, {len(health.books or ())} books")
            for row in client.odds.get(limit=10):
                line = "" if row.line is None else f" {row.line:g}"
                price = f"{row.odds_american:+g} ({row.odds_decimal:g})"
                print(f"{row.event_start_time}  {row.away_team} @ {row.home_team}  {row.market_type}  {row.selection}{line}  {row.sportsbook}  {price}")
    except (OverroundError, ValueError) as error:
        print(f"overround: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
