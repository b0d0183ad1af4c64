"""The parser of operations: generic form, custom forms, regions, recovery from errors.

Nested regions do not nest Python calls.  Whatever may contain a region is a generator that yields the parser of the
region (itself a generator) and is resumed with the result; `Parser._drive` keeps the stack of them.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any

from tilewright.ir import codes
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import ImplicitTerminator
from tilewright.ir.diagnostic import DiagnosticError, render
from tilewright.ir.operation import Operation, initialise
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.support.strings import pattern
from tilewright.ir.text.attribute_parser import AttributeParser
from tilewright.ir.text.hooks import RegionRequest, hook, region_request
from tilewright.ir.text.lexer import SUFFIX, ParseError, SourceText
from tilewright.ir.text.repeats import Header, ReadRegion, RepeatingParser, numbered_cases
from tilewright.ir.text.scopes import RegionScope, as_diagnostics
from tilewright.ir.uniquer import InvalidParameters

__all__ = ["AttributeParser", "Parser", "parse_attribute", "parse_module", "parse_type"]

MAX_ERRORS = 100
"""The number of errors after which the rest of a text is not parsed."""

Step = Generator[Any, Any, Any]
"""Part of the parse that may be suspended while a region in it is parsed."""

_RESULT = pattern(rf"(%{SUFFIX})(?:\s*:\s*(\d+))?", re.ASCII)
_NAMES = pattern(rf"[%^]{SUFFIX}", re.ASCII)
_RECOVERY = pattern(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[{}]|\n[ \t]*(?=[%"^}A-Za-z#!])')


class _Abort(Exception):
    """Raised to end the parse of a text after an error that cannot be recovered from."""


class _Result(NamedTuple):
    """A name on the left of the equals sign, the number of results that it names, and its position in the
    text.
    """

    name: str
    size: int
    position: int


class Parser(RepeatingParser):
    """Parses the operations of `text`, which is called `file_name` in messages and locations; names are
    looked up in `context`. The ``parse_custom`` hooks of op classes get it, too.
    """

    def __init__(self, context: Context, text: str, file_name: str = "<string>") -> None:
        super().__init__(context, SourceText(text, file_name))
        self.result_count = 0
        """The number of results named on the left of the operation that is being parsed."""

    # --- entry points

    def parse_top_level(self) -> list[Operation]:
        """Return all operations of the text; raises `DiagnosticError` with every error found."""
        block = Block()
        try:
            self._drive(self._top_level(block))
        except _Abort:
            pass
        except RecursionError:
            self.errors.append(self.error("nested too deeply"))
        self.report_undefined_values()
        self._raise_errors()
        return [op.detach() for op in block.ops]

    def parse_alone(self, parse: Any) -> Any:
        """Return the result of the function `parse`, which parses from the start of the text and must consume
        all of it. Raises `DiagnosticError` if it does not, or raises `ParseError`.
        """
        try:
            result = parse()
            if not self.at_end:
                raise self.unexpected("end of input")
        except ParseError as problem:
            self.errors.append(problem)
            result = None
        self._raise_errors()
        return result

    def _raise_errors(self) -> None:
        if self.errors:
            diagnostics = as_diagnostics(self.errors)
            raise DiagnosticError(diagnostics, "\n".join(render(d, self.source.line) for d in diagnostics))

    # --- the stack of suspended steps

    def _drive(self, first: Step) -> Any:
        """Run the step `first` and all steps that it yields, and return its result. A ``yield`` in a step
        returns the result of the yielded step, or raises its error.
        """
        stack: list[Step] = [first]
        value: Any = None
        problem: ParseError | InvalidParameters | None = None
        while stack:
            try:
                step = stack[-1].send(value) if problem is None else stack[-1].throw(problem)
                value = problem = None
                stack.append(self._region(step) if isinstance(step, RegionRequest) else step)
            except StopIteration as finished:
                stack.pop()
                value, problem = finished.value, None
            except (ParseError, InvalidParameters) as error:
                stack.pop()
                value, problem = None, error
        assert problem is None, "the outermost step recovers from all errors"
        return value

    def _top_level(self, block: Block) -> Step:
        region = Region([block])
        self.region_scope = scope = RegionScope(region)
        yield self._body(scope, block, closing=False)
        self.report_undefined_blocks(scope)
        region.remove(block)

    def _region(self, request: RegionRequest) -> Step:
        """Parse ``{ blocks }`` into the region of `request`, and return this region. A region that was read
        at this position before is not parsed again; an optional region without an opening brace stays empty.
        """
        region, start = request.region, self.position
        if request.optional and not self.at("{"):
            return region
        if self.read_region is not None and self.read_region.start == start:
            return self._reuse_region(self.read_region, request)
        self.expect("{")
        saved = self.values, self.forward, self.region_scope, self.default_dialect
        mark = len(self.values)
        if request.isolated:
            self.values, self.forward, mark = {}, {}, 0
        self.default_dialect = request.default_dialect
        self.region_scope = scope = RegionScope(region)
        try:
            block = self._entry_block(request)
            yield self._body(scope, block, closing=True)
            self.expect("}")
            self.report_undefined_blocks(scope)
            if request.isolated:
                self.report_undefined_values()
        finally:
            while len(self.values) > mark:
                self.values.popitem()
            self.values, self.forward, self.region_scope, self.default_dialect = saved
        self.read_region = ReadRegion(request, start, self.position)
        return region

    def _reuse_region(self, read: ReadRegion, request: RegionRequest) -> Region:
        """Move the blocks of the region `read`, parsed from the same text before, into the region of
        `request`, and return this region. Parsing continues after that text.
        """
        for block in read.request.region.blocks[:]:
            read.request.region.remove(block)
            request.region.append(block)
        self.position = read.end
        self.read_region = ReadRegion(request, read.start, read.end)
        return request.region

    def _entry_block(self, request: RegionRequest) -> Block | None:
        """Append the entry block, with its arguments, to the region of a request that has ``arguments``; else
        return None.
        """
        if not request.arguments:
            return None
        block = request.region.append(Block())
        for argument in request.arguments:
            self.add_argument(block, argument)
        return block

    def _body(self, scope: RegionScope, block: Block | None, *, closing: bool) -> Step:
        """Parse blocks and operations into the region of `scope`, up to the closing brace if `closing`, else
        to the end of the text. The first operations are appended to `block`, or, if it is None, to a new
        block. Errors are recorded, and parsing continues after them.
        """
        while True:
            start = self.position
            try:
                if self.at_end:
                    if closing:
                        self._abort(self.error("expected '}' to close this region, got end of input"))
                    return
                if self.at("}"):
                    if closing:
                        return
                    self.move_to(start + 1)
                    raise self.error("unexpected '}'", start)
                if not closing and self.optional_alias_definition():
                    continue
                if self.at("^"):
                    block = self.parse_block_header()
                    continue
                if block is None:
                    block = scope.region.append(Block())
                self.generic_operations(block)
                header = self.repeated_operations(block)
                start = self.position
                if header is None and (
                    self.at_end
                    or self.text[start] in "}^"
                    or (not closing and self.optional_alias_definition())
                ):
                    continue
                step = self._repeated_header(header, block) if header else self._statement(block)
                if step is not None:
                    yield step
            except ParseError as problem:
                self._recover(problem, start)

    # --- recovery

    def _abort(self, problem: ParseError) -> None:
        self.errors.append(problem)
        raise _Abort

    def _recover(self, problem: ParseError, start: int) -> None:
        """Record an error in the text that begins at `start`, and skip to the next operation or the end of
        the region. Raises `_Abort` if the errors are too many.
        """
        self.errors.append(problem)
        self._depth = 0
        if len(self.errors) >= MAX_ERRORS:
            self._abort(self.error("too many errors, the rest of the text is not checked"))
        self._suppress_errors_about(start)
        reached, depth = self.position, 0
        for match in _RECOVERY.finditer(self.text, start):
            piece = match[0]
            if piece == "{":
                depth += 1
            elif piece == "}":
                depth -= 1
                if depth < 0:
                    self.position = match.start()
                    return
            elif piece[0] == "\n" and depth == 0 and match.end() >= reached:
                self.position = match.end()
                return
        self.position = len(self.text)

    def _suppress_errors_about(self, start: int) -> None:
        """Suppress later errors about the names that the faulty text at ``start`` should have defined."""
        end = self.text.find("\n", start)
        line = self.text[start : len(self.text) if end < 0 else end]
        if line.startswith("%"):
            line = line.partition("=")[0]
        elif not line.startswith("^"):
            return
        self.poisoned.update(_NAMES.findall(line))

    # --- any operation

    def _statement(self, block: Block) -> Step | None:
        """Parse ``%results = operation loc(...)`` and append the operation to `block`. If the operation may
        have regions, return the remaining steps, else None.
        """
        start = self.position
        names = self._result_names() if self.at("%") else []
        self.result_count = sum(result.size for result in names)
        if self.at('"'):
            return self._resumed_statement(self._generic_operation(), start, names, block, is_custom=False)
        op = self._custom_operation()
        if not isinstance(op, Operation):
            return self._resumed_statement(op, start, names, block, is_custom=True)
        self._end_statement(op, start, names, block, is_custom=True)
        return None

    def _resumed_statement(
        self, step: Step, start: int, names: list[_Result], block: Block, *, is_custom: bool
    ) -> Step:
        op = yield step
        self._end_statement(op, start, names, block, is_custom=is_custom)

    def _end_statement(
        self, op: Operation, start: int, names: list[_Result], block: Block, *, is_custom: bool
    ) -> None:
        located, location = self.position, self.optional_location()
        if location is not None:
            op.location = location
        if is_custom:
            add_implicit_terminator(self.context, op)
        block.append(op)
        self._bind(names, op)
        self.learn(op, start, located if location is not None else None)

    def _repeated_header(self, header: Header, block: Block) -> Step:
        """Parse an operation whose line up to its region matches an earlier line.

        If the token after the region has not been seen after such an operation, the operation is read as any other.
        """
        shape, names, operands, start, place, request = header
        self.position = brace = self.text.index("\n", place) - 1
        try:
            region = yield request
        except InvalidParameters as problem:
            raise self.error(str(problem), place, code=codes.INVALID_PARAMETERS) from problem
        if not self.is_followed(shape):
            self.read_region = ReadRegion(request, brace, self.position)
            self.position = start
            if (step := self._statement(block)) is not None:
                yield step
            return
        location = self.optional_location() or (self.source, place)
        op = object.__new__(shape.kind.op_class)
        regions = (region,)
        initialise(op, shape.kind, operands, shape.result_types, shape.attributes, regions, (), location)
        add_implicit_terminator(self.context, op)
        block.append(op)
        for name, result in zip(names, op.results, strict=False):
            self.define(name, result, start)

    def _result_names(self) -> list[_Result]:
        names: list[_Result] = []
        while True:
            match = _RESULT.match(self.text, self.position)
            if match is None:
                raise self.unexpected("a result name")
            count = int(match[2] or 1)
            if count < 1:
                raise self.error("expected named operation to have at least 1 result")
            names.append(_Result(match[1], count, self.position))
            self.move_to(match.end())
            if not self.accept(","):
                break
        self.expect("=")
        return names

    def _bind(self, names: list[_Result], op: Operation) -> None:
        """Give the results of `op` the names on the left of its equals sign. Raises `ParseError` if their
        numbers differ.
        """
        if not names:
            return
        given, defined = sum(result.size for result in names), len(op.results)
        if not defined:
            raise self.error("cannot name an operation with no results", names[0].position)
        if given != defined:
            plural = "" if defined == 1 else "s"
            message = f"operation defines {defined} result{plural} but was provided {given} to bind"
            raise self.error(message, names[0].position)
        start = 0
        for name, size, position in names:
            self.define_group(name, op.results[start : start + size], position)
            start += size

    def find_kind(self, name: str, position: int) -> OperationKind:
        """Return the kind of the operation called ``name``. Raises `ParseError`, at ``position``, if it is
        not registered, unless the context allows unregistered operations.
        """
        kind = self.kinds.get(name) or self.context.kind(name)
        if kind is None:
            if not self.context.allow_unregistered:
                raise self._unknown_operation(name, position)
            kind = self.context.unregistered_kind(name)
        self.kinds[name] = kind
        return kind

    def _unknown_operation(self, name: str, position: int) -> ParseError:
        near = self.context.suggestion(name)
        hint = f"did you mean '{near}'?" if near else "load its dialect, or allow unregistered dialects"
        problem = self.error(
            f"operation '{name}' is not registered", position, code=codes.UNKNOWN_NAME, hint=hint
        )
        if near:
            problem.diagnostic.fix(name, near)
        return problem

    def _generic_operation(self) -> Step:
        """Parse an operation in the generic form, ``"name"(operands)[successors] <{properties}> (regions)
        {attributes} : (types) -> types``, and return it. Raises `ParseError` for other text, and if the types
        do not fit the operands.
        """
        start = self.position
        kind = self.find_kind(self.parse_string(), start)
        self.expect("(")
        uses = self.parse_operands()
        self.expect(")")
        successors = self._successors() if self.accept("[") else []
        attributes: dict[str, Attribute] = {}
        if self.accept("<"):
            attributes = self.parse_attribute_dictionary()
            self.expect(">")
            if not kind.is_registered:
                kind = self.context.unregistered_kind(kind.name, attributes)
        regions: list[Region] = []
        if self.accept("("):
            while True:
                regions.append((yield region_request(kind)))
                if not self.accept(","):
                    break
            self.expect(")")
        discardable_start = self.position
        discardable = self.optional_attribute_dictionary()
        if not kind.is_registered and (twice := sorted(attributes.keys() & discardable.keys())):
            hint = "rename one of them, or load the dialect"
            message = f"'{twice[0]}' is both a property and an attribute of an unregistered operation"
            raise self.error(message, discardable_start, hint=hint)
        attributes |= discardable
        _name_cases(kind, attributes)
        self.expect(":")
        type_start = self.position
        operand_types, result_types = self.parse_functional_type()
        if len(uses) != len(operand_types):
            plural = "" if len(uses) == 1 else "s"
            message = f"expected {len(uses)} operand type{plural} but had {len(operand_types)}"
            raise self.error(message, type_start)
        operands = self.resolve_all(uses, operand_types, type_start)
        return Operation.from_parts(
            kind, operands, result_types, attributes, regions, successors, (self.source, start)
        )

    def _successors(self) -> list[Block]:
        successors = [self.parse_successor()]
        while self.accept(","):
            successors.append(self.parse_successor())
        self.expect("]")
        return successors

    def _custom_operation(self) -> Operation | Step:
        """Parse an operation in the custom form of its class; return it, or a step that makes it from its
        regions. Raises `ParseError` for a class without a custom form, and for other text; the error names
        the operation.
        """
        start = self.position
        kind = self._custom_kind()
        parse = hook(kind.op_class, "parse_custom")
        if parse is None:
            hint = "write its name in quotes and use the generic form"
            raise self.error(f"operation '{kind.name}' has no custom form", start, hint=hint)
        try:
            op: Operation | Step = parse(self)
        except InvalidParameters as problem:
            raise self.error(str(problem), start, code=codes.INVALID_PARAMETERS) from problem
        except ParseError as problem:
            problem.name_operation(kind.name)
            raise
        if not isinstance(op, Operation):
            return self._resumed_operation(op, kind, start)
        op.lazy_location = self.source, start
        return op

    def _resumed_operation(self, step: Step, kind: OperationKind, start: int) -> Step:
        """Run `step`, the rest of a custom form that began at `start`, and return the operation that it
        makes, with its location. An `InvalidParameters` becomes an error at `start`; other errors get the
        name of the operation.
        """
        try:
            op = yield step
        except InvalidParameters as problem:
            raise self.error(str(problem), start, code=codes.INVALID_PARAMETERS) from problem
        except ParseError as problem:
            problem.name_operation(kind.name)
            raise
        op.lazy_location = self.source, start
        return op

    def custom_kind(self, name: str) -> OperationKind | None:
        """Return the kind of an operation in custom form; None if it is unknown.

        The prefix of the default dialect may be missing.
        """
        kind = self.context.kind(name)
        if kind is None and self.default_dialect and "." not in name:
            kind = self.context.kind(f"{self.default_dialect}.{name}")
        return kind

    def _custom_kind(self) -> OperationKind:
        start = self.position
        name = self.peek_keyword()
        if name is None:
            raise self.unexpected("an operation")
        kind = self.custom_kind(name)
        if kind is None:
            near = self.context.suggestion(name if "." in name else f"{self.default_dialect}.{name}")
            hint = f"did you mean '{near}'?" if near else "load its dialect, or write it in the generic form"
            problem = self.error(f"custom op '{name}' is unknown", start, code=codes.UNKNOWN_NAME, hint=hint)
            if near:
                problem.diagnostic.fix(name, near)
            raise problem
        self.expect_keyword()
        return kind


def _name_cases(kind: OperationKind, attributes: dict[str, Attribute]) -> None:
    """Replace the i32 attributes of `attributes` that are numbers of enum cases, as MLIR prints them for
    `kind`, with attributes of the cases. Numbers without a case stay.
    """
    for name, attribute_class in numbered_cases(kind).items():
        given = attributes.get(name)
        if isinstance(given, IntegerAttr) and given.type is i32:
            case = next((case for case in attribute_class.enumeration if case.value == given.value), None)
            if case is not None:
                attributes[name] = attribute_class(case)


def add_implicit_terminator(context: Context, op: Operation) -> None:
    """Append the implicit terminator of `op`, if its kind has one, to each region that lacks it.

    An empty region gets a block for the terminator, unless the region is optional or the trait does not fill
    regions. Regions of several blocks stay as they are, and so do all regions if the terminator's kind is
    unknown.
    """
    trait = op.kind.trait(ImplicitTerminator)
    kind = context.kind(trait.name) if trait is not None else None
    if trait is None or kind is None:
        return
    optional = [field.optional for field in op.kind.regions]
    for number, region in enumerate(op.regions):
        if not region.blocks and (optional[min(number, len(optional) - 1)] or not trait.fills):
            continue
        block = region.entry or region.append(Block())
        if len(region.blocks) == 1 and block.terminator is None:
            regions = [Region([Block()]) for _ in kind.regions]
            block.append(Operation.from_parts(kind, regions=regions, location=op.location))


def parse_module(
    context: Context, text: str, file_name: str = "<string>", *, implicit_module: bool | None = None
) -> Operation:
    """Parse a text to one operation, and return it; `file_name` names the text in messages and locations.

    A single operation is returned as it is; several (or none) are put into a ``builtin.module`` if that
    dialect is there. With ``implicit_module`` True everything but a single ``builtin.module`` is put into
    one; with False only single operations are accepted. Raises `DiagnosticError` with all errors of the text;
    it does not verify.
    """
    with paused_collection():
        operations = Parser(context, text, file_name).parse_top_level()
    single = len(operations) == 1
    module = context.kind("builtin.module") if implicit_module or not single else None
    if single and (not implicit_module or operations[0].kind is module):
        return operations[0]
    if module is None or implicit_module is False:
        parser = Parser(context, text, file_name)
        problem = parser.error(f"expected a single operation at the top, got {len(operations)}", 0)
        problem.diagnostic.hint(
            "put a module around them"
            if implicit_module is False
            else "load the builtin dialect to have them wrapped into a module"
        )
        raise DiagnosticError([problem.diagnostic])
    return _holding(module, operations, SourceText(text, file_name).location(0))


def in_builtin_module(context: Context, op: Operation) -> Operation:
    """Return a ``builtin.module`` around `op`, which has no parent; `op` itself if it is a module, or if the
    dialect is not loaded.
    """
    module = context.kind("builtin.module")
    return op if module is None or op.kind is module else _holding(module, [op], op.location)


def _holding(module: OperationKind, operations: Sequence[Operation], location: Location) -> Operation:
    block = Block()
    for op in operations:
        block.append(op)
    return Operation.from_parts(module, regions=[Region([block])], location=location)


def parse_attribute(context: Context, text: str, file_name: str = "<string>") -> Attribute:
    """Return the attribute that `text` spells; the whole text must be one attribute. Names are looked up in
    `context`, and `file_name` names the text in messages. Raises `DiagnosticError` for any other text.
    """
    parser = Parser(context, text, file_name)
    return parser.parse_alone(parser.parse_attribute)


def parse_type(context: Context, text: str, file_name: str = "<string>") -> Type:
    """Return the type that `text` spells; the whole text must be one type. Names are looked up in `context`,
    and `file_name` names the text in messages. Raises `DiagnosticError` for any other text.
    """
    parser = Parser(context, text, file_name)
    return parser.parse_alone(parser.parse_type)
