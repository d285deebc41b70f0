"""Streams: against a real server, and against one that breaks off, refuses and lets wait."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
import unittest

from overround import AsyncClient, Client, OverroundError
from overround.events import ArbitrageDetected, OddsDelta, OddsUpdate
from scripted import Scripted, events, refusal
from world import WorldCase, moneyline, poll


def sent(name: str, data: object, id: str | None = None) -> str:
    mark = "" if id is None else f"id: {id}\n"
    return f"event: {name}\n{mark}data: {json.dumps(data)}\n\n"


CONNECTED = sent("connected", {"stream_id": "s", "epoch": "e", "resumed": False}, "")
COMPLETE = sent("snapshot:complete", {"books": [], "total_odds": 0}, "evt_10")
RESUMED = sent("connected", {"stream_id": "s", "epoch": "e", "resumed": True})
UNAUTHORIZED = '{"error":{"code":"unauthorized","message":"no such key"}}'


def found(*ids: str) -> str:
    return sent("arb:detected", [{"id": id, "profit_percent": 1} for id in ids], "evt_12")


class Streams(WorldCase):
    def test_the_table_is_the_servers_own(self) -> None:
        with self.client.stream.all(league="nba").ready() as stream:
            self.assertEqual(set(stream.table.odds), {row.id for row in self.client.odds.iter(league="nba")})
            self.assertEqual(set(stream.table.arbitrage), {row.id for row in self.client.arbitrage.get()})
            self.client.ingest.push(poll("draftkings", moneyline(118, -128)))
            for event in stream:
                if isinstance(event, OddsUpdate):
                    break
            changed = next(row for row in stream.table.odds.values() if row.sportsbook == "draftkings" and row.odds_american == 118)
            self.assertEqual(changed.probability, changed.odds_probability)
            self.assertEqual(changed.home_team, "Boston Celtics")
            self.assertEqual([event.type, event.data], list(event))
            self.assertEqual(stream.position is None or stream.position.startswith("evt_"), True)
        self.client.ingest.push(poll("draftkings", moneyline(115, -125)))

    def test_another_process_goes_on_at_the_position_that_was_kept(self) -> None:
        with self.client.stream.odds(league="nba").ready() as stream:
            kept = stream.position
        for price in (117, 119):
            self.client.ingest.push(poll("draftkings", moneyline(price, -128)))
        with self.client.stream.odds(league="nba", position=kept) as stream:
            self.assertTrue(next(stream).resumed)
            told = next(event for event in stream if event.items)
            self.assertIn(119, [item.odds_american for item in told.items])
            self.assertFalse(stream.table.complete)
        self.client.ingest.push(poll("draftkings", moneyline(115, -125)))

    def test_close_ends_who_waits_in_another_thread(self) -> None:
        stream = self.client.stream.odds(league="nba").ready()
        threading.Timer(0.2, stream.close).start()
        self.assertEqual([event.type for event in stream if event.items], [])

    def test_handlers_are_called_by_type(self) -> None:
        stream = self.client.stream.opportunities(league="nba")
        seen = []

        @stream.on("arb:detected")
        def of_arbitrage(data: object) -> None:
            seen.append(data)

        stream.on("snapshot:complete", lambda _: stream.disconnect())
        stream.connect()
        self.assertEqual(len(seen), 1)
        self.assertEqual(seen[0][0]["event_id"], self.event)

    def test_every_channel_opens(self) -> None:
        streams = self.client.stream
        for stream in (streams.moves(), streams.gamestate(), streams.results(), streams.bets(), streams.event(self.event)):
            with stream:
                self.assertEqual(next(stream).type, "connected")

    def test_the_async_client_calls_and_streams_alike(self) -> None:
        async def work() -> None:
            async with AsyncClient() as client:
                rows = await client.odds.get(league="nba", limit=2)
                self.assertEqual(len(rows), 2)
                every = [row.id async for row in client.odds.iter(league="nba", limit=3)]
                self.assertEqual(len(every), rows.meta.total)
                health, best = await asyncio.gather(client.health(), client.odds.best(league="nba"))
                self.assertEqual((health.status, len(best) > 0), ("ok", True))
                with self.assertRaises(OverroundError):
                    await client.events.get("nba_no_such_game")
                await client.ingest.push(poll("draftkings", moneyline(115, -125)))
                async with client.stream.all(league="nba") as stream:
                    await stream.ready()
                    self.assertEqual(set(stream.table.odds), set(every))
                    await client.ingest.push(poll("draftkings", moneyline(116, -125)))
                    async for event in stream:
                        if isinstance(event, OddsUpdate):
                            self.assertEqual(event.items[0].odds_american, 116)
                            break
                await client.ingest.push(poll("draftkings", moneyline(115, -125)))

        asyncio.run(work())


class Trouble(unittest.TestCase):
    def setUp(self) -> None:
        logging.getLogger("overround").setLevel(logging.CRITICAL)

    def test_what_breaks_off_goes_on_where_it_was(self) -> None:
        first = events("retry: 10\n\n", CONNECTED, found("a", "b"), COMPLETE, sent("arb:expired", {"expired": ["b"]}, "evt_11"))
        with Scripted(first, events(RESUMED, found("c")), refusal(401, UNAUTHORIZED)) as server, Client(url=server.url) as client:
            stream = client.stream.opportunities(league="nba")
            ids = []
            with self.assertRaises(OverroundError) as refused:
                for event in stream:
                    ids.extend(item.id for item in event.items if isinstance(event, ArbitrageDetected))
            self.assertEqual((refused.exception.status, refused.exception.code), (401, "unauthorized"))
            self.assertEqual(ids, ["a", "b", "c"])
            self.assertEqual(set(stream.table.arbitrage), {"a", "c"})
            self.assertNotIn("resume", server.asked[0][0])
            self.assertNotIn("last-event-id", server.asked[0][1])
            self.assertIn("resume=true", server.asked[1][0])
            self.assertEqual([asked[1]["last-event-id"] for asked in server.asked[1:]], ["evt_11", "evt_12"])

    def test_what_cannot_be_resumed_begins_anew(self) -> None:
        anew = sent("snapshot_required", {"reason": "too_old"}, "")
        second = events(sent("connected", {"resumed": True}), anew, CONNECTED, found("b"), COMPLETE)
        first = events("retry: 10\n\n", CONNECTED, found("a"), COMPLETE)
        with Scripted(first, second, refusal(403)) as server, Client(url=server.url) as client:
            stream = client.stream.opportunities()
            with self.assertRaises(OverroundError):
                for _ in stream:
                    pass
            self.assertEqual((set(stream.table.arbitrage), stream.table.complete), ({"b"}, True))

    def test_it_waits_as_long_as_the_server_asks(self) -> None:
        answers = (refusal(503, Retry_After="0.4"), refusal(429, Retry_After="0"), refusal(400))
        with Scripted(*answers) as server, Client(url=server.url) as client:
            began = time.monotonic()
            with self.assertRaises(OverroundError) as refused:
                next(client.stream.odds())
            self.assertEqual((refused.exception.status, len(server.asked)), (400, 3))
            self.assertGreater(time.monotonic() - began, 0.35)

    def test_a_server_that_never_was_ends_it_unless_it_may_wait_for_ever(self) -> None:
        with Client(url="http://127.0.0.1:1") as client:
            stream = client.stream.odds(first_tries=1)
            with self.assertRaises(OverroundError) as gone:
                next(stream)
            self.assertEqual((gone.exception.status, gone.exception.code), (0, "network_error"))

    def test_silence_is_a_lost_connection(self) -> None:
        silent = threading.Event()

        def hang(request: object) -> None:
            events("retry: 10\n\n", CONNECTED, COMPLETE)(request)  # type: ignore[arg-type]
            silent.wait(5)

        with Scripted(hang, refusal(401)) as server, Client(url=server.url) as client:
            with self.assertRaises(OverroundError):
                for _ in client.stream.odds(silence_s=0.3):
                    pass
            self.assertEqual(len(server.asked), 2)
            silent.set()

    def test_what_a_change_leaves_out_is_none(self) -> None:
        change = OddsDelta({"id": "1", "depth": {"back": [[2.1, 50]], "lay": []}})
        self.assertEqual(change.depth.back, [[2.1, 50]])
        self.assertEqual([change.indicative, change.is_main_line, change.is_stale_pregame_price], [None] * 3)
        self.assertIsNone(OddsDelta({"id": "1"}).depth)

    def test_close_ends_an_async_stream_that_waits_for_another_try(self) -> None:
        async def use(server: Scripted) -> None:
            async with AsyncClient(url=server.url) as client:
                stream = client.stream.odds()

                async def read() -> int:
                    return len([event async for event in stream])

                reading = asyncio.create_task(read())
                while not server.asked:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.2)
                stream.close()
                self.assertEqual(await asyncio.wait_for(reading, 50), 0)

        with Scripted(refusal(429, "{}", Retry_After="60")) as server:
            asyncio.run(use(server))

    def test_the_async_stream_does_the_same(self) -> None:
        async def work() -> None:
            first = events("retry: 10\n\n", CONNECTED, found("a"), COMPLETE)
            answers = (refusal(503, Retry_After="0"), first, events(RESUMED, found("c")), refusal(401, UNAUTHORIZED))
            with Scripted(*answers) as server:
                async with AsyncClient(url=server.url) as client:
                    stream = client.stream.opportunities()
                    ids = []
                    with self.assertRaises(OverroundError) as refused:
                        async for event in stream:
                            ids.extend(item.id for item in event.items)
                    self.assertEqual((refused.exception.status, ids), (401, ["a", "c"]))
                    self.assertEqual(server.asked[2][1]["last-event-id"], "evt_10")

        asyncio.run(work())
