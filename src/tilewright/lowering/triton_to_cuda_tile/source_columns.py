"""Source locations of Triton programs: Triton's front end counts columns from 1, this package from 0."""

from __future__ import annotations

from functools import lru_cache

from tilewright.ir.attribute import Location
from tilewright.ir.location import CallSiteLocation, FileLineColLocation, FusedLocation, NameLocation


@lru_cache(1 << 14)
def in_our_columns(location: Location) -> Location:
    """Return a location of a Triton program with columns as this package counts them. Triton counts from 1 in
    every file; here columns of Python files count from 0, columns of other files from 1
    (`FileLineColLocation.at`). Parts of nested locations are converted as well.
    """
    if isinstance(location, FileLineColLocation):
        return FileLineColLocation.at(location.file, location.line, location.column)
    if isinstance(location, NameLocation):
        return NameLocation(location.label, in_our_columns(location.child))
    if isinstance(location, CallSiteLocation):
        return CallSiteLocation(in_our_columns(location.callee), in_our_columns(location.caller))
    if isinstance(location, FusedLocation):
        return FusedLocation(tuple(map(in_our_columns, location.locations)), location.metadata)
    return location
