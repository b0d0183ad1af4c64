"""Edits that make a module smaller. Each changes a copy of the module in place, and returns whether it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr, splat
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType
from tilewright.ir.context import Context
from tilewright.ir.declaration.fields import MISSING, AttributeField
from tilewright.ir.declaration.traits import IsolatedFromAbove, Terminator
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Edit = Callable[[Operation], bool]
"""Changes a copy of a module; returns False if it cannot be done there."""


def operations(module: Operation) -> list[Operation]:
    """Return the operations of a module, nested ones too, in the order of the text, without the module itself
    and terminators. Their indices are the numbers that edits use.
    """
    return [op for op in module.walk() if op is not module and not op.has_trait(Terminator)]


def symbols(module: Operation) -> list[Operation]:
    """Return the operations that are directly in `module` or in a module nested in it, such as functions and
    globals, in the order of the text and without terminators.
    """
    return [op for op in operations(module) if op.parent_op is not None and _is_module(op.parent_op)]


def _is_module(op: Operation) -> bool:
    return op.kind.mnemonic == "module"


def erasing(listed: Callable[[Operation], list[Operation]], numbers: Sequence[int], context: Context) -> Edit:
    """Return the edit that erases the operations with the indices `numbers` in ``listed(module)``, later ones
    first. The uses of their results get another value of the same type, or a constant. An operation whose
    results cannot be replaced stays; the edit returns whether it erased any.
    """

    def edit(module: Operation) -> bool:
        found = listed(module)
        gone: set[Operation] = set()
        for number in sorted(numbers, reverse=True):
            op = found[number]
            if not any(outer in gone for outer in op.ancestors()) and _erase(op, context):
                gone.add(op)
        return bool(gone)

    return edit


def _erase(op: Operation, context: Context) -> bool:
    for result in op.results:
        if result.has_uses:
            stand_in = _stand_in(op, result.type, context)
            if stand_in is None:
                return False
            result.replace_all_uses_with(stand_in)
    op.erase()
    return True


def _stand_in(op: Operation, type: Type, context: Context) -> Value | None:
    """Return a value of `type` that may be used where `op` is: an operand of `op`, a value that is defined
    before it in its block or the blocks around it, or else a new constant zero before it. Return None if
    there is none.
    """
    for value in op.operands:
        if value.type is type:
            return value
    return next(_visible(op, type), None) or _zero(op, type, context)


def _visible(op: Operation, type: Type) -> Iterator[Value]:
    """Yield the values of `type` that are visible to `op`, nearest first: results of operations before it in
    its block and in the blocks around it, and arguments of these blocks, up to an operation that is isolated
    from above.
    """
    at: Operation | None = op
    while at is not None and at.parent is not None:
        before = at.parent.ops[: at.parent.ops.index(at)]
        for earlier in reversed(before):
            yield from (result for result in earlier.results if result.type is type)
        yield from (argument for argument in at.parent.arguments if argument.type is type)
        outer = at.parent_op
        at = None if outer is None or outer.has_trait(IsolatedFromAbove) else outer


def _zero(op: Operation, type: Type, context: Context) -> Value | None:
    """Return a new constant zero of `type` before `op`, made by the dialect of `op`, or else by ``arith``.
    Return None if neither makes one.
    """
    value = _zero_attribute(type)
    for name in (op.kind.dialect, "arith"):
        dialect = context.dialect(name)
        if value is None or dialect is None or dialect.materialize_constant is None:
            continue
        made = dialect.materialize_constant(value, type, op.location)
        if made is not None and op.parent is not None:
            op.parent.insert_before(op, made)
            return made.results[0]
    return None


def _zero_attribute(type: Type) -> Attribute | None:
    element = getattr(type, "element_type", None)
    if isinstance(element, IntegerType | FloatType) and None not in getattr(type, "shape", ()):
        return splat(type, 0) if all(extent >= 0 for extent in getattr(type, "shape", ())) else None
    if isinstance(type, IntegerType | IndexType):
        return IntegerAttr(type, 0)
    return FloatAttr(type, 0) if isinstance(type, FloatType) else None


def nests(module: Operation) -> list[Operation]:
    """Return the operations of a module that have regions and are not isolated from above, in the order of
    the text. `flattening` can replace them by the body of one region.
    """
    return [op for op in operations(module) if op.regions and not op.has_trait(IsolatedFromAbove)]


def flattening(number: int, region: int, context: Context) -> Edit:
    """Return the edit that replaces operation number `number` of `nests` with the operations of its region
    `region`. The edit returns False if there is no such region, if the region has not exactly one block, or
    if a value cannot be replaced. Arguments of the region are replaced with operands of the operation of the
    same type, results with operands of the terminator; where none has the type, with another value or a
    constant.
    """

    def edit(module: Operation) -> bool:
        op = nests(module)[number]
        if region >= len(op.regions) or len(op.regions[region].blocks) != 1:
            return False
        return _flatten(op, op.regions[region].block, context)

    return edit


def _flatten(op: Operation, block: Block, context: Context) -> bool:
    given = list(op.operands)
    for argument in list(block.arguments):
        if not argument.has_uses:
            continue
        stand_in = next((value for value in given if value.type is argument.type), None)
        stand_in = stand_in or _stand_in(op, argument.type, context)
        if stand_in is None:
            return False
        argument.replace_all_uses_with(stand_in)
    end = block.last
    returned = list(end.operands) if end is not None and end.has_trait(Terminator) else []
    for inner in list(block):
        if not inner.has_trait(Terminator):
            inner.move_before(op)
    for result in op.results:
        if result.has_uses:
            made = _returned(returned, result.type) or _stand_in(op, result.type, context)
            if made is None:
                return False
            result.replace_all_uses_with(made)
    op.erase()
    return True


def _returned(values: list[Value], type: Type) -> Value | None:
    return next((value for value in values if value.type is type), None)


def attributes(module: Operation) -> list[tuple[int, str]]:
    """Return the attributes of the operations of a module that may be removed, as pairs of the number of the
    operation in `operations` and the name: optional attributes, attributes that have a default, and
    discardable attributes.
    """
    found: list[tuple[int, str]] = []
    for at, op in enumerate(operations(module)):
        required = {one.ir_name or one.name for one in op.kind.attributes if _is_required(one)}
        found += [(at, name) for name in op.attributes if name not in required]
    return found


def _is_required(field: AttributeField) -> bool:
    return not field.optional and field.default is MISSING


def without_attribute(number: int, name: str) -> Edit:
    """Return the edit that removes the attribute `name` of operation number `number` of `operations`. The
    edit always returns True.
    """

    def edit(module: Operation) -> bool:
        op = operations(module)[number]
        kept = {key: value for key, value in op.attributes.items() if key != name}
        op.attributes = kept
        return True

    return edit
