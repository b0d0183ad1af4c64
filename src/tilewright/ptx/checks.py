"""Rules beyond syntax: declared names, types of registers, and instructions of the target."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity, render
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx import codes, lexer, matching, model, parser, scopes, uses, value_types
from tilewright.ptx.rules import calls as rules_calls, counts as rules_counts, declarations, values
from tilewright.ptx.table import targets
from tilewright.ptx.table.notation import OperandForm


def check(module: model.Module) -> model.Module:
    """Return `module`. Raises `DiagnosticError` with the rules that it breaks, the first `MAXIMUM_PROBLEMS`
    of them.
    """
    problems = list(_Checker(module).problems())[: parser.MAXIMUM_PROBLEMS]
    if problems:
        raise DiagnosticError(problems)
    return module


def architecture(module: model.Module) -> int:
    """Return the number of the first target with one, such as 90 for ``sm_90a``; 0 without such a target."""
    found = (re.match(r"(?:sm|compute)_(\d{1,4})", word) for word in module.target)
    return next((int(match[1]) for match in found if match), 0)


def _of_elements(
    one: model.PtxInstruction, place: OperandForm, wanted: value_types.ScalarType | None
) -> value_types.ScalarType | None:
    """Return the type that registers in a vector operand at `place` must have: ``b64`` in a matrix fragment
    of doubles, otherwise `wanted`, unchanged.
    """
    kinds = {one.modifier(name) for name in ("type", "dtype")}
    return value_types.TYPES["b64"] if place.count == "any" and "f64" in kinds else wanted


def _by_number(chip: str) -> tuple[int, str]:
    return len(chip), chip


class _Checker:
    def __init__(self, module: model.Module) -> None:
        self.module = module
        self.functions = module.functions()
        self.kernel: set[int] = set()
        """The parameters of the kernel that is checked, by identity."""
        self.globals = scopes.ScopeNames(module.statements)
        self.sm = architecture(module)

    def _problem(
        self, code: DiagnosticCode, message: str, place: model.LineColumn, hint: str = ""
    ) -> Diagnostic:
        at = FileLineColLocation.at(self.module.file_name, *place)
        return Diagnostic(Severity.ERROR, message, at, code, hints=[hint] if hint else [])

    def problems(self) -> Iterator[Diagnostic]:
        """Yield every problem: of the header, of the declarations outside functions, then of each function
        with a body, in the order of the text.
        """
        yield from self._header()
        yield from self._twice(self.globals)
        yield from self._globals()
        for statement in self.module.statements:
            if isinstance(statement, model.PtxFunction) and statement.body is not None:
                yield from self._function(statement, statement.body)

    def _twice(self, names: scopes.ScopeNames) -> Iterator[Diagnostic]:
        for name, place in names.twice:
            yield self._problem(codes.REDECLARED, f"'{name}' is declared twice in this scope", place)

    def _header(self) -> Iterator[Diagnostic]:
        """Yield problems of the version and the targets: those that do not exist, and targets that the
        version does not have. A module without a target is accepted.
        """
        version, start = self.module.version, model.LineColumn(1, 1)
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
        """Yield the problems of declarations outside functions: variables, the size of constant memory,
        registers, and functions that were declared with another signature before.
        """
        found = [one for one in self.module.statements if isinstance(one, model.PtxVariable)]
        for one in found:
            for message, place in declarations.variable(one, self.globals):
                yield self._problem(codes.BAD_DECLARATION, message, place)
        for message, place in declarations.constants(found):
            yield self._problem(codes.BAD_DECLARATION, message, place)
        for one in self.module.statements:
            if isinstance(one, model.RegisterDeclaration):
                yield self._problem(
                    codes.BAD_DECLARATION, "registers are declared inside of functions", one.place
                )
        for one in self.globals.different:
            yield self._problem(
                codes.REDECLARED,
                f"'{one.name}' is declared with other parameters or results before",
                one.place,
            )

    def _function(self, function: model.PtxFunction, body: model.PtxScope) -> Iterator[Diagnostic]:
        outer = scopes.function_names(function, self.globals)
        yield from self._twice(outer)
        for message, place in declarations.parameters(function, self.sm, self.module.version):
            yield self._problem(codes.BAD_DECLARATION, message, place)
        self.kernel = {id(one) for one in function.parameters} if function.entry else set[int]()
        if function.entry:
            for message, place in declarations.shared(
                function, uses.reached(self.module, function).shared, self._static_bytes()
            ):
                yield self._problem(codes.BAD_DECLARATION, message, place)
        seen: set[int] = set()
        for statement, names in scopes.walk(body, outer):
            if id(names) not in seen:
                seen.add(id(names))
                yield from self._twice(names)
            if isinstance(statement, model.PtxInstruction):
                yield from self._instruction(statement, names)
            elif isinstance(statement, model.PtxVariable):
                for message, place in declarations.variable(statement, names):
                    yield self._problem(codes.BAD_DECLARATION, message, place)
            elif isinstance(statement, model.RegisterDeclaration):
                yield from self._registers(statement)

    def _static_bytes(self) -> int:
        return targets.shared_bytes(self.module.target, self.sm)

    def _registers(self, one: model.RegisterDeclaration) -> Iterator[Diagnostic]:
        least, since = targets.TYPES_SINCE.get(one.type, (0, (1, 0)))
        if self.sm < least or self.module.version < since:
            message = f"registers of type .{one.type} need sm_{least} and PTX {since[0]}.{since[1]}"
            yield self._problem(codes.NEEDS_NEWER, message, one.place)

    def _instruction(self, one: model.PtxInstruction, names: scopes.ScopeNames) -> Iterator[Diagnostic]:
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
            yield from self._typed(one, one.guard.name, value_types.TYPES["pred"], names)
        if form.name == matching.CALL:
            problems = [
                problem for operand in one.operands for problem in self._call_part(one, operand, names)
            ]
            yield from problems or [
                self._problem(codes.BAD_CALL, message, one.place) for message in rules_calls.call(one, names)
            ]
            return
        for message in (
            *values.combinations(one),
            *rules_counts.counts(one, names),
            *rules_counts.too_wide(one, self.sm, self.module.version),
        ):
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        for operand, place in zip(one.operands, form.operands, strict=True):
            if operand is not None:
                yield from self._operand(one, operand, place, names)

    def _call_part(
        self, one: model.PtxInstruction, operand: model.Operand | None, names: scopes.ScopeNames
    ) -> Iterator[Diagnostic]:
        for inner in operand.elements if isinstance(operand, model.OperandGroup) else (operand,):
            if isinstance(inner, model.Name) and inner.text != "_":
                yield from self._declared(one, inner, names)

    def _operand(
        self, one: model.PtxInstruction, operand: model.Operand, place: OperandForm, names: scopes.ScopeNames
    ) -> Iterator[Diagnostic]:
        wanted = value_types.TYPES.get(one.modifier(place.type) or place.type)
        match operand:
            case model.Address():
                if operand.base is not None:
                    yield from self._declared(one, operand.base, names)
                for message in values.address(one, operand, names, self.kernel):
                    yield self._problem(codes.BAD_OPERANDS, message, one.place)
                for coordinate in operand.coordinates or ():
                    yield from self._operand(one, coordinate, place, names)
            case model.Vector():
                inner = None if place.count == "pieces" else _of_elements(one, place, wanted)
                for element in operand.elements:
                    yield from self._value(one, element, inner, names, place)
            case model.Pair():
                yield from self._typed(one, operand.first, wanted, names, place)
                yield from self._typed(one, operand.second, value_types.TYPES["pred"], names, place)
            case _:
                yield from self._value(one, operand, None if place.count else wanted, names, place)

    def _value(
        self,
        one: model.PtxInstruction,
        operand: model.Operand,
        wanted: value_types.ScalarType | None,
        names: scopes.ScopeNames,
        place: OperandForm,
    ) -> Iterator[Diagnostic]:
        for message in values.constant(one, operand, place, wanted):
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        if isinstance(operand, model.Not):
            operand = operand.operand
        if isinstance(operand, model.Name):
            yield from self._typed(one, operand, wanted, names, place)

    def _special(
        self,
        one: model.PtxInstruction,
        meaning: scopes.SpecialRegister,
        wanted: value_types.ScalarType | None,
        place: OperandForm | None,
    ) -> Iterator[Diagnostic]:
        for message in values.special(one, meaning, place, wanted):
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        sm, since = targets.SPECIAL_SINCE.get(meaning.name[1:].partition(".")[0], (0, (1, 0)))
        if self.sm < sm or self.module.version < since:
            message = f"'{meaning.name}' needs sm_{sm} and PTX {since[0]}.{since[1]}"
            yield self._problem(codes.NEEDS_NEWER, message, one.place)

    def _named(
        self,
        one: model.PtxInstruction,
        name: model.Name,
        meaning: scopes.Meaning | None,
        place: OperandForm | None,
    ) -> Iterator[Diagnostic]:
        """Yield problems of the operand `name` of the instruction `one`, which refers to `meaning`, apart
        from its type: a component of a register that is no vector, and a label used as a value, or the
        opposite. `place` is the operand of the form, None for the guard.
        """
        if isinstance(meaning, scopes.Register) and name.component and not meaning.vector:
            message = f"'{name.text}' is not a vector, so it has no '.{name.component}'"
            yield self._problem(codes.BAD_OPERANDS, message, one.place)
        jumps = place is not None and place.sort == "name"
        if meaning is not None and jumps != isinstance(meaning, model.Label | model.JumpTargets):
            what = "is not a label" if jumps else "is a label, not a value"
            if jumps or isinstance(meaning, model.Label | model.JumpTargets):
                yield self._problem(codes.BAD_OPERANDS, f"'{name.text}' {what}", one.place)

    def _declared(
        self, one: model.PtxInstruction, name: model.Name, names: scopes.ScopeNames
    ) -> Iterator[Diagnostic]:
        if name.text != "_" and names.find(name.text) is None:
            known = difflib.get_close_matches(name.text, names.own, n=1)
            hint = f"did you mean '{known[0]}'?" if known else ""
            yield self._problem(codes.UNDECLARED, f"'{name.text}' is not declared here", one.place, hint)

    def _typed(
        self,
        one: model.PtxInstruction,
        name: model.Name,
        wanted: value_types.ScalarType | None,
        names: scopes.ScopeNames,
        place: OperandForm | None = None,
    ) -> Iterator[Diagnostic]:
        yield from self._declared(one, name, names)
        meaning = names.find(name.text)
        if isinstance(meaning, scopes.SpecialRegister):
            yield from self._special(one, meaning, wanted, place)
            return
        yield from self._named(one, name, meaning, place)
        if wanted is None or not isinstance(meaning, scopes.Register):
            return
        whole = meaning.vector and not name.component
        if not whole and not value_types.fits(meaning.type, wanted, wider=one.form.wider):
            message = (
                f"'{name.text}' is a register of type .{meaning.type.name}, but .{wanted.name} is expected"
            )
            yield self._problem(codes.BAD_OPERANDS, message, one.place)


def read(source: str | Path) -> model.Module:
    """Return the checked module of a file (`Path`) or of text (`str`). Bytes of a file that are not UTF-8 are
    replaced.

    Raises `OSError` for a file that cannot be read, and `DiagnosticError`, with source excerpts, for all
    other errors.
    """
    is_path = isinstance(source, Path)
    text = source.read_bytes().decode(errors="replace") if is_path else source
    name = str(source) if is_path else "<ptx>"
    module = parser.parse(text, name)
    try:
        return check(module)
    except DiagnosticError as error:
        frames = lexer.PtxSource(text, name).line
        message = "\n".join(render(problem, frames) for problem in error.diagnostics)
        raise DiagnosticError(error.diagnostics, message) from None
