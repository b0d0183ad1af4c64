"""Entry point: from a module to bytes."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.bytecode import magic as bytecode_magic, preview as bytecode_preview
from tilewright.bytecode.container import ALIGNED, REQUIRED_ALIGNMENT, SectionKind
from tilewright.bytecode.output import Output, WriteError, WritingProblems
from tilewright.bytecode.writer.attributes import AttributeWriter
from tilewright.bytecode.writer.debug_info import DebugPool
from tilewright.bytecode.writer.encoders import check_discardable
from tilewright.bytecode.writer.functions import write_entry
from tilewright.bytecode.writer.globals import write_global
from tilewright.bytecode.writer.pools import ConstantPool, StringPool
from tilewright.bytecode.writer.type_pool import TypePool
from tilewright.dialects.cuda_tile.ops.control import EntryOp, GlobalOp, ModuleOp
from tilewright.dialects.cuda_tile.version import V13_1, V13_3, VERSIONS, Version
from tilewright.ir import builtin_attributes, diagnostic, verifier
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation

PRODUCER_SINCE = V13_3
"""The first version that names the producer of a module."""
_NESTING_MODULE = "builtin.module"


def write_bytecode(
    module: Operation, version: Version | tuple[int, int] | None = None, *, verify: bool = True
) -> bytes:
    """Return a module as a Tile IR container: the same bytes for the same module, always.

    ``module`` is a `ModuleOp`, or a ``builtin.module`` around nothing else. Without a ``version`` it is the
    oldest version that can represent the module. Raises `DiagnosticError` with everything that the version,
    or any version, cannot hold, each at its operation; with ``verify`` first for modules that break a rule of
    their operations. Raises `ValueError` for an unknown version.

    What reading the bytes gives back is the module, except that bytecode has no place for some things that
    mean nothing: the module's name (it is read as ``kernels``), positions without a debug scope, locations of
    globals and block arguments, empty hints, and the order of globals among kernels; that fields with a
    default are always written; and that versions before 13.3 do not name the producer.
    """
    chosen = None if version is None else _known(version)
    if verify:
        verifier.verify_or_raise(module)
    try:
        tile_module = _tile_module(module)
    except WriteError as error:
        raise diagnostic.DiagnosticError([error.diagnostic(module.location)]) from None
    if chosen is None:
        return _write_oldest(tile_module)
    writer = ModuleWriter(tile_module, chosen)
    return _written(writer.write(), writer)


def _written(data: bytes | None, writer: ModuleWriter) -> bytes:
    if data is None:
        raise writer.problems.error()
    return data


def _known(version: Version | tuple[int, int]) -> Version:
    known = Version(*version)
    if known not in VERSIONS:
        raise ValueError(
            f"unknown bytecode version {known}: the known ones are {', '.join(map(str, VERSIONS))}"
        )
    return known


def _tile_module(module: Operation) -> ModuleOp:
    """Return the module to write, which may be the only operation of a builtin module.

    Raises `WriteError` for anything else.
    """
    if isinstance(module, ModuleOp):
        return module
    if module.name != _NESTING_MODULE:
        raise WriteError(f"expected a 'cuda_tile.module', got '{module.name}'")
    inner = [op for region in module.regions for block in region.blocks for op in block]
    if len(inner) != 1 or not isinstance(inner[0], ModuleOp):
        raise WriteError("expected a single 'cuda_tile.module' inside of the 'builtin.module'")
    return inner[0]


def _write_oldest(module: ModuleOp) -> bytes:
    """Write the module in the oldest version that can represent it. A failed attempt says which version it
    would need.
    """
    version = V13_1 if module.held_attributes.get("producer") is None else PRODUCER_SINCE
    while True:
        writer = ModuleWriter(module, version)
        data = writer.write()
        needed = writer.problems.oldest_sufficient_version
        if data is not None or needed is None:
            return _written(data, writer)
        version = needed


def _write_section(kind: SectionKind, payload: Output, file: Output) -> None:
    """Write the header, padding up to the alignment, and the payload."""
    alignment = REQUIRED_ALIGNMENT.get(kind)
    file.byte(kind if alignment is None else kind | ALIGNED)
    file.varint(len(payload.data))
    if alignment is not None:
        file.varint(alignment)
        file.pad(alignment)
    file.data += payload.data


class ModuleWriter:
    """Writes one module in one version. Entries that a caller adds to ``strings``, ``constants`` or ``types``
    before `write` keep their indices. The errors of `write` are in ``problems``.
    """

    def __init__(self, module: ModuleOp, version: Version) -> None:
        self.problems = WritingProblems()
        self._module = module
        self._version = version
        self.strings = StringPool()
        self.constants = ConstantPool()
        self.types = TypePool(version)
        self._debug = DebugPool(self.strings, version)
        self._attributes = AttributeWriter(self.types, self.strings, self.constants, version)

    def write(self) -> bytes | None:
        """Return the bytes of the file, with the sections in cuTile's order, without empty sections; None if
        there are problems.
        """
        sections = self._sections()
        if self.problems:
            return None
        file = Output()
        tag = bytecode_preview.HEADER_BIT if self._attributes.preview else 0
        file.data += bytecode_magic.MAGIC + bytes([*self._version, tag, 0])
        for kind, payload in sections:
            _write_section(kind, payload, file)
        file.byte(SectionKind.END)
        return bytes(file.data)

    def _sections(self) -> list[tuple[SectionKind, Output]]:
        globals_, functions = Output(), Output()
        self._write_symbols(globals_, functions)
        producer = self._producer()
        tables = {
            SectionKind.FUNCTION: functions,
            SectionKind.GLOBAL: globals_,
            SectionKind.CONSTANT: self._table(self.constants),
            SectionKind.DEBUG: self._table(self._debug),
            SectionKind.TYPE: self._table(self.types),
            SectionKind.PRODUCER: producer,
            SectionKind.STRING: self._table(self.strings),
        }
        return [(kind, payload) for kind, payload in tables.items() if payload.data]

    def _write_symbols(self, globals_: Output, functions: Output) -> None:
        """Write the number of globals and the globals, and the number of kernels and the kernels, to two
        outputs. Without globals the first output stays empty.
        """
        ops = self._symbols()
        variables = [op for op in ops if isinstance(op, GlobalOp)]
        kernels = [op for op in ops if isinstance(op, EntryOp)]
        if variables:
            globals_.varint(len(variables))
        for op in variables:
            self._attempt(op, lambda op=op: write_global(op, self._attributes, globals_))
        functions.varint(len(kernels))
        for op in kernels:
            self._attempt(
                op, lambda op=op: write_entry(op, self._attributes, self._debug, functions, self.problems)
            )

    def _symbols(self) -> list[Operation]:
        module = self._module
        self._attempt(module, lambda: check_discardable(module.op_kind, module))
        ops = [op for region in module.regions for block in region.blocks for op in block]
        for op in ops:
            if not isinstance(op, GlobalOp | EntryOp):
                message = (
                    f"only function and global ops are allowed in the body of the module, found '{op.name}'"
                )
                self.problems.add(WriteError(message), op)
        return ops

    def _attempt(self, op: Operation, write: Callable[[], None]) -> None:
        """Call `write`; if it raises `WriteError`, add the error to the problems as an error of `op`."""
        try:
            write()
        except WriteError as error:
            self.problems.add(error, op)

    def _producer(self) -> Output:
        """Return the payload of the producer section; empty without a producer, or for a version that has none."""
        output = Output()
        producer = self._module.held_attributes.get("producer")
        if producer is not None and self._version >= PRODUCER_SINCE:
            self._attempt(self._module, lambda: output.varint(self._producer_string(producer)))
        return output

    def _producer_string(self, producer: Attribute) -> int:
        if not isinstance(producer, builtin_attributes.StringAttr):
            raise WriteError(f"the producer of a module must be a string, got {producer}")
        return self.strings.index(producer.value)

    def _table(self, pool: ConstantPool | DebugPool | TypePool | StringPool) -> Output:
        output = Output()
        pool.write(output)
        return output
