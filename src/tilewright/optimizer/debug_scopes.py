"""`synthesize-debug-info-scopes`: kernels without debug scopes get some, made from their places in files."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes
from tilewright.dialects.cuda_tile.rules.debug_info import scoped_location
from tilewright.ir.attribute import Location
from tilewright.ir.declaration.traits import symbol_name
from tilewright.ir.location import CallSiteLocation, FileLineColLocation, FusedLocation, NameLocation
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState

NO_FILE = cuda_tile_attributes.DIFileAttr("<unknown>", "")


def synthesize_scopes(module: Operation) -> int:
    """Add a subprogram to each function directly in `module` that has no debug scope; return the number of
    these functions. All share a compile unit, whose file is the file of the module's location.
    """
    place = file_location(module.location)
    unit = cuda_tile_attributes.DICompileUnitAttr(NO_FILE if place is None else _file_of(place))
    functions = [op for op in module.regions[0].block if "function_type" in op.attributes]
    return sum(_synthesize(function, unit) for function in functions)


def file_location(location: Location) -> FileLineColLocation | None:
    """Return the first file position in a location; None if there is none. In an inlined call it is the
    caller's.
    """
    pending = [location]
    while pending:
        current = pending.pop()
        match current:
            case FileLineColLocation():
                return current
            case cuda_tile_attributes.DILocation():
                return current.location
            case NameLocation():
                pending.append(current.child)
            case CallSiteLocation():
                pending.append(current.caller)
            case FusedLocation():
                pending.extend(reversed(current.locations))
            case _:
                pass
    return None


def _file_of(place: FileLineColLocation) -> cuda_tile_attributes.DIFileAttr:
    directory, name = posixpath.split(place.file)
    return cuda_tile_attributes.DIFileAttr(name, directory)


def _synthesize(function: Operation, unit: cuda_tile_attributes.DICompileUnitAttr) -> bool:
    """Give a function and its operations a new subprogram, unless the function has a debug scope; return
    whether it had none.
    """
    if scoped_location(function.location) is not None:
        return False
    place = file_location(function.location)
    file = unit.file if place is None else _file_of(place)
    place = place or FileLineColLocation.at(file.file_name, 1, 1)
    name = symbol_name(function) or ""
    scope = cuda_tile_attributes.DISubprogramAttr(file, place.line, name, name, unit, place.line)
    for op in function.walk():
        op.location = cuda_tile_attributes.DILocation(file_location(op.location) or place, scope)
    return True


@dataclass(frozen=True)
class SynthesizeDebugInfoScopes(Pass):
    """Gives kernels without debug scopes a subprogram each, made from their locations, so that line tables work.

    All kernels share a compile unit, whose file is the file of the module's location. Operations without a file
    position get the kernel's. Kernels with a scope stay as they are.
    """

    name: ClassVar[str] = "synthesize-debug-info-scopes"
    anchor: ClassVar[str | None] = "cuda_tile.module"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-scopes", synthesize_scopes(op))
