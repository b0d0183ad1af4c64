"""Array arguments: any Python object that owns host memory becomes an `ArrayView`."""

from __future__ import annotations

from tilewright.driver.launch_arguments import LaunchError
from tilewright.host import addresses, arrays
from tilewright.host.arrays import ArrayView


def array_view(value: object, subject: str) -> ArrayView:
    """Return a view of the array argument `value`.

    Raises `LaunchError` naming ``subject`` if its memory cannot be used as it is.
    """
    try:
        return arrays.array_view(value)
    except addresses.UnusableMemoryError as error:
        raise LaunchError(subject, error.reason, error.hint) from None
