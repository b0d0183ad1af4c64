"""Reads a module back from an image.

Everything is checked before it is used: counts, texts, links, owners.  What does not fit is a diagnostic, and no
damaged image can make reading run for ever: no operation or block is visited twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from tilewright.abi.image import views as image_views, writer as image_writer
from tilewright.abi.image.segments import ReadableMemory, read_field, read_struct, read_word
from tilewright.abi.layout import Profile, Struct
from tilewright.abi.layouts import containers, operation as ops, uniquer as layouts_uniquer
from tilewright.ir import block as ir_block, codes, diagnostic, location as ir_location
from tilewright.ir.attribute import NO_ATTRIBUTES, Attribute, Location, SharedAttributes, Type
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class Stored:
    """The base class of the readers of the parts of an image that differ between profiles: the property names
    of unregistered kinds, attribute dictionaries, stored texts, types of values, locations of block
    arguments, use lists, and lists of predecessors.
    """

    argument_struct: ClassVar[Struct]
    operand_struct: ClassVar[Struct]
    successor_struct: ClassVar[Struct]
    """The structs of block arguments, operands and successor operands."""

    def __init__(self, memory: ReadableMemory, view: image_views.View) -> None:
        self.memory = memory
        self.view = view

    def text(self, storage: int) -> str:
        """Return the text of the type, attribute or location stored at an address."""
        raise NotImplementedError

    def value_type(self, value: int) -> int:
        """Return the address of a value's type."""
        raise NotImplementedError

    def dictionary(self, op: int) -> int:
        """Return the address of the attribute dictionary of operation ``op``. An operation without attributes
        has the address of an empty dictionary.
        """
        raise NotImplementedError

    def properties(self, record: int) -> list[str] | None:
        """Return the names of the properties of an unregistered kind from the kind's record at ``record``;
        None or an empty list for a registered kind.
        """
        raise NotImplementedError

    def argument_location(self, argument: int) -> int:
        """Return the address of a block argument's location; 0 if it has none."""
        return read_field(self.memory, self.argument_struct, argument, "location")

    def first_use(self, value: int) -> int:
        """Return the first word of a value or block: the address of the first operand in the use list of the
        value, or of the first successor operand in the predecessor list of the block; 0 for an empty list.
        """
        return read_word(self.memory, value)

    def next_use(self, operand: int) -> int:
        """Return the address of the operand after this one in the use list of their value, or 0."""
        return read_field(self.memory, self.operand_struct, operand, "next")

    def next_predecessor(self, successor: int) -> int:
        """Return the address of the successor operand after this one in the list of a block's predecessors,
        or 0.
        """
        return read_field(self.memory, self.successor_struct, successor, "next")

    def owner(self, successor: int) -> int:
        """Return the address of the operation that has a successor operand."""
        return read_field(self.memory, self.successor_struct, successor, "owner")

    def operand_owner(self, operand: int) -> int:
        """Return the address of the operation that has an operand."""
        return read_field(self.memory, self.operand_struct, operand, "owner")


class _TileirasStored(Stored):
    argument_struct = ops.BLOCK_ARGUMENT
    operand_struct = ops.OP_OPERAND
    successor_struct = ops.BLOCK_OPERAND

    def text(self, storage: int) -> str:
        return self.view.string_ref(
            read_field(self.memory, layouts_uniquer.BASE_STORAGE, storage, "payload"), "a stored text"
        )

    def value_type(self, value: int) -> int:
        return read_field(self.memory, ops.VALUE, value, "type")

    def dictionary(self, op: int) -> int:
        assert isinstance(self.view, image_views.TileirasView)
        return self.view.attributes(op)

    def properties(self, record: int) -> list[str] | None:
        at = read_field(self.memory, ops.ABSTRACT_OPERATION, record, "extra")
        if not at:
            return None
        names: list[str] = []
        while read_field(self.memory, containers.STRING_REF, at, "data"):
            names.append(self.view.string_ref(at, "the name of a property"))
            image_views.checked_count(len(names), "properties", record)
            at += containers.STRING_REF.size
        return names


class _UpstreamStored(Stored):
    argument_struct = ops.UPSTREAM_BLOCK_ARGUMENT
    operand_struct = ops.UPSTREAM_OP_OPERAND
    successor_struct = ops.UPSTREAM_BLOCK_OPERAND

    def text(self, storage: int) -> str:
        return self.view.string_ref(storage + ops.STORED_TEXT.offset("text"), "a stored text")

    def value_type(self, value: int) -> int:
        return read_field(self.memory, ops.UPSTREAM_VALUE, value, "type_and_kind") & ~7

    def dictionary(self, op: int) -> int:
        return self.view.field(op, "attributes")

    def properties(self, record: int) -> list[str] | None:
        assert isinstance(self.view, image_views.UpstreamView)
        struct = ops.UPSTREAM_OPERATION_NAME
        first = read_field(self.memory, struct, record, "attribute_names")
        count = image_views.checked_count(
            read_field(self.memory, struct, record, "num_attribute_names"), "names", record
        )
        view = self.view
        return [view.string_attribute(read_word(self.memory, first + 8 * at)) for at in range(count)]


