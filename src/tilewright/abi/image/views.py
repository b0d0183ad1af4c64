"""Views of the operations, regions and blocks in memory: the addresses of their parts, in either profile.

Views only read memory.  They work on every `ReadableMemory`: an image, a core dump, or a process that runs MLIR.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.abi.codes import MALFORMED_IMAGE
from tilewright.abi.image.segments import AbiImage, ReadableMemory, read_field, read_text, read_word
from tilewright.abi.layout import POINTER_SIZE, Profile, Struct
from tilewright.abi.layouts import containers, operation as ops
from tilewright.ir.diagnostic import DiagnosticError, failure

LIST_LIMIT = 1 << 28
"""The maximum length of a list if the size of the memory is unknown; a longer one is reported as a cycle."""
SMALLEST_OPERATION = 64
COUNT_LIMIT = 1 << 24
"""The maximum number of regions, operands or arguments of an operation or block, and of the entries of a list or
table; a larger number is reported as damage.
"""
SENTINEL_BIT = 4
"""Upstream, in builds with assertions: the bit in the backward link of a node that marks the head of an
intrusive list.
"""


def malformed(message: str, *, hint: str | None = None) -> DiagnosticError:
    """Return the error that structures in memory contradict each other, to be raised."""
    return failure(MALFORMED_IMAGE, message, hint=hint)


def checked_count(count: int, what: str, address: int, owner: str = "operation") -> int:
    """Return ``count``. Raises `DiagnosticError` if it exceeds `COUNT_LIMIT`; the message says that the
    ``owner`` at ``address`` claims ``count`` ``what``.
    """
    if count > COUNT_LIMIT:
        raise malformed(f"the {owner} at {address:#x} claims {count} {what}")
    return count


@dataclass(frozen=True, slots=True)
class OperandView:
    """An operand: the address of its record, the address of its value, the address of the record of the next
    use of the value (0 for the last use), and the address of the operation that has the operand.
    """

    address: int
    value: int
    next: int
    owner: int


class View(ABC):
    """Reads operations, regions and blocks, given by address, in one profile. Methods raise `DiagnosticError`
    for addresses that are not in memory, and for counts and lists that cannot be right.
    """

    profile: Profile
    operation: Struct

    def __init__(self, memory: ReadableMemory) -> None:
        self.memory = memory
        self.limit = memory.size // SMALLEST_OPERATION + 1 if isinstance(memory, AbiImage) else LIST_LIMIT
        self._names: dict[int, str] = {}

    def field(self, op: int, name: str) -> int:
        """Return the field ``name`` of the header of the operation at address ``op``, as an unsigned number."""
        return read_field(self.memory, self.operation, op, name)

    def kind(self, op: int) -> int:
        """Return the address of the record of an operation's kind. Operations of one kind have the same
        address.
        """
        return self.field(op, "name")

    def name(self, op: int) -> str:
        """Return the full name of the operation at address ``op``, such as ``arith.addi``."""
        record = self.kind(op)
        found = self._names.get(record)
        if found is None:
            found = self._names[record] = self.kind_name(record)
        return found

    @abstractmethod
    def kind_name(self, record: int) -> str:
        """Return the full name of the kind whose record is at address ``record``, such as ``arith.addi``."""

    @abstractmethod
    def regions(self, op: int) -> list[int]:
        """Return the addresses of the regions of the operation at address ``op``, in order."""

    @abstractmethod
    def blocks(self, region: int) -> Iterator[int]:
        """Yield the addresses of the blocks of a region, in order. Raises `DiagnosticError` if their list has
        a cycle.
        """

    @abstractmethod
    def first_op(self, block: int) -> int:
        """Return the address of the first operation of a block; 0 if the block is empty."""

    @abstractmethod
    def next_op(self, op: int) -> int:
        """Return the address of the operation after ``op`` in its block; 0 if it is the last."""

    @abstractmethod
    def num_operands(self, op: int) -> int:
        """Return the number of operands of an operation."""

    @abstractmethod
    def operands(self, op: int) -> list[OperandView]:
        """Return the operands of the operation at address ``op``, in order."""

    @abstractmethod
    def results(self, op: int) -> list[int]:
        """Return the addresses of the results of the operation at address ``op``, in order."""

    @abstractmethod
    def successors(self, op: int) -> list[int]:
        """Return the addresses of the successor blocks of the operation at address ``op``, in order."""

    @abstractmethod
    def arguments(self, block: int) -> list[int]:
        """Return the addresses of the arguments of the block at address ``block``, in order."""

    def ops(self, block: int) -> Iterator[int]:
        """Yield the addresses of the operations of a block. Raises `DiagnosticError` if their list has a
        cycle.
        """
        op, count = self.first_op(block), 0
        while op:
            yield op
            op, count = self.next_op(op), count + 1
            if count > self.limit:
                raise malformed(f"the operations of the block at {block:#x} go round in a circle")

    def run(self, start: int, count: int, size: int) -> range:
        """Return the addresses of ``count`` consecutive records of ``size`` bytes, from ``start`` on. Raises
        `DiagnosticError` if they are not in memory.
        """
        if count:
            self.memory.read(start, count * size)
        return range(start, start + count * size, size) if count else range(0)

    def string_ref(self, address: int, what: str) -> str:
        """Return the text of the StringRef (pointer and length) at an address; ``what`` describes it in an
        error.
        """
        data = read_field(self.memory, containers.STRING_REF, address, "data")
        length = read_field(self.memory, containers.STRING_REF, address, "length")
        return read_text(self.memory, data, length, what)


class TileirasView(View):
    """Reads images of profile tileiras-13.1."""

    profile = Profile.TILEIRAS
    operation = ops.OPERATION

    def kind_name(self, record: int) -> str:
        return self.string_ref(record + ops.ABSTRACT_OPERATION.offset("mnemonic"), "an operation name")

    def regions(self, op: int) -> list[int]:
        region = self.field(op, "regions_inline")
        found: list[int] = []
        while region:
            found.append(region)
            checked_count(len(found), "regions", op)
            last = read_field(self.memory, ops.REGION, region, "flags") & 1
            region = 0 if last else region + ops.REGION.size
        return found

    def blocks(self, region: int) -> Iterator[int]:
        block, count = read_field(self.memory, ops.REGION, region, "blocks"), 0
        while block:
            yield block
            block, count = read_field(self.memory, ops.BLOCK, block, "next"), count + 1
            if count > self.limit:
                raise malformed(f"the blocks of the region at {region:#x} go round in a circle")

    def first_op(self, block: int) -> int:
        return read_field(self.memory, ops.BLOCK, block, "first")

    def next_op(self, op: int) -> int:
        return read_field(self.memory, ops.OPERATION_LINK, op - ops.OPERATION_LINK.size, "next")

    def num_operands(self, op: int) -> int:
        return self.field(op, "num_operands")

    def operands(self, op: int) -> list[OperandView]:
        count = checked_count(self.num_operands(op), "operands", op)
        found: list[OperandView] = []
        for at in self.run(self.field(op, "operand_storage"), count, ops.OP_OPERAND.size):
            record = ops.OP_OPERAND.decode(self.memory.read(at, ops.OP_OPERAND.size))
            found.append(OperandView(at, record["value"] & ~1, record["next"], record["owner"]))
        return found

    def results(self, op: int) -> list[int]:
        count = checked_count(self.field(op, "num_results"), "results", op)
        if not count:
            return []
        if not self.field(op, "trailing_result_flag") or not self.field(op, "num_inline_results"):
            raise malformed(f"operation at {op:#x} has {count} results and no cells that lead to them")
        first = read_word(self.memory, op + ops.FIRST_CELL)
        return list(self.run(first, count, ops.VALUE.size))

    def successors(self, op: int) -> list[int]:
        count = checked_count(self.field(op, "num_successors"), "successors", op)
        if not count:
            return []
        places = self.run(self.trailing(op).successors, count, ops.BLOCK_OPERAND.size)
        return [read_field(self.memory, ops.BLOCK_OPERAND, at, "block") for at in places]

    def attributes(self, op: int) -> int:
        """Return the address of the attribute dictionary of operation ``op``."""
        return read_word(self.memory, self.trailing(op).end - 8)

    def trailing(self, op: int) -> ops.Trailing:
        """Return the addresses of the parts of an operation's trailing storage, by the documented formula."""
        flag, cells = self.field(op, "trailing_result_flag"), self.field(op, "num_inline_results")
        operands = ops.trailing_storage(op, flag, cells, 0)
        regions = ops.trailing_storage(op, flag, cells, self.num_operands(op))
        successors = regions + ops.REGION.size * checked_count(self.field(op, "num_regions"), "regions", op)
        end = successors + ops.BLOCK_OPERAND.size * self.field(op, "num_successors") + 8
        return ops.Trailing(operands, regions, successors, end)

    def arguments(self, block: int) -> list[int]:
        first = read_field(self.memory, ops.BLOCK, block, "arguments")
        stored = read_field(self.memory, ops.BLOCK, block, "num_arguments")
        count = checked_count(stored, "arguments", block, "block")
        return list(self.run(first, count, ops.BLOCK_ARGUMENT.size))


