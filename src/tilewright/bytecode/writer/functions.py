"""Writing entries of the function table: the way back of `tilewright.bytecode.reader.functions`."""

from __future__ import annotations

from tilewright.bytecode.output import Output, WriteError, WritingProblems
from tilewright.bytecode.reader.functions import HAS_HINTS, KERNEL, NO_ATTRIBUTES
from tilewright.bytecode.writer.attributes import AttributeWriter
from tilewright.bytecode.writer.debug_info import DebugPool
from tilewright.bytecode.writer.encoders import WriteScope, check_discardable
from tilewright.bytecode.writer.globals import symbol_text
from tilewright.bytecode.writer.operations import BodyWriter
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.version import V13_5
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, TypeAttr
from tilewright.ir.support.record import NamedTuple

_NO_HINTS = OptimizationHintsAttr()


class _Head(NamedTuple):
    """The parts of a kernel that are stored before its body."""

    name: str
    signature: builtin_types.FunctionType
    hints: OptimizationHintsAttr
    arguments: ArrayAttr
    body: ir_block.Block


def write_entry(
    op: EntryOp, writer: AttributeWriter, debug: DebugPool, output: Output, problems: WritingProblems
) -> None:
    """Append the entry of a kernel with its body to ``output``. Raises `WriteError` if the kernel itself
    cannot be represented; errors of the operations in it are added to ``problems``.
    """
    head = _head(op)
    _write_head(op, head, writer, debug, output)
    rows = debug.last_run
    scope = WriteScope(writer)
    BodyWriter(scope, debug, problems).write(head.body, rows)
    output.varint(len(scope.output.data))
    output.data += scope.output.data


def _write_head(op: EntryOp, head: _Head, writer: AttributeWriter, debug: DebugPool, output: Output) -> None:
    """Write the name, signature, flags, location, hints and argument attributes, as far as the version has
    them. Raises `WriteError` for argument attributes before 13.5, and for parts that bytecode cannot
    represent.
    """
    number = debug.begin_function(op.location)
    output.varint(writer.strings.index(head.name))
    output.varint(writer.types.index(head.signature))
    has_hints = len(head.hints.hints) > 0
    newest = writer.version >= V13_5
    output.byte(KERNEL | (HAS_HINTS if has_hints and not newest else 0))
    output.varint(number)
    if has_hints or newest:
        writer.tagged(head.hints, output)
    if newest:
        writer.tagged(head.arguments, output)
    elif head.arguments.elements:
        message = f"optional attribute 'arg_attrs' is provided but requires bytecode version {V13_5}, targeting {writer.version}"
        raise WriteError(message, V13_5)


def _head(op: EntryOp) -> _Head:
    check_discardable(op.op_kind, op)
    name, held = symbol_text(op), op.held_attributes
    signature = held.get("function_type")
    if not (isinstance(signature, TypeAttr) and isinstance(signature.type, builtin_types.FunctionType)):
        raise WriteError(f"entry '{name}' has no function type")
    hints = held.get("optimization_hints", _NO_HINTS)
    if not isinstance(hints, OptimizationHintsAttr):
        raise WriteError(f"entry '{name}' has optimization hints that are none: {hints}")
    if _dictionaries(held.get("res_attrs"), name).elements:
        raise WriteError(f"entry '{name}' has attributes of results, which bytecode does not hold")
    arguments = _dictionaries(held.get("arg_attrs"), name)
    return _Head(name, signature.type, hints, arguments, _body(op, name, signature.type))


def _dictionaries(attribute: Attribute | None, name: str) -> ArrayAttr:
    """Return the attributes of arguments or results of the kernel ``name`` as an array of dictionaries; the
    array is empty for None, and if all dictionaries are empty. Raises `WriteError` for an attribute that is
    not an array.
    """
    if attribute is None:
        return ArrayAttr()
    if not isinstance(attribute, ArrayAttr):
        raise WriteError(f"entry '{name}' has argument attributes that are no array: {attribute}")
    return ArrayAttr() if all(element is NO_ATTRIBUTES for element in attribute) else attribute


def _body(op: EntryOp, name: str, signature: builtin_types.FunctionType) -> ir_block.Block:
    if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
        raise WriteError(f"entry '{name}' must have one region with one block")
    block = op.regions[0].blocks[0]
    if tuple(argument.type for argument in block.arguments) != tuple(signature.inputs):
        raise WriteError(f"entry '{name}' has arguments that do not match its function type")
    return block
