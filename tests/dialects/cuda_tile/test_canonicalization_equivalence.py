"""Canonicalising a program changes no bit of what it computes: generated kernels, and expressions made to fold."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.driver.startup import context
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.passes.transforms.cse import CSE
from tilewright.passes.transforms.sccp import SCCP
from tilewright.passes.transforms.symbol_dce import SymbolDCE
from tilewright.testing.execution import Launchpad, entries, observe
from tilewright.testing.strategies import enclosing_module, sample_modules, sample_operations

STRICT = InterpretOptions(memcheck=True, racecheck=True, initcheck=True, promises=True, max_steps=20_000)
"""A program that breaks a rule may become another one that breaks it."""
PASSES = {"canonicalize": Canonicalize, "cse": CSE, "sccp": SCCP, "symbol-dce": SymbolDCE}


class Trial:
    """A kernel with arguments, and what it does: None if the program is wrong."""

    def __init__(self, module: Operation, entry: Any) -> None:
        self.module = module
        self.name = entry.sym_name
        self.arguments = Launchpad(entry, "canonical").arguments
        self.start = [a.copy() if isinstance(a, np.ndarray) else a for a in self.arguments]

    def outcome(self) -> tuple[list[bytes], str] | None:
        printed = io.StringIO()
        for argument, contents in zip(self.arguments, self.start, strict=True):
            if isinstance(argument, np.ndarray):
                argument[:] = contents
        try:
            interpret(self.module, self.name, (1, 1, 1), self.arguments, STRICT, printed)
        except DiagnosticError:
            return None
        return [a.tobytes() for a in self.arguments if isinstance(a, np.ndarray)], printed.getvalue()


def check(module: Operation, *names: str) -> int:
    """Run passes; every kernel does what it did.  The number of kernels that were compared."""
    trials = [Trial(module, entry) for entry in entries(module)]
    before = [trial.outcome() for trial in trials]
    text = str(module)
    known = context()
    known.dialect("cuda_tile")  # its patterns are those of a context that knows it
    manager = PassManager(known, anchor="cuda_tile.module")
    for name in names:
        manager.add(PASSES[name]())
    manager.run(module)
    assert [str(problem) for problem in verify(module)] == [], text
    for trial, outcome in zip(trials, before, strict=True):
        if outcome is not None:
            assert trial.outcome() == outcome, f"{text}\nbecame\n{module}"
    return sum(outcome is not None for outcome in before)


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda c: c.op_kind.mnemonic)
def test_single_operations(op_class: Any) -> None:
    for op in sample_operations(op_class, 6, seed="canonical"):
        observe(op)
        check(enclosing_module(op), "canonicalize")


@pytest.mark.parametrize("passes", [("canonicalize",), ("sccp", "cse", "symbol-dce")], ids="+".join)
def test_generated_kernels(passes: tuple[str, ...]) -> None:
    compared = 0
    for module in sample_modules(80, seed="canonical", statements=9):
        for entry in entries(module):
            for op in [op for op in entry.walk() if op is not entry and op.results]:
                observe(op)
        compared += check(module, *passes)
    assert compared >= 30


# --- expressions whose operands are constants, kernel parameters and one another

INTEGER_TYPES = ("i1", "i8", "i16", "i32", "i64")
FLOAT_TYPES = ("f16", "bf16", "f32", "f64")
MODES = ("nearest_even", "zero", "negative_inf", "positive_inf")
BINARY_INTEGER = ("addi", "subi", "muli", "mulhii", "andi", "ori", "xori", "shli")
SIGNED_INTEGER = ("divi", "remi", "maxi", "mini", "shri")
PREDICATES = [
    "equal",
    "not_equal",
    "less_than",
    "less_than_or_equal",
    "greater_than",
    "greater_than_or_equal",
]


class Program:
    """Text of a kernel over tiles of one shape, grown value by value."""

    def __init__(self, draw: Any, element: str, shape: str) -> None:
        self.draw = draw
        self.element = element
        self.shape = shape
        self.lines: list[str] = []
        self.numbers = [self.constant() for _ in range(3)]
        self.numbers += [self.loaded("%a"), self.loaded("%b")]
        self.truths = [self.compare()]

    @property
    def tile(self) -> str:
        return f"tile<{self.shape}{self.element}>"

    @property
    def mask(self) -> str:
        return f"tile<{self.shape}i1>"

    def choose(self, options: Any) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def add(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self) -> str:
        if self.element in FLOAT_TYPES:
            value = self.choose(
                ("0.0", "-0.0", "1.0", "-1.0", "2.5", "0x7FC00001" if self.element == "f32" else "3.0")
            )
        else:
            value = self.choose(("0", "1") if self.element == "i1" else ("0", "1", "-1", "2", "7", "-128"))
        return self.add(f"constant <{self.element}: {value}> : {self.tile}")

    def loaded(self, pointer: str) -> str:
        """The elements behind a kernel parameter."""
        count = 1
        for extent in self.shape.split("x")[:-1]:
            count *= int(extent)
        pointers = f"ptr<{self.element}>"
        self.lines.append(f"{pointer}1 = reshape {pointer} : tile<{pointers}> -> tile<1x{pointers}>")
        self.lines.append(
            f"{pointer}2 = broadcast {pointer}1 : tile<1x{pointers}> -> tile<{count}x{pointers}>"
        )
        self.lines.append(f"{pointer}3 = iota : tile<{count}xi32>")
        self.lines.append(
            f"{pointer}4 = offset {pointer}2, {pointer}3 : tile<{count}x{pointers}>, tile<{count}xi32> -> "
            f"tile<{count}x{pointers}>"
        )
        self.lines.append(
            f"{pointer}5, {pointer}t = load_ptr_tko weak {pointer}4 : tile<{count}x{pointers}> -> "
            f"tile<{count}x{self.element}>, token"
        )
        return self.add(f"reshape {pointer}5 : tile<{count}x{self.element}> -> {self.tile}")

    def compare(self) -> str:
        left, right, predicate = self.choose(self.numbers), self.choose(self.numbers), self.choose(PREDICATES)
        if self.element in FLOAT_TYPES:
            word = self.choose(("ordered", "unordered"))
            return self.add(f"cmpf {predicate} {word} {left}, {right} : {self.tile} -> {self.mask}")
        word = self.choose(("signed", "unsigned"))
        return self.add(f"cmpi {predicate} {left}, {right}, {word} : {self.tile} -> {self.mask}")

    def grow(self) -> None:
        kind = self.choose(("number", "number", "number", "select", "truth", "branch", "shape"))
        getattr(self, f"grow_{kind}")()

    def grow_number(self) -> None:
        left, right = self.choose(self.numbers), self.choose(self.numbers)
        self.numbers.append(
            self.float(left, right) if self.element in FLOAT_TYPES else self.integer(left, right)
        )

    def integer(self, left: str, right: str) -> str:
        name = self.choose((*BINARY_INTEGER, *SIGNED_INTEGER, "absi", "negi"))
        if name in ("absi", "negi"):
            return self.add(f"{name} {left} : {self.tile}")
        sign = self.choose((" signed", " unsigned")) if name in SIGNED_INTEGER else ""
        return self.add(f"{name} {left}, {right}{sign} : {self.tile}")

    def float(self, left: str, right: str) -> str:
        name = self.choose(
            [
                "addf",
                "subf",
                "mulf",
                "divf",
                "fma",
                "maxf",
                "minf",
                "remf",
                "negf",
                "absf",
                "ceil",
                "floor",
                "sqrt",
            ]
        )
        flush = self.choose(("", " flush_to_zero")) if self.element == "f32" else ""
        mode = f" rounding<{self.choose(MODES)}>"
        operands = {"fma": f"{left}, {right}, {left}"}.get(name, f"{left}, {right}")
        if name in ("negf", "absf", "ceil", "floor"):
            return self.add(f"{name} {left} : {self.tile}")
        if name == "sqrt":
            return self.add(f"sqrt {left}{mode}{flush} : {self.tile}")
        if name in ("maxf", "minf"):
            nan = self.choose(("", " propagate_nan"))
            return self.add(f"{name} {operands}{flush}{nan} : {self.tile}")
        return self.add(f"{name} {operands}{'' if name == 'remf' else mode + flush} : {self.tile}")

    def grow_truth(self) -> None:
        if self.choose((True, False)):
            self.truths.append(self.compare())
            return
        name = self.choose(("andi", "ori", "xori"))
        operands = ", ".join(self.choose(self.truths) for _ in range(2))
        self.truths.append(self.add(f"{name} {operands} : {self.mask}"))

    def grow_select(self) -> None:
        if self.choose((True, False)):
            self.truths.append(self.add(f"constant <i1: {self.choose('01')}> : {self.mask}"))
        condition, first, second = (
            self.choose(self.truths),
            self.choose(self.numbers),
            self.choose(self.numbers),
        )
        self.numbers.append(self.add(f"select {condition}, {first}, {second} : {self.mask}, {self.tile}"))

    def grow_branch(self) -> None:
        """An `if` on a parameter, its opposite, or a constant, nested or followed by one on the same condition."""
        condition = self.choose(("%c", "%d", "%not", "%true", "%false"))
        first, second = self.choose(self.numbers), self.choose(self.numbers)
        inner = self.choose((f"yield {first} : {self.tile}", self.computed(first, second)))
        other = self.choose((f"yield {second} : {self.tile}", self.computed(second, first), "return"))
        self.numbers.append(self.add(f"if {condition} -> ({self.tile}) {{ {inner} }} else {{ {other} }}"))

    def computed(self, left: str, right: str) -> str:
        word = "addf" if self.element in FLOAT_TYPES else "xori"
        name = f"%w{len(self.lines)}"
        return f"{name} = {word} {left}, {right} : {self.tile}\nyield {name} : {self.tile}"

    def grow_shape(self) -> None:
        value = self.choose(self.numbers)
        if self.shape == "4x2x":
            turned = self.add(f"permute {value} [1, 0] : {self.tile} -> tile<2x4x{self.element}>")
            if self.choose((True, False)):
                flat = self.add(f"reshape {turned} : tile<2x4x{self.element}> -> tile<8x{self.element}>")
                self.numbers.append(self.add(f"reshape {flat} : tile<8x{self.element}> -> {self.tile}"))
            else:
                back = f"permute {turned} [1, 0] : tile<2x4x{self.element}> -> {self.tile}"
                self.numbers.append(self.add(back))
            return
        half = f"tile<2x{self.element}>"
        parts = [
            self.add(f"extract {value}[{self.choose(('%i0', '%i1'))}] : {self.tile} -> {half}") for _ in "ab"
        ]
        self.numbers.append(self.add(f"cat {parts[0]}, {parts[1]} dim = 0 : {half}, {half} -> {self.tile}"))

    def text(self) -> str:
        stored = self.numbers[-3:]
        body = "\n".join((*self.lines, *(self.stored(number, value) for number, value in enumerate(stored))))
        pointer = f"tile<ptr<{self.element}>>"
        outputs = ", ".join(f"%o{number}: {pointer}" for number in range(3))
        return (
            f"cuda_tile.module @m {{ entry @k(%a: {pointer}, %b: {pointer}, {outputs}, %c: tile<i1>, %d: tile<i1>) {{\n"
            "%true = constant <i1: 1> : tile<i1>\n%false = constant <i1: 0> : tile<i1>\n"
            "%i0 = constant <i32: 0> : tile<i32>\n%i1 = constant <i32: 1> : tile<i32>\n"
            f"%not = xori %c, %true : tile<i1>\n{body}\nreturn\n}} }}"
        )

    def stored(self, number: int, value: str) -> str:
        """Store through the addresses of the first parameter, seen from another one."""
        name, pointers = f"%o{number}", f"ptr<{self.element}>"
        return (
            f"{name}1 = reshape {name} : tile<{pointers}> -> tile<1x{pointers}>\n"
            f"{name}2 = broadcast {name}1 : tile<1x{pointers}> -> tile<8x{pointers}>\n"
            f"{name}3 = iota : tile<8xi32>\n"
            f"{name}4 = offset {name}2, {name}3 : tile<8x{pointers}>, tile<8xi32> -> tile<8x{pointers}>\n"
            f"{name}5 = reshape {value} : {self.tile} -> tile<8x{self.element}>\n"
            f"{name}6 = store_ptr_tko weak {name}4, {name}5 : tile<8x{pointers}>, tile<8x{self.element}> -> token"
        ).replace("8x", "4x" if self.shape == "4x" else "8x")


@st.composite
def programs(draw: Any) -> str:
    """Kernels over one element type."""
    element = draw(st.sampled_from(INTEGER_TYPES + FLOAT_TYPES))
    program = Program(draw, element, draw(st.sampled_from(("4x", "4x2x"))))
    for _ in range(draw(st.integers(1, 10))):
        program.grow()
    return program.text()


@given(programs())
def test_expressions(text: str) -> None:
    module = parse_module(context(), text)
    assert verify(module) == []
    check(module, "canonicalize")


@given(programs())
def test_expressions_in_other_passes(text: str) -> None:
    module = parse_module(context(), text)
    check(module, "sccp", "cse", "canonicalize", "symbol-dce")
