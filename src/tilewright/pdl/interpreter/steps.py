"""Closures for the operations of ``pdl_interp`` that do one step and go on with the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from tilewright.ir.attribute import Location, Type
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl.types import RangeType
from tilewright.pdl.dialects.pdl_interp import accessors, actions, predicates
from tilewright.pdl.failures import rewriting_failure
from tilewright.pdl.interpreter import handles
from tilewright.pdl.interpreter.code import RUN, Frame, FunctionRun, Step
from tilewright.pdl.interpreter.resolver import Native, NativeResolver
from tilewright.rewrite.rewriter import CannotCreate, create_operation

Slots = dict[Value, int]
"""Maps the values of a function to their indices in its frame."""
StepMaker = Callable[[Any, Slots, NativeResolver], Step]
Get = Callable[[Any], Any]


def _unary(get: Get) -> StepMaker:
    """Return the maker of steps that store ``get(handle)`` as the result; for null the result is null."""

    def make(op: Operation, slots: Slots, resolver: NativeResolver) -> Step:
        source, target = slots[op.operands[0]], slots[op.results[0]]

        def step(frame: Frame) -> None:
            held = frame[source]
            frame[target] = get(held) if held is not None else None

        return step

    return make


def _indexed(get: Callable[[Any, Any], Any], name: str = "index") -> StepMaker:
    """Return the maker of steps that store ``get(handle, part)``, where the operation's attribute `name` is
    the part: an index or a name. For null the result is null.
    """

    def make(op: Operation, slots: Slots, resolver: NativeResolver) -> Step:
        source, target = slots[op.operands[0]], slots[op.results[0]]
        index: Any = getattr(op, name)

        def step(frame: Frame) -> None:
            held = frame[source]
            frame[target] = get(held, index) if held is not None else None

        return step

    return make


def _single(values_of: Callable[[Any], tuple[Value, ...]]) -> StepMaker:
    """Return the maker of steps that store the value at the operation's index in ``values_of(handle)``; null
    if the index is too large or the handle is null.
    """

    def make(
        op: accessors.GetOperandOp | accessors.GetResultOp, slots: Slots, resolver: NativeResolver
    ) -> Step:
        source, target, index = slots[op.inputOp], slots[op.value], op.index

        def step(frame: Frame) -> None:
            held = frame[source]
            values = values_of(held) if held is not None else ()
            frame[target] = values[index] if index < len(values) else None

        return step

    return make


def _grouped(get: Callable[[Any, int | None], tuple[Value, ...] | None]) -> StepMaker:
    """Return the maker of steps that store ``get(handle, index)``, a group of operands or results; null for a
    null handle.

    If the result is a single value, a group of another size than 1 gives null.
    """

    def make(
        op: accessors.GetOperandsOp | accessors.GetResultsOp, slots: Slots, resolver: NativeResolver
    ) -> Step:
        source, target, index = slots[op.inputOp], slots[op.value], op.index
        is_range = isinstance(op.value.type, RangeType)

        def step(frame: Frame) -> None:
            held = frame[source]
            group = get(held, index) if held is not None else None
            if group is not None and not is_range:
                frame[target] = group[0] if len(group) == 1 else None
            else:
                frame[target] = group

        return step

    return make


def _types(op: accessors.GetValueTypeOp, slots: Slots, resolver: NativeResolver) -> Step:
    if not isinstance(op.value.type, RangeType):
        return _unary(lambda value: value.type)(op, slots, resolver)
    return _unary(lambda values: tuple([value.type for value in values]))(op, slots, resolver)


def _users(op: accessors.GetUsersOp, slots: Slots, resolver: NativeResolver) -> Step:
    source, target = slots[op.value], slots[op.operations]
    is_range = isinstance(op.value.type, RangeType)

    def step(frame: Frame) -> None:
        held = frame[source]
        frame[target] = handles.users(() if held is None else held if is_range else (held,))

    return step


def _constant(field: str) -> StepMaker:
    """Return the maker of steps that store the constant in the attribute ``field`` of the operation."""

    def make(op: Operation, slots: Slots, resolver: NativeResolver) -> Step:
        target = slots[op.results[0]]
        value: Any = getattr(op, field)
        resolver.attribute(op.held_attributes[field], op.location)

        def step(frame: Frame) -> None:
            frame[target] = value

        return step

    return make


def _range(op: actions.CreateRangeOp, slots: Slots, resolver: NativeResolver) -> Step:
    sources, target = [slots[value] for value in op.arguments], slots[op.result]

    def step(frame: Frame) -> None:
        frame[target] = tuple(handles.flat([frame[source] for source in sources]))

    return step


# --- what changes the IR


def _present(run: FunctionRun, values: Sequence[Any], location: Location) -> Sequence[Any]:
    """Return ``values``. Raises `DiagnosticError` if one of them is null."""
    if any(value is None for value in values):
        raise rewriting_failure(run.name, "it uses something that is not there (null)", run.root, location)
    return values


def _create(op: actions.CreateOperationOp, slots: Slots, resolver: NativeResolver) -> Step:
    kind: OperationKind = resolver.kind(op.name_, op.location)
    operands = [slots[value] for value in op.inputOperands]
    attributes = list(
        zip(op.inputAttributeNames, [slots[value] for value in op.inputAttributes], strict=True)
    )
    types = None if op.inferredResultTypes else [slots[value] for value in op.inputResultTypes]
    target, location = slots[op.resultOp], op.location

    def step(frame: Frame) -> None:
        run: FunctionRun = frame[RUN]
        groups = [handles.flat((frame[source],)) for source in operands]
        for group in groups:
            _present(run, group, location)
        given = {name: frame[source] for name, source in attributes if frame[source] is not None}
        chosen = None
        if types is not None:
            chosen = _present(run, handles.flat([frame[source] for source in types]), location)
        try:
            made = create_operation(kind, groups, given, chosen, run.root.lazy_location)
        except CannotCreate as error:
            raise rewriting_failure(run.name, str(error), run.root, location) from error
        frame[target] = run.rewriter.insert(made)

    return step


def _erase(op: actions.EraseOp, slots: Slots, resolver: NativeResolver) -> Step:
    source, location = slots[op.inputOp], op.location

    def step(frame: Frame) -> None:
        run: FunctionRun = frame[RUN]
        (target,) = _present(run, (frame[source],), location)
        try:
            run.rewriter.erase(target)  # the rewriter tracks remaining users better than use lists
        except ValueError as error:
            raise rewriting_failure(run.name, str(error), run.root, location) from error

    return step


def _replace(op: actions.ReplaceOp, slots: Slots, resolver: NativeResolver) -> Step:
    source, sources, location = slots[op.inputOp], [slots[value] for value in op.replValues], op.location

    def step(frame: Frame) -> None:
        run: FunctionRun = frame[RUN]
        (target,) = _present(run, (frame[source],), location)
        values = _present(run, handles.flat([frame[value] for value in sources]), location)
        if len(values) != len(target.results):
            counts = f"it replaces {len(target.results)} results of '{target.name}' by {len(values)} values"
            raise rewriting_failure(run.name, counts, run.root, location)
        run.rewriter.replace(target, values)

    return step


def _call(op: actions.ApplyRewriteOp, slots: Slots, resolver: NativeResolver) -> Step:
    function = resolver.function(op.name_, "rewrite", op.location)
    sources, targets = [slots[value] for value in op.args], [slots[value] for value in op.results]
    types = op.result_types

    def step(frame: Frame) -> None:
        run: FunctionRun = frame[RUN]
        answer = function(run.rewriter, *[frame[source] for source in sources])
        given = () if not targets else (answer,) if len(targets) == 1 else answer
        for target, value in zip(targets, checked_results(run, op, given, types), strict=True):
            frame[target] = value

    return step


def checked_results(run: FunctionRun, op: Operation, given: Any, types: Sequence[Type]) -> Sequence[Any]:
    """Return the results of the native function that ``op`` calls: the elements of ``given``, a list or
    tuple, with lists in it as tuples. Anything else counts as no results.

    Raises `DiagnosticError` if they differ from the declared ``types`` in number or kind.
    """
    listed: Sequence[Any] = cast(Sequence[Any], given) if isinstance(given, list | tuple) else ()
    values = [tuple(cast(list[Any], value)) if isinstance(value, list) else value for value in listed]
    if len(values) == len(types) and all(map(handles.fits, values, types)):
        return values
    name: Any = op.held_attributes["name"]
    wanted = ", ".join(map(str, types))
    cause = f"native function '{name.value}' has to return ({wanted}), got {given!r}"
    raise rewriting_failure(run.name, cause, run.root, op.location)


def native_constraint(op: predicates.ApplyConstraintOp, resolver: NativeResolver) -> Native:
    """Return the native function that a constraint calls. Raises `DiagnosticError` if there is none of this
    name.
    """
    return resolver.function(op.name_, "constraint", op.location)


def _element(values: tuple[Any, ...], index: int) -> Any:
    return values[index] if index < len(values) else None


STEPS: dict[str, StepMaker] = {
    "pdl_interp.extract": _indexed(_element),
    "pdl_interp.get_attribute": _indexed(handles.attribute, "name_"),
    "pdl_interp.get_attribute_type": _unary(handles.attribute_type),
    "pdl_interp.get_defining_op": _unary(handles.defining_op),
    "pdl_interp.get_operand": _single(lambda op: op.operands),
    "pdl_interp.get_operands": _grouped(handles.operand_group),
    "pdl_interp.get_result": _single(lambda op: op.results),
    "pdl_interp.get_results": _grouped(handles.result_group),
    "pdl_interp.get_users": _users,
    "pdl_interp.get_value_type": _types,
    "pdl_interp.apply_rewrite": _call,
    "pdl_interp.create_attribute": _constant("value"),
    "pdl_interp.create_operation": _create,
    "pdl_interp.create_range": _range,
    "pdl_interp.create_type": _constant("value"),
    "pdl_interp.create_types": _constant("value"),
    "pdl_interp.erase": _erase,
    "pdl_interp.replace": _replace,
}
"""For each operation that is not a terminator, the function that makes its closure."""
