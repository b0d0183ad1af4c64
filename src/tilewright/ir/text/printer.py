"""The printer of operations: generic form, custom forms, regions.

Printing does not recurse into regions: ``print_region`` leaves a note in the output, and `Printer.finish` expands the
notes with a stack.  Names of all values are chosen before anything is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tilewright.ir.attribute import Attribute, Location, SharedAttributes
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import ImplicitTerminator, IsolatedFromAbove
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import utf8
from tilewright.ir.text import literals
from tilewright.ir.text.aliases import LocationAliases
from tilewright.ir.text.attribute_printer import AttributePrinter
from tilewright.ir.text.format.assembly_format import stands_alone
from tilewright.ir.text.hooks import PrintOptions, hook
from tilewright.ir.text.names import UNKNOWN_BLOCK, OperationNames, ValueNames
from tilewright.ir.text.templates import Templates, template_key
from tilewright.ir.value import Value

__all__ = ["PrintOptions", "Printer", "attribute_text", "operation_text", "text_in_message"]

_INDENT = "  "
_IN_MESSAGES = PrintOptions(generic=True, use_local_scope=True, elide_elements_above=16)
_DEEPEST_INDENT = 200
"""Regions nested deeper are not indented further; else the text would grow with the square of the depth."""


class _RegionNote(Record):
    """A placeholder in the output for a region that is not printed yet, with the indentation of its closing
    brace, the dialect whose prefix its operations leave out, and the choices of `print_region`.
    """

    region: Region
    indent: str
    default_dialect: str
    print_entry_arguments: bool
    print_empty_terminator: bool
    print_empty_block: bool


class _OperationNote(Record):
    """A placeholder in the output for an operation inside the custom form of another one that is not printed
    yet, with the indentation of its line and the dialect whose prefix may be left out.
    """

    op: Operation
    indent: str
    default_dialect: str


class _Repeats(dict[type[Operation], bool]):
    """A cache that maps classes of operations to whether `Templates` may print them."""

    def __missing__(self, op_class: type[Operation]) -> bool:
        known = self[op_class] = stands_alone(op_class)
        return known


class Printer(AttributePrinter):
    """Prints operations as `options` say (None: the default options); the ``print_custom`` and
    ``print_parameters`` hooks get it, too.
    """

    def __init__(self, options: PrintOptions | None = None) -> None:
        super().__init__(options)
        self.names = ValueNames()
        self._numbering: OperationNames | None = None
        self._indent = ""
        self._default_dialect = "builtin"
        self._entries: dict[Any, tuple[bool, str]] = {}
        self._custom: dict[type[Operation], bool] = {}
        self._choosy: dict[type[Operation], bool] = {}
        self._repeats = _Repeats()
        shows_aliases = self.options.debug_info and not self.options.use_local_scope
        style = None if shows_aliases else (type(self), self.options)
        self._templates = Templates(self._spelt, style)

    # --- for hooks

    def print_value(self, value: Value) -> None:
        """Print the name of a value, ``%3``; MLIR's text for unknown values if it is defined outside of the
        printed operation.
        """
        self.write(self.names[value])

    def print_operands(self, values: Iterable[Value]) -> None:
        """Print names of values separated by commas."""
        names = self.names
        self.write(", ".join([names[value] for value in values]))

    def print_value_types(self, values: Iterable[Value]) -> None:
        """Print types of values separated by commas."""
        self.print_types([value.type for value in values])

    def print_argument(self, argument: Value) -> None:
        """Print a block argument as ``%name: type``, with its location if locations are printed."""
        self.write(self._argument_text(argument))

    def print_successor(self, block: Block) -> None:
        """Print the label of a block, ``^bb1``; ``INVALIDBLOCK`` if it is not in the printed operation."""
        self.write(self._label(block))

    def print_region(
        self,
        region: Region,
        *,
        print_entry_arguments: bool = True,
        print_empty_terminator: bool = True,
        print_empty_block: bool = False,
    ) -> None:
        """Print ``{ blocks }`` at the current position. Its text is made after the hook has returned.

        ``print_entry_arguments``: False if the custom form has already named the arguments of the entry
        block. ``print_empty_terminator``: False leaves out a terminator that only ends the block.
        ``print_empty_block``: whether the label of a single empty block is printed, which distinguishes it
        from a region without blocks.
        """
        if self.options.skip_regions:
            self.write("{...}")
            return
        owner = region.parent
        dialect = (hook(owner, "default_dialect") or "") if owner is not None else ""
        self._chunks.append(
            _RegionNote(
                region,
                self._indent,
                dialect,
                print_entry_arguments,
                print_empty_terminator,
                print_empty_block,
            )
        )

    def print_operation(self, op: Operation) -> None:
        """Print an operation at the current position, without the names of its results and its location, in
        the custom form if it has one.

        The text is filled in later.
        """
        self._chunks.append(_OperationNote(op, self._indent, self._default_dialect))

    def print_attribute_dictionary(
        self, attributes: Mapping[str, Attribute], *, elided: Iterable[str] = (), keyword: bool = False
    ) -> None:
        """Print ``{a = 1 : i32}``, sorted by name, with a blank before it, without the entries named in
        ``elided``; print nothing if no entry is left. With ``keyword`` the word ``attributes`` comes first.
        """
        hidden = set(elided)
        left = {name: value for name, value in attributes.items() if name not in hidden}
        if left:
            self.write(f"{' attributes' if keyword else ''} {self.dictionary_text(_sorted(left))}")

    def print_newline(self) -> None:
        """Print a line break with the indentation of the current operation."""
        self.write(f"\n{self._indent}")

    def print_location(self, location: Location, *, alias: bool = True) -> None:
        """Print `` loc(...)`` with a blank before it, if the options ask for locations; else nothing. With
        ``alias`` False, as for arguments, the location is in full even if it has an alias.
        """
        if self.options.debug_info:
            text = self.location_text(location) if alias else self.inline_location_text(location)
            self.write(f" loc({text})")

    # --- whole operations

    def print_module(self, root: Operation, scope: Operation | None = None) -> str:
        """Return the text of an operation with nested operations and, if the options ask for locations,
        aliases; without a final newline.

        Values are numbered from the start of ``scope``, an operation around ``root``; by default from
        ``root``.
        """
        options = self.options
        unique = options.unique_names or options.generic
        self._numbering = OperationNames(
            scope or root, hints=not options.generic, unique=unique, locations=options.names_from_locations
        )
        self.names = self._numbering.values
        if not options.debug_info or options.use_local_scope:
            self._operation(root)
            return self.finish()
        aliases = self.aliases(root)
        self._aliases = aliases.names
        self._define(aliases.early(), "", "\n")
        self._operation(root)
        self._define(aliases.deferred(), "\n", "")
        return self.finish()

    def aliases(self, root: Operation) -> LocationAliases:
        """Return the aliases of the locations that the text of an operation contains."""
        return LocationAliases(root, shows_arguments=self._shows_arguments)

    def _shows_arguments(self, block: Block) -> bool:
        """Return whether the text has the locations of a block's arguments."""
        owner = block.parent_op
        hidden = hook(owner, "hides_argument_locations") if owner is not None else False
        if not hidden or owner is None or not self._is_custom(owner):
            return True
        return hidden is not True and not any(owner.regions[index] is block.parent for index in hidden)

    def _define(self, attributes: Iterable[Attribute], before: str, after: str) -> None:
        for attribute in attributes:
            if isinstance(attribute, Location) and not hasattr(type(attribute), "alias_name"):
                text = f"loc({self.inline_location_text(attribute)})"
            else:
                text = self.capture(attribute)
            self.write(f"{before}{self._aliases[attribute]} = {text}{after}")

    def finish(self) -> str:
        """Return everything printed so far, regions included, and empty the output."""
        done: list[str] = []
        stack = [iter(self._chunks)]
        while stack:
            for chunk in stack[-1]:
                if isinstance(chunk, str):
                    done.append(chunk)
                    continue
                self._chunks = []
                self._expand(chunk)
                stack.append(iter(self._chunks))
                break
            else:
                stack.pop()
        self._chunks = []
        return "".join(done)

    def _expand(self, note: _RegionNote | _OperationNote) -> None:
        """Print the region or operation that a note stands for."""
        if isinstance(note, _RegionNote):
            self._region(note)
            return
        self._indent, self._default_dialect = note.indent, note.default_dialect
        if self._is_custom(note.op):
            self._custom_operation(note.op)
        else:
            self._generic_operation(note.op)

    def _region(self, note: _RegionNote) -> None:
        """Print a region; the regions of the operations in it become notes."""
        region, indent = note.region, note.indent
        self.write("{\n")
        self._default_dialect = note.default_dialect
        for position, block in enumerate(region.blocks):
            if position or self._entry_needs_label(block, note):
                self.write(self._block_header(block, indent, position == 0))
            self._indent = indent + _INDENT if len(indent) < _DEEPEST_INDENT else indent
            self._block(block, None if note.print_empty_terminator else _empty_terminator(block))
        self.write(f"{indent}}}")

    def _entry_needs_label(self, block: Block, note: _RegionNote) -> bool:
        if block.arguments and note.print_entry_arguments:
            return True
        return bool(block.predecessor_uses) or (note.print_empty_block and block.first is None)

    def _block_header(self, block: Block, indent: str, is_entry: bool) -> str:
        arguments = ", ".join(map(self._argument_text, block.arguments))
        comment = self._predecessors(block, is_entry)
        return f"{indent}{self._label(block)}{f'({arguments})' if arguments else ''}:{comment}\n"

    def _predecessors(self, block: Block, is_entry: bool) -> str:
        """Return the comment with the predecessors of a block, in the order of their positions: ``// pred:
        ^bb0``, or ``// 2 preds: ^bb0, ^bb1``, where a block that branches here twice is listed twice. Without
        any, return ``// no predecessors``, or an empty text for the entry of a region. Two blanks precede the
        comment.
        """
        uses = block.predecessor_uses
        if not uses:
            return "" if is_entry else "  // no predecessors"
        labels = [
            (self._position(op.parent), self._label(op.parent)) for op, n in uses.items() for _ in range(n)
        ]
        labels.sort(key=lambda label: label[0])
        text = ", ".join(label for _, label in labels)
        return f"  // pred: {text}" if len(labels) == 1 else f"  // {len(labels)} preds: {text}"

    def _label(self, block: Block | None) -> str:
        known = self._numbering.blocks.get(block) if self._numbering and block is not None else None
        return known[0] if known else UNKNOWN_BLOCK

    def _position(self, block: Block | None) -> int:
        known = self._numbering.blocks.get(block) if self._numbering and block is not None else None
        return known[1] if known else -1

    def _argument_text(self, argument: Value) -> str:
        text = f"{self.names[argument]}: {self.attribute_text(argument.type)}"
        owner = argument.owner
        if not self.options.debug_info or isinstance(owner, Operation):
            return text
        return f"{text} loc({self.inline_location_text(owner.argument_location(argument.index))})"

    def _block(self, block: Block, left_out: Operation | None) -> None:
        """Print the operations of a block, one a line, up to `left_out`, a terminator that is not printed;
        None: all. Templates spell nine of ten operations: the loop collects their templates and the values
        named in them, and `_lines` makes the text of all of them at once.
        """
        all_generic, debug_info = self.options.generic, self.options.debug_info
        stands_alone, context, make = self._repeats, self._default_dialect, self._templates.make
        template_of = self._templates.known(context).get
        formats: list[str] = []
        values: list[Value] = []
        op = block.first
        while op is not left_out and op is not None:
            if op.regions or op.successors or not (all_generic or stands_alone[type(op)]):
                self._lines(formats, values)
                self.write(self._indent)
                self._operation(op)
                self.write("\n")
                op = op.next
                continue
            operands, results, attributes = op.operands, op.results, op.held_attributes
            if type(attributes) is not SharedAttributes:
                attributes = tuple(attributes.items())
            if len(operands) == 2 and len(results) == 1:  # most often
                (a, b), (result,) = operands, results
                key = (op.kind, attributes, a.type, b.type, result.type)
            else:
                key = template_key(op, attributes)
            template = template_of(key)
            format, order = make(op, context, key) if template is None else template
            values += results if len(results) == 1 else ()
            values += operands if order is None else [operands[index] for index in order]
            if len(results) > 1:
                format = self._results_before_operation(op).replace("%", "%%") + format
            formats.append(f"{format}{self._location_tail(op)}" if debug_info else format)
            op = op.next
        self._lines(formats, values)

    def _lines(self, formats: list[str], values: list[Value]) -> None:
        """Write a line for each format, the names of values filled in; empty both lists."""
        if formats:
            indent = self._indent
            lines = f"\n{indent}".join(formats) % tuple(map(self.names.__getitem__, values))
            self.write(f"{indent}{lines}\n")
            formats.clear()
            values.clear()

    def _location_tail(self, op: Operation) -> str:
        """Return the text `` loc(...)`` for use in a ``%`` format: every ``%`` in it is doubled."""
        return f" loc({self.location_text(op.location)})".replace("%", "%%")

    def _results_before_operation(self, op: Operation) -> str:
        """Return ``%0 = `` or ``%1:2 = ``, or an empty text if there are no results."""
        results = op.results
        if len(results) > 1:
            assert self._numbering is not None
            return f"{self._numbering.groups[op]} = "
        return f"{self.names[results[0]]} = " if results else ""

    def _is_custom(self, op: Operation) -> bool:
        """Return whether an operation is printed in the custom form of its class, not in the generic form."""
        op_class = type(op)
        known = self._custom.get(op_class)
        if known is None:
            known = not self.options.generic and hook(op_class, "print_custom") is not None
            self._custom[op_class] = known
            self._choosy[op_class] = hook(op_class, "has_custom_form") is not None
        if known and self._choosy[op_class]:
            choosy: Any = op
            return choosy.has_custom_form()
        return known

    def _spelt(self, op: Operation, names: Sequence[str]) -> str:
        """Return the text of an operation without result names and location, with `names` as the names of its
        operands.
        """
        outer = self._chunks, self.names
        self._chunks, self.names = [], ValueNames(zip(op.operands, names, strict=True))
        if self._is_custom(op):
            self._custom_operation(op)
        else:
            self._generic_operation(op)
        text = "".join(self._chunks)
        self._chunks, self.names = outer
        return text

    def _operation(self, op: Operation) -> None:
        """Print one operation with its trailing location, without indentation and newline."""
        self.write(self._results_before_operation(op))
        if self._is_custom(op):
            self._custom_operation(op)
        else:
            self._generic_operation(op)
        if self.options.debug_info:
            self.write(f" loc({self.location_text(op.location)})")

    def operation_name(self, op: Operation) -> str:
        """Return the name of the operation in the custom form, before the prefix of the default dialect is
        left out; subclasses may override it.
        """
        return op.kind.name

    def _custom_operation(self, op: Any) -> None:
        name = self.operation_name(op)
        prefix = f"{self._default_dialect}."
        if self._default_dialect and name.startswith(prefix) and name.count(".") == 1:
            name = name.removeprefix(prefix)
        self.write(name)
        op.print_custom(self)

    def _generic_operation(self, op: Operation) -> None:
        self.write(f"{literals.quoted(op.kind.name)}(")
        self.print_operands(op.operands)
        self.write(")")
        if op.successors:
            self.write(f"[{', '.join(map(self._label, op.successors))}]")
        if op.regions:
            self.write(self._attributes(op, True))
            for position, region in enumerate(op.regions):
                self.write(", " if position else " (")
                self.print_region(region, print_empty_block=True)
            self.write(")")
            self.print_attribute_dictionary(op.held_attributes, elided=self._inherent(op))
        elif op.held_attributes:
            self.write(self._attributes(op, False))
        self.write(f" : {self._signature(op)}")

    def _signature(self, op: Operation) -> str:
        return self.functional_type_text(op.operand_types, op.result_types)

    def _inherent(self, op: Operation) -> list[str]:
        return [name for name in op.held_attributes if op.kind.is_inherent(name)]

    def _attributes(self, op: Operation, only_inherent: bool) -> str:
        """Return `` <{inherent}> {discardable}``; each part is present only if it has entries, and the second
        part is left out with `only_inherent`.
        """
        inherent: list[str] = []
        others: list[str] = []
        kind, known = op.kind, self._entries
        attributes = op.held_attributes
        for name in attributes if len(attributes) == 1 else sorted(attributes, key=utf8):
            attribute = attributes[name]
            key = (kind, name, attribute)
            entry = known.get(key)
            if entry is None:
                entry = known[key] = (kind.is_inherent(name), self.entry_text(name, attribute))
            (inherent if entry[0] else others).append(entry[1])
        text = f" <{{{', '.join(inherent)}}}>" if inherent else ""
        return f"{text} {{{', '.join(others)}}}" if others and not only_inherent else text


