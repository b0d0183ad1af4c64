"""Function bodies: operations with nested regions, read without recursion."""

from __future__ import annotations

from tilewright.bytecode import codes, wire as bytecode_wire
from tilewright.bytecode.cursor import Cursor, ReadError, reading
from tilewright.bytecode.reader.attributes import AttributeReader
from tilewright.bytecode.reader.debug_info import LocationRows
from tilewright.bytecode.reader.decoders import Decoder, DecodingScope, find_decoder, find_preview_decoder
from tilewright.bytecode.reader.generated_decoders import UNREAD, generated_decoders, unread
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

MAXIMUM_REGION_DEPTH = 4096
"""The maximum nesting depth of regions."""
_UINT32_MASK = 2**32 - 1


class _PendingOperation:
    """An operation whose parts before its regions were decoded, and whose regions are being read. ``block``
    is the block that is being read, None between blocks; ``blocks_left`` and ``operations_left`` count the
    items of the region and of the block that follow; ``operations_total`` is -1 outside of a block's
    operations; ``values_before`` is the number of values visible before the block.
    """

    __slots__ = (
        "attributes",
        "block",
        "blocks_left",
        "decoder",
        "location",
        "operands",
        "operations_left",
        "operations_total",
        "regions",
        "results",
        "values_before",
    )

    def __init__(
        self,
        decoder: Decoder,
        location: Location,
        results: list[Type],
        attributes: dict[str, Attribute],
        operands: list[Value],
    ) -> None:
        self.decoder = decoder
        self.location = location
        self.results = results
        self.attributes = attributes
        self.operands = operands
        self.regions: list[Region] = []
        self.block: Block | None = None
        self.blocks_left = 0
        self.operations_left = 0
        self.operations_total = -1
        self.values_before = 0


