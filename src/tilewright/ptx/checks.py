"""Rules beyond syntax: declared names, types of registers, and instructions of the target."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity, render
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx import codes
from tilewright.ptx.lexer import PtxSource
from tilewright.ptx.matching import CALL
from tilewright.ptx.model import (
    Address,
    JumpTargets,
    Label,
    LineColumn,
    Module,
    Name,
    Not,
    Operand,
    OperandGroup,
    Pair,
    PtxFunction,
    PtxInstruction,
    PtxScope,
    PtxVariable,
    RegisterDeclaration,
    Vector,
)
from tilewright.ptx.parser import MAXIMUM_PROBLEMS, parse
from tilewright.ptx.rules import declarations, values
from tilewright.ptx.rules.calls import call
from tilewright.ptx.rules.counts import counts, too_wide
from tilewright.ptx.scopes import Meaning, Register, ScopeNames, SpecialRegister, function_names, walk
from tilewright.ptx.table import targets
from tilewright.ptx.table.notation import OperandForm
from tilewright.ptx.uses import reached
from tilewright.ptx.value_types import TYPES, ScalarType, fits


def check(module: Module) -> Module:
    """Return `module`. Raises `DiagnosticError` with every rule that it breaks."""
    problems = list(_Checker(module).problems())[:MAXIMUM_PROBLEMS]
    if problems:
        raise DiagnosticError(problems)
    return module


def architecture(module: Module) -> int:
    """Return the number of the target, such as 90 for ``sm_90a``, or 0 without a target."""
    found = (re.match(r"(?:sm|compute)_(\d{1,4})", word) for word in module.target)
    return next((int(match[1]) for match in found if match), 0)


def _of_elements(one: PtxInstruction, place: OperandForm, wanted: ScalarType | None) -> ScalarType | None:
    """Return the type of the registers in a vector operand. Fragments of doubles have 64-bit registers."""
    kinds = {one.modifier(name) for name in ("type", "dtype")}
    return TYPES["b64"] if place.count == "any" and "f64" in kinds else wanted


def _by_number(chip: str) -> tuple[int, str]:
    return len(chip), chip


class _Checker:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.functions = module.functions()
        self.kernel: set[int] = set()
        """The parameters of the kernel that is checked, by identity."""
        self.globals = ScopeNames(module.statements)
        self.sm = architecture(module)

    def _problem(self, code: DiagnosticCode, message: str, place: LineColumn, hint: str = "") -> Diagnostic:
        at = FileLineColLocation.at(self.module.file_name, *place)
        return Diagnostic(Severity.ERROR, message, at, code, hints=[hint] if hint else [])

    def problems(self) -> Iterator[Diagnostic]:
        """Yield every problem, in the order of the text."""
        yield from self._header()
        yield from self._twice(self.globals)
        yield from self._globals()
        for statement in self.module.statements:
            if isinstance(statement, PtxFunction) and statement.body is not None:
                yield from self._function(statement, statement.body)

    def _twice(self, names: ScopeNames) -> Iterator[Diagnostic]:
        for name, place in names.twice:
            yield self._problem(codes.REDECLARED, f"'{name}' is declared twice in this scope", place)

    def _header(self) -> Iterator[Diagnostic]:
        """Check that the version exists, and that it has the target."""
        version, start = self.module.version, LineColumn(1, 1)
        if not self.module.target:
            return
        spelt = "{}.{}".format(*version)
        if not targets.is_version(version):
            newest = "{}.{}".format(*targets.newest())
            yield self._problem(
                codes.UNKNOWN_TARGET, f"there is no PTX {spelt}; the newest is {newest}", start
            )
            return
        for word in self.module.target:
            since = targets.SINCE.get(word.replace("compute_", "sm_"))
            if since is None and word.startswith(("sm_", "compute_")):
                yield self._problem(codes.UNKNOWN_TARGET, f"there is no target '{word}'", start)
            elif since is not None and version < since:
                message = f"PTX {spelt} does not have '{word}', which exists since PTX {since[0]}.{since[1]}"
                yield self._problem(codes.UNKNOWN_TARGET, message, start)

    def _globals(self) -> Iterator[Diagnostic]:
        """Check the declarations outside functions."""
        found = [one for one in self.module.statements if isinstance(one, PtxVariable)]
        for one in found:
            for message, place in declarations.variable(one, self.globals, inside=False):
                yield self._problem(codes.BAD_DECLARATION, message, place)
        for message, place in declarations.constants(found):
            yield self._problem(codes.BAD_DECLARATION, message, place)
        for one in self.module.statements:
            if isinstance(one, RegisterDeclaration):
                yield self._problem(
                    codes.BAD_DECLARATION, "registers are declared inside of functions", one.place
                )
        for one in self.globals.different:
            yield self._problem(
                codes.REDECLARED,
                f"'{one.name}' is declared with other parameters or results before",
                one.place,
            )

    def _function(self, function: PtxFunction, body: PtxScope) -> Iterator[Diagnostic]:
        outer = function_names(function, self.globals)
        yield from self._twice(outer)
        for message, place in declarations.parameters(function, self.sm, self.module.version):
            yield self._problem(codes.BAD_DECLARATION, message, place)
        self.kernel = {id(one) for one in function.parameters} if function.entry else set[int]()
        if function.entry:
            for message, place in declarations.shared(
                function, reached(self.module, function).shared, self._static_bytes()
            ):
                yield self._problem(codes.BAD_DECLARATION, message, place)
        seen: set[int] = set()
        for statement, names in walk(body, outer):
            if id(names) not in seen:
                seen.add(id(names))
                yield from self._twice(names)
            if isinstance(statement, PtxInstruction):
                yield from self._instruction(statement, names)
            elif isinstance(statement, PtxVariable):
                for message, place in declarations.variable(statement, names, inside=True):
                    yield self._problem(codes.BAD_DECLARATION, message, place)
            elif isinstance(statement, RegisterDeclaration):
                yield from self._registers(statement)

    def _static_bytes(self) -> int:
        return targets.shared_bytes(self.module.target, self.sm)

    def _registers(self, one: RegisterDeclaration) -> Iterator[Diagnostic]:
        least, since = targets.TYPES_SINCE.get(one.type, (0, (1, 0)))
        if self.sm < least or self.module.version < since:
            message = f"registers of type .{one.type} need sm_{least} and PTX {since[0]}.{since[1]}"
            yield self._problem(codes.NEEDS_NEWER, message, one.place)

    def _instruction(self, one: PtxInstruction, names: ScopeNames) -> Iterator[Diagnostic]:
        form = one.form
        if form.sm > self.sm or form.ptx > self.module.version:
            needed = f"sm_{form.sm} and PTX {form.ptx[0]}.{form.ptx[1]}"
            yield self._problem(codes.NEEDS_NEWER, f"'{one.spelling}' needs {needed}", one.place)
        elif form.only and targets.FEATURES[form.only].isdisjoint(self.module.target):
            chips = ", ".join(sorted(targets.FEATURES[form.only], key=_by_number))
            yield self._problem(
                codes.NEEDS_NEWER, f"'{one.spelling}' exists for these targets only: {chips}", one.place
            )
        else:
            for message in values.newer(one, self.sm, self.module.version):
                yield self._problem(codes.NEEDS_NEWER, message, one.place)
        if one.guard is not None:
            yield from self._typed(one, one.guard.name, TYPES["pred"], names)
        if form.name == CALL:
            problems = [
                problem for operand in one.operands for problem in self._call_part(one, operand, names)
            ]
            yield from problems or [
                self._problem(codes.BAD_CALL, message, one.place) for message in call(one, names)
            ]
            return
        for message in (
            *values.combinations(one),
            *counts(one, names),
            *too_wide(one, self.sm, self.module.version),
        ):
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        for operand, place in zip(one.operands, form.operands, strict=True):
            if operand is not None:
                yield from self._operand(one, operand, place, names)

    def _call_part(
        self, one: PtxInstruction, operand: Operand | None, names: ScopeNames
    ) -> Iterator[Diagnostic]:
        for inner in operand.elements if isinstance(operand, OperandGroup) else (operand,):
            if isinstance(inner, Name) and inner.text != "_":
                yield from self._declared(one, inner, names)

    def _operand(
        self, one: PtxInstruction, operand: Operand, place: OperandForm, names: ScopeNames
    ) -> Iterator[Diagnostic]:
        wanted = TYPES.get(one.modifier(place.type) or place.type)
        match operand:
            case Address():
                if operand.base is not None:
                    yield from self._declared(one, operand.base, names)
                for message in values.address(one, operand, names, self.kernel):
                    yield self._problem(codes.BAD_OPERANDS, message, one.place)
                for coordinate in operand.coordinates or ():
                    yield from self._operand(one, coordinate, place, names)
            case Vector():
                inner = None if place.count == "pieces" else _of_elements(one, place, wanted)
                for element in operand.elements:
                    yield from self._value(one, element, inner, names, place)
            case Pair():
                yield from self._typed(one, operand.first, wanted, names, place)
                yield from self._typed(one, operand.second, TYPES["pred"], names, place)
            case _:
                yield from self._value(one, operand, None if place.count else wanted, names, place)

    def _value(
        self,
        one: PtxInstruction,
        operand: Operand,
        wanted: ScalarType | None,
        names: ScopeNames,
        place: OperandForm,
    ) -> Iterator[Diagnostic]:
        for message in values.constant(one, operand, place, wanted):
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        if isinstance(operand, Not):
            operand = operand.operand
        if isinstance(operand, Name):
            yield from self._typed(one, operand, wanted, names, place)

    def _special(
        self,
        one: PtxInstruction,
        meaning: SpecialRegister,
        wanted: ScalarType | None,
        place: OperandForm | None,
    ) -> Iterator[Diagnostic]:
        for message in values.special(one, meaning, place, wanted):
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        sm, since = targets.SPECIAL_SINCE.get(meaning.name[1:].partition(".")[0], (0, (1, 0)))
        if self.sm < sm or self.module.version < since:
            message = f"'{meaning.name}' needs sm_{sm} and PTX {since[0]}.{since[1]}"
            yield self._problem(codes.NEEDS_NEWER, message, one.place)

    def _named(
        self, one: PtxInstruction, name: Name, meaning: Meaning | None, place: OperandForm | None
    ) -> Iterator[Diagnostic]:
        """Check the meaning of a name, apart from its type."""
        if isinstance(meaning, Register) and name.component and not meaning.vector:
            message = f"'{name.text}' is not a vector, so it has no '.{name.component}'"
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        jumps = place is not None and place.sort == "name"
        if meaning is not None and jumps != isinstance(meaning, Label | JumpTargets):
            what = "is not a label" if jumps else "is a label, not a value"
            if jumps or isinstance(meaning, Label | JumpTargets):
                yield self._problem(codes.BAD_OPERANDS, f"'{name.text}' {what}", one.place)

    def _declared(self, one: PtxInstruction, name: Name, names: ScopeNames) -> Iterator[Diagnostic]:
        if name.text != "_" and names.find(name.text) is None:
            known = difflib.get_close_matches(name.text, names.own, n=1)
            hint = f"did you mean '{known[0]}'?" if known else ""
            yield self._problem(codes.UNDECLARED, f"'{name.text}' is not declared here", one.place, hint)

    def _typed(
        self,
        one: PtxInstruction,
        name: Name,
        wanted: ScalarType | None,
        names: ScopeNames,
        place: OperandForm | None = None,
    ) -> Iterator[Diagnostic]:
        yield from self._declared(one, name, names)
        meaning = names.find(name.text)
        if isinstance(meaning, SpecialRegister):
            yield from self._special(one, meaning, wanted, place)
            return
        yield from self._named(one, name, meaning, place)
        if wanted is None or not isinstance(meaning, Register):
            return
        whole = meaning.vector and not name.component
        if not whole and not fits(meaning.type, wanted, wider=one.form.wider):
            message = (
                f"'{name.text}' is a register of type .{meaning.type.name}, but .{wanted.name} is expected"
            )
            yield self._problem(codes.BAD_OPERANDS, message, one.place)


def read(source: str | Path) -> Module:
    """Return the module of a file (`Path`) or of text (`str`).

    Raises `OSError` for a file that cannot be read, and `DiagnosticError` for all other errors.
    """
    is_path = isinstance(source, Path)
    text = source.read_bytes().decode(errors="replace") if is_path else source
    name = str(source) if is_path else "<ptx>"
    module = parse(text, name)
    try:
        return check(module)
    except DiagnosticError as error:
        frames = PtxSource(text, name).line
        message = "\n".join(render(problem, frames) for problem in error.diagnostics)
        raise DiagnosticError(error.diagnostics, message) from None
