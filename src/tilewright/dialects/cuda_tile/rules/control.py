"""Rules of kernels, globals and control flow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, walker
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import StructureError, Symbol, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

OpClass = type[Operation]


def quoted(types: Iterable[Type]) -> str:
    """Return the types as a list for diagnostics: ``'i32', 'f32'``."""
    return ", ".join(f"'{type}'" for type in types)


def types_of(values: Iterable[Value]) -> tuple[Type, ...]:
    """Return the type of each value, in order."""
    return tuple(value.type for value in values)


def check_only_symbols(block: ir_block.Block) -> None:
    """Raise `StructureError` unless all operations of a module are symbols."""
    for op in block:
        if not op.kind.has_trait(Symbol):
            raise StructureError("non-symbol operations are not allowed in a module body", op=op)


def check_signature(op: Operation, signature: builtin_types.FunctionType) -> None:
    """Raise `VerifyError` unless all parameters of the kernel `op` are rank-0 tiles, the kernel has no
    results and is not declared other than public, and its block has arguments of the parameters' types.
    """
    if signature.results:
        raise VerifyError("entry op must not return values")
    for position, type in enumerate(signature.inputs):
        if not isinstance(type, cuda_tile_types.TileType):
            raise VerifyError(
                f"unsupported type in bytecode for entry argument #{position}: '{type}'; "
                "expected a rank-0 !cuda_tile.tile type",
                prefix=False,
            )
        if type.shape:
            raise VerifyError("entry op must have scalar types (rank 0 !cuda_tile.tile)")
    visibility = op.attributes.get("sym_visibility")
    if isinstance(visibility, builtin_attributes.StringAttr) and visibility.value != "public":
        raise VerifyError("entry op must have public symbol visibility")
    _check_parameters(op.regions[0].block, signature)


def _check_parameters(block: ir_block.Block, signature: builtin_types.FunctionType) -> None:
    if len(block.arguments) != len(signature.inputs):
        raise VerifyError(
            f"entry block must have {len(signature.inputs)} arguments to match function signature"
        )
    for position, (argument, type) in enumerate(zip(block.arguments, signature.inputs, strict=True)):
        if argument.type is not type:
            raise VerifyError(
                f"type of entry block argument #{position}('{argument.type}') must match the type of the "
                f"corresponding argument in function signature('{type}')"
            )


def check_global_reference(op: Operation, table: Mapping[str, Operation], name: str, kind: OpClass) -> None:
    """Raise `VerifyError` unless ``table`` maps ``name`` to an operation of class ``kind``, whose elements
    have the pointee type of the result of `op`.
    """
    found: Any = table.get(name)
    if not isinstance(found, kind):
        raise VerifyError(f"'{name}' does not reference a valid global", op=op)
    value: Any = found
    element = value.value.element_type
    pointer = cuda_tile_types.tile_of(op.results[0]).element_type
    assert isinstance(pointer, cuda_tile_types.PointerType)
    if pointer.pointee is not element:
        raise VerifyError(
            f"pointee type of result type '{pointer}' does not match type '{element}' of the global @{name}",
            op=op,
        )


def check_counter(body: ir_block.Block, bound: Value) -> None:
    """Raise `VerifyError` unless the first argument of a `for` region is a counter of the bound's type."""
    if not body.arguments:
        raise VerifyError("expected at least one block argument for induction variable")
    counter = body.arguments[0].type
    if counter is not bound.type:
        raise VerifyError(
            f"expected induction variable to be same type as bounds and step: '{counter}' vs '{bound.type}'"
        )


def check_carried(op: Operation, inits: Sequence[Value], arguments: Sequence[Value]) -> None:
    """Raise `VerifyError` unless the region arguments `arguments` have the number and the types of the
    initial values `inits`. Neither the arguments nor the results of `op` may be views.
    """
    if len(arguments) != len(inits):
        raise VerifyError(
            "mismatch in number of region iterator values and loop iterator inits: "
            f"{len(arguments)} vs {len(inits)}"
        )
    for position, (init, argument) in enumerate(zip(inits, arguments, strict=True)):
        _refuse_view(argument.type, f"loop-carried value {position}")
        if init.type is not argument.type:
            raise VerifyError(
                f"init value {position} and region iter_value {position} have different type: "
                f"'{init.type}' != '{argument.type}'"
            )
    check_no_views(op)


def check_no_views(op: Operation) -> None:
    """Raise `VerifyError` if a result of `op` is a tensor view or a tile view."""
    for position, type in enumerate(op.result_types):
        _refuse_view(type, f"result type {position}")


def _refuse_view(type: Type, what: str) -> None:
    word = {True: "tensor_view", False: "tile view"}[isinstance(type, cuda_tile_types.TensorViewType)]
    if isinstance(type, cuda_tile_types.TensorViewType | cuda_tile_types.TileViewType):
        raise VerifyError(f"{what} is a {word}, which is not supported")


