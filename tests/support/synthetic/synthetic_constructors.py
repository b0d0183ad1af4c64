"""The table of constructors of a synthetic program: 653 of them, 49 named elsewhere, in the roles that the notes list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.support.synthetic.synthetic_memory import Memory
from tests.support.synthetic.synthetic_names import BARE, DIALECTS
from tests.support.synthetic.x86_code import Code
from tilewright.abi.hash_tables import FMIX_FIRST, FMIX_SECOND, HASH_MULTIPLIER

if TYPE_CHECKING:
    from tests.support.synthetic.synthetic_program import Truth

REFERENCED = 49
COUNTS = {
    "dialect": 6,
    "option": 12,
    "pass": 8,
    "type id": 11,
    "stream": 4,
    "fingerprint": 3,
    "singleton": 5,
}
UNREFERENCED_DISPATCH = 31
"""Constructors that nobody mentions and that install tables: they have a role all the same."""


class Builder:
    """Writes constructors of each role."""

    def __init__(self, memory: Memory, truth: Truth) -> None:
        self.memory = memory
        self.truth = truth
        self.at_exit, self.acquire, self.release = (memory.some_function() for _ in range(3))
        self.intern, self.take_dialect, self.take_option = (memory.some_function() for _ in range(3))
        self.take_pass, self.make_stream = memory.some_function(), memory.some_function()
        self.made: dict[int, tuple[str, str]] = {}

    def add(self, role: str, subject: str, write: Callable[[Code], object]) -> None:
        self.made[self.memory.function(write)] = (role, subject)

    def dialect(self, name: str) -> None:
        at, place = self.memory.string(name), self.memory.zero(64)
        self.add(
            "dialect",
            name,
            lambda c: (
                c.raw("53")
                .lea("rdi", place)
                .lea("rsi", at)
                .move("rdx", len(name))
                .call(self.take_dialect)
                .raw("5bc3")
            ),
        )

    def option(self, number: int) -> None:
        name, summary = f"synthetic-option-{number}", f"Sets thing number {number} to a value"
        place = self.memory.zero(64)
        name_at, summary_at = self.memory.string(name), self.memory.string(summary)

        def write(c: Code) -> None:
            c.raw("53").lea("rdi", place).lea("rsi", name_at).move("rdx", len(name))
            c.lea("rcx", summary_at).move("r8", len(summary)).call(self.take_option)
            c.lea("rdi", self.at_exit).lea("rsi", place).raw("5b").jump(self.at_exit)

        self.add("option", name, write)

    def pass_(self, name: str, table: int) -> None:
        place = self.memory.zero(16)
        self.add(
            "pass",
            name,
            lambda c: (
                c.raw("53")
                .lea("rax", table)
                .store(place, "rax")
                .lea("rdi", place)
                .call(self.take_pass)
                .raw("5bc3")
            ),
        )

    def type_id(self, number: int) -> None:
        name = f"mlir::synthetic::Thing{number}"
        text = BARE.format(name)
        at = self.memory.string(text)
        guard, slot = self.memory.zero(8), self.memory.zero(8)

        def protected(c: Code) -> None:
            c.lea("rdi", at).move("rsi", len(text)).call(self.intern).store(slot, "rax")

        self.add("type id", name, lambda c: self.guarded(c, guard, protected))

    def singleton(self) -> None:
        guard, slot = self.memory.zero(8), self.memory.zero(8)

        def protected(c: Code) -> None:
            c.move("rax", 7).store(slot, "rax")

        self.add("singleton", "", lambda c: self.guarded(c, guard, protected))

    def guarded(self, code: Code, guard: int, protected: Callable[[Code], None]) -> None:
        """What runs once: test the byte, acquire, do it, release."""
        probe = Code(code.address)
        self._once(probe, guard, 0, protected)
        skip = len(probe.bytes) - len(Code(0).raw("53").test_byte(0).bytes) - 2 - 2
        self._once(code, guard, skip, protected)

    def _once(self, code: Code, guard: int, skip: int, protected: Callable[[Code], None]) -> None:
        code.raw("53").test_byte(guard).jump_if_not_zero(skip).lea("rdi", guard).call(self.acquire)
        protected(code)
        code.lea("rdi", guard).call(self.release).raw("5bc3")

    def stream(self, number: int) -> None:
        place = self.memory.zero(96)
        self.add(
            "stream",
            "",
            lambda c: (
                c.raw("53")
                .lea("rdi", place)
                .move("rsi", 1 + number % 2)
                .raw("31d2")
                .call(self.make_stream)
                .raw("5bc3")
            ),
        )

    def fingerprint(self, number: int) -> None:
        slot = self.memory.zero(8)
        constant = (FMIX_FIRST, FMIX_SECOND, HASH_MULTIPLIER)[number]
        self.add(
            "fingerprint", "", lambda c: c.move_wide("rax", constant).raw("480fafc0").store(slot, "rax").ret()
        )

    def dispatch(self, table: int) -> None:
        place = self.memory.zero(8)
        self.add("dispatch table", "", lambda c: c.lea("rax", table).store(place, "rax").ret())

    def noise(self) -> int:
        """A constructor that shows no role: it registers a destructor."""
        place = self.memory.zero(8)
        return self.memory.function(
            lambda c: c.lea("rdi", self.at_exit).lea("rsi", place).raw("31d2").jump(self.at_exit)
        )


def add(memory: Memory, truth: Truth, total: int) -> None:
    """Write the constructors, the table, and the mentions of 49 of them."""
    builder = Builder(memory, truth)
    for name in DIALECTS:
        builder.dialect(name)
    for number in range(COUNTS["option"]):
        builder.option(number)
    for name, table in truth.passes.items():
        builder.pass_(name, table)
    for number in range(COUNTS["type id"]):
        builder.type_id(number)
    for number in range(COUNTS["stream"]):
        builder.stream(number)
    for number in range(COUNTS["fingerprint"]):
        builder.fingerprint(number)
    for _ in range(COUNTS["singleton"]):
        builder.singleton()
    truth.referenced = set(builder.made)
    assert len(truth.referenced) == REFERENCED
    _mention(memory, sorted(truth.referenced))
    tables = sorted(truth.conversion)
    for number in range(UNREFERENCED_DISPATCH):
        builder.dispatch(tables[7 * number % len(tables)])
    truth.roles = builder.made
    entries = [*builder.made, *(builder.noise() for _ in range(total - len(builder.made)))]
    memory.random.shuffle(entries)
    _decoy_tables(memory, entries)
    memory.noise(2)
    truth.constructor_table = memory.data.words((1 << 64) - 1, *entries, 0) + 8
    truth.constructors = tuple(entries)


def _mention(memory: Memory, entries: list[int]) -> None:
    """Name each constructor once outside of the table: half in data, half in code."""
    for number, entry in enumerate(entries):
        if number % 2:
            memory.noise(1)
            memory.data.words(entry)
        else:
            memory.function(lambda code, entry=entry: code.call(entry).ret())
    memory.noise(1)


def _decoy_tables(memory: Memory, entries: list[int]) -> None:
    """Runs of addresses of code that are no table of constructors."""
    others = [memory.some_function() for _ in range(40)]
    memory.noise(2)
    memory.data.words((1 << 64) - 1, *others[:8], 0)
    memory.noise(2)
    memory.data.words((1 << 64) - 1, *others[:20], *others[:20], 0)
    memory.noise(2)
    memory.data.words(5, *others, 0)
    memory.noise(2)
    memory.data.words((1 << 64) - 1, *others, 9)
    assert not set(others) & set(entries)
