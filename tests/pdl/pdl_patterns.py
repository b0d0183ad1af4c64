"""Random patterns and modules, what native functions record, and the naive matcher that ours is compared with."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from tilewright.driver.startup import context
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import integer32, integer64
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl import ops as pdl
from tilewright.pdl.interpreter.handles import attribute_type
from tilewright.pdl.interpreter.interpreter import Interpreter
from tilewright.rewrite.rewriter import Rewriter

NAMES = ("test.a", "test.b", "test.c")
ATTRIBUTES = (integer32(1), integer32(2), integer64(1))
KNOWN = context(allow_unregistered=True)


def parse(text: str) -> Operation:
    """A module of its own, whatever the text has in it."""
    return parse_module(KNOWN, text, implicit_module=True)


# --- generated IR


def make_ir(draw: random.Random) -> list[Operation]:
    """Operations of one block that use each other's results, with few names, types and attributes."""
    block = Block([i32, i64])
    Operation.from_parts(KNOWN.unregistered_kind("test.holder"), regions=[Region([block])])
    values: list[Value] = list(block.arguments)
    for _ in range(draw.randint(3, 7)):
        operands = [draw.choice(values[-5:]) for _ in range(draw.randint(0, 3))]
        types = [draw.choice((i32, i32, i64)) for _ in range(draw.choice((0, 1, 1, 2)))]
        attributes: dict[str, Attribute] = {
            name: draw.choice(ATTRIBUTES) for name in "xy" if draw.random() < 0.6
        }
        kind = KNOWN.unregistered_kind(draw.choice(NAMES))
        op = block.append(Operation.from_parts(kind, operands, types, attributes))
        values.extend(op.results)
    return block.ops


# --- generated patterns


class PatternText:
    """The text of a random pattern whose root is its last operation."""

    def __init__(self, draw: random.Random, name: str) -> None:
        self.draw = draw
        self.name = name
        self.lines: list[str] = []
        self.values: list[str] = []
        self.types: list[str] = []
        self.attributes: list[str] = []
        self.results: list[str] = []
        count = draw.choice((1, 1, 2, 2, 3))
        for number in range(count):
            self.operation(number, must_connect=number > 0)
        handles = [f"%op{number}" for number in range(count)]
        root, rest = handles[-1], handles[:-1]
        more = f"({', '.join(rest)} : {', '.join(['!pdl.operation'] * len(rest))})" if rest else ""
        self.lines.append(f'pdl.rewrite {root} with "{name}"{more}')

    @property
    def text(self) -> str:
        body = "\n  ".join(self.lines)
        return f"pdl.pattern @{self.name} : benefit(1) {{\n  {body}\n}}"

    def fresh(self, prefix: str, definition: str) -> str:
        name = f"%{prefix}{len(self.lines)}"
        self.lines.append(f"{name} = {definition}")
        return name

    def old_or_new(self, known: list[str], definition: Any, chance: float = 0.4) -> str:
        if known and self.draw.random() < chance:
            return self.draw.choice(known)
        known.append(definition())
        return known[-1]

    def type(self) -> str:
        constant = self.draw.choice(("", "", " : i32", " : i64"))
        return self.old_or_new(self.types, lambda: self.fresh("t", f"pdl.type{constant}"))

    def operand(self) -> str:
        return self.old_or_new(self.values, self.new_operand)

    def new_operand(self) -> str:
        type = f" : {self.type()}" if self.draw.random() < 0.2 else ""
        return self.fresh("v", f"pdl.operand{type}")

    def attribute(self) -> str:
        return self.old_or_new(self.attributes, self.new_attribute, 0.3)

    def new_attribute(self) -> str:
        kind = self.draw.randint(0, 2)
        wanted = (
            f" = {self.draw.choice(ATTRIBUTES)}" if kind == 0 else f" : {self.type()}" if kind == 1 else ""
        )
        return self.fresh("a", f"pdl.attribute{wanted}")

    def operation(self, number: int, *, must_connect: bool) -> None:
        draw = self.draw
        operands: list[tuple[str, str]] = []
        if must_connect:  # to a result of the last operation, or to a value of the others
            use_result = not self.values or draw.random() < 0.7
            connection = self.result(number - 1) if use_result else draw.choice(self.values)
            operands.append((connection, "!pdl.value"))
        operands.extend((self.operand(), "!pdl.value") for _ in range(draw.choice((0, 0, 1, 2))))
        if draw.random() < 0.4:
            operands.append((self.fresh("r", "pdl.operands"), "!pdl.range<value>"))
        named = {name: self.attribute() for name in "xy" if draw.random() < 0.15}
        if draw.random() < 0.5:
            types = [(self.fresh("ts", "pdl.types"), "!pdl.range<type>")]
        else:
            types = [(self.type(), "!pdl.type") for _ in range(draw.choice((0, 1, 1, 2)))]
        name = f' "{draw.choice(NAMES)}"' if draw.random() < 0.5 else ""
        attributes = ", ".join(f'"{key}" = {value}' for key, value in named.items())
        self.lines.append(
            f"%op{number} = pdl.operation{name}{_listed('', operands)}"
            f"{f' {{{attributes}}}' if attributes else ''}{_listed(' -> ', types)}"
        )

    def result(self, number: int) -> str:
        return self.fresh("res", f"pdl.result {self.draw.choice((0, 0, 0, 1))} of %op{number}")


