"""Backs every price of the next hours' games above fair once, on paper, with nothing but Python's standard library. As it happens, or over a
recording in steps that two runs take alike:

    python3 examples/paper-bot.py http://127.0.0.1:8080 sk_test_…
    overround simulate night.ndjson.gz --lockstep -- python3 examples/paper-bot.py --step 20
"""

import argparse
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta

parser = argparse.ArgumentParser()
parser.add_argument("url", nargs="?", default=os.environ.get("OVERROUND_URL", "http://127.0.0.1:8080"))
parser.add_argument("key", nargs="?", default=os.environ.get("OVERROUND_KEY", ""))
parser.add_argument("--step", type=int, help="messages of the recording between two looks; without it a second")
args = parser.parse_args()

MIN_EV = 1
SOON = timedelta(hours=2)
STAKE = 20
seen = set()


def call_once(path, body):
    request = urllib.request.Request(f"{args.url}/api/v1{path}", headers={"X-API-Key": args.key})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["data"]


def call(path, body=None):
    """Waits for a server that is gone, restarts or has no room. Only what may be asked twice: a bet is known by its client_id."""
    wait = 1
    while True:
        asked = None
        try:
            return call_once(path, body)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 502, 503, 504):
                sys.exit(f"refused: {error.code} {error.read().decode(errors='replace')}")
            reason, asked = f"{error.code} {error.reason}", error.headers.get("Retry-After")
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = repr(error)
        pause = float(asked) if asked and asked.isdigit() else wait
        print(f"not answered: {reason}; again in {pause:g} s", file=sys.stderr, flush=True)
        time.sleep(pause)
        wait = min(wait * 2, 30)


def starts_soon(price):
    """Or is live. Both times are the server's: in a recording the clock here says nothing."""
    if price["start_time"] is None:
        return False
    start, seen_at = (datetime.fromisoformat(price[name].replace("Z", "+00:00")) for name in ("start_time", "detected_at"))
    return start - seen_at < SOON


def back(prices):
    fresh = [price for price in prices if price["odds_id"] not in seen and starts_soon(price)]
    seen.update(price["odds_id"] for price in fresh)
    bets = [
        {"client_id": price["odds_id"], "odds_id": price["odds_id"], "odds_american": price["odds_american"], "stake": STAKE, "mode": "paper"}
        for price in fresh
    ]
    for bet in call("/account/bets", {"bets": bets}) if bets else []:
        print(bet["client_id"], bet["status"], bet["reason"] or "", flush=True)


state = ""
while state != "ended":
    if args.step is None:
        time.sleep(1)
    else:
        # A step taken twice would be two: its server does not restart, and what it refuses ends the run.
        state = call_once("/replay", {"action": "step", "messages": args.step})["state"]
    back(call(f"/opportunities/ev?min_ev={MIN_EV}&limit=100"))