def check_branches(op: Operation, yielding: OpClass) -> None:
    """Raise `VerifyError` unless each branch of an `if` that ends in ``yielding`` yields values of the result
    types, and no result is a view. An `if` with results needs both branches; branches that end otherwise are
    not checked.
    """
    check_no_views(op)
    then_region, else_region = op.regions
    _check_yield(op, then_region.blocks[0], "then", yielding)
    if else_region.blocks:
        _check_yield(op, else_region.blocks[0], "else", yielding)
    elif op.results:
        raise VerifyError("has non-empty return type, must define else branch")


def _check_yield(op: Operation, block: ir_block.Block, name: str, yielding: OpClass) -> None:
    if not isinstance(block.last, yielding):
        return
    wanted, yielded = op.result_types, types_of(block.last.operands)
    if wanted and not yielded:
        raise VerifyError(f"has return type of {quoted(wanted)} but {name} branch does not yield anything")
    if yielded and not wanted:
        raise VerifyError(f"does not return a value, but {name} branch yields {quoted(yielded)}")
    if wanted != yielded:
        raise VerifyError(
            f"type does not match yield type, {name} branch yields {quoted(yielded)} but op result type is "
            f"{quoted(wanted)}"
        )


def branch_types(regions: Sequence[ir_block.Region], yielding: OpClass) -> list[Type]:
    """Return the result types of an `if`: the operand types of the first ``yielding`` terminator, or none."""
    for region in regions:
        for block in region.blocks:
            if isinstance(block.last, yielding):
                return list(types_of(block.last.operands))
    return []


def break_types(body: ir_block.Region, leaving: OpClass, branch: OpClass) -> list[Type]:
    """Return the result types of a `loop`: the operand types of the first ``leaving`` operation in ``body``
    or in a ``branch`` (`if`) inside it. Operations outside of branches come first. Return an empty list if
    there is no such operation.
    """
    pending = deque(op for block in body.blocks for op in block)
    while pending:
        op = pending.popleft()
        if isinstance(op, leaving):
            return list(types_of(op.operands))
        if isinstance(op, branch):
            pending.extend(inner for region in op.regions for block in region.blocks for inner in block)
    return []


@cache
def _no(kinds: tuple[OpClass, ...]) -> walker.AncestorTest:
    """Return a predicate: True if an operation is an instance of none of the classes. Cached, since
    `innermost_ancestor` caches its searches by the identity of the predicate.
    """
    return lambda op: not isinstance(op, kinds)


def enclosing_loop(op: Operation, loops: tuple[OpClass, ...], branch: OpClass) -> Operation | None:
    """Return the innermost ancestor of ``op`` that is not a ``branch``, if it is one of ``loops``; None if
    there is no such ancestor. Raises `VerifyError` if it is of another class.
    """
    ancestor = walker.innermost_ancestor(op, _no((branch,)))
    if ancestor is None or isinstance(ancestor, loops):
        return ancestor
    names = "', '".join(kind.op_kind.name for kind in (*loops, branch))
    raise VerifyError(
        f"can only be nested within a ancestor chain of '{names}' operations",
        notes=(("see unexpected ancestor operation", ancestor.location),),
    )


def check_continue(op: Operation, loop: Operation | None, wanted: Sequence[Type], words: str) -> None:
    """Raise `VerifyError` unless the operands of `continue` have the types ``wanted``; ``words`` names those
    types in the message. Without a loop nothing is checked.
    """
    given = types_of(op.operands)
    if loop is not None and given != tuple(wanted):
        raise VerifyError(
            f"`{loop.kind.mnemonic}` is missing a valid terminator. `continue` op should have operand types that "
            f"match the parent loop {words}: ({quoted(wanted)}), but found: ({quoted(given)})",
            prefix=False,
        )


def check_break(op: Operation, loop: Operation | None) -> None:
    """Raise `VerifyError` unless the operands of `break` have the types of the loop's results. Without a loop
    nothing is checked.
    """
    given = types_of(op.operands)
    if loop is not None and given != loop.result_types:
        raise VerifyError(
            f"operand types must correspond to the parent loop result types: ({quoted(given)}) vs "
            f"({quoted(loop.result_types)})"
        )


def check_return(op: Operation, kernel: OpClass, through: tuple[OpClass, ...]) -> None:
    """Raise `VerifyError` unless the innermost ancestor of `return` that is of no class in ``through`` is the
    ``kernel``, and the `return` has as many operands as the kernel has results, which is none. A `return`
    without such an ancestor is not checked.
    """
    ancestor = walker.innermost_ancestor(op, _no(through))
    if isinstance(ancestor, kernel):
        _check_returned(op, ancestor)
    elif ancestor is not None:
        raise VerifyError("must be used within a cuda_tile.entry, cuda_tile.if, or cuda_tile.loop operation")


def _check_returned(op: Operation, kernel: Any) -> None:
    results = kernel.function_type.results
    if len(op.operands) != len(results):
        raise VerifyError(
            f"has {len(op.operands)} operands, but enclosing function (@{kernel.sym_name}) returns {len(results)}"
        )
    if op.operands:
        raise VerifyError(f"has {len(op.operands)} operands, but entry function must return 0 operands")
