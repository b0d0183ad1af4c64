"""The report of the CPU benchmark, from what was measured."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks import cpu_compile, measure
from benchmarks.cpu_cases import BRIDGE, CALL, DTYPES, Case, Goal, cases
from benchmarks.cpu_peers import OURS, PEERS
from benchmarks.tables import header, line, section

LEAST = 0.85
"""No case should be slower than this share of the best peer's speed."""
THREADS_GOAL = 1.8
CALL_GOALS = {CALL.name: (2.5, 1.0), BRIDGE.name: (15.0, 15.0)}
"""Microseconds: goal and stretch."""
COLD_GOALS = {"attention": (150, 80), "": (40, 25)}
"""Milliseconds, by the beginning of the case's name."""
LIMITS = {
    "add": ("DRAM, c = a + b", "DRAM, c = a + b, non-temporal stores"),
    "rowsum": ("DRAM, read", "DRAM, c = a + b"),
    "": ("DRAM, copy", "DRAM, copy, non-temporal stores"),
}
"""Which limits of memory bound an operation: the best of them counts."""
WHY: dict[str, str] = {
    "matmul f32": "the loop of the micro-kernel runs at 90 % of the limit; rows of A that are a power of two apart compete in the second-level cache",
    "matmul bf16": "without an instruction for bf16 dot products, operands are widened and the f32 micro-kernel runs",
    "matmul f16": "operands are widened and the f32 micro-kernel runs",
    "bmm": "first touch of the operands, which lie in the third-level cache, and writing the result",
    "attention": "exponentials, maxima and their treatment of NaN take a third of the time, products half",
    "softmax f32 512": "the exponential; operands come from the second-level cache and beyond",
    "layernorm f32 512": "two passes over rows that lie in the second- and third-level cache, and sums of lanes for each row",
    "layernorm": "memory: at the limit of copying",
    "rmsnorm": "memory: at the limit of copying",
    "softmax": "memory, and the exponential with its exact treatment of NaN and infinity",
    "gelu": "memory, and the hyperbolic tangent",
    "add f32 64K": "in the second-level cache all libraries are the same loop; what differs is the cost of the call",
    "add": "memory: at the limit of addition",
    "transpose": "memory: pages of the result are written one after the other",
    "cumsum": "memory: at the limit of copying",
    "row sum": "memory: at the limit of reading",
    "gather": "memory: rows at random",
    "fft": "not a goal: matrix products do more arithmetic than a fast transform",
}
"""Why rows miss their goal: what limits them, by how the name of the case begins; the first that fits."""

Answers = Mapping[str, Mapping[str, Any]]
"""What peers answered about a case, by peer."""


def report(found: Mapping[str, Any]) -> str:
    """The Markdown document."""
    return "".join(_parts(found))


def _parts(found: Mapping[str, Any]) -> Iterator[str]:
    clock = "" if found["clock"] == "wall" else "  Times are of the processor, not of the clock on the wall."
    yield f"{found['machine']}  Rounds: {found['rounds']}.{clock}\n\n"
    yield f"Libraries: {', '.join(found['versions'].values())}.\n"
    for peer, reason in found["missing"].items():
        yield f"\n{peer} is missing: {reason}.\n"
    yield section("Limits of this machine", _ceiling_table(found["ceilings"]))
    for threads, answers in found["threads"].items():
        yield _kernels(found, threads, answers)
    if len(found["threads"]) > 1:
        yield section("Two threads over one", _thread_table(*found["threads"].values()))
    yield from _calls(found["threads"].get("1", {}))
    if "cold" in found:
        yield section("Source to callable: first call, ms (median)", _cold_table(found["cold"]))
        yield section("Bytecode to machine code", _compile_table(found["compile"]))


def _kernels(found: Mapping[str, Any], threads: str, answers: Mapping[str, Answers]) -> str:
    title = "One thread, pinned" if threads == "1" else f"{threads} threads"
    rows = [case for case in cases() if case.name in answers]
    table = _kernel_table(rows, answers, _Limits(found["ceilings"], threads))
    return section(title, [*table, "", *_summary(rows, answers)])


# --- times and ratios


def times(answers: Answers, peer: str) -> list[float]:
    """Seconds of a peer, a round each; none if it has none or its result is wrong."""
    answer = answers.get(peer, {})
    return list(answer.get("seconds", ())) if answer.get("error", math.inf) <= 1 else []


