"""Carries references through an interpreted launch, and records the operations whose errors are too large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tilewright.dialects.cuda_tile.enums import AtomicRMWMode
from tilewright.dialects.cuda_tile.ops import conversion, float as ops, memory, tile as ops_tile
from tilewright.interp.memory.addressing import tile_region
from tilewright.interp.numerics.element import FORMATS, ElementFormat, NumpyArray
from tilewright.interp.precision import reference as precision_reference
from tilewright.interp.precision.memory import ReferenceMemory
from tilewright.interp.precision.reference import Reference
from tilewright.interp.precision.rules import REFERENCES, body_operation, is_factor, nothing
from tilewright.interp.program import PreparedOperation
from tilewright.interp.rules.rule import Evaluate, OperandPositions, pick
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.interp.values import float_format, tile_format
from tilewright.ir.operation import Operation

ALLOWED_UNITS = 4.0
"""The error beyond the wide bound, in units in the last place of the stored format, that a few roundings explain."""
CANCELLED_UNITS = 1024.0
"""The error, in units in the last place of the stored format, at which half of the elements lost too many digits."""
LONG_SUM = 32
"""The number of terms from which the error of a sum in a narrow format counts."""
CARRIED_UNITS = 1.5
"""The error of a sum that a loop carries in a narrow format, in units in its last place, that few iterations explain."""
SLACK = 1e-6
"""The error of the references themselves, relative to a bound."""
_LOADS = (memory.LoadPtrTkoOp, memory.LoadViewTkoOp)
_STORES = (memory.StorePtrTkoOp, memory.StoreViewTkoOp)
_ADDITIONS = (memory.AtomicRMWTkoOp, memory.AtomicRedViewTkoOp)


class Excess(NamedTuple):
    """The first error of an operation beyond its limit: `order`, the number of the event in the launch, the
    tile block, the index of the element in the tile, its value, its exact value, and the error in units in
    the last place of the stored format. `is_cancelled` says that only the median of the errors is beyond its
    limit: half of the elements lost most of their digits, and no single error is too large for its operation.
    """

    order: int
    block: str
    element: tuple[int, ...]
    value: float
    exact: float
    units: float
    is_cancelled: bool


@dataclass(slots=True)
class OperationErrors:
    """The errors of a launch: for each operation, ``found`` has its first error beyond the limit, by the name
    of each format in which the kernel stores floats (``formats``). ``memory`` has the references of memory,
    and ``events`` counts the results that were compared.
    """

    formats: tuple[ElementFormat, ...] = ()
    factors: ElementFormat = FORMATS["f64"]
    """The narrowest format to which the kernel converts factors of matrix products."""
    found: dict[Operation, dict[str, Excess]] = field(default_factory=dict[Operation, dict[str, Excess]])
    memory: ReferenceMemory = field(default_factory=ReferenceMemory)
    events: int = 0


def stored_formats(entry: Operation) -> tuple[ElementFormat, ...]:
    """Return the float formats of the values that the stores and atomic updates of a kernel write, each once."""
    found: dict[str, ElementFormat] = {}
    for op in entry.walk():
        if isinstance(op, (*_STORES, *_ADDITIONS)):
            for value in op.operands:
                format = float_format(value.type)
                if format is not None:
                    found[format.name] = format
    return tuple(found.values())


def factor_format(entry: Operation) -> ElementFormat:
    """Return the narrowest format to which a kernel converts factors of matrix products; f64 if there is none."""
    formats = [tile_format(op.results[0].type) for op in entry.walk() if is_factor(op)]
    return min(formats, key=lambda one: one.precision, default=FORMATS["f64"])


def referenced(instruction: PreparedOperation, evaluate: Evaluate) -> Evaluate:
    """Return an evaluation of `instruction` that calls `evaluate`, also computes the references of the
    results, and records the first error of the operation beyond its limit. Loads and stores move the
    references of memory.
    """
    op = instruction.op
    if isinstance(op, _LOADS):
        return _loading(instruction, evaluate)
    if isinstance(op, _STORES) or _adds(op):
        return _storing(instruction, evaluate)
    formats = [float_format(value.type) for value in op.results]
    if len(formats) != 1 or formats[0] is None:
        return _without(instruction, evaluate)
    refer, format, given = (
        REFERENCES.get(type(op), lambda op: nothing)(op),
        formats[0],
        _Operands(instruction),
    )
    if refer is nothing:
        return _without(instruction, evaluate)
    limit = OwnLimit(op, format)
    is_computed = op.kind.mnemonic != "assume"

    def evaluate_referenced(block: Any, *operands: Any) -> Any:
        value = evaluate(block, *operands)
        with np.errstate(all="ignore"):
            references = given.references(block, operands)
            found = refer(block, references, operands)
            block.references[instruction.results[0]] = found
            if limit.is_factor:
                found = found._replace(wide=references[0].wide)
            if is_computed:
                _note(block, op, value, format, found, limit)
        return value

    return evaluate_referenced


class _Operands:
    """The references of the operands of an instruction."""

    def __init__(self, instruction: PreparedOperation) -> None:
        self._slots = instruction.operands
        self._formats = [float_format(value.type) for value in instruction.op.operands]

    def references(self, block: Any, operands: Sequence[Any]) -> list[Any]:
        """Return the reference of each operand: the one recorded in `block`, or, without a record, one by
        which the value is exact; the operand itself if it is no tile of floats.
        """
        return [
            value if format is None else block.references[slot] or precision_reference.of_value(value, format)
            for slot, format, value in zip(self._slots, self._formats, operands, strict=True)
        ]


def _without(instruction: PreparedOperation, evaluate: Evaluate) -> Evaluate:
    """Return an evaluation that calls `evaluate`, and whose results are their own references: no reference is
    stored for them.
    """

    def evaluate_exactly(block: Any, *operands: Any) -> Any:
        for slot in instruction.results:
            block.references[slot] = None
        return evaluate(block, *operands)

    return evaluate_exactly


class _Shadow:
    """Stands in for the tile block `block` where the rule of an access runs once more on references: its
    memory is part number `part` of all references (0 exact values, 1 and 2 bounds).
    """

    def __init__(self, block: Any, part: int) -> None:
        self.memory = block.launch.errors.memory.of(part)
        self.synchronised = False


def _loading(instruction: PreparedOperation, evaluate: Evaluate) -> Evaluate:
    """Return the evaluation of a load, whose references come from memory. Elements that are padding, or
    memory without references, are taken to be exact. Results that are no floats have no references.
    """
    format = float_format(instruction.op.results[0].type)
    if format is None or format.packed:
        return _without(instruction, evaluate)
    plain = ALL_RULES.rules[type(instruction.op)](instruction.op)

    def evaluate_loading(block: Any, *operands: Any) -> Any:
        results = evaluate(block, *operands)
        own = precision_reference.of_value(results[0], format)
        try:
            stored = [plain(_Shadow(block, part), *operands)[0] for part in range(3)]
        except LookupError:
            stored = None
        found = None
        if stored is not None:
            inside = _reached(instruction.op, operands, results[0])
            pairs = zip(stored, own, strict=True)
            found = Reference(*(np.where(inside, part, other) for part, other in pairs))
        block.references[instruction.results[0]] = found
        return results

    return evaluate_loading


def _reached(op: Operation, operands: Sequence[Any], value: Any) -> NumpyArray:
    """Return a mask of the elements of a loaded tile that come from memory."""
    at = OperandPositions(op)
    if isinstance(op, memory.LoadViewTkoOp):
        return ~tile_region(operands[at.one("view")], operands[at.group("index")]).outside()
    mask = pick(operands, at.optional("mask"))
    return np.ones(np.shape(value), np.bool_) if mask is None else mask


def _adds(op: Operation) -> bool:
    return isinstance(op, _ADDITIONS) and op.mode is AtomicRMWMode.ADDF


def _storing(instruction: PreparedOperation, evaluate: Evaluate) -> Evaluate:
    """Return the evaluation of a store or an atomic addition, which also stores references. Packed and
    non-float values have none to store, and memory without references is left as it is.
    """
    op = instruction.op
    formats = [float_format(value.type) for value in op.operands]
    at = next((at for at, format in enumerate(formats) if format is not None), None)
    plain, given = ALL_RULES.rules[type(op)](op), _Operands(instruction)
    stored = None if at is None else formats[at]
    if at is None or stored is None or stored.packed:
        return _without(instruction, evaluate)

    def evaluate_storing(block: Any, *operands: Any) -> Any:
        for slot in instruction.results:
            block.references[slot] = None
        found = given.references(block, operands)[at]
        result = evaluate(block, *operands)
        for part in range(3):
            changed = [*operands[:at], np.asarray(found[part]), *operands[at + 1 :]]
            try:
                plain(_Shadow(block, part), *changed)
            except LookupError:
                break
        return result

    return evaluate_storing


class OwnLimit:
    """The limit of an operation that is compared with a single rounding to its own format, in ``units`` in the
    last place: of a conversion of a converted value (``is_recast``), a long sum in a narrow format, and a sum that
    a loop carries in a narrow format. It is 0 for all other operations. ``is_factor``: the operation converts
    factors of matrix products.
    """

    def __init__(self, op: Operation, format: ElementFormat) -> None:
        is_narrow = format.precision < FORMATS["f32"].precision
        self.is_factor = is_narrow and is_factor(op)
        self.is_recast = is_narrow and _is_recast(op, format)
        self.units = 0.0
        if self.is_recast or (is_narrow and _is_long_sum(op)):
            self.units = precision_reference.HALF_UNIT
        elif is_narrow and is_carried_sum(op):
            self.units = CARRIED_UNITS


def is_carried_sum(op: Operation) -> bool:
    """Return whether an operation is an addition, an FMA or a matrix product one of whose operands is a block
    argument, such as a value that a loop carries.
    """
    is_addition = isinstance(op, ops.AddFOp | ops.FmaOp | ops_tile.MmaFOp)
    return is_addition and any(not isinstance(value.owner, Operation) for value in op.operands)


def _is_long_sum(op: Operation) -> bool:
    if isinstance(op, ops_tile.ReduceOp | ops_tile.ScanOp):
        tile: Any = op.operands[0].type
        return body_operation(op) is ops.AddFOp and tile.shape[op.dim] >= LONG_SUM
    factor: Any = op.lhs.type if isinstance(op, ops_tile.MmaFOp) else None
    return factor is not None and int(factor.shape[-1]) >= LONG_SUM


def _is_recast(op: Operation, format: ElementFormat) -> bool:
    """Return whether a conversion narrows a value that another conversion has narrowed, to a coarser format."""
    before: Any = op.operands[0].owner if isinstance(op, conversion.FToFOp) else None
    while before is not None and isinstance(before, ops_tile.ReshapeOp | ops_tile.BroadcastOp):
        before = before.operands[0].owner
    if not isinstance(before, conversion.FToFOp):
        return False
    wide, middle = tile_format(before.from_.type).precision, tile_format(before.to.type).precision
    return wide > middle > format.precision


def _note(
    block: Any, op: Operation, value: Any, format: ElementFormat, found: Reference, own: OwnLimit
) -> None:
    """Record for each stored format the error of the result `value` of `op`, in `format`, against its
    reference `found`, if the error is beyond the limit and no error of `op` is recorded for this format yet.
    `own` is the limit of the operation itself.
    """
    errors: OperationErrors = block.launch.errors
    errors.events += 1
    wrong = precision_reference.error(value, format, found.exact)
    if not wrong.any():
        return
    known = errors.found.get(op)
    size = precision_reference.scale(found.exact)
    for stored in errors.formats:
        if known is not None and stored.name in known:
            continue
        excess = excess_of(wrong, found, size, format if own.units else stored, errors.factors, own.units)
        if excess is None:
            continue
        units, element, is_cancelled = excess
        given = precision_reference.of_value(value, format).exact
        known = errors.found.setdefault(op, {})
        known[stored.name] = Excess(
            errors.events,
            str(block),
            element,
            float(given[element]),
            float(found.exact[element]),
            units,
            is_cancelled,
        )


def excess_of(
    wrong: NumpyArray,
    found: Reference,
    size: NumpyArray,
    format: ElementFormat,
    factors: ElementFormat,
    own: float = 0.0,
) -> tuple[float, tuple[int, ...], bool] | None:
    """Return the largest error beyond the limit, in units in the last place of `format`, the index of its
    element, and whether only the median error is beyond its limit: half of the elements lost most of their
    digits. Return None if no error is beyond a limit.

    ``wrong`` are the errors and ``size`` the sizes at which they count. Digits that factors of matrix products do
    not have in the format ``factors`` are not lost. A limit of the operation's ``own`` counts at the size of each
    element itself.
    """
    if own:
        size = np.abs(found.exact).astype(np.float64)
    one = precision_reference.unit(size, format)
    limit = own or ALLOWED_UNITS
    beyond = wrong > (found.wide + limit * one) * (1 + SLACK)
    units = np.asarray(wrong / one)
    lost = CANCELLED_UNITS * 2.0 ** max(0, format.precision - factors.precision)
    is_cancelled = bool(np.median(units) > lost)
    if not beyond.any() and not is_cancelled:
        return None
    chosen = np.where(beyond, units, -1.0) if beyond.any() else units
    element = tuple(int(i) for i in np.unravel_index(int(np.argmax(chosen)), units.shape))
    return float(units[element]), element, is_cancelled and not beyond.any()