STORED: dict[Profile, type[Stored]] = {Profile.TILEIRAS: _TileirasStored, Profile.UPSTREAM: _UpstreamStored}


class ModuleReader:
    """Reads operations from `image`, and makes them live IR of `context`. ``operations``, ``blocks`` and
    ``values`` map the addresses that were read to the objects made for them.
    """

    def __init__(self, image: image_writer.MemoryImage, context: Context) -> None:
        self.memory: ReadableMemory = image.image
        self.view = image_views.view_of(self.memory, image.profile)
        self.stored = STORED[image.profile](self.memory, self.view)
        self.context = context
        self.operations: dict[int, Operation] = {}
        self.blocks: dict[int, ir_block.Block] = {}
        self.values: dict[int, Value] = {}
        self._kinds: dict[int, OperationKind] = {}
        self._attributes: dict[int, Any] = {}
        self._dictionaries: dict[int, SharedAttributes] = {}

    def read(self, root: int) -> Operation:
        """Return the operation at address ``root``, with everything in it. Raises `DiagnosticError` if the
        image is damaged, or holds an unregistered operation that the context does not allow.
        """
        made = self._make(root)
        work: list[Iterator[tuple[int, ir_block.Block]]] = [self._inside(root, made)]
        while work:
            following = next(work[-1], None)
            if following is None:
                work.pop()
                continue
            address, block = following
            op = self._make(address)
            block.append(op)
            work.append(self._inside(address, op))
        self._link()
        return made

    def _inside(self, address: int, op: Operation) -> Iterator[tuple[int, ir_block.Block]]:
        """Make the regions and blocks of ``op``; then yield the address of each operation directly inside it,
        with its block.
        """
        regions = self.view.regions(address)
        op.regions = tuple([ir_block.Region() for _ in regions])
        pairs: list[tuple[int, ir_block.Block]] = []
        for region, region_address in zip(op.regions, regions, strict=True):
            region.parent = op
            for block_address in self.view.blocks(region_address):
                pairs.append((block_address, region.append(self._block(block_address))))
        for block_address, block in pairs:
            for inner in self.view.ops(block_address):
                yield inner, block

    def _make(self, address: int) -> Operation:
        if address in self.operations:
            raise image_views.malformed(f"the operation at {address:#x} stands in two places")
        types: list[Type] = []
        results = self.view.results(address)
        for result in results:
            types.append(self._attribute(self.stored.value_type(result), "type", Type))
        op = Operation.from_parts(
            self._kind(self.view.kind(address)),
            (),
            types,
            self._dictionary(self.stored.dictionary(address)),
            location=self._attribute(self.view.field(address, "location"), "location", Location),
        )
        self.operations[address] = op
        self.values.update(zip(results, op.results, strict=True))
        return op

    def _block(self, address: int) -> ir_block.Block:
        if address in self.blocks:
            raise image_views.malformed(f"the block at {address:#x} stands in two places")
        addresses = self.view.arguments(address)
        types = [self._attribute(self.stored.value_type(at), "type", Type) for at in addresses]
        block = self.blocks[address] = ir_block.Block(types, self._argument_locations(addresses))
        self.values.update(zip(addresses, block.arguments, strict=True))
        return block

    def _argument_locations(self, arguments: list[int]) -> list[Location] | None:
        places = [self.stored.argument_location(at) for at in arguments]
        locations: list[Location] = [
            self._attribute(at, "location", Location) if at else ir_location.UNKNOWN for at in places
        ]
        return None if all(location is ir_location.UNKNOWN for location in locations) else locations

    def _link(self) -> None:
        """Set operands and successors, after everything that they may refer to exists, and the uses of values
        and blocks in the order of their lists. Raises `DiagnosticError` if an operand is in no use list of
        its value, or a successor operand in no list of its block.
        """
        operands: dict[int, tuple[Operation, Value]] = {}
        for address, op in self.operations.items():
            found = self.view.operands(address)
            values = [self._operand(operand, address) for operand in found]
            op.operands = tuple(values)
            operands.update(
                (operand.address, (op, value)) for operand, value in zip(found, values, strict=True)
            )
            op.successors = tuple([self._successor(block, op) for block in self.view.successors(address)])
        linked = sum(self._link_uses(address, value, operands) for address, value in self.values.items())
        if linked != len(operands):
            raise image_views.malformed(
                f"{len(operands)} operands, but {linked} in the use lists of their values"
            )
        self._link_predecessors()

    def _operand(self, operand: image_views.OperandView, user: int) -> Value:
        value = self.values.get(operand.value)
        if value is None:
            raise image_views.malformed(f"the operand at {operand.address:#x} is no value of this module")
        if operand.owner != user:
            raise image_views.malformed(
                f"the operand at {operand.address:#x} names another operation as its owner"
            )
        return value

    def _successor(self, block: int, op: Operation) -> ir_block.Block:
        found = self.blocks.get(block)
        if found is None:
            raise image_views.malformed(f"a successor of '{op.name}' is no block of this module: {block:#x}")
        return found

    def _link_uses(self, address: int, value: Value, operands: dict[int, tuple[Operation, Value]]) -> int:
        use, count = self.stored.first_use(address), 0
        while use:
            user, used = operands.get(use, (None, None))
            if user is None or used is not value:
                raise image_views.malformed(
                    f"the use list of the value at {address:#x} leads to {use:#x}, which is no use of it"
                )
            value.add_use(user)
            count += 1
            if count > len(operands):
                raise image_views.malformed(
                    f"the use list of the value at {address:#x} goes round in a circle"
                )
            use = self.stored.next_use(use)
        return count

    def _link_predecessors(self) -> None:
        expected = sum(len(op.successors) for op in self.operations.values())
        linked = 0
        for address, block in self.blocks.items():
            use = self.stored.first_use(address)
            while use:
                op = self.operations.get(self.stored.owner(use))
                linked += 1
                if op is None or block not in op.successors or linked > expected:
                    raise image_views.malformed(
                        f"the predecessors of the block at {address:#x} do not add up"
                    )
                block.predecessor_uses[op] = block.predecessor_uses.get(op, 0) + 1
                use = self.stored.next_predecessor(use)
        if linked != expected:
            raise image_views.malformed(f"{expected} successors, but {linked} in the lists of their blocks")

    def _kind(self, record: int) -> OperationKind:
        found = self._kinds.get(record)
        if found is None:
            found = self._kinds[record] = self._find_kind(record)
        return found

    def _find_kind(self, record: int) -> OperationKind:
        name = self.view.kind_name(record)
        properties = self.stored.properties(record)
        kind = None if properties else self.context.kind(name)
        if kind is not None:
            return kind
        if not self.context.allow_unregistered:
            raise diagnostic.failure(
                codes.UNKNOWN_NAME,
                f"the image holds '{name}', which is not registered in this context",
                hint="load its dialect, or use a context with allow_unregistered=True",
            )
        return self.context.unregistered_kind(name, properties or ())

    def _dictionary(self, address: int) -> SharedAttributes:
        found = self._dictionaries.get(address)
        if found is None:
            found = self._dictionaries[address] = self._read_dictionary(address)
        return found

    def _read_dictionary(self, address: int) -> SharedAttributes:
        head: dict[str, Any] = read_struct(self.memory, ops.DICTIONARY, address)
        entries: dict[str, Attribute] = {}
        for position in range(image_views.checked_count(head["size"], "attributes", address)):
            at = head["entries"] + ops.NAMED_ATTRIBUTE.size * position
            entry: dict[str, Any] = read_struct(self.memory, ops.NAMED_ATTRIBUTE, at)
            name = self.view.string_ref(
                entry["name"] + ops.STRING_ATTRIBUTE.offset("value"), "an attribute name"
            )
            entries[name] = self._attribute(entry["value"], "attribute", Attribute)
        return SharedAttributes(entries) if entries else NO_ATTRIBUTES

    def _attribute(self, address: int, what: str, expected: type[Any]) -> Any:
        found = self._attributes.get(address)
        if found is None:
            found = self._attributes[address] = self._parse(address, what, expected)
        if not isinstance(found, expected):
            raise image_views.malformed(f"expected a {what} at {address:#x}, found {found}")
        return found

    def _parse(self, address: int, what: str, expected: type[Any]) -> Attribute:
        text = self.stored.text(address)
        try:
            return _PARSERS.get(expected, _parse_attribute)(self.context, text)
        except diagnostic.DiagnosticError as error:
            problem = image_views.malformed(
                f"the text of the {what} at {address:#x} does not parse: {text[:200]!r}"
            )
            raise diagnostic.DiagnosticError([*problem.diagnostics, *error.diagnostics]) from None