def _sorted(attributes: Mapping[str, Attribute]) -> list[tuple[str, Attribute]]:
    """Return attributes in the order of MLIR's dictionaries, by the bytes of their names."""
    return sorted(attributes.items(), key=lambda entry: utf8(entry[0]))


def _empty_terminator(block: Block) -> Operation | None:
    """Return the last operation of a block if custom forms may omit it; else None. It has no operands,
    attributes, results and successors, and is the implicit terminator of the operation around it, or any
    terminator if that operation has none.
    """
    last, owner = block.last, block.parent_op
    if last is None or last.operands or last.held_attributes or last.results or last.successors:
        return None
    trait = owner.kind.trait(ImplicitTerminator) if owner is not None else None
    if trait is not None:
        is_empty = all(inner.first is None for region in last.regions for inner in region.blocks)
        return last if last.kind.name == trait.name and is_empty else None
    return last if last.kind.is_terminator and not last.regions else None


def is_empty_terminator(op: Operation) -> bool:
    """Return whether an operation is the terminator that the custom form of the operation around it may omit
    (`_empty_terminator`): the last of its block, without operands, attributes, results and successors.
    """
    return op.parent is not None and _empty_terminator(op.parent) is op


def operation_text(op: Operation, options: PrintOptions | None = None) -> str:
    """Return the text of an operation, without a newline at the end. `options` None stands for the default
    options.
    """
    with paused_collection():
        return Printer(options).print_module(op)


def text_in_message(op: Operation) -> str:
    """Return the text of an operation for a diagnostic: the generic form, without large data; text of several
    lines begins on a new line. Values have the numbers that they have in the innermost isolated operation
    around `op`.
    """
    scope: Operation = op
    while not scope.kind.has_trait(IsolatedFromAbove) and scope.parent_op is not None:
        scope = scope.parent_op
    text = Printer(_IN_MESSAGES).print_module(op, scope)
    return f"\n{text}" if "\n" in text else text


def attribute_text(attribute: Attribute) -> str:
    """Return the text of a type, attribute or location in full, without aliases."""
    return Printer().attribute_text(attribute)
