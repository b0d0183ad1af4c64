"""How modules are written in profile tileiras-13.1."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.abi.image.writer import ImageWriter, not_representable
from tilewright.abi.layout import Profile
from tilewright.abi.layouts import containers, operation as ops, uniquer as layouts_uniquer
from tilewright.abi.packing import packer
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

_OPERATION, _LINK = packer(ops.OPERATION), packer(ops.OPERATION_LINK)
_OPERAND, _SUCCESSOR = packer(ops.OP_OPERAND), packer(ops.BLOCK_OPERAND)
_VALUE, _ARGUMENT = packer(ops.VALUE), packer(ops.BLOCK_ARGUMENT)
_REGION, _BLOCK = packer(ops.REGION), packer(ops.BLOCK)
_RECORD, _STRING = packer(ops.ABSTRACT_OPERATION), packer(containers.STRING_REF)
_STORAGE = packer(layouts_uniquer.BASE_STORAGE)
_POINTER_SIZE = 8
LAST_REGION = 1
"""The flag that a region is the last one of its operation."""
ARGUMENT_TAG = 1
OWNED_BY_UNIQUER = 1


class TileirasWriter(ImageWriter):
    """Writes modules in profile tileiras-13.1: operation headers of 72 bytes with the list links before them,
    and values apart from operations.
    """

    profile = Profile.TILEIRAS
    block_size = ops.BLOCK.size
    successor_size = ops.BLOCK_OPERAND.size

    def place_operation(self, op: Operation) -> None:
        trailing = _trailing(op)
        address = self.operations.allocate(_LINK.size + trailing.end) + _LINK.size
        places = self.places
        places.operations[op] = address
        places.operands[op] = address + trailing.operands
        if op.successors:
            places.successors[op] = address + trailing.successors
        if op.results:
            first = self.values.allocate(_VALUE.size * len(op.results))
            for position, result in enumerate(op.results):
                places.values[result] = first + _VALUE.size * position
        if op.regions:
            self.place_blocks(op, address + trailing.regions, _REGION.size)

    def write_operation(self, op: Operation) -> None:
        places, data = self.places, self.operations.data
        address = places.operations[op]
        start = address - self.operations.base
        parent = op.parent_op
        _LINK.pack_into(
            data,
            start - _LINK.size,
            places.operations.get(op.previous, 0) if op.previous else 0,
            places.operations.get(op.next, 0) if op.next else 0,
        )
        _OPERATION.pack_into(
            data,
            start,
            places.blocks.get(op.parent, 0) if op.parent else 0,
            places.regions[op.regions[0]] if op.regions else 0,
            places.operations.get(parent, 0) if parent else 0,
            0,
            places.operands[op] if op.operands else 0,
            _checked(op, "operands", len(op.operands), ops.OPERAND_COUNT_MASK),
            _results_word(op),
            len(op.regions),
            len(op.successors),
            self.location(op.location),
            self.kind(op.kind),
        )
        self._write_results(op, address, start)
        self._write_trailing(op, address, start)

    def _write_results(self, op: Operation, address: int, start: int) -> None:
        data, values = self.operations.data, self.values
        cells = ops.result_words(len(op.results))
        for position, result in enumerate(op.results):
            record = self.places.values[result]
            if position < cells:
                at = start + ops.FIRST_CELL + _POINTER_SIZE * position
                data[at : at + _POINTER_SIZE] = record.to_bytes(_POINTER_SIZE, "little")
            _VALUE.pack_into(
                values.data, record - values.base, 0, self.attribute(result.type), address, position
            )

    def _write_trailing(self, op: Operation, address: int, start: int) -> None:
        data, trailing = self.operations.data, _trailing(op)
        at = start + trailing.operands
        for operand in op.operands:
            tag = 0 if isinstance(operand.owner, Operation) else ARGUMENT_TAG
            _OPERAND.pack_into(data, at, self.value(operand, op) | tag, 0, 0, address)
            at += _OPERAND.size
        at = start + trailing.successors
        for block in op.successors:
            _SUCCESSOR.pack_into(data, at, self.successor(block, op), 0, address)
            at += _SUCCESSOR.size
        end = start + trailing.end
        data[end - _POINTER_SIZE : end] = self.dictionary(op.held_attributes).to_bytes(
            _POINTER_SIZE, "little"
        )

    def write_region(self, region: Region) -> None:
        owner = region.parent
        assert owner is not None
        places, address = self.places, self.places.regions[region]
        first = places.blocks[region.blocks[0]] if region.blocks else 0
        last = LAST_REGION if region is owner.regions[-1] else 0
        start = address - self.operations.base
        _REGION.pack_into(self.operations.data, start, places.operations[owner], first, last)

    def write_block(self, block: Block, region: Region, position: int) -> None:
        places, blocks = self.places, region.blocks
        address = places.blocks[block]
        _BLOCK.pack_into(
            self.operations.data,
            address - self.operations.base,
            0,
            places.regions[region],
            places.blocks[blocks[position - 1]] if position else 0,
            places.blocks[blocks[position + 1]] if position + 1 < len(blocks) else 0,
            places.operations[block.first] if block.first else 0,
            places.operations[block.last] if block.last else 0,
            places.values[block.arguments[0]] if block.arguments else 0,
            len(block.arguments),
            0,
            0,
            0,
            0,
        )
        located = block.argument_locations is not None
        for number, argument in enumerate(block.arguments):
            location = self.location(block.argument_location(number)) if located else 0
            at = places.values[argument] - self.values.base
            kind = self.attribute(argument.type)
            _ARGUMENT.pack_into(self.values.data, at, 0, kind, address, number, location)

    def write_uses(self, value: Value, address: int, chain: Iterable[int]) -> None:
        previous = 0
        for use in chain:
            if previous:
                self._word(previous + ops.OP_OPERAND.offset("next"), use)
            else:
                self._set_first_use(value, address, use)
            self._word(use + ops.OP_OPERAND.offset("previous"), previous)
            previous = use

    def _set_first_use(self, value: Value, address: int, use: int) -> None:
        start = address - self.values.base
        self.values.data[start : start + _POINTER_SIZE] = use.to_bytes(_POINTER_SIZE, "little")
        if isinstance(value.owner, Operation) and value.index == 0:
            op = self.places.operations[value.owner]
            self._word(op + ops.OPERATION.offset("first_use"), use)

    def write_predecessors(self, block: int, chain: Iterable[int]) -> None:
        place = block + ops.BLOCK.offset("first_use")
        for use in chain:
            self._word(place, use)
            place = use + ops.BLOCK_OPERAND.offset("next")

    def _word(self, address: int, value: int) -> None:
        start = address - self.operations.base
        self.operations.data[start : start + _POINTER_SIZE] = value.to_bytes(_POINTER_SIZE, "little")

    def write_kind(self, kind: OperationKind, properties: Iterable[str]) -> int:
        segment = self.kinds
        names = [self.texts.add_text(name) for name in properties]
        listed = segment.allocate(_STRING.size * (len(names) + 1)) if names or not kind.is_registered else 0
        for position, place in enumerate(names):
            _STRING.pack_into(segment.data, listed - segment.base + _STRING.size * position, *place)
        address = segment.allocate(_RECORD.size)
        words = ops.ABSTRACT_OPERATION.encode(
            mnemonic=dict(zip(("data", "length"), self.texts.add_text(kind.name), strict=True)), extra=listed
        )
        segment.data[address - segment.base : address - segment.base + _RECORD.size] = words
        return address

    def write_stored(self, class_id: int, text: int, length: int) -> int:
        segment = self.storage
        payload = segment.allocate(_STRING.size)
        _STRING.pack_into(segment.data, payload - segment.base, text, length)
        address = segment.allocate(_STORAGE.size)
        _STORAGE.pack_into(segment.data, address - segment.base, class_id, 1, 1, payload, OWNED_BY_UNIQUER)
        return address


def _trailing(op: Operation) -> ops.Trailing:
    return ops.trailing_of_image(len(op.results), len(op.operands), len(op.regions), len(op.successors))


def _results_word(op: Operation) -> int:
    count = _checked(op, "results", len(op.results), ops.RESULT_COUNT_MASK)
    return count | (count > 0) << 23 | ops.result_words(count) << 24


def _checked(op: Operation, what: str, count: int, most: int) -> int:
    if count > most:
        raise not_representable(
            f"'{op.name}' has {count} {what}; the layout has room for {most}", op.location
        )
    return count