def _parse_attribute(context: Context, text: str) -> Attribute:
    from tilewright.ir.text.parser import parse_attribute, parse_type

    if text.startswith("loc("):
        return _parse_location(context, text)
    attribute = parse_attribute(context, text)
    is_type = not isinstance(attribute, Type) and str(attribute) != text
    return parse_type(context, text) if is_type else attribute


def _parse_type(context: Context, text: str) -> Attribute:
    from tilewright.ir.text.parser import parse_type

    return parse_type(context, text)


def _parse_location(context: Context, text: str) -> Attribute:
    from tilewright.ir.text.parser import Parser

    parser = Parser(context, text)
    return parser.parse_alone(parser.parse_location)


_PARSERS: dict[type[Any], Callable[[Context, str], Attribute]] = {
    Type: _parse_type,
    Location: _parse_location,
}


def location_at(memory: ReadableMemory, profile: Profile, context: Context, address: int) -> Location:
    """Return the location stored at an address; the unknown location for address 0. Raises `DiagnosticError`
    if it is not a location.
    """
    if not address:
        return ir_location.UNKNOWN
    text = STORED[profile](memory, image_views.view_of(memory, profile)).text(address)
    location = _parse_location(context, text)
    if not isinstance(location, Location):
        raise image_views.malformed(f"expected a location at {address:#x}")
    return location