class UpstreamView(View):
    """Reads the structures of MLIR of LLVM 22: images of profile mlir-upstream, and the memory of a process
    that runs it.
    """

    profile = Profile.UPSTREAM
    operation = ops.UPSTREAM_OPERATION

    def kind_name(self, record: int) -> str:
        name = read_field(self.memory, ops.UPSTREAM_OPERATION_NAME, record, "name")
        return self.string_attribute(name)

    def string_attribute(self, address: int) -> str:
        """Return the text of the string attribute at an address."""
        return self.string_ref(address + ops.STRING_ATTRIBUTE.offset("value"), "a string attribute")

    def regions(self, op: int) -> list[int]:
        count = checked_count(self.field(op, "num_regions"), "regions", op)
        return list(self.run(self.trailing(op).regions, count, ops.UPSTREAM_REGION.size))

    def blocks(self, region: int) -> Iterator[int]:
        node, count = read_field(self.memory, ops.UPSTREAM_REGION, region, "next"), 0
        while node != region:
            block = node - ops.BLOCK_LINK_OFFSET
            yield block
            node, count = read_field(self.memory, ops.UPSTREAM_BLOCK, block, "next"), count + 1
            if count > self.limit:
                raise malformed(f"the blocks of the region at {region:#x} go round in a circle")

    def first_op(self, block: int) -> int:
        first = read_field(self.memory, ops.UPSTREAM_BLOCK, block, "first")
        return 0 if first == block + ops.BLOCK_OPERATIONS_OFFSET else first

    def next_op(self, op: int) -> int:
        block = self.field(op, "block")
        following = self.field(op, "next")
        return 0 if following == block + ops.BLOCK_OPERATIONS_OFFSET else following

    def num_operands(self, op: int) -> int:
        if not self.field(op, "has_operand_storage"):
            return 0
        return read_field(self.memory, ops.OPERAND_STORAGE, op + self.operation.size, "num_operands")

    def operands(self, op: int) -> list[OperandView]:
        count = checked_count(self.num_operands(op), "operands", op)
        if not count:
            return []
        size = ops.UPSTREAM_OP_OPERAND.size
        start = read_field(self.memory, ops.OPERAND_STORAGE, op + self.operation.size, "operands")
        found: list[OperandView] = []
        for at in self.run(start, count, size):
            record = ops.UPSTREAM_OP_OPERAND.decode(self.memory.read(at, size))
            found.append(OperandView(at, record["value"], record["next"], record["owner"]))
        return found

    def results(self, op: int) -> list[int]:
        count = checked_count(self.field(op, "num_results"), "results", op)
        if count:
            self.memory.read(op - ops.upstream_result_offset(count - 1), 1)
        return [op - ops.upstream_result_offset(index) for index in range(count)]

    def successors(self, op: int) -> list[int]:
        count = checked_count(self.field(op, "num_successors"), "successors", op)
        places = self.run(self.trailing(op).successors, count, ops.UPSTREAM_BLOCK_OPERAND.size)
        return [read_field(self.memory, ops.UPSTREAM_BLOCK_OPERAND, at, "block") for at in places]

    def trailing(self, op: int) -> ops.Trailing:
        """Return the addresses of the parts of an operation's trailing storage."""
        flag, properties = self.field(op, "has_operand_storage"), self.field(op, "properties_size")
        successors, regions = self.field(op, "num_successors"), self.field(op, "num_regions")
        offsets = ops.upstream_trailing(flag, properties, successors, regions, 0)
        return ops.Trailing(
            op + offsets.operands, op + offsets.regions, op + offsets.successors, op + offsets.end
        )

    def arguments(self, block: int) -> list[int]:
        vector = ops.UPSTREAM_BLOCK.decode(self.memory.read(block, ops.UPSTREAM_BLOCK.size))["arguments"]
        length = max(vector["end"] - vector["begin"], 0)
        count = checked_count(length // POINTER_SIZE, "arguments", block, "block")
        return [read_word(self.memory, at) for at in self.run(vector["begin"], count, POINTER_SIZE)]


VIEWS: dict[Profile, type[View]] = {Profile.TILEIRAS: TileirasView, Profile.UPSTREAM: UpstreamView}


def view_of(memory: ReadableMemory, profile: Profile) -> View:
    """Return a view that reads ``memory`` in a profile."""
    return VIEWS[profile](memory)
