"""Rules beyond syntax: names are declared, registers have the types of their places, the target has the instructions."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from tilewright.ir.diagnostic import Code, Diagnostic, DiagnosticError, Severity
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx import codes
from tilewright.ptx.matching import CALL
from tilewright.ptx.model import (
    Address,
    Function,
    Group,
    Instruction,
    Module,
    Name,
    Not,
    Operand,
    Pair,
    Place,
    Scope,
    Vector,
)
from tilewright.ptx.parser import MAXIMUM_PROBLEMS
from tilewright.ptx.scopes import Names, Register, SpecialRegister, function_names, walk
from tilewright.ptx.table.notation import OperandForm
from tilewright.ptx.types import TYPES, ScalarType, fits


def check(module: Module) -> Module:
    """The module itself.  Raises `DiagnosticError` with every rule that it breaks."""
    problems = list(_Checker(module).problems())[:MAXIMUM_PROBLEMS]
    if problems:
        raise DiagnosticError(problems)
    return module


def architecture(module: Module) -> int:
    """The number of the target, such as 90 for ``sm_90a``; 0 if none is named."""
    found = (re.match(r"(?:sm|compute)_(\d{1,4})", word) for word in module.target)
    return next((int(match[1]) for match in found if match), 0)


class _Checker:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.globals = Names(module.statements)
        self.sm = architecture(module)

    def _problem(self, code: Code, message: str, place: Place, hint: str = "") -> Diagnostic:
        at = FileLineColLocation.at(self.module.file_name, *place)
        return Diagnostic(Severity.ERROR, message, at, code, hints=[hint] if hint else [])

    def problems(self) -> Iterator[Diagnostic]:
        """Everything that is wrong, in the order of the text."""
        yield from self._twice(self.globals)
        for statement in self.module.statements:
            if isinstance(statement, Function) and statement.body is not None:
                yield from self._function(statement, statement.body)

    def _twice(self, names: Names) -> Iterator[Diagnostic]:
        for name, place in names.twice:
            yield self._problem(codes.REDECLARED, f"'{name}' is declared twice in this scope", place)

    def _function(self, function: Function, body: Scope) -> Iterator[Diagnostic]:
        outer = function_names(function, self.globals)
        seen: set[int] = set()
        for statement, names in walk(body, outer):
            if id(names) not in seen:
                seen.add(id(names))
                yield from self._twice(names)
            if isinstance(statement, Instruction):
                yield from self._instruction(statement, names)

    def _instruction(self, one: Instruction, names: Names) -> Iterator[Diagnostic]:
        form = one.form
        if form.sm > self.sm or form.ptx > self.module.version:
            needed = f"sm_{form.sm} and PTX {form.ptx[0]}.{form.ptx[1]}"
            yield self._problem(codes.NEEDS_NEWER, f"'{one.spelling}' needs {needed}", one.place)
        if one.guard is not None:
            yield from self._typed(one, one.guard.name, TYPES["pred"], names)
        if form.name == CALL:
            for operand in one.operands:
                yield from self._call_part(one, operand, names)
            return
        for operand, place in zip(one.operands, form.operands, strict=True):
            if operand is not None:
                yield from self._operand(one, operand, place, names)

    def _call_part(self, one: Instruction, operand: Operand | None, names: Names) -> Iterator[Diagnostic]:
        for inner in operand.elements if isinstance(operand, Group) else (operand,):
            if isinstance(inner, Name) and inner.text != "_":
                yield from self._declared(one, inner, names)

    def _operand(
        self, one: Instruction, operand: Operand, place: OperandForm, names: Names
    ) -> Iterator[Diagnostic]:
        wanted = TYPES.get(one.modifier(place.type) or place.type)
        match operand:
            case Address():
                if operand.base is not None:
                    yield from self._declared(one, operand.base, names)
                elif one.modifier("space") != "local":
                    message = "an address that is a number lies in the space .local, and nowhere else"
                    yield self._problem(codes.BAD_OPERANDS, message, one.place)
                for coordinate in operand.coordinates or ():
                    yield from self._operand(one, coordinate, place, names)
            case Vector():
                inner = None if place.count in ("pieces", "any") else wanted
                for element in operand.elements:
                    yield from self._value(one, element, inner, names)
            case Pair():
                yield from self._typed(one, operand.first, wanted, names)
                yield from self._typed(one, operand.second, TYPES["pred"], names)
            case _:
                yield from self._value(one, operand, None if place.count else wanted, names)

    def _value(
        self, one: Instruction, operand: Operand, wanted: ScalarType | None, names: Names
    ) -> Iterator[Diagnostic]:
        if isinstance(operand, Not):
            operand = operand.operand
        if isinstance(operand, Name):
            yield from self._typed(one, operand, wanted, names)

    def _declared(self, one: Instruction, name: Name, names: Names) -> Iterator[Diagnostic]:
        if name.text != "_" and names.find(name.text) is None:
            known = difflib.get_close_matches(name.text, names.own, n=1)
            hint = f"did you mean '{known[0]}'?" if known else ""
            yield self._problem(codes.UNDECLARED, f"'{name.text}' is not declared here", one.place, hint)

    def _typed(
        self, one: Instruction, name: Name, wanted: ScalarType | None, names: Names
    ) -> Iterator[Diagnostic]:
        yield from self._declared(one, name, names)
        meaning = names.find(name.text)
        if wanted is None or not isinstance(meaning, Register | SpecialRegister):
            return
        wider = one.form.wider or isinstance(meaning, SpecialRegister)
        whole = isinstance(meaning, Register) and meaning.vector and not name.component
        if not whole and not fits(meaning.type, wanted, wider=wider):
            message = (
                f"'{name.text}' is a register of type .{meaning.type.name} where .{wanted.name} is wanted"
            )
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
