"""`python -m conformance.ptx litmus DIR`: litmus tests of the PTX memory model against the simulator.

DIR is a checkout of Dat3M (https://github.com/hernanponcedeleon/Dat3M), or its folder `litmus/PTX` with the expected
verdicts beside it.  Each test becomes a kernel: a litmus thread is a warp whose first lane accesses memory.  It runs in
many random orders.  What the memory model forbids must never be seen without a race that is told; what it allows must be
seen, or the program must be told to race.  Allowed outcomes of programs without races that no order of execution shows
are counted apart: the simulator executes accesses one after the other.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.progress import shown_progress
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptxsim import launch
from tilewright.runtime.distribution import Here, distribute

EXPECTED = "dartagnan/src/test/resources/PTXv7_5-expected.csv"
OLDER = "dartagnan/src/test/resources/PTXv6_0-expected.csv"
STEPS = 20_000


class OutOfScope(Exception):
    """The test uses what the simulator has no meaning for."""


@dataclass
class Litmus:
    """A test: its threads with block and instructions, initial values, and what is asked of final states."""

    names: list[str]
    blocks: list[int]
    programs: list[list[str]]
    initial: dict[str, int]
    question: str
    condition: str
    locations: list[str] = field(default_factory=list[str])
    registers: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """The places of registers in the results: thread and number."""


def parsed(text: str) -> Litmus:
    """A test from its text.  Raises `OutOfScope` for proxies and several GPUs."""
    body = re.sub(r'"[^"]*"', "", text.partition("\n")[2])
    head, _, rest = body.partition("}")
    if "@ " in head or "aliases" in head:
        raise OutOfScope("proxies")
    initial = {name: int(value) for name, value in re.findall(r"([\w:]+)\s*=\s*(-?\d+)", head)}
    found = re.search(r"(~?exists|forall)", rest)
    if found is None:
        raise OutOfScope("no condition")
    rows = [
        row.rstrip(";").split("|")
        for row in rest[: found.start()].strip().splitlines()
        if "|" in row or ";" in row
    ]
    heads = [re.fullmatch(r"\s*(P\d+)@cta\s+(\d+)\s*,\s*gpu\s+(\d+)\s*", one) for one in rows[0]]
    if not all(heads) or len({one[3] for one in heads if one}) > 1:
        raise OutOfScope("several GPUs")
    names = [one[1] for one in heads if one]
    programs = [
        [row[at].strip().rstrip(";").strip() for row in rows[1:] if len(row) > at] for at in range(len(names))
    ]
    condition = re.sub(r"(?<![\w:])(\d+):", r"P\1:", rest[found.end() :].strip())
    return Litmus(
        names,
        [int(one[2]) for one in heads if one],
        [[line for line in one if line] for one in programs],
        initial,
        found[1],
        condition,
    )


# --- a test as PTX


class Writer:
    """One thread of a test as PTX."""

    def __init__(self, test: Litmus, thread: int, count: int) -> None:
        self.test, self.thread = test, thread
        self.threads = count
        """Threads of its block."""

    def operand(self, text: str) -> str:
        """A register or constant."""
        return text if re.fullmatch(r"-?\d+", text) else self.register(text)

    def register(self, name: str) -> str:
        """A register of this thread."""
        self.test.registers.setdefault(
            f"{self.test.names[self.thread]}:{name}",
            (
                self.thread,
                len([1 for key in self.test.registers if key.startswith(self.test.names[self.thread] + ":")]),
            ),
        )
        return f"%{self.test.names[self.thread]}_{name}"

    def place(self, name: str) -> str:
        """The address of a location."""
        if name not in self.test.locations:
            self.test.locations.append(name)
        return f"[%mem+{4 * self.test.locations.index(name)}]"

    def lines(self, line: str) -> Iterator[str]:
        """The PTX of one instruction."""
        word, _, rest = line.partition(" ")
        operands = [one.strip() for one in rest.split(",") if one.strip()]
        label = f"T{self.thread}_"
        if line.endswith(":"):
            yield f"{label}{line}"
        elif word == "goto":
            yield f"bra {label}{operands[0]};"
        elif word in ("bne", "beq"):
            left, right = map(self.operand, operands[:2])
            yield f"setp.{word[1:]}.b32 %p, {left}, {right}; @%p bra {label}{operands[2]};"
        elif word.startswith("fence."):
            if "proxy" in word or "alias" in word:
                raise OutOfScope("proxies")
            yield f"{word};"
        elif word.startswith("bar."):
            yield self.barrier(word, operands)
        elif word in ("add", "sub", "mov") or (word == "ld" and re.fullmatch(r"-?\d+", operands[1])):
            name = "mov" if word in ("mov", "ld") else word
            yield (
                f"{name}.b32 ".replace("add.b32", "add.s32").replace("sub.b32", "sub.s32")
                + ", ".join(map(self.operand, operands))
                + ";"
            )
        else:
            yield from self.access(word, operands)

    def barrier(self, word: str, operands: list[str]) -> str:
        """A barrier of the block: its number, and how many threads it waits for."""
        ids = [self.operand(one) for one in operands]
        count = int(operands[2]) * 32 if len(operands) > 2 else self.threads * 32
        return f"bar.{word.rpartition('.')[2]} {ids[1] if len(ids) > 1 else ids[0]}, {count};"

    def access(self, word: str, operands: list[str]) -> Iterator[str]:
        """An access to memory by the first lane; the others learn the result."""
        name, *modifiers = word.split(".")
        if name in ("ld", "st"):
            order = [one for one in modifiers if one != "weak"]
            spelt = ".".join([name, *order, "global", "b32"])
            if name == "st":
                yield f"@%lead {spelt} {self.place(operands[0])}, {self.operand(operands[1])};"
                return
            target = self.register(operands[0])
            yield f"@%lead {spelt} {target}, {self.place(operands[1])}; shfl.sync.idx.b32 {target}, {target}, 0, 31, -1;"
            return
        if name not in ("atom", "red"):
            raise OutOfScope(word)
        *order, op = modifiers
        values = [self.operand(one) for one in operands[(1 if name == "red" else 2) :]]
        if op in ("sub", "minus"):
            op, values = "add", [str(-int(values[0]))] if values[0].lstrip("-").isdigit() else values
        kind = {"add": "u32", "plus": "u32"}.get(op, "b32")
        spelt = ".".join([name, *order, "global", {"plus": "add"}.get(op, op), kind])
        if name == "red":
            yield f"@%lead {spelt} {self.place(operands[0])}, {', '.join(values)};"
            return
        target = self.register(operands[0])
        yield f"@%lead {spelt} {target}, {self.place(operands[1])}, {', '.join(values)}; shfl.sync.idx.b32 {target}, {target}, 0, 31, -1;"


def kernel(test: Litmus) -> tuple[str, int, int]:
    """The kernel of a test, its blocks, and the warps of each."""
    for name in test.initial:
        if ":" not in name:
            test.locations.append(name)
    order = sorted(set(test.blocks))
    members = {block: [at for at, one in enumerate(test.blocks) if one == block] for block in order}
    warps = max(map(len, members.values()))
    parts = list[str]()
    for at, program in enumerate(test.programs):
        writer = Writer(test, at, len(members[test.blocks[at]]))
        lines = [line for text in program for line in writer.lines(text)]
        parts.append(f"run{at}: " + "\n".join(lines) + "\nbra done;")
    for name in re.findall(r"(P\d+:\w+)", test.condition):
        thread, register = name.split(":")
        Writer(test, test.names.index(thread), 1).register(register)
    names = [f"%{key.replace(':', '_')}" for key in test.registers]
    sets = [
        f"mov.b32 {name}, {test.initial.get(key, 0)};"
        for name, key in zip(names, test.registers, strict=True)
    ]
    jumps = [
        f"setp.eq.u32 %p, %c, {order.index(block)}; setp.eq.and.u32 %p, %w, {warp}, %p; @%p bra run{at};"
        for block, rows in members.items()
        for warp, at in enumerate(rows)
    ]
    stores = [
        f"setp.eq.u32 %p, %id, {thread}; @%p st.global.b32 [%out+{4 * number}], {name};"
        for number, (name, (thread, _)) in enumerate(zip(names, test.registers.values(), strict=True))
    ]
    ids = [
        f"setp.eq.u32 %p, %c, {order.index(block)}; setp.eq.and.u32 %p, %w, {warp}, %p; selp.b32 %id, {at}, %id, %p;"
        for block, rows in members.items()
        for warp, at in enumerate(rows)
    ]
    declared = f".reg .b32 {', '.join(names)};" if names else ""
    text = f""".version 8.5
