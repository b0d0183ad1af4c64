"""Exchanges and votes within a warp."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptx.model import Pair
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.rules import rule
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import Array


def _members(site: InstructionSite, step: SimulatedStep, run: Run) -> None:
    """Set the control of `step` so that it calls `run` once all threads in the mask of the instruction have
    arrived. A thread that executes it although its mask leaves the thread out raises `Fault`.
    """
    masks, slots = site.read("mask", "u32")

    def defined(c: InstructionState) -> Array:
        c.defined(slots, "the mask of this instruction")
        return masks(c)

    def whole(c: InstructionState) -> None:
        c.block.check_members(c.numbers(), c.spread(defined(c)))
        run(c)

    step.control, step.detail, step.whole = "sync", (run, defined, 1), whole


def _bits(c: InstructionState, flags: Array) -> Array:
    """Return for each thread the flags of its warp, a bit for each lane; lanes that do not execute have 0."""
    numbers = c.numbers()
    found = np.zeros((c.block.threads + 31) // 32, np.uint32)
    mine = np.where(flags, np.uint32(1) << (numbers & 31).astype(np.uint32), np.uint32(0))
    np.bitwise_or.at(found, numbers >> 5, mine)
    return found[numbers >> 5]


@rule("shfl", "shfl.sync")
def shuffle(site: InstructionSite, step: SimulatedStep) -> Run | None:
    """Let `step` read values of other lanes, or return the function that does so, for the old form without a
    mask. Values of lanes that do not execute are undefined.
    """
    (value, used), (distance, more), (control, last) = site.read("a"), site.read("b"), site.read("c")
    write, pair, kind = site.write(), isinstance(site.operand("d"), Pair), site.modifier("kind")

    def run(c: InstructionState) -> None:
        numbers = c.numbers()
        c.defined((*more, *last), "the lane of this instruction")
        lane = numbers & 31
        by, limits = (c.spread(read(c)).astype(np.int64) for read in (distance, control))
        source, inside = _source(kind, lane, by & 31, limits)
        there = numbers - lane + np.where(inside, source, lane)
        whole, present = np.zeros(c.block.threads + 32, np.uint32), np.zeros(c.block.threads + 32, np.bool_)
        poison = c.undefined(used)
        whole[numbers], present[numbers] = c.spread(value(c)), True if poison is None else ~poison
        missing = ~present[there]
        undefined = missing if missing.any() else None
        write(c, (whole[there], inside) if pair else whole[there], undefined)

    if site.form.name == "shfl":
        return run
    return _members(site, step, run)


def _source(kind: str, lane: Array, by: Array, limits: Array) -> tuple[Array, Array]:
    """Return the lane that a shuffle of `kind` (`up`, `down`, `bfly`, `idx`) reads, and whether the lane is
    in the segment. `by` is the operand b, and `limits` the operand c, which has the clamp and the segment
    mask.
    """
    segment, clamp = limits >> 8 & 31, limits & 31
    highest = (lane & segment) | (clamp & ~segment)
    if kind == "up":
        source = lane - by
        return source, source >= highest
    sources = {"down": lane + by, "bfly": lane ^ by, "idx": (lane & segment) | (by & ~segment)}
    return sources[kind], sources[kind] <= highest


@rule("vote", "vote.sync")
def vote(site: InstructionSite, step: SimulatedStep) -> Run | None:
    """Let `step` vote within a warp, or return the function that does so, for the old form without a mask."""
    (flag, used), write, mode = site.read("a", "pred"), site.write(), site.modifier("mode")
    masks = site.read("mask", "u32")[0] if site.operand("mask") is not None else None

    def run(c: InstructionState) -> None:
        c.defined(used, "a vote")
        flags = c.spread(flag(c))
        mask = _bits(c, np.ones(len(flags), np.bool_)) if masks is None else c.spread(masks(c))
        mask = mask & _bits(c, np.ones(len(flags), np.bool_))
        ballot = _bits(c, flags) & mask
        results = {
            "ballot": ballot,
            "all": ballot == mask,
            "any": ballot != 0,
            "uni": (ballot == mask) | (ballot == 0),
        }
        write(c, results[mode], None)

    return run if masks is None else _members(site, step, run)


@rule("match")
def match(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` compare a value among the executing lanes of the mask: it computes the mask of the lanes
    with an equal value. In the mode `all` it computes the mask of all these lanes if their values are equal,
    else 0, and writes to a second destination whether they are.
    """
    (value, used), (masks, _) = site.read("a"), site.read("mask", "u32")
    write, every, pair = site.write(), site.modifier("mode") == "all", isinstance(site.operand("d"), Pair)

    def run(c: InstructionState) -> None:
        c.defined(used, "a value that is compared")
        values, mask, numbers = c.spread(value(c)), c.spread(masks(c)), c.numbers()
        same = np.zeros(len(values), np.uint32)
        for lane in range(32):
            here = (numbers & 31) == lane
            other = np.zeros((c.block.threads + 31) // 32, values.dtype)
            has = np.zeros(len(other), np.bool_)
            other[numbers[here] >> 5], has[numbers[here] >> 5] = values[here], True
            equal = has[numbers >> 5] & (other[numbers >> 5] == values)
            same |= np.where(equal, np.uint32(1 << lane), np.uint32(0))
        there = mask & _bits(c, np.ones(len(values), np.bool_))
        same = same & there
        if not every:
            write(c, same, None)
            return
        agree = same == there
        result = np.where(agree, there, np.uint32(0))
        write(c, (result, agree) if pair else result, None)

    _members(site, step, run)


@rule("activemask")
def activemask(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes the mask of the lanes that execute together."""
    write = site.write()
    return lambda c: write(c, _bits(c, c.spread(np.bool_(True))), None)


_REDUCTIONS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


@rule("redux.sync")
def reduce(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` reduce a value over the threads in a mask by its operation, once all of them have arrived;
    each of them gets the result. The step raises `Fault` for a thread that is not in its own mask, and in a
    strict launch for an undefined value.
    """
    (value, used), (masks, _) = site.read("a", site.modifier("type")), site.read("mask", "u32")
    write, combine = site.write("d", site.modifier("type")), _REDUCTIONS[site.modifier("op")].reduceat
    if site.modifier("type") == "f32":
        value, combine = _floats(site, value)

    def run(c: InstructionState) -> None:
        values, numbers = c.spread(value(c)), c.numbers()
        groups = (numbers >> 5).astype(np.uint64) << np.uint64(32) | c.spread(masks(c)).astype(np.uint64)
        keys, inverse = np.unique(groups, return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        starts = np.searchsorted(inverse[order], np.arange(len(keys)))
        c.defined(used, "a value that is reduced")
        write(c, combine(values[order], starts)[inverse], None)

    _members(site, step, run)


def _floats(site: InstructionSite, value: Any) -> tuple[Any, Any]:
    """Return the reader and the combining function of `redux.sync` of floats: a number precedes NaN unless
    `.NaN`, and -0 is less than +0.
    """
    smallest, is_largest_nan = site.modifier("op") == "min", (site.modifier("op") == "max") == site.has("nan")
    combine, nan = (np.minimum if smallest else np.maximum), np.uint32(0xFFFFFFFF if is_largest_nan else 0)
    sign = np.uint32(1 << 31)

    def reduced(values: Array, starts: Array) -> Array:
        bits = values.view(np.uint32)
        ranks = np.where(bits & sign, ~bits, bits | sign)  # integers in the order of the floats
        found = combine.reduceat(np.where(np.isnan(values), nan, ranks), starts)
        return np.where(found == nan, np.uint32(0x7FFFFFFF), np.where(found & sign, found ^ sign, ~found))

    def magnitude(c: InstructionState) -> Any:
        return np.abs(value(c))

    return magnitude if site.has("abs") else value, reduced


@rule("elect.sync")
def elect(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` elect the lowest lane of the mask: it writes this lane, and to the predicate of each thread
    whether it is elected.
    """
    masks, _ = site.read("mask", "u32")
    write, pair = site.write(), isinstance(site.operand("d"), Pair)

    def run(c: InstructionState) -> None:
        mask = c.spread(masks(c))
        lowest = np.bitwise_count((mask & (~mask + np.uint32(1))) - np.uint32(1)).astype(np.uint32)
        chosen = lowest == (c.numbers() & 31)
        write(c, (lowest, chosen) if pair else lowest, None)

    _members(site, step, run)


@rule("bar.warp.sync")
def warp_barrier(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` wait for the threads in a mask; later accesses of these threads are ordered after their
    earlier ones.
    """
    masks, _ = site.read("mask", "u32")

    def run(c: InstructionState) -> None:
        if c.block.clocks is None:
            return
        keys = (c.numbers() >> 5).astype(np.uint64) << np.uint64(32) | c.spread(masks(c)).astype(np.uint64)
        for key in np.unique(keys):
            c.block.clocks.join(c.rows()[keys == key])

    _members(site, step, run)