def _listed(prefix: str, handles: Sequence[tuple[str, str]]) -> str:
    if not handles:
        return ""
    names, types = zip(*handles, strict=True)
    return f"{prefix}({', '.join(names)} : {', '.join(types)})"


# --- the oracle


def naive_matches(pattern: pdl.PatternOp, ops: Sequence[Operation]) -> set[tuple[int, ...]]:
    """Every way to choose an operation for each of the pattern so that all that the pattern says holds; ids, root first.

    Tries them all, and looks at nothing but the pattern as it is written.
    """
    body = pattern.bodyRegion.blocks[0].ops
    wanted = [op for op in body if isinstance(op, pdl.OperationOp)]
    found: set[tuple[int, ...]] = set()
    for chosen in product(ops, repeat=len(wanted)):
        bound: dict[Value, Any] = {op.op: other for op, other in zip(wanted, chosen, strict=True)}
        if all(_holds(op, bound) for op in body) and all(_is_of_type(op, bound) for op in body):
            found.add(tuple(map(id, (chosen[-1], *chosen[:-1]))))
    return found


def _bind(handle: Value, thing: Any, bound: dict[Value, Any]) -> bool:
    return thing is not None and bound.setdefault(handle, thing) == thing


def _holds(op: Operation, bound: dict[Value, Any]) -> bool:
    """What one operation of a pattern says about parts and numbers of parts."""
    match op:
        case pdl.ResultOp():
            results = bound[op.parent_].results
            return op.index < len(results) and _bind(op.val, results[op.index], bound)
        case pdl.OperationOp():
            other = bound[op.op]
            attributes = zip(op.attributeValueNames, op.attributeValues, strict=True)
            return (
                op.opName in (None, other.name)
                and _lists(op.operandValues, other.operands, bound)
                and _lists(op.typeValues, other.result_types, bound)
                and all(_bind(value, other.attributes.get(name), bound) for name, value in attributes)
            )
        case _:
            return True


def _lists(handles: Sequence[Value], things: Sequence[Any], bound: dict[Value, Any]) -> bool:
    """Single handles one by one; a range at the end takes the rest."""
    *first, last = handles or (None,)
    if last is None or "range" not in str(last.type):
        return len(handles) == len(things) and all(map(_bind, handles, things, [bound] * len(things)))
    singles, rest = things[: len(first)], tuple(things[len(first) :])
    return len(singles) == len(first) and _lists(first, singles, bound) and _bind(last, rest, bound)


def _is_of_type(op: Operation, bound: dict[Value, Any]) -> bool:
    """What one operation of a pattern says about types and attributes."""
    match op:
        case pdl.OperandOp(valueType=type) if type is not None:
            return _bind(type, bound[op.value].type, bound) and _is_of_type(type.owner, bound)
        case pdl.AttributeOp(value=value) if value is not None:
            return bound[op.attr] is value
        case pdl.AttributeOp(valueType=type) if type is not None:
            found = attribute_type(bound[op.attr])
            return _bind(type, found, bound) and _is_of_type(type.owner, bound)
        case pdl.TypeOp(constantType=type) if type is not None:
            return bound.get(op.result, type) is type
        case _:
            return True


# --- running


class Recorder(dict[str, Any]):
    """Native functions of any name that record their arguments."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        for name in names:
            self[name] = self.function(name)

    def function(self, name: str) -> Any:
        def record(rewriter: Rewriter, *values: Any) -> None:
            self.calls.append((name, *map(id, values)))

        return record


def recorded(module: Operation, names: Sequence[str], ops: Sequence[Operation]) -> set[tuple[Any, ...]]:
    """The matches of a module of ``pdl_interp`` whose rewriters call native functions."""
    recorder = Recorder(names)
    interpreter = Interpreter(module, KNOWN, recorder)
    for op in ops:
        rewriter = Rewriter(op.parent or Block())
        for match in interpreter.match(op, rewriter):
            interpreter.rewrite(match, op, rewriter)
    return set(recorder.calls)


def patterns_in(module: Operation) -> Iterator[pdl.PatternOp]:
    """The patterns of a module."""
    return (op for op in module.walk() if isinstance(op, pdl.PatternOp))