.target sm_90
.address_size 64
.entry litmus(.param .u64 memory, .param .u64 results) {{
{declared} .reg .b32 %c, %w, %t, %id; .reg .b64 %mem, %out; .reg .pred %p, %lead;
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; shr.u32 %w, %t, 5; ld.param.u64 %mem, [memory]; ld.param.u64 %out, [results];
and.b32 %id, %t, 31; setp.eq.u32 %lead, %id, 0; mov.b32 %id, -1;
{"".join(sets)}
{"".join(ids)}
{"".join(jumps)}
bra done;
{chr(10).join(parts)}
done: @!%lead mov.b32 %id, -1;
{"".join(stores)}
ret; }}"""
    return text, len(order), 32 * warps


# --- conditions


def holds(condition: str, values: dict[str, int]) -> bool:
    """Whether a final state fulfils a condition."""
    text = condition.replace("/\\", " and ").replace("\\/", " or ").replace("~", " not ")
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", text)
    for name in sorted(set(re.findall(r"P\d+:\w+", text)), key=len, reverse=True):
        text = re.sub(rf"{name}\b", f"({values[name]})", text)
    rest = re.sub(r"\b(and|or|not)\b", "", text)
    for name in set(re.findall(r"[A-Za-z_]\w*", rest)):
        if name not in values:
            raise OutOfScope(f"condition {condition}")
        text = re.sub(rf"\b{name}\b", f"({values[name]})", text)
    if not re.fullmatch(r"[\d\s()=!<>&|\-]*(?:(?:and|or|not)[\d\s()=!<>&|\-]*)*", text):
        raise OutOfScope(f"condition {condition}")
    return bool(eval(text, {"__builtins__": {}}))


def states(text: str, test: Litmus, blocks: int, threads: int, orders: int) -> Iterator[dict[str, int] | str]:
    """Final states of a test in many orders; a diagnostic's code where one is told."""
    module = read(text)
    start = [test.initial.get(name, 0) for name in test.locations]
    for schedule in range(1, orders + 1):
        memory, out = np.array([*start, 0], np.int32), np.zeros(len(test.registers) + 1, np.int32)
        try:
            launch(module, "litmus", (blocks,), (threads,), [memory, out], schedule=schedule, limit=STEPS)
        except DiagnosticError as error:
            yield str(error)
            continue
        values = {name: int(memory[at]) for at, name in enumerate(test.locations)}
        values.update({name: int(out[at]) for at, name in enumerate(test.registers)})
        yield values


