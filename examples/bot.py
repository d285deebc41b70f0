"""Follows arbitrages with the package overround (pip install ./python); a server that is gone, restarts or has no room is
waited for, and what was missed comes after.

    python3 examples/bot.py http://127.0.0.1:8080 sk_test_… [--once]

With --once it ends after the first complete list.
"""

import logging
import os
import sys

from overround import Client, OverroundError

arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
url, key = (*arguments, None, None)[:2]
# Why it waits, where it does.
logging.basicConfig(format="%(message)s")


def show(found):
    legs = "  ".join(f"{leg.sportsbook} {leg.selection} {leg.odds_american:+d} for {leg.stake_percent:.2f} %" for leg in found.legs)
    print(f"{found.profit_percent:5.2f} %  {found.event_name}  {found.market_type}  {legs}", flush=True)


shown = set()
try:
    stream = Client(url=url, api_key=key).stream.opportunities(first_tries=None)
    for event in stream:
        if event.type == "arb:detected":
            for found in event.items:
                if found.id not in shown:
                    show(found)
                shown.add(found.id)
        elif event.type == "arb:expired":
            shown.difference_update(event.ids)
        elif event.type == "snapshot:complete":
            # What ended unseen is not in the table any more.
            shown.intersection_update(stream.table.arbitrage)
            if "--once" in sys.argv:
                print(f"{len(shown)} arbitrages", flush=True)
                break
except OverroundError as error:
    sys.exit(f"refused: {error}")
except BrokenPipeError:
    # Its reader has what it wanted (`… | head`). Python itself would complain of it as it ends.
    os._exit(0)
