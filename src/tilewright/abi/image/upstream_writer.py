"""How modules are written in profile mlir-upstream."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.abi.image import segments, views as image_views, writer as image_writer
from tilewright.abi.layout import Profile
from tilewright.abi.layouts import operation as ops
from tilewright.abi.packing import packer
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

_OPERATION, _STORAGE = packer(ops.UPSTREAM_OPERATION), packer(ops.OPERAND_STORAGE)
_OPERAND, _SUCCESSOR = packer(ops.UPSTREAM_OP_OPERAND), packer(ops.UPSTREAM_BLOCK_OPERAND)
_RESULT, _FAR_RESULT = packer(ops.UPSTREAM_VALUE), packer(ops.OUT_OF_LINE_RESULT)
_ARGUMENT = packer(ops.UPSTREAM_BLOCK_ARGUMENT)
_REGION, _BLOCK = packer(ops.UPSTREAM_REGION), packer(ops.UPSTREAM_BLOCK)
_STORED = packer(ops.STORED_TEXT)
_POINTER_SIZE = 8
INVALID_ORDER = 0xFFFFFFFF
_LINK = ops.BLOCK_LINK_OFFSET
_LIST = ops.BLOCK_OPERATIONS_OFFSET


class UpstreamWriter(image_writer.ImageWriter):
    """Writes modules in profile mlir-upstream: operation headers of 64 bytes with the results before them,
    and intrusive lists, as in MLIR built with assertions.
    """

    profile = Profile.UPSTREAM
    block_size = ops.UPSTREAM_BLOCK.size
    successor_size = ops.UPSTREAM_BLOCK_OPERAND.size

    def place_operation(self, op: Operation) -> None:
        trailing, places = _trailing(op), self.places
        before = ops.upstream_result_offset(len(op.results) - 1) if op.results else 0
        address = self.operations.allocate(before + trailing.end) + before
        places.operations[op] = address
        places.operands[op] = address + trailing.operands
        if op.successors:
            places.successors[op] = address + trailing.successors
        for position, result in enumerate(op.results):
            places.values[result] = address - ops.upstream_result_offset(position)
        if op.regions:
            self.place_blocks(op, address + trailing.regions, _REGION.size)

    def write_operation(self, op: Operation) -> None:
        places, trailing = self.places, _trailing(op)
        address = places.operations[op]
        start = address - self.operations.base
        block = places.blocks.get(op.parent, 0) if op.parent else 0
        if len(op.regions) > ops.RESULT_COUNT_MASK:
            raise image_writer.not_representable(f"'{op.name}' has {len(op.regions)} regions", op.location)
        _OPERATION.pack_into(
            self.operations.data,
            start,
            *self._neighbours(op, block),
            block,
            self.location(op.location),
            INVALID_ORDER,
            len(op.results),
            len(op.successors),
            len(op.regions) | bool(op.operands) << 23,
            self.kind(op.kind),
            self.dictionary(op.held_attributes),
        )
        self._write_operands(op, address, start, trailing)
        for position, result in enumerate(op.results):
            self._write_result(places.values[result], position, self.attribute(result.type))
        at = start + trailing.successors
        for successor in op.successors:
            _SUCCESSOR.pack_into(self.operations.data, at, 0, 0, address, self.successor(successor, op))
            at += _SUCCESSOR.size

    def _neighbours(self, op: Operation, block: int) -> tuple[int, int]:
        if not block:
            return 0, 0
        addresses, head = self.places.operations, block + _LIST
        previous = addresses[op.previous] if op.previous else head
        following = addresses[op.next] if op.next else head
        return previous, following

    def _write_operands(self, op: Operation, address: int, start: int, trailing: ops.Trailing) -> None:
        if not op.operands:
            return
        data, count = self.operations.data, len(op.operands)
        first = address + trailing.operands
        _STORAGE.pack_into(data, start + ops.UPSTREAM_OPERATION.size, count, count, first)
        at = start + trailing.operands
        for operand in op.operands:
            _OPERAND.pack_into(data, at, 0, 0, address, self.value(operand, op))
            at += _OPERAND.size

    def _write_result(self, address: int, index: int, kind: int) -> None:
        start, data = address - self.operations.base, self.operations.data
        if index < ops.INLINE_RESULTS:
            _RESULT.pack_into(data, start, 0, kind | index)
        else:
            _FAR_RESULT.pack_into(data, start, 0, kind | ops.OUT_OF_LINE_KIND, index - ops.INLINE_RESULTS)

    def write_region(self, region: Region) -> None:
        assert region.parent is not None
        places, address = self.places, self.places.regions[region]
        blocks = region.blocks
        _REGION.pack_into(
            self.operations.data,
            address - self.operations.base,
            (places.blocks[blocks[-1]] + _LINK if blocks else address) | image_views.SENTINEL_BIT,
            places.blocks[blocks[0]] + _LINK if blocks else address,
            places.operations[region.parent],
        )

    def write_block(self, block: Block, region: Region, position: int) -> None:
        places, blocks = self.places, region.blocks
        address, owner = places.blocks[block], places.regions[region]
        listed = self.values.allocate(_POINTER_SIZE * len(block.arguments)) if block.arguments else 0
        end = listed + _POINTER_SIZE * len(block.arguments)
        _BLOCK.pack_into(
            self.operations.data,
            address - self.operations.base,
            0,
            places.blocks[blocks[position - 1]] + _LINK if position else owner,
            places.blocks[blocks[position + 1]] + _LINK if position + 1 < len(blocks) else owner,
            owner,
            (places.operations[block.last] if block.last else address + _LIST) | image_views.SENTINEL_BIT,
            places.operations[block.first] if block.first else address + _LIST,
            listed,
            end,
            end,
        )
        for number, argument in enumerate(block.arguments):
            record = places.values[argument]
            _word(self.values, listed + _POINTER_SIZE * number, record)
            kind = self.attribute(argument.type) | ops.BLOCK_ARGUMENT_KIND
            location = self.location(block.argument_location(number))
            _ARGUMENT.pack_into(
                self.values.data, record - self.values.base, 0, kind, address, number, location
            )

    def write_uses(self, value: Value, address: int, chain: Iterable[int]) -> None:
        held = self.operations if isinstance(value.owner, Operation) else self.values
        place = address
        for use in chain:
            _word(held, place, use)
            held = self.operations
            _word(held, use + ops.UPSTREAM_OP_OPERAND.offset("back"), place)
            place = use

    def write_predecessors(self, block: int, chain: Iterable[int]) -> None:
        place = block
        for use in chain:
            _word(self.operations, place, use)
            _word(self.operations, use + ops.UPSTREAM_BLOCK_OPERAND.offset("back"), place)
            place = use

    def write_kind(self, kind: OperationKind, properties: Iterable[str]) -> int:
        segment = self.kinds
        names = [self.name(name) for name in properties]
        listed = segment.allocate(_POINTER_SIZE * len(names)) if names else 0
        for position, name in enumerate(names):
            _word(segment, listed + _POINTER_SIZE * position, name)
        address = segment.allocate(ops.UPSTREAM_OPERATION_NAME.size)
        record = ops.UPSTREAM_OPERATION_NAME.encode(
            name=self.name(kind.name),
            type_id=self.class_id(kind.op_class if kind.is_registered else type(None)),
            attribute_names=listed,
            num_attribute_names=len(names),
            interfaces={
                "data": address + ops.UPSTREAM_OPERATION_NAME.offset("interfaces") + 16,
                "capacity": 3,
            },
        )
        segment.data[address - segment.base : address - segment.base + len(record)] = record
        return address

    def write_stored(self, class_id: int, text: int, length: int) -> int:
        address = self.storage.allocate(_STORED.size)
        _STORED.pack_into(self.storage.data, address - self.storage.base, class_id, text, length)
        return address


def _word(segment: segments.MemorySegment, address: int, value: int) -> None:
    start = address - segment.base
    segment.data[start : start + _POINTER_SIZE] = value.to_bytes(_POINTER_SIZE, "little")


def _trailing(op: Operation) -> ops.Trailing:
    flag = int(bool(op.operands))
    return ops.upstream_trailing(flag, 0, len(op.successors), len(op.regions), len(op.operands))
