"""Millions of operations of an image as NumPy columns: found by a scan, filtered by kind, counts or any header field.

A scan looks at every aligned place of a segment for a word that is the address of a kind's record where a header has its
kind, and keeps the places whose links agree with their neighbours'.  No pointer is followed one at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.abi.codes import MISSING_PACKAGE
from tilewright.abi.image.segments import AbiImage, MemorySegment
from tilewright.abi.image.views import View, malformed
from tilewright.abi.layout import LayoutError, LayoutField, Profile, Struct
from tilewright.abi.layouts import operation as ops
from tilewright.ir.diagnostic import failure

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Addresses = NDArray[numpy.uint64]

_WORD = 8


def _numpy() -> Any:
    try:
        import numpy as np
    except ImportError:
        raise failure(
            MISSING_PACKAGE,
            "arrays over images need the package 'numpy'",
            hint="pip install 'tilewright[inspect]'",
        ) from None
    return np


class OperationTable:
    """Operations of one segment, whose header fields are read as NumPy arrays: by ascending address if `scan`
    has found them, in the given order for `of`.
    """

    def __init__(self, segment: MemorySegment, profile: Profile, addresses: Addresses) -> None:
        self.segment = segment
        self.profile = profile
        self.addresses = addresses
        self._struct = OPERATION[profile]

    @classmethod
    def scan(
        cls, image: AbiImage, profile: Profile, segment: str = "operations", kinds: str = "kinds"
    ) -> OperationTable:
        """Return a table of the operations in a segment: addresses whose ``name`` word points into the
        segment ``kinds``, which holds the records of kinds, and whose links agree with the links of their
        neighbours. Raises `KeyError` for an unknown segment, and `DiagnosticError` without NumPy.
        """
        np = _numpy()
        held, records = image.segment(segment), image.segment(kinds)
        words = _words(held)
        offset = OPERATION[profile].offset("name")
        named = (words >= records.base) & (words < records.end)
        starts = np.flatnonzero(named).astype(np.int64) * _WORD - offset
        table = cls(held, profile, (starts[starts >= 0] + held.base).astype(np.uint64))
        return table.where(table._links_agree())

    @classmethod
    def of(cls, image: AbiImage, view: View, addresses: list[int]) -> OperationTable:
        """Return a table of the operations at ``addresses``, in this order; they must be in one segment.
        Raises `DiagnosticError` if there are none, if the first is in no segment of the image, and without
        NumPy.
        """
        np = _numpy()
        held = image.at(addresses[0]) if addresses else None
        if held is None:
            raise malformed("no operation to make a table of")
        return cls(held, view.profile, np.array(addresses, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.addresses)

    def column(self, name: str) -> NDArray[Any]:
        """Return the values of one header field, one for each operation. Raises `LayoutError` for a field
        that is not an integer of 1, 2, 4 or 8 bytes.
        """
        field = self._struct[name]
        return _gather(self.segment, self.addresses, field)

    def where(self, chosen: NDArray[Any]) -> OperationTable:
        """Return the table of the operations that the mask ``chosen`` selects; it has a Boolean for each
        operation of this table.
        """
        return OperationTable(self.segment, self.profile, self.addresses[chosen])

    def of_kind(self, *records: int) -> OperationTable:
        """Return the table of the operations of some kinds; ``records`` are the addresses of the records of
        these kinds.
        """
        np = _numpy()
        names = self.column("name")
        if len(records) == 1:
            return self.where(names == np.uint64(records[0]))
        return self.where(np.isin(names, np.array(records, dtype=np.uint64)))

    def kinds(self) -> dict[int, int]:
        """Return the number of operations of each kind, by the address of the kind's record, most frequent
        first.
        """
        np = _numpy()
        records, counts = np.unique(self.column("name"), return_counts=True)
        pairs = sorted(zip(records.tolist(), counts.tolist(), strict=True), key=lambda p: (-p[1], p[0]))
        return dict(pairs)

    def names(self, view: View) -> dict[str, int]:
        """Return the number of operations of each kind, by the kind's name."""
        return {view.kind_name(record): count for record, count in self.kinds().items()}

    def _links_agree(self) -> NDArray[Any]:
        """Return a mask of the operations whose links are consistent: the next operation links back to it, or
        it is the last of its block.
        """
        np = _numpy()
        struct, base = LINKS[self.profile]
        following = _gather(self.segment, self.addresses, struct["next"], base)
        segment = self.segment
        low, high = np.uint64(segment.base - base), np.uint64(max(segment.end - struct.size - base, 0))
        has_next = (following >= low) & (following <= high) & (following % np.uint64(_WORD) == 0)
        targets = np.where(has_next, following, self.addresses)
        back = _gather(segment, targets, struct["previous"], base) & np.uint64(~7 & (1 << 64) - 1)
        ends = self._is_end(following)
        return ends | (has_next & (back == self.addresses))

    def _is_end(self, following: NDArray[Any]) -> NDArray[Any]:
        """Return a mask of the links that end the list of a block's operations. ``following`` has the link to
        the next operation of each operation of the table.
        """
        np = _numpy()
        if self.profile is Profile.TILEIRAS:
            return following == 0
        head = self.column("block") + np.uint64(ops.BLOCK_OPERATIONS_OFFSET)
        return (following == head) | ((following == 0) & (self.column("block") == 0))


OPERATION: dict[Profile, Struct] = {
    Profile.TILEIRAS: ops.OPERATION,
    Profile.UPSTREAM: ops.UPSTREAM_OPERATION,
}
LINKS: dict[Profile, tuple[Struct, int]] = {
    Profile.TILEIRAS: (ops.OPERATION_LINK, -ops.OPERATION_LINK.size),
    Profile.UPSTREAM: (ops.UPSTREAM_OPERATION, 0),
}
"""For each profile, the struct with the links of an operation, and its offset from the operation's address in
bytes.
"""


def _words(segment: MemorySegment) -> NDArray[Any]:
    np = _numpy()
    return np.frombuffer(segment.data, dtype="<u8", count=len(segment.data) // _WORD)


def _gather(segment: MemorySegment, addresses: Addresses, field: LayoutField, base: int = 0) -> NDArray[Any]:
    """Return the values of a field of the structs at ``base`` bytes from each address; 0 where the field is
    outside of the segment. Every address must be aligned. Raises `LayoutError` unless the field has 1, 2, 4
    or 8 bytes.
    """
    np = _numpy()
    size = field.form.size
    if size not in (1, 2, 4, _WORD):
        raise LayoutError(f"'{field.name}' is no column: it is {size} bytes")
    whole = np.frombuffer(segment.data, dtype=f"<u{size}", count=len(segment.data) // size)
    at = (addresses.astype(np.int64) - segment.base + base + field.offset) // size
    if len(at) and (at.min() < 0 or at.max() >= len(whole)):
        keep = (at >= 0) & (at < len(whole))
        values = np.where(keep, whole[np.where(keep, at, 0)], np.array(0, dtype=whole.dtype))
    else:
        values = whole[at]
    if field.bits is None:
        return values
    return values >> np.array(field.bits.shift, dtype=values.dtype) & np.array(field.bits.mask, values.dtype)
