"""Backs every price of the next hours' games above fair once, on paper, with the package overround (pip install ./python). As it happens,
or over a recording in steps that two runs take alike:

    python3 examples/paper-bot.py http://127.0.0.1:8080 sk_test_…
    overround simulate night.ndjson.gz --lockstep -- python3 examples/paper-bot.py --step 20
"""

import argparse
import os
import sys
import time
from datetime import datetime, timedelta

from overround import Client, OverroundError

parser = argparse.ArgumentParser()
parser.add_argument("url", nargs="?")
parser.add_argument("key", nargs="?")
parser.add_argument("--step", type=int, help="messages of the recording between two looks; without it a second")
args = parser.parse_args()

MIN_EV = 1
SOON = timedelta(hours=2)
STAKE = 20
seen = set()
# A server that is gone, restarts or has no room is waited for. A bet asked for twice is one: it is known by its client_id.
client = Client(url=args.url, api_key=args.key, retries=None)


def starts_soon(price):
    """Or is live. Both times are the server's: in a recording the clock here says nothing."""
    if price.start_time is None:
        return False
    start, seen_at = (datetime.fromisoformat(told.replace("Z", "+00:00")) for told in (price.start_time, price.detected_at))
    return start - seen_at < SOON


def back(prices):
    fresh = [price for price in prices if price.odds_id not in seen and starts_soon(price)]
    seen.update(price.odds_id for price in fresh)
    bets = [
        {"client_id": price.odds_id, "odds_id": price.odds_id, "odds_american": price.odds_american, "stake": STAKE, "mode": "paper"}
        for price in fresh
    ]
    for bet in client.bets.place(bets) if bets else []:
        print(bet.client_id, bet.status, bet.reason or "", flush=True)


try:
    state = ""
    while state != "ended":
        if args.step is None:
            time.sleep(1)
        else:
            # A step taken twice would be two: its server does not restart, and what it refuses ends the run.
            state = client.replay.act("step", messages=args.step).state
        back(client.ev.get(min_ev=MIN_EV, limit=100))
except OverroundError as error:
    sys.exit(f"refused: {error}")
except BrokenPipeError:
    # Its reader has what it wanted (`… | head`). Python itself would complain of it as it ends.
    os._exit(0)
