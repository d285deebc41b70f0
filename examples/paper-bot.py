"""Backs every price above fair once, on paper, with nothing but Python's standard library. As it happens, or over a
recording in steps that two runs take alike:

    python3 examples/paper-bot.py http://127.0.0.1:8080 sk_test_…
    overround simulate night.ndjson.gz --lockstep -- python3 examples/paper-bot.py --step 20
"""

import argparse
import json
import os
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("url", nargs="?", default=os.environ.get("OVERROUND_URL", "http://127.0.0.1:8080"))
parser.add_argument("key", nargs="?", default=os.environ.get("OVERROUND_KEY", ""))
parser.add_argument("--step", type=int, help="messages of the recording between two looks; without it a second")
args = parser.parse_args()

MIN_EV = 1
STAKE = 20
seen = set()


def call(path, body=None):
    request = urllib.request.Request(f"{args.url}/api/v1{path}", headers={"X-API-Key": args.key})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["data"]


def back(prices):
    fresh = [price for price in prices if price["odds_id"] not in seen]
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
        state = call("/replay", {"action": "step", "messages": args.step})["state"]
    back(call(f"/opportunities/ev?min_ev={MIN_EV}&limit=100"))
