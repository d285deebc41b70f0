"""A webhook that a real server signs is taken; what is changed, old or of another secret is not."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from overround import OverroundError, verify_webhook
from world import WorldCase, moneyline, poll

SECRET = "whsec_" + base64.b64encode(b"a key of thirty-two bytes, about").decode()
BODY = b'{"type":"arb:detected","data":[]}'


def signed(at: float, body: bytes = BODY, secret: str = SECRET) -> dict:
    """By the text of the Standard Webhooks specification: HMAC-SHA256 of id.timestamp.body, base64, after `v1,`."""
    content = b"msg_1.%d." % at + body
    mark = hmac.new(base64.b64decode(secret[6:]), content, hashlib.sha256).digest()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(int(at)), "Webhook-Signature": f"v1,other v1,{base64.b64encode(mark).decode()}"}


class Signatures(unittest.TestCase):
    def refused(self, *arguments: object) -> None:
        with self.assertRaises(OverroundError) as refused:
            verify_webhook(*arguments)  # type: ignore[arg-type]
        self.assertEqual(refused.exception.code, "invalid_signature")

    def test_only_what_was_signed_just_now_with_this_secret_is_taken(self) -> None:
        now = time.time()
        self.assertEqual(verify_webhook(SECRET, signed(now), BODY).type, "arb:detected")
        self.assertEqual(verify_webhook(SECRET, signed(now), BODY.decode()).data, [])
        self.refused(SECRET, signed(now), BODY + b" ")
        self.refused(SECRET, signed(now - 301), BODY)
        self.refused(SECRET, signed(now + 301), BODY)
        self.refused("whsec_" + base64.b64encode(b"another").decode(), signed(now), BODY)
        self.refused(SECRET, {**signed(now), "Webhook-Id": "msg_2"}, BODY)
        self.refused(SECRET, {}, BODY)
        self.refused("whsec_%", signed(now), BODY)


class Alerts(WorldCase):
    def test_the_servers_own_webhook_is_taken(self) -> None:
        came = threading.Event()
        requests = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((dict(self.headers.items()), body))
                self.send_response(204)
                self.end_headers()
                came.set()

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            target = {"type": "webhook", "url": f"http://127.0.0.1:{server.server_address[1]}/hook"}
            alert = self.client.alerts.create("of a test", "arbitrage", target, quiet_s=0)
            self.assertIn(alert.id, [each.id for each in self.client.alerts()])
            teams = {"home_team": "New York Knicks", "away_team": "Orlando Magic"}
            of = {**poll("x")["events"][0], **teams}
            del of["markets"]
            for book, prices in (("draftkings", (120, -130)), ("fanduel", (-120, 110))):
                self.client.ingest.push(poll(book, moneyline(*prices, of), of=of))
            self.assertTrue(came.wait(120), "no webhook came")
            headers, body = requests[0]
            self.assertTrue(json.loads(body))
            self.assertIsNotNone(verify_webhook(alert.secret, headers, body))
            self.client.alerts.delete(alert.id)
        finally:
            server.shutdown()
            server.server_close()