def ratios(answers: Answers) -> dict[str, float]:
    """How many times as fast as each peer, and as the ``best`` of them."""
    ours = times(answers, OURS)
    if not ours:
        return {}
    found = {peer: measure.ratio(ours, times(answers, peer)) for peer in PEERS if times(answers, peer)}
    del found[OURS]
    return {**found, "best": min(found.values())} if found else {}


def _reached(goals: Sequence[Goal], found: Mapping[str, float]) -> str:
    """A goal and whether it is met: "1.2x jax: yes"."""
    texts = [_one_goal(goal, found.get(goal.peer)) for goal in goals]
    return "; ".join(texts)


def _one_goal(goal: Goal, reached: float | None) -> str:
    text = f"{goal.factor:g}x {goal.peer}"
    if reached is None:
        return f"{text}: not measured"
    return f"{text}: {'yes' if reached >= goal.factor else f'no ({reached:.2f})'}"


def met(goals: Iterable[Goal], found: Mapping[str, float]) -> bool:
    """Whether all goals whose peers were measured are met."""
    return all(found[goal.peer] >= goal.factor for goal in goals if goal.peer in found)


def mean(values: Iterable[float]) -> float:
    """The geometric mean."""
    return statistics.geometric_mean(values)


# --- tables


class _Limits:
    """What bounds cases on so many threads."""

    def __init__(self, found: Sequence[Mapping[str, Any]], threads: str) -> None:
        self._rates = {row["name"]: _by_threads(row["rates"])[threads] for row in found}

    def of(self, case: Case) -> float | None:
        """Work a second at most, in units of 1e9."""
        if case.bound == "compute":
            dot = self._rates.get("bf16 dot") if case.dtype == "bf16" else None
            return dot or self._rates["f32 FMA"]
        if case.bound == "memory":
            names = LIMITS.get(case.operation, LIMITS[""])
            return max(self._rates[name] for name in names)
        return None


def _by_threads(rates: Mapping[Any, float]) -> dict[str, float]:
    return {str(threads): rate for threads, rate in rates.items()}


def _ceiling_table(found: Sequence[Mapping[str, Any]]) -> list[str]:
    counts = list(_by_threads(found[0]["rates"]))
    lines = header("limit", *(f"{count} thread(s)" for count in counts), "unit")
    for row in found:
        rates = _by_threads(row["rates"])
        lines.append(line(row["name"], *(f"{rates[count]:.0f}" for count in counts), row["unit"]))
    return lines


def _kernel_table(rows: Sequence[Case], answers: Mapping[str, Answers], limits: _Limits) -> list[str]:
    lines = header(
        "case",
        *(f"{peer} ms" for peer in PEERS),
        "rate",
        "of the limit",
        "x best",
        "goal",
        "stretch",
        "remark",
    )
    for case in rows:
        found = ratios(answers[case.name])
        cells = [_time_cell(answers[case.name], peer) for peer in PEERS]
        rate, share = _rate_cells(case, answers[case.name], limits.of(case))
        best = f"{found['best']:.2f}" if found else ""
        goals = (_reached(case.goal, found), _reached(case.stretch, found)) if found else ("", "")
        lines.append(line(case.name, *cells, rate, share, best, *goals, _remark(case, answers, found)))
    return lines


def _time_cell(answers: Answers, peer: str) -> str:
    answer = answers.get(peer, {})
    if "failed" in answer:
        return "failed"
    if answer.get("error", 0.0) > 1:
        return f"WRONG ({answer['error']:.1f}x)"
    found = times(answers, peer)
    return f"{1e3 * statistics.median(found):.3g} ({1e3 * min(found):.3g})" if found else ""


def _rate_cells(case: Case, answers: Answers, limit: float | None) -> tuple[str, str]:
    found = times(answers, OURS)
    if not found:
        return "", ""
    rate = case.kind.work(case.shape, DTYPES[case.dtype].itemsize) / statistics.median(found) / 1e9
    share = f"{100 * rate / limit:.0f} %" if limit else ""
    return f"{rate:.1f} {case.kind.unit}", share


def _remark(case: Case, answers: Mapping[str, Answers], found: Mapping[str, float]) -> str:
    ours = answers[case.name].get(OURS, {})
    if "failed" in ours:
        return " ".join(ours["failed"].split())[:160].replace("|", "/")
    if found and (not met(case.goal, found) or found["best"] < LEAST):
        return next(reason for start, reason in WHY.items() if case.name.startswith(start))
    return ""