def verdict(test: Litmus, expected: bool, orders: int) -> str:
    """``agrees``, ``told`` (a race or a wait without end), ``unseen`` or ``WRONG``."""
    text, blocks, threads = kernel(test)
    allowed = expected if test.question == "exists" else not expected
    """Whether a state that the question is about may be seen: the condition, or its opposite for `forall`."""
    told = seen = False
    for state in states(text, test, blocks, threads, orders):
        if isinstance(state, str):
            told = told or "[TW1257]" not in state
            if told and allowed:
                break
        elif holds(test.condition, state) != (test.question == "forall"):
            seen = True
            break
    if seen:
        return "agrees" if allowed else "told" if told else "WRONG"
    if not allowed:
        return "agrees"
    return "told" if told else "unseen"


def cases(folder: Path) -> Iterator[tuple[str, bool, Litmus]]:
    """The tests in scope by their names, and whether their question is answered by yes."""
    expected = dict[str, bool]()
    for table in (OLDER, EXPECTED):
        for line in (folder / table).read_text().splitlines():
            name, _, answer = line.rpartition(",")
            if answer.strip() in ("0", "1"):
                expected[name] = answer.strip() == "1"
    for name, answer in sorted(expected.items()):
        path = folder / name
        if path.exists():
            try:
                yield name, answer, parsed(path.read_text(encoding="utf-8"))
            except OutOfScope:
                continue


@dataclass(frozen=True)
class Case:
    """A test, and whether its question is answered by yes: work for an executor."""

    name: str
    expected: bool
    test: Litmus
    orders: int

    def verdict(self) -> str:
        """`verdict`, or that the test is out of scope."""
        try:
            return verdict(self.test, self.expected, self.orders)
        except OutOfScope:
            return "out of scope"


def survey(
    work: Sequence[Case], executor: Executor | Callable[[], Executor] = Here
) -> Iterator[tuple[str, str]]:
    """The names of tests and their verdicts, in order."""
    for done in distribute(Case.verdict, work, executor, what="tests"):
        yield done.item.name, done.result()


def main(arguments: list[str]) -> int:
    """The command; answers 1 if a forbidden outcome is seen."""
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx litmus", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--orders", type=int, default=40)
    parser.add_argument("--only", default="", help="tests whose names contain this")
    add_batch_options(parser)
    options = parser.parse_args(arguments)
    work = [Case(*one, options.orders) for one in cases(options.folder) if options.only in one[0]]
    counts = dict[str, int]()
    with shown_progress():
        for name, found in survey(work, executor_for(len(work), options.jobs, options.executor)):
            counts[found] = counts.get(found, 0) + 1
            print(f"{found:12} {name}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return min(counts.get("WRONG", 0), 1)
