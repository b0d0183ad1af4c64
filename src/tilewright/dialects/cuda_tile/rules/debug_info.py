"""Rules of debug information: operations are in the subprogram of their kernel, globals in none."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.dialects.cuda_tile.attributes import DILocation, DISubprogramAttr
from tilewright.ir.attribute import Location
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.location import CallSiteLocation, FusedLocation, NameLocation
from tilewright.ir.operation import Operation
from tilewright.ir.text.attribute_printer import AttributePrinter

LOCATION = "invalid function debug info location: "
FUNCTION = "invalid function debug info scope: "
OPERATION = "invalid operation debug info scope: "


def scoped_location(location: Location) -> DILocation | None:
    """Return the first location with a debug scope in a location; in a call site location it is searched in
    the caller. None if there is no scope.
    """
    pending = [location]
    while pending:
        current = pending.pop()
        if isinstance(current, DILocation):
            return current
        if isinstance(current, CallSiteLocation):
            pending.append(current.caller)
        elif isinstance(current, FusedLocation):
            pending.extend(reversed(current.locations))
        elif isinstance(current, NameLocation):
            pending.append(current.child)
    return None


def subprogram_of(location: Location) -> DISubprogramAttr | None:
    """Return the subprogram of the debug scope of a location; None if it has no scope."""
    scoped = scoped_location(location)
    return scoped.subprogram if scoped is not None else None


def check_function_location(op: Operation, name: str) -> None:
    """Raise `VerifyError` if the location of a kernel is a call site, or if its scope is not a subprogram
    with the linkage name ``name``. A location without a scope is valid.
    """
    if isinstance(op.location, CallSiteLocation):
        raise VerifyError(f"{LOCATION}{op.location}. Function location must not be a CallSiteLoc.")
    scoped = scoped_location(op.location)
    if scoped is None:
        return
    scope = scoped.scope
    if not isinstance(scope, DISubprogramAttr):
        raise VerifyError(
            f"{FUNCTION}{scope}. Function location must have cuda_tile.di_subprogram debug info scope."
        )
    if scope.linkage_name != name:
        raise VerifyError(
            f'{FUNCTION}{scope}. Function name "{name}" does not match subprogram scope linkage name '
            f'"{scope.linkage_name}".'
        )


def check_body_locations(function: Operation) -> None:
    """Raise `VerifyError` unless the scope of every operation in a kernel is in the kernel's subprogram.
    Locations without a scope are valid.
    """
    own = subprogram_of(function.location)
    checked: set[Location] = set()
    for op in reversed(list(function.walk(reverse=True))):  # inner operations first
        if op.location not in checked:
            checked.add(op.location)
            _check_scope(op, own)


def _check_scope(op: Operation, own: DISubprogramAttr | None) -> None:
    scope = subprogram_of(op.location)
    if scope is None or scope is own:
        return
    if own is None:
        raise VerifyError(
            f"{OPERATION}{scope}. Operation has debug info scope, but function debug info scope is undefined.",
            op=op,
        )
    raise VerifyError(
        f"{OPERATION}{scope}. Operation debug info scope does not match function debug info scope: {own}.",
        prefix=False,
        op=op,
    )


def check_global_locations(symbols: Iterable[Operation]) -> None:
    """Raise `VerifyError` if the location of one of `symbols`, the globals of a module, has a debug scope."""
    for symbol in symbols:
        scoped = scoped_location(symbol.location)
        if scoped is not None:
            place = AttributePrinter().inline_location_text(scoped)
            raise VerifyError(f"{OPERATION}{place}. Global variables must not have scope.", op=symbol)
