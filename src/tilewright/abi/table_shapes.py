"""Tables of code pointers (vtables): the number of slots, the purpose of each, and the words before them.

Under the Itanium C++ rules an object points at slot 0; two words lie before it: the offset to the top of the object
(0 for a complete object) and the type information (null in programs built without it).  So a table of ``n`` slots
takes ``n + 2`` words, and tables that lie side by side repeat every ``8 * (n + 2)`` bytes: 0x50 for eight slots, 0x38
for five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.abi.layout import POINTER_SIZE, LayoutError, Profile

PREFIX_WORDS = 2
"""The number of words before slot 0: offset to top, type information."""


@dataclass(frozen=True)
class TableShape:
    """A kind of table of code pointers; ``slots`` are the names of its slots, in order. ``invariant`` are
    slots that have the same address in every table of the kind, ``nullable`` slots that may be null.
    ``counts_prefix`` says that slots 0 and 1 are the two words before the address that objects hold, as some
    descriptions count them.
    """

    name: str
    slots: tuple[str, ...]
    doc: str
    profile: Profile
    source: str
    invariant: tuple[int, ...] = ()
    nullable: tuple[int, ...] = ()
    counts_prefix: bool = False

    @property
    def prefix_words(self) -> int:
        """The number of words before slot 0 that are not counted as slots."""
        return 0 if self.counts_prefix else PREFIX_WORDS

    @property
    def word_count(self) -> int:
        """The number of words of the whole table, prefix included."""
        return self.prefix_words + len(self.slots)

    @property
    def stride(self) -> int:
        """The distance in bytes between adjacent tables."""
        return POINTER_SIZE * self.word_count

    def slot(self, name: str) -> int:
        """Return the number of a slot. Raises `LayoutError` for an unknown name."""
        if name not in self.slots:
            raise LayoutError(f"table '{self.name}' has no slot '{name}'; its slots: {', '.join(self.slots)}")
        return self.slots.index(name)

    def offset(self, name: str) -> int:
        """Return the offset in bytes of a slot from the address that objects hold. The two prefix words have
        negative offsets if the shape counts them as slots. Raises `LayoutError` for an unknown name.
        """
        return POINTER_SIZE * (self.slot(name) - (PREFIX_WORDS if self.counts_prefix else 0))

    def encode(self, slots: Sequence[int], *, offset_to_top: int = 0, type_info: int = 0) -> bytes:
        """Return the bytes of a whole table; ``slots`` are addresses. The words ``offset_to_top`` and
        ``type_info`` precede the slots, unless the shape counts these two words among its slots: then both
        arguments are ignored. Raises `LayoutError` for another number of slots.
        """
        if len(slots) != len(self.slots):
            raise LayoutError(f"table '{self.name}' has {len(self.slots)} slots, got {len(slots)}")
        words = list(slots) if self.counts_prefix else [offset_to_top, type_info, *slots]
        return b"".join(word.to_bytes(POINTER_SIZE, "little") for word in words)

    def decode(self, table: bytes) -> dict[str, int]:
        """Return the address in each slot by name, from the bytes of a whole table.

        Raises `LayoutError` for another size.
        """
        if len(table) != self.stride:
            raise LayoutError(f"table '{self.name}' is {self.stride} bytes, got {len(table)}")
        start = POINTER_SIZE * self.prefix_words
        words = [
            int.from_bytes(table[at : at + 8], "little") for at in range(start, len(table), POINTER_SIZE)
        ]
        return dict(zip(self.slots, words, strict=True))


CONVERSION_PATTERN_TABLE = TableShape(
    "conversion pattern",
    (
        "type_info_helper",
        "deleting_destructor",
        "destructor",
        "empty_trait",
        "get_debug_name",
        "match",
        "match_and_rewrite",
        "get_dependent_operation_names",
    ),
    "The table of patterns of shapes B, C and D. The two invariant slots tell it from every other "
    "table of eight.",
    Profile.TILEIRAS,
    "Pattern Vtables: Eight-Slot Vtable",
    invariant=(2, 3),
)
REWRITE_PATTERN_TABLE = TableShape(
    "rewrite pattern",
    ("type_info_helper", "deleting_destructor", "destructor", "match_and_rewrite", "get_debug_name"),
    "The table of patterns of shape A.",
    Profile.TILEIRAS,
    "Pattern Vtables: Five-Slot RewritePattern Vtable",
)
PASS_CONCEPT_TABLE = TableShape(
    "pass concept",
    (
        "type_info",
        "type_info_extension",
        "deleting_destructor",
        "destructor",
        "run",
        "name",
        "is_required",
        "tail_destructor",
    ),
    "One shape for every pass model of the new pass manager. Slots 0 and 1 are the Itanium prefix words, null without "
    "run-time type information.",
    Profile.TILEIRAS,
    "Vtable Banks: PassConcept vtable shape",
    nullable=(0, 1),
    counts_prefix=True,
)
DIALECT_TABLE = TableShape(
    "dialect",
    (
        "destructor",
        "deleting_destructor",
        "get_canonicalization_patterns",
        "materialize_constant",
        "parse_attribute",
        "print_attribute",
        "parse_type",
        "print_type",
        "verify_region_argument_attribute",
        "verify_region_result_attribute",
        "verify_operation_attribute",
    ),
    "The table of every dialect. The notes name the hooks in this order and give no slot numbers.",
    Profile.TILEIRAS,
    "Vtable Banks: Dialect vtables",
)
WALK_VISITOR_TABLE = TableShape(
    "walk visitor",
    ("enter", "leave", "per_op"),
    "The hooks of a walk. The notes also quote the offsets 16 (enter), 0x24 (leave) and 64 (per_op) for one call site; "
    "these do not fit three slots, so only the order of the hooks counts.",
    Profile.TILEIRAS,
    "Operation Layout: Walker Contract",
)
UPSTREAM_CONVERSION_PATTERN_TABLE = TableShape(
    "conversion pattern",
    (
        "destructor",
        "deleting_destructor",
        "match_and_rewrite_operation",
        "anchor",
        "match_and_rewrite_values",
        "match_and_rewrite_value_ranges",
        "match_and_rewrite_op",
        "match_and_rewrite_op_one_to_n",
    ),
    "`OpConversionPattern`. Slot 2 is the one body of `ConversionPattern` that forwards to slot 4, slot 3 the empty "
    "anchor: the same address in every table, which is why the eight-slot form has two invariant slots.",
    Profile.UPSTREAM,
    "MLIR 22: PatternMatch.h, DialectConversion.h",
    invariant=(2, 3),
)
UPSTREAM_REWRITE_PATTERN_TABLE = TableShape(
    "rewrite pattern",
    (
        "destructor",
        "deleting_destructor",
        "match_and_rewrite_operation",
        "anchor",
        "match_and_rewrite_op",
    ),
    "`OpRewritePattern`; a plain `RewritePattern` ends after the anchor.",
    Profile.UPSTREAM,
    "MLIR 22: PatternMatch.h",
    invariant=(3,),
)
UPSTREAM_PASS_CONCEPT_TABLE = TableShape(
    "pass concept",
    ("destructor", "deleting_destructor", "run", "print_pipeline", "name", "is_required"),
    "`llvm::detail::PassModel`: with its two prefix words it is eight words long, as in the other profile.",
    Profile.UPSTREAM,
    "LLVM 22: PassManagerInternal.h",
)
UPSTREAM_DIALECT_TABLE = TableShape(
    "dialect",
    (
        "destructor",
        "deleting_destructor",
        "get_canonicalization_patterns",
        "materialize_constant",
        "parse_attribute",
        "print_attribute",
        "parse_type",
        "print_type",
        "get_parse_operation_hook",
        "get_operation_printer",
        "verify_region_argument_attribute",
        "verify_region_result_attribute",
        "verify_operation_attribute",
        "get_registered_interface_for_op",
    ),
    "Every dialect.",
    Profile.UPSTREAM,
    "MLIR 22: Dialect.h",
)
MLIR_PASS_TABLE = TableShape(
    "pass",
    (
        "destructor",
        "deleting_destructor",
        "get_name",
        "get_dependent_dialects",
        "get_argument",
        "get_description",
        "initialize_options",
        "run_on_operation",
        "initialize",
        "can_schedule_on_name",
        "can_schedule_on_operation",
        "clone_pass",
        "anchor",
    ),
    "Every `mlir::Pass`.",
    Profile.UPSTREAM,
    "MLIR 22: Pass.h",
)

TABLE_SHAPES: tuple[TableShape, ...] = (
    CONVERSION_PATTERN_TABLE,
    REWRITE_PATTERN_TABLE,
    PASS_CONCEPT_TABLE,
    DIALECT_TABLE,
    WALK_VISITOR_TABLE,
    UPSTREAM_CONVERSION_PATTERN_TABLE,
    UPSTREAM_REWRITE_PATTERN_TABLE,
    UPSTREAM_PASS_CONCEPT_TABLE,
    UPSTREAM_DIALECT_TABLE,
    MLIR_PASS_TABLE,
)
"""All declared tables of code pointers."""

ARITH_CLUSTER_TABLES = 43
"""The number of tables in the longest sequence of conversion pattern tables in tileiras 13.1."""
ARITH_CLUSTER_FIRST, ARITH_CLUSTER_LAST = 0x59B5480, 0x59B61A0
"""The addresses of the first and the last of these tables, which are 42 strides apart. The notes call the
members objects; at a stride of 0x50 they are tables.
"""


def table_shape(name: str, profile: Profile) -> TableShape:
    """Return the table shape called ``name`` in a profile. Raises `LayoutError` if there is none."""
    for shape in TABLE_SHAPES:
        if shape.name == name and shape.profile is profile:
            return shape
    raise LayoutError(f"no table '{name}' in profile {profile}")
