"""Follows arbitrages over SSE with nothing but Python's standard library, and resumes where it was after a lost connection;
a server that is gone, restarts or has no room is waited for.

    python3 examples/bot.py http://127.0.0.1:8080 sk_test_… [--once]

With --once it ends after the first complete list.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

args = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
url = args[0] if args else os.environ.get("OVERROUND_URL", "http://127.0.0.1:8080")
key = args[1] if len(args) > 1 else os.environ.get("OVERROUND_KEY", "")
once = "--once" in sys.argv
alive = {}
last_id = ""
stood = False
FIRST_WAIT_S = 1
LONGEST_WAIT_S = 30
# Too many requests, and what a server or a proxy says that has no room, restarts or is gone.
PASSING = (429, 502, 503, 504)


def show(item):
    legs = "  ".join(
        f"{leg['sportsbook']} {leg['selection']} {leg['odds_american']:+d} for {leg['stake_percent']:.2f} %" for leg in item["legs"]
    )
    print(f"{item['profit_percent']:5.2f} %  {item['event_name']}  {item['market_type']}  {legs}", flush=True)


def handle(event, data):
    """Returns True once everything that is alive has been told."""
    if event in ("connected", "snapshot_required") and not data.get("resumed", False):
        alive.clear()
    elif event == "arb:detected":
        for item in data:
            if item["id"] not in alive:
                show(item)
            alive[item["id"]] = item
    elif event == "arb:expired":
        for ended in data["expired"]:
            alive.pop(ended, None)
    elif event == "error":
        print(f"server: {data['code']}: {data['message']}", file=sys.stderr)
    return event == "snapshot:complete"


def follow():
    """One connection: reads events until it ends. Returns True where --once is fulfilled."""
    global last_id, stood
    request = urllib.request.Request(f"{url}/api/v1/stream?channel=opportunities&resume=true")
    request.add_header("X-API-Key", key)
    if last_id:
        request.add_header("Last-Event-ID", last_id)
    # A heartbeat comes every 30 s: silence for a minute means that the connection is dead.
    with urllib.request.urlopen(request, timeout=60) as response:
        event, data, event_id = "", [], None
        for raw in response:
            # A line cut off by a lost connection may end within a character; it is never used.
            line = raw.decode(errors="replace").rstrip("\r\n")
            stood = True
            if line == "":
                if data and handle(event, json.loads("\n".join(data))) and once:
                    return True
                if event_id is not None:
                    last_id = event_id
                event, data, event_id = "", [], None
            elif line.startswith("event:"):
                event = line[6:].strip()
            elif line.startswith("data:"):
                data.append(line[5:].strip())
            elif line.startswith("id:"):
                # An empty id means: forget the old one.
                event_id = line[3:].strip()
    return False


def asked_wait(error):
    """Seconds that the server asks for, or None."""
    try:
        return float(error.headers.get("Retry-After", ""))
    except ValueError:
        return None


wait = FIRST_WAIT_S
while True:
    stood, asked, reason = False, None, "it ended"
    try:
        if follow():
            print(f"{len(alive)} arbitrages")
            break
    except urllib.error.HTTPError as error:
        if error.code not in PASSING:
            sys.exit(f"refused: {error.code} {error.read().decode(errors='replace')}")
        reason, asked = f"{error.code} {error.reason}", asked_wait(error)
    except (OSError, http.client.HTTPException) as error:
        reason = repr(error)
    if stood:
        wait = FIRST_WAIT_S
    pause = wait if asked is None else asked
    print(f"lost the connection: {reason}; again in {pause:g} s", file=sys.stderr, flush=True)
    time.sleep(pause)
    wait = min(wait * 2, LONGEST_WAIT_S)