def _summary(rows: Sequence[Case], answers: Mapping[str, Answers]) -> list[str]:
    """The geometric means, and what is below the least."""
    found = {case.name: ratios(answers[case.name]) for case in rows if case.counts}
    found = {name: by_peer for name, by_peer in found.items() if by_peer}
    if not found:
        return ["No case of ours ran."]
    lines = [
        f"Geometric mean of best peer over ours, {len(found)} of {len(rows)} cases: "
        f"{mean(by_peer['best'] for by_peer in found.values()):.2f} (goal: above 1.0)."
    ]
    below = [f"{name} ({by_peer['best']:.2f})" for name, by_peer in found.items() if by_peer["best"] < LEAST]
    lines.append(f"Below {LEAST}: {', '.join(below) or 'none'}.")
    for peer in PEERS:
        shared = [by_peer[peer] for by_peer in found.values() if peer in by_peer]
        if shared:
            lines.append(f"Against {peer}, {len(shared)} shared cases: {mean(shared):.2f} (goal: above 1.2).")
    return [f"- {text}" for text in lines]


def _thread_table(one: Mapping[str, Answers], two: Mapping[str, Answers]) -> list[str]:
    peers = [peer for peer in PEERS if peer != "torch.compile"]
    lines = header("case", *peers, f"goal for {OURS}: {THREADS_GOAL} where arithmetic is the bound")
    for case in cases():
        if case.name not in one or case.name not in two:
            continue
        speedups = {peer: _speedup(one[case.name], two[case.name], peer) for peer in peers}
        cells = [f"{speedups[peer]:.2f}" if speedups[peer] else "" for peer in peers]
        lines.append(line(case.name, *cells, _threads_verdict(case, speedups[OURS])))
    return lines


def _speedup(one: Answers, two: Answers, peer: str) -> float:
    single, double = times(one, peer), times(two, peer)
    return statistics.median(single) / statistics.median(double) if single and double else 0.0


def _threads_verdict(case: Case, speedup: float) -> str:
    if case.bound != "compute" or not speedup:
        return ""
    return "met" if speedup >= THREADS_GOAL else f"needs {THREADS_GOAL / speedup:.2f}x more"


def _calls(answers: Mapping[str, Answers]) -> Iterator[str]:
    rows = [case for case in (CALL, BRIDGE) if case.name in answers]
    if not rows:
        return
    lines = header("call", *(f"{peer} us" for peer in PEERS), "goal us", "stretch us")
    for case in rows:
        cells = [_microseconds(times(answers[case.name], peer)) for peer in PEERS]
        goals = [_below(times(answers[case.name], OURS), limit, 1e6) for limit in CALL_GOALS[case.name]]
        lines.append(line(case.name, *cells, *goals))
    yield section("What a call from Python costs", lines)


def _microseconds(found: Sequence[float]) -> str:
    return f"{1e6 * statistics.median(found):.2f}" if found else ""


def _below(found: Sequence[float], limit: float, scale: float) -> str:
    if not found:
        return f"{limit:g}"
    reached = statistics.median(found) * scale
    return f"{limit:g}: {'yes' if reached <= limit else f'no ({reached:.3g})'}"


def _cold_table(found: Mapping[str, Mapping[str, Sequence[float]]]) -> list[str]:
    lines = header("case", *PEERS, "goal ms", "stretch ms")
    for name, by_peer in found.items():
        cells = [_milliseconds(by_peer.get(peer, ())) for peer in PEERS]
        limits = next(limits for start, limits in COLD_GOALS.items() if name.startswith(start))
        goals = [_below(by_peer.get(OURS, ()), limit, 1e3) for limit in limits]
        lines.append(line(name, *cells, *goals))
    return lines


def _milliseconds(found: Sequence[float]) -> str:
    return f"{1e3 * statistics.median(found):.1f}" if found else ""


def _compile_table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    found = cpu_compile.ratios(rows)
    lines = header("kernel", "tilewright ms", "tileiras ms", "share of tileiras' time")
    for row in rows:
        share = f"{found[row['kernel']]:.2f}" if row["kernel"] in found else row.get("failed", "")[:120]
        theirs, ours = (_milliseconds(row.get(name, ())) for name in ("tileiras", "tilewright"))
        lines.append(line(row["kernel"], ours, theirs, share.replace("|", "/").replace("\n", " ")))
    if found:
        reached = f"{mean(found.values()):.2f}"
        lines += [
            "",
            f"Geometric mean over {len(found)} kernels: {reached} (goal: at most {cpu_compile.GOAL}).",
        ]
    return lines
