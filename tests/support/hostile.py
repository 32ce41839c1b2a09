"""Requests that mean no good: schemathesis over the OpenAPI file, and a seeded fuzz of uploads and bodies.

Run as a program it is the soak: `python -m tests.support.hostile 100000`.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from itertools import cycle
from multiprocessing import get_context
from typing import Any

import httpx
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import Unsatisfiable

from qontrast import FORMATS, FormatWarning, examples
from qontrast.formats import write_text
from tests.support.web_server import served

EXPECTED = {200, 400, 401, 403, 404, 405, 408, 413, 415, 422, 503}
CLIENTS = 3  # of the soak, at once
POISON = [
    *("<script>alert(1)</script>", "\u202e", "\x00", "\ud800", "NaN", "-1", "1e999", "0" * 5000, "../../etc/passwd"),
    *('"', "'", "{", "}", "[", "]", ",", ";", "arg(", "=cmd|' /C calc'!A0", "${jndi:ldap://x}", "&lol;", "\r\n\r\n"),
    *("__proto__", "constructor", "null", "true", "[[[[[[[[", "%s%n", "🦓", "a" * 70_000),
]


def by_schema(address: str, count: int, start: int = 0) -> Counter[int]:
    """So many requests that the OpenAPI file allows, or that it almost allows."""
    import schemathesis  # takes a second

    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    operations = [each.ok() for each in schema.get_all_operations()]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    strategies = [each.as_strategy(generation_mode=mode) for each in operations for mode in modes]
    seen: Counter[int] = Counter()
    share = max(1, -(-count // len(strategies)))
    for number, strategy in enumerate(strategies):

        @seed(start + number)
        @settings(
            max_examples=share,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        @given(case=strategy)
        def ask(case: Any) -> None:
            answer = case.call(base_url=address, timeout=120)
            check(answer.status_code, answer.content, "".join(answer.headers.get("content-type", "")))
            seen[answer.status_code] += 1

        with suppress(Unsatisfiable):  # a question without parameters has no wrong ones
            ask()
    return seen


def check(status: int, content: bytes, media: str) -> None:
    """An answer that was meant: one of our statuses, a reason with every refusal, strict JSON."""
    assert status in EXPECTED, (status, content[:300])
    if status == 503:
        assert b"longer than" in content or b"at once" in content, content[:300]
    if media.startswith("application/json"):
        data = json.loads(content, parse_constant=lambda word: AssertionError(word))
        if status >= 400:
            assert data["error"], content


def mutated(rng: random.Random, text: str) -> str:
    """The text with a few pieces cut out, doubled, exchanged or poisoned."""
    for _ in range(rng.randint(1, 6)):
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        j = min(j, i + rng.choice((1, 3, 20, 400)))
        kind = rng.randrange(4)
        piece = "" if kind == 0 else text[i:j] * 2 if kind == 1 else rng.choice(POISON)
        text = text[:i] + piece + text[i if kind == 3 else j :]
    return text


def uploads() -> list[tuple[str, str]]:
    """Good files to begin with, in every format."""
    import warnings

    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        for name in ("zebra", "loan", "undefined", "claim"):
            for each in FORMATS.values():
                try:
                    found.append((f"{name}{each.suffixes[0]}", write_text(examples.load(name), each.name)))
                except ValueError:  # this format cannot hold it
                    continue
    return found


def fuzzed(address: str, count: int, start: int = 0) -> Counter[int]:
    """So many mutated files and bodies; what is read is explained too."""
    rng, files, seen = random.Random(start), uploads(), Counter[int]()
    questions = ["explain", "contrast", "pairs", "rank", "flip", "convert", "draw", "strengths", "read", "paths"]
    questions += ["reach", "reasons", "change", "robustness", "uncertainty", "semantics"]
    with httpx.Client(base_url=address, timeout=120) as client:
        while sum(seen.values()) < count:
            name, text = rng.choice(files)
            if rng.random() < 0.6:
                body = {"files": [{"name": name, "text": mutated(rng, text)}]}
                answer = post(client, "read", json.dumps(body).encode(), seen)
                for graph in answer.json()["graphs"].values() if answer.status_code == 200 else ():
                    method = rng.choice(["shapley", "removal", "gradient", "sampled", "intrinsic"])
                    post(client, "explain", json.dumps({"graph": graph, "method": method}).encode(), seen)
            else:
                graph = json.loads(write_text(examples.load(rng.choice(["zebra", "undefined"])), "json"))
                sent = mutated(rng, json.dumps({"graph": graph, "fact": "zebra", "foil": "horse"}))
                post(client, rng.choice(questions), sent.encode("utf-8", "surrogatepass"), seen)
    return seen


def post(client: httpx.Client, question: str, body: bytes, seen: Counter[int]) -> httpx.Response:
    answer = client.post(f"/api/{question}", content=body, headers={"Content-Type": "application/json"})
    check(answer.status_code, answer.content, answer.headers.get("content-type", ""))
    seen[answer.status_code] += 1
    return answer


def soak(count: int) -> None:
    """Rounds of both kinds, from several clients at once, until so many were answered; the server must answer on."""
    total, began, rounds = Counter[int](), time.monotonic(), enumerate(cycle((fuzzed, by_schema)))
    with served() as running, ProcessPoolExecutor(CLIENTS, get_context("spawn")) as pool:
        asked: set[Future[Counter[int]]] = set()
        while asked or total.total() < count:
            while len(asked) < CLIENTS and total.total() < count:
                start, kind = next(rounds)
                asked.add(pool.submit(kind, running.address, 500, start))
            done, asked = wait(asked, return_when=FIRST_COMPLETED)
            for each in done:
                total += each.result()
            rate = total.total() / (time.monotonic() - began)
            print(f"{total.total():,} of {count:,} ({rate:.0f}/s): {dict(total)}", flush=True)
            assert running.app.state.pool.failures == 0
        with running.client() as client:
            assert client.get("/api/tables").status_code == 200


if __name__ == "__main__":
    soak(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
