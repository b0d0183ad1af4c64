"""How text is printed."""

from __future__ import annotations

from tilewright.ir.support.record import Record


class PrintOptions(Record, frozen=True, kw_only=True):
    """Choices of the printer; MLIR's flags stand in brackets.

    - ``generic``: the generic form even where there is a custom one [--mlir-print-op-generic].  Value names are then
      unique and name hints are not asked for, as in MLIR.
    - ``debug_info``: locations, with their aliases [--mlir-print-debuginfo].
    - ``use_local_scope``: no aliases; everything is spelt where it is used [--mlir-print-local-scope].
    - ``unique_names``: sibling regions do not reuse value names [--mlir-print-unique-ssa-ids].
    - ``names_from_locations``: a value is called as the name in its location, if there is one
      [--mlir-use-nameloc-as-prefix]: so programs keep the names that their variables have in the source.
    - ``hex_elements_above``: dense data with more elements prints as one hexadecimal string
      [--mlir-print-elementsattrs-with-hex-if-larger]; None never does.
    - ``elide_elements_above``: dense data with more elements prints as ``dense_resource<__elided__>``, which no
      parser reads back [--mlir-elide-elementsattrs-if-larger]; None never does.
    - ``skip_regions``: ``{...}`` in place of regions [--mlir-print-skip-regions].
    """

    generic: bool = False
    debug_info: bool = False
    use_local_scope: bool = False
    unique_names: bool = False
    names_from_locations: bool = False
    hex_elements_above: int | None = 100
    elide_elements_above: int | None = None
    skip_regions: bool = False
