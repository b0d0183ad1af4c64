"""Findings about a compared launch: which operation loses digits, which target is wrong, whose formula is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from tilewright.dialects.cuda_tile.operation_phrases import operation_words
from tilewright.dialects.cuda_tile.ops import conversion, float as ops_float, memory, tile as ops_tile
from tilewright.driver.comparison.arrays import ComparedArray, elements
from tilewright.driver.comparison.repairs import Repair, repairs
from tilewright.driver.comparison.subject import ComparedLaunch, LaunchComparison
from tilewright.interp import codes
from tilewright.interp.idle import sources
from tilewright.interp.numerics.element import FORMATS
from tilewright.interp.precision import reference as precision_reference, watch
from tilewright.interp.precision.rules import body_operation
from tilewright.interp.precision.watch import Excess, OperationErrors
from tilewright.interp.values import tile_format
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, Severity, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.ignores import is_ignored
from tilewright.ir.value import Value

REFERENCE_UNITS = 4 * watch.ALLOWED_UNITS
"""The distance from an expected result, in units in the last place of the array, that its own rounding explains."""
_STORES = (memory.StorePtrTkoOp, memory.StoreViewTkoOp, memory.AtomicRMWTkoOp, memory.AtomicRedViewTkoOp)
_HALF_TENSOR = ("f16", "bf16")


def findings(
    made: ComparedLaunch, found: LaunchComparison, errors: OperationErrors, expected: Any
) -> list[Diagnostic]:
    """Return the findings about the launch `made`, one for each code and source line, errors before warnings,
    without those that comments in the program ignore. `found` has the compared arrays, and `errors` the
    errors of the operations in the interpreter. `expected` has the expected results, None for none. Raises
    `DiagnosticError` if `expected` names an array that the kernel does not write.
    """
    given: list[Diagnostic] = []
    for array in found.arrays:
        given += _inexact(made, array, errors)
        given += _beyond_promise(made, array)
    given += _ordered(made, found)
    for array, wanted in _expected(found, made, expected):
        given += _other_than(made, array, wanted)
    unique: dict[Any, Diagnostic] = {}
    for one in given:
        unique.setdefault((one.code, one.location.source or one.message), one)
    kept = [one for one in unique.values() if one.code is None or not is_ignored(one.code, one.location)]
    return sorted(kept, key=lambda one: one.severity is Severity.WARNING)


def _finding(
    code: DiagnosticCode,
    made: ComparedLaunch,
    op: Operation,
    message: str,
    hints: Sequence[str],
    note: str = "",
    *,
    is_choice: bool = False,
) -> Diagnostic:
    """Return a finding with the code `code` at the location of `op`: the text is the name of the kernel
    followed by `message`. `hints`, and a `note` that is not empty, are attached. It is a warning if
    ``is_choice``: the program asks for the operation.
    """
    text = f"kernel '{made.name}'{message}"
    (found,) = failure(code, text, op.location).diagnostics
    if is_choice:
        found.severity = Severity.WARNING
    if note:
        found.note(note)
    for hint in hints:
        found.hint(hint)
    return found


# --- digits that an operation loses


def _inexact(made: ComparedLaunch, array: ComparedArray, errors: OperationErrors) -> Iterator[Diagnostic]:
    """Yield findings about operations that an array depends on and whose errors are beyond their bounds: sums
    and conversions that round more often than once, and, as warnings, conversions of factors of matrix
    products. The first of all other operations has a finding only if an element of the array is beyond its
    own bound, or there is such a warning. If an element is beyond its bound and no operation is, the finding
    is at the store.
    """
    wrong = array.errors("interp")
    exact = array.exact
    size = precision_reference.scale(exact.exact)
    beyond = watch.excess_of(wrong, exact, size, array.format, errors.factors)
    slice_ = _slice(array.stored.writers)
    name = array.format.name
    suspects = [(events[name], op) for op, events in errors.found.items() if name in events and op in slice_]
    suspects.sort(key=lambda one: one[0].order)
    limits = {op: watch.OwnLimit(op, _format_of(op)) for _, op in suspects}
    single = [one for one in suspects if limits[one[1]].units]
    others = [one for one in suspects if not limits[one[1]].is_factor]
    chosen = [one for one in suspects if limits[one[1]].is_factor and one not in single]
    first = others[:1] if beyond is not None or chosen else []
    for excess, op in [*first, *(one for one in single if one not in first), *chosen]:
        yield _loss(made, array, op, excess, is_choice=limits[op].is_factor)
    if beyond is not None and not suspects:
        yield _unexplained(made, array, beyond)


def _format_of(op: Operation) -> Any:
    return tile_format(op.results[0].type)


def _slice(writers: Mapping[Operation, None]) -> set[Operation]:
    """Return the operations on whose results the operands of the stores `writers` depend, through loops and
    branches.
    """
    pending: list[Value] = [value for op in writers for value in op.operands]
    seen: set[Value] = set()
    found: set[Operation] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner: Any = value.owner
        if isinstance(owner, Operation):
            found.add(owner)
        pending += sources(value) or ()
    return found


def _loss(
    made: ComparedLaunch, array: ComparedArray, op: Operation, excess: Excess, *, is_choice: bool
) -> Diagnostic:
    where = f" at element {list(excess.element)}" if excess.element else ""
    shown = f"{excess.value:.9g} instead of {excess.exact:.9g}"
    single = watch.OwnLimit(op, _format_of(op)).units
    unit = _format_of(op).name if single else array.format.name
    size = f", {excess.units:.3g} units in the last place of {unit}" if np.isfinite(excess.units) else ""
    message = f" in {excess.block}: {operation_words(op)}: {shown}{where}{size}"
    hints = list(_hints(op, excess))
    return _finding(codes.INEXACT, made, op, message, hints, _effect(array), is_choice=is_choice)


def _effect(array: ComparedArray) -> str:
    """Return a phrase for the element of an array with the largest error in the interpreter, and for the size
    of this error.
    """
    figures = array.figures("interp")
    where = f"{array.name}{list(figures.element)}" if figures.element else array.name
    if not np.isfinite(figures.units):
        value = float(elements(array.values["interp"], array.format)[figures.element])
        return f"{where} is {value:.9g} instead of {float(array.references.exact[figures.element]):.9g}"
    return (
        f"{where} is {figures.units:.3g} units in the last place of {array.format.name} from its exact value, "
        f"{figures.relative:.2g} of it"
    )


def _hints(op: Operation, excess: Excess) -> Iterator[str]:
    """Yield at most one hint for a finding: the reason why the results of `op` lose digits, with a remedy.
    Nothing is yielded if none is known.
    """
    narrow = _format_of(op)
    is_narrow = narrow.precision < FORMATS["f32"].precision
    if not np.isfinite(excess.value):
        yield f"{narrow.name} ends at {narrow.max_finite:.6g}: scale the operands, or compute in a wider format"
    elif isinstance(op, conversion.FToFOp) and watch.OwnLimit(op, narrow).is_recast:
        yield f"rounded twice on the way to {narrow.name}: convert the first value directly"
    elif isinstance(op, conversion.FToFOp):
        yield _cast_hint(op, narrow.name)
    elif excess.is_cancelled and not isinstance(op, ops_float.RoundedBinaryFloatOp | ops_float.FmaOp):
        yield "the operand has lost the digits that count here: compute it, or the function, in another way"
    elif excess.is_cancelled:
        yield "the operands agree in their leading digits, which cancel: subtract before squaring or rounding"
    elif is_narrow and _is_sum(op):
        yield f"the sum runs in {narrow.name}: convert its operands to f32 before, and the result after"
    elif is_narrow:
        yield f"the result is rounded to {narrow.name} before it is used: compute in f32, and convert what is stored"


def _cast_hint(op: conversion.FToFOp, name: str) -> str:
    users = list(op.results[0].users)
    if any(isinstance(user, ops_tile.MmaFOp) for user in users):
        return (
            f"factors of the product are rounded to {name}: use factors of the format that they are given in"
        )
    if any(_is_sum(user) for user in users):
        return f"a value is converted to {name} before it is summed: sum first, then convert"
    return f"a value is converted to {name} before it is used further: convert what is stored"


def _is_sum(op: Operation) -> bool:
    """Return whether an operation adds up: a reduction or scan, a product of matrices, or an addition to a
    value that a loop carries.
    """
    if isinstance(op, ops_tile.ReduceOp | ops_tile.ScanOp):
        return body_operation(op) is ops_float.AddFOp
    return isinstance(op, ops_tile.MmaFOp) or watch.is_carried_sum(op)


def _unexplained(made: ComparedLaunch, array: ComparedArray, beyond: Any) -> Diagnostic:
    op = next(iter(array.stored.writers))
    units, position, _ = beyond
    element = list(array.index(position[0]))
    message = f": {array.name}{element} is {units:.3g} units in the last place of {array.format.name} off"
    hint = "the error came through memory: an earlier store rounds to a narrow format"
    return _finding(codes.INEXACT, made, op, message, [hint])


# --- targets and orders


def _beyond_promise(made: ComparedLaunch, array: ComparedArray) -> Iterator[Diagnostic]:
    """Yield a finding for each target that left an element of the array further from its exact value than
    promised. The finding names the first such element.
    """
    for target in array.values:
        beyond = array.beyond(target)
        if not beyond.any():
            continue
        at = int(np.flatnonzero(beyond)[0])
        index = array.index(at)
        value = float(elements(array.values[target], array.format)[index])
        exact, promised = float(array.exact.exact[at]), float(array.exact.promised[at])
        where = f"{array.name}{list(index)}" if index else array.name
        message = f" on {target}: {where} is {value:.9g}, promised is {exact:.9g} within {promised:.3g}"
        note = f"{int(beyond.sum())} of {beyond.size} elements are beyond their bounds"
        op = next(iter(array.stored.writers))
        hint = "compare the stages of the kernel: tilewright compile --emit=all, tilewright explore"
        yield _finding(codes.BEYOND_PROMISE, made, op, message, [hint], note)


def _ordered(made: ComparedLaunch, found: LaunchComparison) -> Iterator[Diagnostic]:
    """Yield a finding for each order of execution recorded in `found` that gives other bits than the usual
    order.
    """
    for order, (name, element) in found.orders.items():
        array = next((one for one in found.arrays if one.name == name), None)
        writers = list(array.stored.writers) if array is not None else _writers(made)
        atomic = [op for op in writers if not isinstance(op, memory.StorePtrTkoOp | memory.StoreViewTkoOp)]
        op = (atomic or writers or [made.entry])[0]
        where = f"{name}{list(element)}" if element else name
        message = f": with {order}, {where} has other bits"
        hint = "let each tile block write elements of its own, and combine them in a second launch"
        yield _finding(codes.BLOCK_ORDER, made, op, message, [hint])


def _writers(made: ComparedLaunch) -> list[Operation]:
    return [op for op in made.entry.walk() if isinstance(op, _STORES)]


# --- expected results


def _expected(
    found: LaunchComparison, made: ComparedLaunch, expected: Any
) -> Iterator[tuple[ComparedArray, Any]]:
    """Yield each array of floats that the kernel writes with its expected results; nothing if `expected` is
    None. Arrays without expected results are left out. Raises `DiagnosticError` if `expected` has a name, or
    more results, than the kernel writes such arrays.
    """
    if expected is None:
        return
    if isinstance(expected, Mapping):
        names = cast("Mapping[str, Any]", expected)
        unknown = sorted(set(names) - {one.name for one in found.arrays})
        if unknown:
            raise _no_such_array(unknown[0], found, made)
        yield from ((one, names[one.name]) for one in found.arrays if one.name in names)
        return
    listed: list[Any] = [*expected] if isinstance(expected, tuple | list) else [expected]
    if len(listed) > len(found.arrays):
        raise _no_such_array(f"number {len(found.arrays)}", found, made)
    yield from zip(found.arrays, listed, strict=False)


def _no_such_array(name: str, found: LaunchComparison, made: ComparedLaunch) -> Exception:
    hint = f"arrays of floats that it writes: {', '.join(one.name for one in found.arrays) or 'none'}"
    text = f"kernel '{made.name}' writes no array '{name}', for which a reference is given"
    return failure(codes.BAD_ARGUMENT, text, made.entry.location, hint=hint)


def _other_than(made: ComparedLaunch, array: ComparedArray, wanted: Any) -> Iterator[Diagnostic]:
    """Yield one finding if the exact values of an array differ from the expected results `wanted` by more
    than the tolerance; otherwise nothing. The finding names changes of an operation that would give the
    expected results.
    """
    given = np.broadcast_to(np.asarray(wanted), array.written.shape)[array.written]
    target = given.astype(precision_reference.EXACT)
    tolerance = _tolerance(array, target, given)
    if not _differs(array.exact.exact, target, tolerance).any():
        return
    wrong = _differs(array.exact.exact, target, tolerance)
    at = int(np.argmax(np.where(wrong, _distance(array.exact.exact, target), -1.0)))
    index = array.index(at)

    near: Any = tolerance + array.exact.wide + _rounding(array)
    loose = cast("Any", np.where(np.isfinite(near), near, tolerance))

    def fits(values: Any) -> bool:
        numbers = precision_reference.of_value(elements(values, array.format)[array.written], array.format)
        return not _differs(numbers.exact, target, loose).any()

    known = repairs(made, array, target, fits, _slice(array.stored.writers))
    op = known[0].op if known else next(iter(array.stored.writers))
    where = f"{array.name}{list(index)}" if index else array.name
    exact = f"{float(array.exact.exact[at]):.9g} without rounding, {float(target[at]):.9g} is expected"
    message = f": {where} is {exact}; {int(wrong.sum())} of {wrong.size} elements differ"
    yield _finding(codes.OTHER_THAN_REFERENCE, made, op, message, _repair_hints(known))


def _repair_hints(known: Sequence[Repair]) -> list[str]:
    if not known:
        return ["no single change of an operation gives the expected results; this is where they are stored"]
    first, *others = known
    hints = [f"{operation_words(first.op)} {first.words}: then the results are as expected"]
    for one in others:
        source = one.op.location.source
        place = f" of line {source[1]}" if source else ""
        hints.append(f"or {operation_words(one.op)}{place} {one.words}")
    return hints


def _tolerance(array: ComparedArray, target: Any, given: Any) -> Any:
    """Return for each element the permitted distance of the exact value from the expected one: the wide bound
    of the array (0 where it is infinite) plus `REFERENCE_UNITS` units in the last place at the size of the
    expected value, or at the median size if that is larger. `target` has the expected values as exact
    numbers, `given` as the reference states them. The units are of the format of the array; if `given` has
    four bytes or more, of f32 for arrays that are narrower.
    """
    is_wide = given.dtype.itemsize >= np.dtype(np.float32).itemsize
    format = precision_reference.wide_format(array.format) if is_wide else array.format
    one = precision_reference.unit(precision_reference.scale(target), format)
    wide = array.exact.wide
    return np.where(np.isfinite(wide), wide, 0.0) + REFERENCE_UNITS * one


def _rounding(array: ComparedArray) -> Any:
    """Return for each element the distance that the result of the interpreter may have from the exact value:
    its unit in the last place times the largest error of all elements in such units, at least one. Infinite
    errors and NaN count as 0.
    """
    one = precision_reference.unit(precision_reference.scale(array.exact.exact), array.format)
    with np.errstate(all="ignore"):
        levels = array.errors("interp") / one
    return max(1.0, float(np.max(np.where(np.isfinite(levels), levels, 0.0)))) * one


def _distance(one: Any, other: Any) -> Any:
    with np.errstate(all="ignore"):
        distance = np.abs(one - other).astype(np.float64)
    return np.where(np.isnan(distance), np.inf, distance)


def _differs(one: Any, other: Any, tolerance: Any) -> Any:
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    is_near = (_distance(one, other) <= tolerance) & (np.isfinite(one) == np.isfinite(other))
    return ~same & ~is_near
