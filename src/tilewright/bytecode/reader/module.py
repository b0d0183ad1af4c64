"""Entry points: from bytes to a module, or to the facts in the frame of a file."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.bytecode import container as bytecode_container, preview as bytecode_preview
from tilewright.bytecode.cursor import ReadError
from tilewright.bytecode.reader.attributes import AttributeReader
from tilewright.bytecode.reader.constants import ConstantTable
from tilewright.bytecode.reader.debug_info import DebugInfo
from tilewright.bytecode.reader.functions import FunctionEntry, FunctionReader, read_function_table, refusals
from tilewright.bytecode.reader.globals import make_global, read_global_table
from tilewright.bytecode.reader.type_table import TypeTable
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.ir import builtin_attributes, context as ir_context, location as ir_location, verifier
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block, Region
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection

MODULE_NAME = "kernels"
"""The name of every module read from bytecode, which does not store one."""
UNVERIFIED = "verification failed for deserialized cuda_tile::ModuleOp"


def read_bytecode(
    data: bytes,
    context: ir_context.Context,
    *,
    name: str = "<bytecode>",
    verify: bool = True,
    preview: Collection[str] = (),
) -> ModuleOp:
    """Read the module in a Tile IR container of version 13.1 to 13.5.

    ``name`` stands for the file in diagnostics. Raises `DiagnosticError` for the first error: it has the byte
    offset, and notes name the items that were being read; with ``verify`` also for modules that break a rule
    of their operations. ``preview`` names features of the preview range that the file may use
    (`preview.FEATURES`). Raises `ValueError` for an unknown feature, and if ``context`` does not have the
    dialect ``cuda_tile`` loaded.
    """
    if context.dialect("cuda_tile") is None:
        raise ValueError("the context must have the dialect 'cuda_tile' loaded")
    enabled = bytecode_preview.check_features(preview)
    with paused_collection():
        return _read(data, name, verify, enabled)


def _read(data: bytes, name: str, verify: bool, preview: bool) -> ModuleOp:
    try:
        container = bytecode_container.open_container(data, preview=preview)
        module, functions = read_module(container)
        for refusal in refusals(functions, container.preview):
            raise refusal.within(UNVERIFIED)
        if verify:
            _verify(module)
    except ReadError as error:
        raise _public(error, name) from None
    return module


def read_container(
    data: bytes, *, name: str = "<bytecode>", preview: Collection[str] = ()
) -> bytecode_container.BytecodeInfo:
    """Return the version, sections and producer of a file; nothing else in it is read. ``name`` stands for
    the file in diagnostics; ``preview`` names the features of the preview range that the file may use
    (`preview.FEATURES`). Raises `DiagnosticError` for a malformed frame, and `ValueError` for an unknown
    feature.
    """
    enabled = bytecode_preview.check_features(preview)
    try:
        container = bytecode_container.open_container(data, preview=enabled)
        producer = bytecode_container.read_producer(container, bytecode_container.read_strings(container))
    except ReadError as error:
        raise _public(error, name) from None
    sections = tuple(container.sections)
    return bytecode_container.BytecodeInfo(
        container.version, sections, producer, container.preview.advertised
    )


def _public(error: ReadError, name: str) -> DiagnosticError:
    return DiagnosticError([error.diagnostic(ir_location.FileLineColLocation(name, 0, 0))])


def read_module(container: bytecode_container.Container) -> tuple[ModuleOp, list[FunctionEntry]]:
    """Return the module of a file and the entries of its function table. Nothing is verified, and functions
    that are not supported are read, too (`refusals`). Raises `ReadError` for a malformed part.
    """
    strings = bytecode_container.read_strings(container)
    producer = bytecode_container.read_producer(container, strings)
    types = TypeTable(
        container.cursor(bytecode_container.SectionKind.TYPE), container.version, container.preview
    )
    constants = ConstantTable(container.cursor(bytecode_container.SectionKind.CONSTANT))
    reader = AttributeReader(types, strings, constants, container.version, container.preview)
    globals_ = read_global_table(container.cursor(bytecode_container.SectionKind.GLOBAL), reader)
    debug_info = DebugInfo(container.cursor(bytecode_container.SectionKind.DEBUG), strings, container.version)
    block = Block()
    for entry in globals_:
        block.append(make_global(entry, reader))
    functions = read_function_table(container.mandatory(bytecode_container.SectionKind.FUNCTION), reader)
    function_reader = FunctionReader(container.data, reader, debug_info)
    for function in functions:
        block.append(function_reader.make(function))
    return _module_op(block, producer), functions


def _module_op(block: Block, producer: str | None) -> ModuleOp:
    attributes: dict[str, Attribute] = {"sym_name": builtin_attributes.StringAttr(MODULE_NAME)}
    if producer is not None:
        attributes["producer"] = builtin_attributes.StringAttr(producer)
    op = Operation.from_parts(ModuleOp.op_kind, attributes=attributes, regions=[Region([block])])
    assert isinstance(op, ModuleOp)
    return op


def _verify(module: Operation) -> None:
    errors = verifier.verify(module)
    if errors:
        errors[0].note(UNVERIFIED)
        raise DiagnosticError(errors)
