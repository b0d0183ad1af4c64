"""Kernels on the processor against NumPy, PyTorch, JAX and Numba: ``python -m benchmarks.cpu``.

Prints a Markdown report, and writes it to ``benchmarks/results/cpu.md`` and all times to ``benchmarks/results/cpu.json``.
Our kernels are cuTile Python (``cpu_kernels.py``), compiled with ``target="cpu"``.  Every library runs in a process of
its own, pinned; for each case they are asked in turn (A B C, A B C, ...), and every result is compared with NumPy in
double precision first.  A ratio is a peer's time over ours, the median over rounds of the ratio within a round; the
best peer of a case is the one with the least ratio.  One pinned thread is the figure that counts: on a shared machine
threads that spin make anything of two.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks import cpu_compile, cpu_report, machine
from benchmarks.cpu_cases import BRIDGE, CALL, COLD, Case, cases
from benchmarks.cpu_peers import OURS, PEERS
from benchmarks.cpu_peers.process import PeerProcess
from tilewright.targets.cpu.machine.ceilings import ceilings

RESULTS = Path(__file__).parent / "results"
PAUSE = 0.25
"""Seconds between two libraries' turns when they have threads: those of the last one stop spinning."""
COLD_ROUNDS = 3


class Session:
    """The options of a run, and what it has found so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.rounds = 1 if options.quick else options.rounds
        self.seconds = 0.01 if options.quick else 0.05
        self.peers: tuple[str, ...] = tuple(options.peers.split(",")) if options.peers else PEERS
        self.found: dict[str, Any] = {"threads": {}, "missing": {}, "versions": {}}

    def wanted(self, name: str) -> bool:
        """Whether a row was asked for."""
        return not self.options.only or any(part in name for part in self.options.only)

    def process(self, name: str, processors: Sequence[int]) -> PeerProcess:
        """A peer's process."""
        return PeerProcess(name, processors, self.options.peer_python, self.options.target)


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)


def processor_sets() -> list[list[int]]:
    """One processor, and two, that this process may run on: the last ones, the first is for interrupts."""
    allowed = sorted(os.sched_getaffinity(0))
    return [allowed[-1:], allowed[-2:]] if len(allowed) > 1 else [allowed]


# --- kernels


def measure_kernels(session: Session, processors: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Answers by case and peer."""
    with ExitStack() as stack:
        started = [stack.enter_context(session.process(name, processors)) for name in session.peers]
        present = [peer for peer in started if not _note_missing(session, peer)]
        chosen = [case for case in (*cases(), CALL, BRIDGE) if session.wanted(case.name)]
        return {case.name: _measure_case(session, case, present, len(processors)) for case in chosen}


def _note_missing(session: Session, peer: PeerProcess) -> bool:
    if peer.missing is None:
        session.found["versions"][peer.name] = peer.ask("version").get("version", "")
        return False
    session.found["missing"][peer.name] = peer.missing
    return True


def _measure_case(
    session: Session, case: Case, peers: Sequence[PeerProcess], threads: int
) -> dict[str, dict[str, Any]]:
    say(f"{case.name}, {threads} thread(s)")
    asked = [peer for peer in peers if peer.missing is None and (case != BRIDGE or peer.name == OURS)]
    answers = {peer.name: peer.ask("prepare", case=case.name, small=session.options.small) for peer in asked}
    ready = [peer for peer in asked if "first" in answers[peer.name]]
    for _ in range(session.rounds):
        for peer in ready:
            time.sleep(PAUSE if threads > 1 else 0.0)
            found = peer.ask("measure", seconds=session.seconds, clock=session.options.clock)
            answers[peer.name].setdefault("seconds", []).append(found.get("seconds", float("nan")))
    for peer in ready:
        peer.ask("drop")
    return answers


# --- first calls


def measure_cold(session: Session, processors: Sequence[int]) -> dict[str, dict[str, list[float]]]:
    """Seconds of first calls, in processes that have compiled and run something else, by case and peer."""
    chosen = [name for name in COLD if session.wanted(name)]
    found: dict[str, dict[str, list[float]]] = {name: {} for name in chosen}
    for _ in range(min(session.rounds, COLD_ROUNDS) if chosen else 0):
        for peer_name in session.peers:
            say(f"first calls of {peer_name}")
            with session.process(peer_name, processors) as peer:
                _cold_round(peer, found)
    return found


def _cold_round(peer: PeerProcess, found: dict[str, dict[str, list[float]]]) -> None:
    if peer.missing is not None or "first" not in peer.ask("prepare", case=CALL.name, small=True):
        return
    for name, times in found.items():
        answer = peer.ask("prepare", case=name, small=True)
        if "first" in answer:
            times.setdefault(peer.name, []).append(answer["first"])


# --- all of it


def limits(session: Session, sets: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """What the machine can do at best, now."""
    say("ceilings")
    return [vars(limit) for limit in ceilings(sets, 2 if session.options.quick else 7)]


def best_of(first: Sequence[dict[str, Any]], last: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The higher of two measurements of each limit: a limit is what was reached at any time."""
    return [
        {**a, "rates": {count: max(rate, b["rates"][count]) for count, rate in a["rates"].items()}}
        for a, b in zip(first, last, strict=True)
    ]


def measure(session: Session) -> dict[str, Any]:
    """Everything that was asked for."""
    found, sets = session.found, processor_sets()
    found["machine"] = machine.description()
    found["rounds"] = session.rounds
    found["clock"] = session.options.clock
    found["ceilings"] = limits(session, sets)
    for processors in sets[: session.options.threads]:
        found["threads"][str(len(processors))] = measure_kernels(session, processors)
    found["ceilings"] = best_of(found["ceilings"], limits(session, sets))
    if not session.options.no_compile:
        found["cold"] = measure_cold(session, sets[0])
        say("compile time")
        found["compile"] = list(cpu_compile.measured(session.rounds)) if session.wanted("compile") else []
    return found


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round; writes no result")
    parser.add_argument("--small", action="store_true", help="small shapes; writes no result")
    parser.add_argument(
        "--only", action="append", default=[], help="rows with this text in their name; repeatable"
    )
    parser.add_argument("--peers", default="", help=f"comma-separated, of {', '.join(PEERS)}")
    parser.add_argument(
        "--peer-python", default=sys.executable, help="the Python that has the peers' libraries"
    )
    parser.add_argument("--target", default="cpu", help="what runs our kernels (cpu, interp)")
    parser.add_argument("--threads", type=int, default=2, choices=(1, 2), help="up to so many threads")
    parser.add_argument("--no-compile", action="store_true", help="leave out compile time")
    parser.add_argument(
        "--clock",
        default="wall",
        choices=("wall", "processor"),
        help="processor: where other programs run, too",
    )
    parser.add_argument("--rounds", type=int, default=7)
    return parser.parse_args()


def main() -> None:
    """Measure, print, write the results."""
    session = Session(options())
    found = measure(session)
    text = f"# Kernels on the processor\n\n{__doc__ or ''}\n{cpu_report.report(found)}"
    print(text)
    chosen = session.options
    if not (chosen.quick or chosen.small or chosen.only or chosen.target != "cpu"):
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "cpu.md").write_text(text, encoding="utf-8")
        (RESULTS / "cpu.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
