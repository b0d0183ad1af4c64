"""Rules of variables: alignment, size, initial values, and the total size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.ptx import model, scopes
from tilewright.ptx.table import targets
from tilewright.ptx.value_types import TYPES, ValueKind

Finding = tuple[str, model.LineColumn]
INITIALISED = frozenset({"global", "const"})
"""The state spaces whose variables may have initial values."""


def bytes_of(one: model.PtxVariable) -> int:
    """Return the size of a variable in bytes. An open extent is the number of initial values, 0 without
    these.
    """
    count = max(one.vector, 1)
    for extent in one.dims:
        count *= extent or (len(one.initial) if isinstance(one.initial, tuple) else 0)
    return count * max(TYPES[one.type].bits // 8, 1)


def alignment_of(one: model.PtxVariable) -> int:
    """Return the alignment of a variable in bytes: the declared one, else the size of an element or vector."""
    return one.align or max(TYPES[one.type].bits // 8, 1) * max(one.vector, 1)


def variable(one: model.PtxVariable, names: scopes.ScopeNames) -> Iterator[Finding]:
    """Yield (message, place) for each rule that a variable breaks: its alignment, type, extents and initial
    values. It is declared in the scope `names`.
    """
    if one.align and one.align & (one.align - 1):
        yield f"'{one.name}' is aligned to {one.align}, which is not a power of two", one.place
    if one.space != "reg" and TYPES[one.type].kind is ValueKind.PREDICATE:
        yield f"'{one.name}' is a predicate; predicates are in registers only", one.place
    open_ = 0 in one.dims and one.linkage != "extern" and one.initial is None
    if open_ and one.space != "param":
        yield f"'{one.name}' has an extent that is open or zero", one.place
    if one.initial is not None:
        if one.space not in INITIALISED:
            yield f"'{one.name}' is in {one.space} memory, which has no initial values", one.place
        for message in _initial(one, one.initial, names):
            yield message, one.place


def _initial(one: model.PtxVariable, initial: model.Initial, names: scopes.ScopeNames) -> Iterator[str]:
    extents = (*one.dims, one.vector) if one.vector else one.dims
    pending: list[tuple[model.Initial, tuple[int, ...]]] = [(initial, extents)]
    while pending:
        value, left = pending.pop()
        if isinstance(value, tuple):
            if not left:
                yield f"'{one.name}' has a list of initial values where it has one number"
                return
            if left[0] and len(value) > left[0]:
                yield f"'{one.name}' has {len(value)} initial values for {left[0]} elements"
                return
            pending.extend((inner, left[1:]) for inner in value)
        else:
            yield from _number(one, value, names)


def _number(
    one: model.PtxVariable,
    value: model.IntegerConstant | model.Float | model.SymbolAddress,
    names: scopes.ScopeNames,
) -> Iterator[str]:
    if isinstance(value, model.Float) and TYPES[one.type].kind in (ValueKind.UNSIGNED, ValueKind.SIGNED):
        yield f"'{one.name}' is of type .{one.type}, and its initial value is a float"
    if isinstance(value, model.SymbolAddress):
        meaning = names.find(value.name)
        if not isinstance(meaning, model.PtxFunction) and not (
            isinstance(meaning, model.PtxVariable) and meaning.space in ("global", "const", "shared", "tex")
        ):
            yield f"'{value.name}', an initial value of '{one.name}', has no address"


def constants(found: Iterable[model.PtxVariable]) -> Iterator[Finding]:
    """Yield one (message, place) unless the constant variables among `found` fit together into constant
    memory.
    """
    total = 0
    for one in found:
        if one.space == "const" and one.linkage != "extern":
            total += bytes_of(one)
            if total > targets.CONSTANT_BYTES:
                message = f"constant variables up to '{one.name}' take {total:,} bytes; the limit is {targets.CONSTANT_BYTES:,}"
                yield message, one.place
                return


def parameters(function: model.PtxFunction, sm: int, version: targets.Version) -> Iterator[Finding]:
    """Yield a (message, place) unless the parameters of a kernel fit into its parameter memory on `sm` in PTX
    `version`. Functions other than kernels have no limit.
    """
    end = 0
    for one in function.parameters:
        align = alignment_of(one)
        end = -(-end // align) * align + bytes_of(one)
    most = targets.parameter_bytes(sm, version)
    if function.entry and end > most:
        yield f"the parameters of '{function.name}' take {end:,} bytes; the limit is {most:,}", function.place


def shared(function: model.PtxFunction, used: Iterable[model.PtxVariable], most: int) -> Iterator[Finding]:
    """Yield a (message, place) unless the static shared variables `used` by a kernel fit into `most` bytes."""
    end = 0
    for one in used:
        align = alignment_of(one)
        end = -(-end // align) * align + bytes_of(one)
    if end > most:
        message = f"'{function.name}' uses {end:,} bytes of static shared memory; the limit is {most:,}"
        yield message, function.place
