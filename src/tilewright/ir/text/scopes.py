"""Names while parsing: values and blocks, with references to those that are defined later."""

from __future__ import annotations

import re

from tilewright.ir import codes
from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.support.strings import pattern
from tilewright.ir.text.attribute_parser import AttributeParser
from tilewright.ir.text.hooks import OperandUse, RegionArgument
from tilewright.ir.text.lexer import SUFFIX, ParseError, SourceText
from tilewright.ir.value import BlockArgument, Value

_VALUE = pattern(rf"(%{SUFFIX})(?:\s*#(\d+))?", re.ASCII)
_LABEL = pattern(rf"\^{SUFFIX}", re.ASCII)


class ForwardReference(NamedTuple):
    """A value that is used before its definition: its placeholder, and the position of its first use."""

    placeholder: Value
    position: int


class RegionScope:
    """The blocks of the region that is being parsed. ``undefined`` maps labels of blocks that are not defined
    yet to the position of their first use.
    """

    __slots__ = ("blocks", "region", "undefined")

    def __init__(self, region: Region) -> None:
        self.region = region
        self.blocks: dict[str, Block] = {}
        self.undefined: dict[str, int] = {}


class ScopedParser(AttributeParser):
    """Looks up and defines the names of values and blocks.

    ``values`` maps names, with the ``%``, to visible values in order of definition, so that leaving a region
    pops from its end. ``forward`` has the names that are used but not defined yet.
    """

    def __init__(self, context: Context, source: SourceText) -> None:
        super().__init__(context, source)
        self.values: dict[str, Value] = {}
        self.forward: dict[str, ForwardReference] = {}
        self.poisoned: set[str] = set()
        """Names that a faulty operation should have defined; their uses are not reported as errors."""
        self.resolved: tuple[list[OperandUse], list[Value]] | None = None
        """The operand names of the last call of `resolve_all`, and its result."""
        self.region_scope = RegionScope(Region())

    def optional_operand(self) -> OperandUse | None:
        """Parse a value name, ``%name`` or ``%name#number``, if one is next; else return None. ``%name#0`` is
        returned as ``%name``.
        """
        match = _VALUE.match(self.text, self.position)
        if match is None:
            return None
        start = self.position
        self.move_to(match.end())
        number = int(match[2] or 0)
        return OperandUse(f"{match[1]}#{number}" if number else match[1], start)

    def parse_operand(self) -> OperandUse:
        """Parse a value name, to be looked up by `resolve` once its type is known. Raises `ParseError` if
        none is next.
        """
        use = self.optional_operand()
        if use is None:
            raise self.unexpected("SSA operand")
        return use

    def parse_operands(self) -> list[OperandUse]:
        """Parse value names separated by commas, possibly none, and return them in order, to be looked up by
        `resolve_all`. Raises `ParseError` if no name follows a comma.
        """
        first = self.optional_operand()
        if first is None:
            return []
        uses = [first]
        while self.accept(","):
            uses.append(self.parse_operand())
        return uses

    def resolve(self, use: OperandUse, type: Type) -> Value:
        """Return the value called ``use.name``. If it is not defined yet, return a placeholder of ``type``,
        which its definition replaces. Raises `ParseError` if the value is of another type than ``type``, or
        if the operation of this name has too few results.
        """
        value = self.values.get(use.name)
        reference = self.forward.get(use.name) if value is None else None
        if reference is not None:
            value = reference.placeholder
        if value is None:
            return self._refer_forward(use, type)
        if value.type is not type:
            error = self.error(
                f"use of value '{use.name}' expects different type than prior uses: '{type}' vs '{value.type}'",
                use.position,
                code=codes.UNDEFINED_VALUE,
            )
            where = self.source.location(reference.position) if reference else definition_location(value)
            error.diagnostic.note("prior use here", where)
            raise error
        return value

    def resolve_all(
        self, uses: list[OperandUse], types: list[Type], position: int | None = None
    ) -> list[Value]:
        """Return the values called ``uses``, of the types ``types``; a name that is not defined yet gives a
        placeholder, which its definition replaces. The names and values are stored in `resolved`. Raises
        `ParseError`, at ``position``, if the numbers of names and types differ, and for a value of another
        type.
        """
        if len(uses) != len(types):
            counts = f"got {len(uses)} operands and {len(types)} types"
            raise self.operation_error(f"number of operands and types do not match: {counts}", position)
        values = [self.resolve(use, type) for use, type in zip(uses, types, strict=True)]
        self.resolved = uses, values
        return values

    def _refer_forward(self, use: OperandUse, type: Type) -> Value:
        base = use.name.partition("#")[0]
        if base in self.values and base != use.name:
            raise self.error("reference to invalid result number", use.position, code=codes.UNDEFINED_VALUE)
        placeholder = BlockArgument(type, Block(), 0)
        self.forward[use.name] = ForwardReference(placeholder, use.position)
        return placeholder

    def define(self, name: str, value: Value, position: int) -> None:
        """Make a value visible under a name, and replace the placeholder of the name if there is one. Raises
        `ParseError`, at ``position``, if the name is defined already.
        """
        previous = self.values.get(name)
        if previous is not None:
            error = self.error(f"redefinition of SSA value '{name}'", position, code=codes.UNDEFINED_VALUE)
            error.diagnostic.note("previously defined here", definition_location(previous))
            raise error
        self.values[name] = value
        if self.forward:
            self.resolve_forward(name, value)

    def define_group(self, name: str, values: tuple[Value, ...], position: int) -> None:
        """Define the results of an operation, at least one, under one name. A single result is ``%name``.
        Several results are ``%name#0``, ``%name#1``, ..., and ``%name`` is the first. Raises `ParseError` if
        a name is defined already.
        """
        self.define(name, values[0], position)
        if len(values) > 1:
            self.values[f"{name}#0"] = values[0]
            for number, value in enumerate(values[1:], 1):
                self.define(f"{name}#{number}", value, position)

    def resolve_forward(self, name: str, value: Value) -> None:
        """Replace the placeholder of ``name``, if it has been used already, with ``value``. A value of
        another type adds an error to ``errors``.
        """
        reference = self.forward.pop(name, None)
        if reference is None:
            return
        if reference.placeholder.type is not value.type:
            error = self.error(
                f"use of value '{name}' expects different type than its definition: "
                f"'{reference.placeholder.type}' vs '{value.type}'",
                reference.position,
                code=codes.UNDEFINED_VALUE,
            )
            error.diagnostic.note("defined here", definition_location(value))
            self.errors.append(error)
        reference.placeholder.replace_all_uses_with(value)

    def report_undefined_values(self) -> None:
        """Add an error for each value that was used but never defined, unless a faulty operation should have
        defined it; forget all of them.
        """
        for name, reference in self.forward.items():
            if name.partition("#")[0] not in self.poisoned:
                message = f"use of undeclared SSA value name '{name}'"
                self.errors.append(self.error(message, reference.position, code=codes.UNDEFINED_VALUE))
        self.forward.clear()

    def parse_argument(self) -> RegionArgument:
        """Parse a region argument, ``%name: type`` with an optional location, without defining it."""
        use = self.parse_operand()
        self.expect(":")
        return RegionArgument(use, self.parse_type(), self.optional_location())

    def parse_successor(self) -> Block:
        """Parse ``^label`` and return the block of the current region that it names; the block may be defined
        later. Raises `ParseError` if no label is next.
        """
        match = _LABEL.match(self.text, self.position)
        if match is None:
            raise self.unexpected("block name")
        scope, label = self.region_scope, match[0]
        block = scope.blocks.get(label)
        if block is None:
            block = scope.blocks[label] = Block()
            scope.undefined[label] = self.position
        self.move_to(match.end())
        return block

    def parse_block_header(self) -> Block:
        """Parse ``^label(%argument: type, ...):``, append the block to the region, and return it. The
        parentheses may be missing. Raises `ParseError` for other text, and if the label or an argument is
        defined already.
        """
        position = self.position
        match = _LABEL.match(self.text, position)
        if match is None:
            raise self.unexpected("block name")
        self.move_to(match.end())
        block = self._open_block(match[0], position)
        self.region_scope.region.append(block)
        if self.accept("("):
            while not self.at(")"):
                self.add_argument(block, self.parse_argument())
                if not self.accept(","):
                    break
            self.expect(")")
        self.expect(":")
        return block

    def _open_block(self, label: str, position: int) -> Block:
        scope = self.region_scope
        block = scope.blocks.get(label)
        if block is None:
            block = scope.blocks[label] = Block()
        elif label not in scope.undefined:
            raise self.error(f"redefinition of block '{label}'", position, code=codes.UNDEFINED_VALUE)
        scope.undefined.pop(label, None)
        return block

    def add_argument(self, block: Block, argument: RegionArgument) -> None:
        """Append an argument to a block and define its name. Raises `ParseError` if the name is defined
        already.
        """
        use, type, location = argument
        value = block.add_argument(type, location or (self.source, use.position))
        self.define(use.name, value, use.position)

    def report_undefined_blocks(self, scope: RegionScope) -> None:
        """Add an error for each label in ``scope.undefined``, a block that is named but does not exist,
        unless a faulty operation should have defined it.
        """
        for label, position in scope.undefined.items():
            if label not in self.poisoned:
                message = f"reference to an undefined block '{label}'"
                self.errors.append(self.error(message, position, code=codes.UNDEFINED_VALUE))


def definition_location(value: Value) -> Location:
    """Return the location of the operation or block argument that defines a value."""
    owner = value.owner
    return owner.location if isinstance(owner, Operation) else owner.argument_location(value.index)


def as_diagnostics(errors: list[ParseError]) -> list[Diagnostic]:
    """Return the diagnostics of `errors`, in order; the ``earlier`` errors of each come before it."""
    assert all(error.diagnostic.severity is Severity.ERROR for error in errors)
    diagnostics: list[Diagnostic] = []
    for error in errors:
        chain = [error]
        while chain[-1].earlier is not None:
            chain.append(chain[-1].earlier)
        diagnostics.extend(link.diagnostic for link in reversed(chain))
    return diagnostics