class BodyReader:
    """Reads the operations of one function, from ``cursor``, into its entry block. Value numbers: the block's
    arguments first, then results in order of appearance; at the end of a block the numbers of its values
    become free. If ``locations`` is None, all locations are unknown.
    """

    def __init__(
        self, cursor: Cursor, block: Block, attributes: AttributeReader, locations: LocationRows | None
    ) -> None:
        self._cursor = cursor
        self._scope = DecodingScope(cursor, attributes)
        self._scope.values.extend(block.arguments)
        self._version = attributes.version
        self._generated = generated_decoders(attributes.version)
        self._locations = locations
        self._location: Location = UNKNOWN
        self._block = block
        self._pending: list[_PendingOperation] = []

    def read(self) -> None:
        """Read operations up to the end of the function's bytes. Raises `ReadError` with the location of the
        operation and the items around it.
        """
        cursor = self._cursor
        try:
            while cursor.position < cursor.end or self._pending:
                if self._pending:
                    self._step(self._pending[-1])
                elif not self._plain_operations(self._block, cursor.remaining):
                    self._operation()
        except ReadError as error:
            error.location = self._location
            self._explain(error)
            raise

    def _step(self, pending: _PendingOperation) -> None:
        """Continue with the regions of ``pending``: read operations, or end a block, or begin the next block
        or region.
        """
        if pending.operations_left and pending.block is not None:
            pending.operations_left -= self._plain_operations(pending.block, pending.operations_left)
            if pending.operations_left:
                pending.operations_left -= 1
                self._operation()
        elif pending.block is not None:
            self._end_block(pending, pending.block)
        elif pending.blocks_left:
            self._begin_block(pending)
        else:
            self._next_region(pending)

    def _plain_operations(self, block: Block, most: int) -> int:
        """Read at most ``most`` operations into a block by generated decoders, and stop at the first that
        needs `_operation`; return the number of operations read.
        """
        cursor, scope, locations, generated = self._cursor, self._scope, self._locations, self._generated
        data, end, position = cursor.data, cursor.end, cursor.position
        known, numbers = (locations.known, locations.numbers) if locations else ({}, ())
        location, count, row = UNKNOWN, 0, locations.row if locations else 0
        try:
            while count < most and position < end:
                decode = generated[data[position]]
                if decode is unread:
                    break
                if locations is not None:
                    location = known.get(numbers[row]) or locations.at(row)
                following = decode(scope, position + 1, end, location, block)
                if following == UNREAD:
                    break
                position = following
                count += 1
                row += 1
        except (LookupError, ReadError):
            pass  # read once more with every check
        cursor.position = position
        if locations is not None:
            locations.row = row
        return count

    def _operation(self) -> None:
        """Read one operation by the general decoder, with all checks. Raises `ReadError` for an unknown
        opcode, and for operations that are not valid.
        """
        cursor, scope = self._cursor, self._scope
        self._location = UNKNOWN
        try:
            opcode = cursor.varint()
        except ReadError as error:
            raise error.within("failed to read operation opcode.", cursor) from None
        decoder = self._available(opcode & _UINT32_MASK)
        location = UNKNOWN if self._locations is None else self._next_location(self._locations)
        self._location = location
        if decoder is None:
            message = f"unknown or unimplemented opcode: {opcode & _UINT32_MASK}"
            raise cursor.error(codes.INVALID_OPERATION, message)
        results = decoder.results(scope)
        if decoder.attributes is None:
            attributes: dict[str, Attribute] = {}
            flags = 0
        else:
            attributes, flags = decoder.attributes(scope, results)
        operands = decoder.operands(scope, attributes, flags)
        if decoder.regions:
            self._begin_regions(_PendingOperation(decoder, location, results, attributes, operands))
        else:
            self._finish(decoder, location, results, attributes, operands, ())

    def _available(self, opcode: int) -> Decoder | None:
        """Return the decoder of an opcode; None for an unused opcode within the version's range. An opcode of
        the preview range has a decoder if the file declares preview content. Raises `ReadError` for any other
        opcode beyond the version's range.
        """
        if opcode <= bytecode_wire.newest_opcode(self._version):
            return find_decoder(self._version, opcode)
        cursor = self._cursor
        if opcode in bytecode_wire.PREVIEW_OPCODES:
            if self._scope.attributes.preview.advertised:
                return find_preview_decoder(opcode)
            message = (
                f"malformed bytecode: encountered public-preview opcode {opcode} but the header does not advertise "
                "preview content"
            )
            raise cursor.error(codes.PREVIEW, message)
        message = f"unsupported opcode {opcode} for bytecode version {self._version}"
        raise cursor.error(codes.NOT_IN_VERSION, message)

    def _next_location(self, locations: LocationRows) -> Location:
        try:
            return locations.next()
        except ReadError as error:
            error.within("failed to read operation location.", self._cursor)
            raise

    def _finish(
        self,
        decoder: Decoder,
        location: Location,
        results: list[Type],
        attributes: dict[str, Attribute],
        operands: list[Value],
        regions: list[Region] | tuple[()],
    ) -> None:
        """Make an operation, append it, and number its results. Results that the version does not have get no
        number.
        """
        numbered = len(results)
        if decoder.implied_results:
            results.extend(decoder.implied_results)
        op = Operation.from_parts(decoder.kind, operands, results, attributes, regions, (), location)
        pending = self._pending
        block = pending[-1].block if pending else self._block
        assert block is not None, "operations are read into an open block"
        block.append(op)
        if numbered:
            self._scope.values.extend(op.results[:numbered])

    def _begin_regions(self, pending: _PendingOperation) -> None:
        cursor, declared = self._cursor, pending.decoder.regions
        with reading("failed to read number of regions to parse.", cursor):
            count = cursor.count()
        if count != declared:
            message = f"{pending.decoder.kind.name} op expected {declared} regions, got {count}"
            raise cursor.error(codes.INVALID_OPERATION, message)
        if len(self._pending) >= MAXIMUM_REGION_DEPTH:
            raise cursor.error(codes.LIMIT, f"regions nest deeper than {MAXIMUM_REGION_DEPTH} levels")
        self._pending.append(pending)
        self._begin_region(pending)

    def _begin_region(self, pending: _PendingOperation) -> None:
        pending.regions.append(Region())
        with reading("failed to read region block count", self._cursor):
            pending.blocks_left = self._cursor.varint()

    def _next_region(self, pending: _PendingOperation) -> None:
        if len(pending.regions) < pending.decoder.regions:
            self._begin_region(pending)
            return
        self._pending.pop()
        self._finish(
            pending.decoder,
            pending.location,
            pending.results,
            pending.attributes,
            pending.operands,
            pending.regions,
        )

    def _begin_block(self, pending: _PendingOperation) -> None:
        cursor, values = self._cursor, self._scope.values
        pending.blocks_left -= 1
        pending.values_before = len(values)
        pending.block = pending.regions[-1].append(Block())
        pending.operations_total = -1
        with reading("failed to read block argument count.", cursor):
            count = cursor.varint()
        for number in range(count):
            with reading(f"failed to read block argument type: {number}", cursor):
                kind = self._scope.types.read(cursor)
            values.append(pending.block.add_argument(kind, pending.location))
        with reading("failed to read block operation count.", cursor):
            pending.operations_left = pending.operations_total = cursor.varint()

    def _end_block(self, pending: _PendingOperation, block: Block) -> None:
        last = block.last
        pending.operations_total = -1
        if last is None or not last.kind.is_terminator:
            found = (
                "it is empty" if last is None else f"the last operation '{last.name}' is not a terminator."
            )
            message = (
                f"invalid block structure: block is expected to have a terminator operation, but {found}"
            )
            raise self._cursor.error(codes.INVALID_OPERATION, message)
        pending.block = None
        del self._scope.values[pending.values_before :]

    def _explain(self, error: ReadError) -> None:
        """Add a line to the error for each enclosing operation, block and region, from the inside outwards."""
        cursor = self._cursor
        for pending in reversed(self._pending):
            region = len(pending.regions) - 1
            if pending.block is not None:
                if pending.operations_total >= 0:
                    number = pending.operations_total - pending.operations_left - 1
                    error.within(f"failed to parse operation {number} in block.", cursor)
                error.within(
                    f"failed to parse block {len(pending.regions[region].blocks) - 1} in region.", cursor
                )
            error.within(f"failed to parse region {region}", cursor)
