"""The requirements of single modifiers beyond their forms, as data: PTX versions, targets, and other modifiers.

A form has the minimum version and target of its plainest choice.  Each row here is a list of instructions, conditions on
the modifiers, and their requirements.  An instruction stands for itself, with a star for all names that begin so.  A
condition is ``slot=choice|choice``, ``choice|choice`` for modifiers in any slot, ``slot=?`` for any choice, and the same
behind an exclamation mark if it must not hold.  The rows follow `ptxas`; ``python -m tools.ptx_forms`` compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tilewright.ptx.table.targets import Version

_L1 = "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"
_HALVES = "f16|f16x2"
_INTEGERS = "u8|u16|u32|u64|s8|s16|s32|s64"
_WIDE, _DOUBLE = "b32|u32|s32|f32", "b64|u64|s64|f64"
_WAITS = "mbarrier.expect_tx* mbarrier.complete_tx* mbarrier.arrive* mbarrier.test_wait* mbarrier.try_wait*"
_SINCE = (
    ("*", "shared::cta", 0, "7.8"),
    ("*", "shared::cluster", 90, "7.8"),
    ("*", "param::entry|param::func", 0, "8.3"),
    ("*", "scope=cluster", 90, "7.8"),
    ("cvta isspacep", "space=param", 0, "7.7"),
    ("ld st", _L1, 70, "7.4"),
    ("ld", "L2::64B|L2::128B", 75, "7.4"),
    ("ld", "L2::256B", 80, "7.4"),
    ("ld st", "mmio", 70, "8.2"),
    ("ld st atom red", "L2::cache_hint", 80, "7.4"),
    ("min max", f"xorsign|abs type={_HALVES}|bf16|bf16x2", 86, "7.2"),
    ("set", f"dtype={_INTEGERS} {_HALVES}", 53, "6.5"),
    ("cp.async", "L2::64B|L2::128B|L2::256B", 80, "7.4"),
    ("tensormap.replace*", "swizzle_atomicity", 90, "8.6"),
    ("wgmma.mma_async*", "atype=s8 btype=u8", 90, "8.4"),
    ("wgmma.mma_async*", "atype=u8 btype=s8", 90, "8.4"),
    ("mma.sp::ordered_metadata*", "", 80, "8.5"),
    ("mma.sp*", "e4m3|e5m2", 89, "8.4"),
    ("wmma*", "bf16|tf32|m16n16k8|m8n8k4", 80, "7.0"),
    ("tcgen05.mma*", "block16|block32", 100, "8.8"),
    ("cvt", "dtype=bf16 atype=f32", 80, "7.0"),
    ("cvt", "dtype=f32 atype=bf16", 80, "7.1"),
    ("cvt", "dtype=bf16 !atype=f32", 90, "7.8"),
    ("cvt", "!dtype=f32 atype=bf16", 90, "7.8"),
    ("cvt", "satfinite dtype=f16|bf16|f16x2|bf16x2|tf32", 80, "8.1"),
    ("cvt", "satfinite rnd=rn|rz dtype=tf32", 100, "8.6"),
    ("bar* barrier*", "cta", 0, "7.8"),
    ("barrier.cluster*", "release|relaxed|acquire", 90, "8.0"),
    ("fence", "sem=acquire|release", 90, "8.6"),
    ("atom", "scope=sys type=b128", 90, "8.4"),
    (_WAITS, "sem=?", 80, "8.0"),
    (_WAITS, "sem=relaxed", 90, "8.0"),
)
_WITHOUT = (
    ("ld st", "l2=? !vec=v4|v8", "moves 256 bits at once"),
    ("ld st", f"l2=? !type={_WIDE}|{_DOUBLE}", "moves 256 bits at once"),
    ("ld st", f"l2=? vec=v4 type={_WIDE}", "moves 256 bits at once"),
    ("ld", "cop=lu|cv nc", "has neither .lu nor .cv beside .nc"),
    ("cp.reduce.async.bulk", "op=add type=f16|bf16 !noftz", "takes .noftz"),
    ("multimem.ld_reduce multimem.red", "op=min|max type=b32|b64|f32|f64", "has no such type"),
    ("multimem.ld_reduce multimem.red", "op=add type=b32|b64|s64", "has no such type"),
    (
        "cp.async.bulk* cp.reduce.async.bulk.tensor",
        "dim=1d mode=tile::gather4|tile::scatter4|im2col|im2col::w|im2col::w::128|im2col_no_offs",
        "has more than one dimension in this mode",
    ),
    ("tcgen05.mma.ws*", "cta_group::2", "is of one block"),
    ("tcgen05.mma*", "kind::mxf8f6f4 scale_vec::2X|scale_vec::4X|block16", "has one scale for 32 elements"),
    ("slct", "ftz type=s32", "has no .ftz beside an integer"),
    ("mov ldu", "vec=v8", "has vectors of two and four"),
    ("mov", "vec=? type=u8|s8|b8", "has no vectors of bytes"),
    ("cvt", "ftz !f32", "has .ftz beside .f32 only"),
    ("cvt", "sat bf16", "has no .sat beside .bf16"),
    ("atom red", "vec=? shared|shared::cta|shared::cluster", "has vectors in global memory only"),
    ("atom", "op=cas hint=? type=b16", "takes no .L2::cache_hint"),
    (f"{_WAITS} multimem.*", "sem=relaxed|acquire|release !scope=?", "takes a scope beside its order"),
    (f"{_WAITS} multimem.*", "scope=? !sem=?", "takes an order beside its scope"),
    ("mbarrier.arrive*", "noComplete scope=cluster", "has no .cluster beside .noComplete"),
    ("multimem.*", "sem=weak scope=?", "takes no scope beside .weak"),
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the modifiers of an instruction: `slot`, or any slot if this name is empty, has a
    modifier of `words`. Without words, any modifier of the slot meets the condition. If `holds` is False, the
    condition is met if no modifier is of this kind.
    """

    slot: str
    words: frozenset[str]
    holds: bool

    def met(self, modifiers: tuple[tuple[str, str], ...]) -> bool:
        """Return whether the modifiers of an instruction, as (slot, modifier) pairs, meet the condition."""
        found = any(
            self.slot in ("", slot) and (not self.words or word in self.words) for slot, word in modifiers
        )
        return found == self.holds


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: a restriction on the instructions whose names are in ``heads`` (``*`` at the end
    stands for any rest) and whose modifiers meet all conditions. They need the architecture ``sm`` and the
    version ``ptx``; if ``refusal`` is not empty, it is the reason why no target has them.
    """

    heads: tuple[str, ...]
    conditions: tuple[Condition, ...]
    sm: int = 0
    ptx: Version = (1, 0)
    refusal: str = ""
    """The reason why no target has such an instruction; empty if targets from ``sm`` and ``ptx`` on have it.
    """

    def applies(self, name: str, modifiers: tuple[tuple[str, str], ...]) -> bool:
        """Return whether the row applies to an instruction with this name and these (slot, modifier) pairs."""
        of_name = any(
            name.startswith(head[:-1]) if head.endswith("*") else name == head for head in self.heads
        )
        return of_name and all(one.met(modifiers) for one in self.conditions)


def _condition(text: str) -> Condition:
    holds, text = not text.startswith("!"), text.removeprefix("!")
    slot, separator, words = text.rpartition("=")
    return Condition(slot if separator else "", frozenset(words.split("|")) - {"?"}, holds)


def _row(heads: str, conditions: str, sm: int = 0, ptx: str = "1.0", refusal: str = "") -> Row:
    major, minor = ptx.split(".")
    read = tuple(_condition(one) for one in conditions.split())
    return Row(tuple(heads.split()), read, sm, (int(major), int(minor)), refusal)


ROWS = (
    *(_row(heads, conditions, sm, ptx) for heads, conditions, sm, ptx in _SINCE),
    *(_row(heads, conditions, refusal=reason) for heads, conditions, reason in _WITHOUT),
)
"""The rows of both tables, as objects."""


@cache
def rows_of(name: str, modifiers: tuple[tuple[str, str], ...]) -> tuple[Row, ...]:
    """Return the rows that apply to the instruction `name` with `modifiers`, pairs of slot and choice."""
    return tuple(row for row in ROWS if row.applies(name, modifiers))


def least(name: str, modifiers: tuple[tuple[str, str], ...]) -> tuple[int, Version]:
    """Return the minimum target and the minimum PTX version that the modifiers of the instruction `name`
    require: 0 and (1, 0) if they require nothing. `modifiers` are pairs of slot and choice.
    """
    rows = [row for row in rows_of(name, modifiers) if not row.refusal]
    return max((row.sm for row in rows), default=0), max((row.ptx for row in rows), default=(1, 0))


EXACT_SIZES = {
    "applypriority": 128,
    "discard": 128,
    "fence.proxy.tensormap::generic": 128,
    "tensormap.cp_fenceproxy": 128,
}
"""Instructions by the only number of bytes that they take."""
