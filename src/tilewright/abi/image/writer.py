"""Writes a live module into an address space, with real pointers.

A first walk gives every operation, block and value an address; a second one writes them.  Types, attributes and
locations are written once each, by identity.  What profiles differ in is in `tileiras_writer` and `upstream_writer`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tilewright.abi import codes as abi_codes, layout, packing
from tilewright.abi.image.segments import AbiImage, MemorySegment
from tilewright.abi.layouts import operation as ops
from tilewright.ir.attribute import NO_ATTRIBUTES, Attribute, Location
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration import discardable, kind as declaration_kind
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

DICTIONARY, NAMED_ATTRIBUTE = packing.packer(ops.DICTIONARY), packing.packer(ops.NAMED_ATTRIBUTE)
STRING_ATTRIBUTE = packing.packer(ops.STRING_ATTRIBUTE)


def not_representable(message: str, location: Location = UNKNOWN, hint: str | None = None) -> DiagnosticError:
    """Return the error that the layout has no space for a value, to be raised."""
    return failure(abi_codes.NOT_REPRESENTABLE, message, location, hint=hint)


def _inside(address: int | None, user: Operation, what: str) -> int:
    """Return ``address``. Raises `DiagnosticError` if it is None: ``user`` refers to something outside of the
    operation that is being written. ``what`` is the verb and the object in the message, such as "branches to
    a block".
    """
    if address is not None:
        return address
    message = f"'{user.name}' {what} outside the operation being written"
    raise not_representable(message, user.location, "write the outermost operation")


@dataclass
class MemoryImage:
    """An address space in ``profile``. ``roots`` maps names, such as ``module``, to the addresses of the
    objects that the image was made for.
    """

    image: AbiImage
    profile: layout.Profile
    roots: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def root(self) -> int:
        """The address of the outermost operation.  Raises KeyError when the image holds none."""
        return self.roots["module"]


class Texts:
    """The strings of an image; equal strings are written once."""

    def __init__(self, segment: MemorySegment) -> None:
        self.segment = segment
        self._addresses: dict[bytes, int] = {}

    def add_text(self, text: str) -> tuple[int, int]:
        """Write a string followed by a NUL, unless it has been written before; return its address, and its
        length in bytes without the NUL.
        """
        data = text.encode("utf-8", "surrogateescape")
        address = self._addresses.get(data)
        if address is None:
            address = self._addresses[data] = self.segment.allocate(len(data) + 1, 1)
            start = address - self.segment.base
            self.segment.data[start : start + len(data)] = data
        return address, len(data)


class AssignedAddresses:
    """The addresses that the first walk has assigned to operations, blocks, regions and values. ``operands``
    and ``successors`` map an operation to the address of its first operand or successor operand.
    """

    __slots__ = ("blocks", "operands", "operations", "regions", "successors", "values")

    def __init__(self) -> None:
        self.operations: dict[Operation, int] = {}
        self.blocks: dict[Block, int] = {}
        self.regions: dict[Region, int] = {}
        self.values: dict[Value, int] = {}
        self.operands: dict[Operation, int] = {}
        self.successors: dict[Operation, int] = {}


class ImageWriter(ABC):
    """The base class of the writers of modules, one for each profile. A subclass declares ``profile`` and the
    sizes of blocks and successor operands in bytes, and defines the layout by `place_operation` and the
    `write_` methods. Types, attributes, locations, kinds, names and dictionaries are written once each.
    """

    profile: layout.Profile

    def __init__(self, image: AbiImage | None = None) -> None:
        self.image = image or AbiImage()
        self.kinds = self.image.add_segment("kinds")
        self.operations = self.image.add_segment("operations")
        self.values = self.image.add_segment("values")
        self.storage = self.image.add_segment("storage")
        self.texts = Texts(self.image.add_segment("text"))
        self.places = AssignedAddresses()
        self._kinds: dict[declaration_kind.OperationKind, int] = {}
        self.stored: dict[Attribute, int] = {}
        self._names: dict[str, int] = {}
        self._dictionaries: dict[int, int] = {}
        self._kept: list[Mapping[str, Attribute]] = []
        self.classes: dict[type, int] = {}

    def write(self, root: Operation) -> int:
        """Write an operation with everything in it; return its address. Raises `DiagnosticError` for a number
        that does not fit its field, and for a value or block that is outside of the operation.
        """
        for op in root.walk():
            self.place_operation(op)
        for op in self.places.operations:
            try:
                self.write_operation(op)
            except layout.LayoutError as error:
                raise not_representable(f"'{op.name}': {error}", op.location) from None
            for region in op.regions:
                self._write_region(region)
        self._write_uses()
        return self.places.operations[root]

    def _write_region(self, region: Region) -> None:
        self.write_region(region)
        for position, block in enumerate(region.blocks):
            self.write_block(block, region, position)

    def _write_uses(self) -> None:
        places = self.places
        size = ops.OP_OPERAND.size
        for value, address in places.values.items():
            if value.compact_uses is not None:
                uses = value.operand_uses()
                chain = [places.operands[user] + size * at for user, at in uses if user in places.operands]
                self.write_uses(value, address, chain)
        for block, address in places.blocks.items():
            if block.predecessor_uses:
                self.write_predecessors(address, self._predecessor_chain(block))

    def _predecessor_chain(self, block: Block) -> list[int]:
        first, size = self.places.successors, self.successor_size
        return [
            first[op] + size * at
            for op in block.predecessor_uses
            if op in first
            for at, successor in enumerate(op.successors)
            if successor is block
        ]

    def place_blocks(self, op: Operation, regions: int, size: int) -> None:
        """Assign addresses to the regions of an operation, from ``regions`` on with ``size`` bytes each, and
        to their blocks and block arguments.
        """
        places = self.places
        for position, region in enumerate(op.regions):
            places.regions[region] = regions + size * position
            for block in region.blocks:
                places.blocks[block] = self.operations.allocate(self.block_size)
                self.place_arguments(block)

    def place_arguments(self, block: Block) -> None:
        """Assign consecutive addresses to the arguments of a block."""
        size = ops.BLOCK_ARGUMENT.size
        first = self.values.allocate(size * len(block.arguments))
        for position, argument in enumerate(block.arguments):
            self.places.values[argument] = first + size * position

    def value(self, value: Value, user: Operation) -> int:
        """Return the address of the value of an operand of ``user``. Raises `DiagnosticError` if the value is
        defined outside of the operation that is being written.
        """
        return _inside(self.places.values.get(value), user, "uses a value that is defined")

    def successor(self, block: Block, user: Operation) -> int:
        """Return the address of a successor block of ``user``. Raises `DiagnosticError` if the block is
        outside of the operation that is being written.
        """
        return _inside(self.places.blocks.get(block), user, "branches to a block")

    def kind(self, kind: declaration_kind.OperationKind) -> int:
        """Return the address of a kind's record, which is written at the first use."""
        address = self._kinds.get(kind)
        if address is None:
            address = self._kinds[kind] = self.write_kind(kind, sorted(discardable.properties_of(kind)))
        return address

    def attribute(self, attribute: Attribute) -> int:
        """Return the address of a type, attribute or location, which is written at the first use."""
        address = self.stored.get(attribute)
        if address is None:
            from tilewright.ir.text.printer import attribute_text

            text = self.texts.add_text(attribute_text(attribute))
            address = self.stored[attribute] = self.write_stored(self.class_id(type(attribute)), *text)
        return address

    def location(self, location: Location) -> int:
        """Return the address of a location, which is written at the first use, also the unknown location."""
        return self.attribute(location)

    def class_id(self, uniqued_class: type) -> int:
        """Return the address that identifies a Python class in the image: one byte of the segment ``kinds``,
        allocated at the first use and never read.
        """
        address = self.classes.get(uniqued_class)
        if address is None:
            address = self.classes[uniqued_class] = self.kinds.allocate(1)
        return address

    def name(self, text: str) -> int:
        """Return the address of an identifier, which is stored as a string attribute at the first use."""
        address = self._names.get(text)
        if address is None:
            address = self._names[text] = self.storage.allocate(STRING_ATTRIBUTE.size)
            words = (self.class_id(str), 0, *self.texts.add_text(text), 0)
            STRING_ATTRIBUTE.pack_into(self.storage.data, address - self.storage.base, *words)
        return address

    def dictionary(self, attributes: Mapping[str, Attribute]) -> int:
        """Return the address of an attribute dictionary, which is written at its first use. Operations that
        share a dictionary share it in the image, too, and all empty dictionaries have one address.
        """
        if attributes is NO_ATTRIBUTES:
            attributes = {}
        address = self._dictionaries.get(id(attributes)) if attributes else self._dictionaries.get(0)
        if address is None:
            address = self._write_dictionary(attributes)
            self._dictionaries[id(attributes) if attributes else 0] = address
            self._kept.append(attributes)  # keeps the id from being used again
        return address

    def _write_dictionary(self, attributes: Mapping[str, Attribute]) -> int:
        words = [(self.name(name), self.attribute(value)) for name, value in attributes.items()]
        storage = self.storage
        address = storage.allocate(DICTIONARY.size)
        entries = storage.allocate(NAMED_ATTRIBUTE.size * len(words)) if words else 0
        DICTIONARY.pack_into(storage.data, address - storage.base, self.class_id(dict), entries, len(words))
        for position, pair in enumerate(words):
            at = entries - storage.base + NAMED_ATTRIBUTE.size * position
            NAMED_ATTRIBUTE.pack_into(storage.data, at, *pair)
        return address

    block_size: int
    successor_size: int

    @abstractmethod
    def place_operation(self, op: Operation) -> None:
        """Assign addresses to an operation, its results, regions, blocks and their arguments."""

    @abstractmethod
    def write_operation(self, op: Operation) -> None:
        """Write the header of an operation, its results, and its trailing storage except the regions."""

    @abstractmethod
    def write_region(self, region: Region) -> None:
        """Write the record of a region, but not its blocks."""

    @abstractmethod
    def write_block(self, block: Block, region: Region, position: int) -> None:
        """Write a block, which is number ``position`` of ``region``, and its arguments, but not its
        operations.
        """

    @abstractmethod
    def write_uses(self, value: Value, address: int, chain: Iterable[int]) -> None:
        """Write the use list of the value at ``address``: link the operands at the addresses ``chain``, in
        order.
        """

    @abstractmethod
    def write_predecessors(self, block: int, chain: Iterable[int]) -> None:
        """Write the predecessor list of a block: link the successor operands at the addresses ``chain``, in
        order.
        """

    @abstractmethod
    def write_kind(self, kind: declaration_kind.OperationKind, properties: Iterable[str]) -> int:
        """Write the record of a kind with the names of its properties, and return its address."""

    @abstractmethod
    def write_stored(self, class_id: int, text: int, length: int) -> int:
        """Write a type, attribute or location of the class ``class_id``, with its text (address and length);
        return its address.
        """
