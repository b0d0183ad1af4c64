"""Register classes that declarations name, and special registers, as data.

The classes are the classes of LLVM's NVPTX back end with separate integer and float registers. A class is a
descriptor for a code generator: index, width, allocatability, and containment of classes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RegisterClass:
    """A register class with the index `number`. There is a single object for each class, which is compared by
    identity. The registers of a class have names that begin with `prefix` and a width of `bits`; `holds`
    describes their values. `superclasses` are the indices of the classes that contain this one. Registers of
    PTX are virtual and do not overlap, so every class is its own only subclass. Only registers of `declared`
    classes are declared. Register allocation may use the `allocatable` classes, which all are.
    """

    number: int
    name: str
    prefix: str
    holds: str
    bits: int
    allocatable: bool = True
    declared: bool = True
    superclasses: tuple[int, ...] = ()

    @property
    def subclass_mask(self) -> int:
        """Return the set of the classes that this class contains, itself included: bit ``n`` for class number
        ``n``.
        """
        inner = (row.number for row in CLASSES if self.number in row.superclasses)
        return sum(1 << number for number in (self.number, *inner))

    @property
    def type(self) -> str:
        """Return the type of a declaration, without its dot: ``pred`` for a class of 1 bit, else ``b32`` with
        the width.
        """
        return "pred" if self.bits == 1 else f"b{self.bits}"

    def declaration(self, count: int) -> str:
        """Return the declaration of the registers ``prefix0`` to ``prefix(count - 1)``, such as ``.reg .b32
        %r<4>;``.
        """
        return f".reg .{self.type} {self.prefix}<{count}>;"


CLASSES = (
    RegisterClass(0, "Int1Regs", "%p", "predicate", 1),
    RegisterClass(1, "Int16Regs", "%rs", "16-bit integer", 16),
    RegisterClass(2, "SpecialRegs", "%", "special register", 32, declared=False),
    RegisterClass(3, "Int32Regs", "%r", "32-bit integer", 32),
    RegisterClass(4, "Float32Regs", "%f", "32-bit float", 32),
    RegisterClass(5, "Int64Regs", "%rd", "64-bit integer", 64),
    RegisterClass(6, "Int128Regs", "%rq", "128-bit integer", 128),
    RegisterClass(7, "Float64Regs", "%fd", "64-bit float", 64),
    RegisterClass(8, "Int8Regs", "%rb", "8-bit integer", 8),
)
"""Every class by its index; the last is for `cvt` of pairs of 4-bit floats, which LLVM's back end writes by
hand.
"""

POOLS = {row.prefix: row for row in CLASSES if row.declared}
"""The declared classes, by the prefix of their registers."""


def _special() -> dict[str, str]:
    vectors = ("tid", "ntid", "ctaid", "nctaid")
    clusters = ("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid")
    found = {f"%{name}.{axis}": "u32" for name in (*vectors, *clusters) for axis in "xyz"}
    words = ("laneid", "warpid", "nwarpid", "smid", "nsmid", "cluster_ctarank", "cluster_nctarank")
    found |= {f"%{name}": "u32" for name in words}
    found |= {f"%lanemask_{name}": "u32" for name in ("eq", "le", "lt", "ge", "gt")}
    found |= {f"%{name}": "u32" for name in ("clock", "clock_hi", "globaltimer_lo", "globaltimer_hi")}
    found |= {f"%{name}": "u64" for name in ("clock64", "globaltimer", "gridid", "current_graph_exec")}
    found |= {f"%{name}_smem_size": "u32" for name in ("total", "aggr", "dynamic")}
    found |= {"%reserved_smem_offset_begin": "b32", "%reserved_smem_offset_end": "b32"}
    found |= {f"%reserved_smem_offset_{name}": "b32" for name in ("cap", "0", "1")}
    found |= {f"%pm{number}": "u32" for number in range(8)} | {
        f"%pm{number}_64": "u64" for number in range(8)
    }
    found |= {f"%envreg{number}": "b32" for number in range(32)}
    return found | {"%is_explicit_cluster": "pred"}


SPECIAL = _special()
"""Special registers and their types."""
SPECIAL_VECTORS = frozenset(name.rpartition(".")[0] for name in SPECIAL if "." in name)
"""Special registers with several components, without the component."""
CONSTANTS = {"WARP_SZ": 32}
"""Names of constants, with their values."""


def registers_text() -> str:
    """Return a text with a line for each class, then for each special register."""
    classes = (
        f"{row.number} {row.name:12} {row.prefix:4} {row.holds:16} subclasses {row.subclass_mask:#04x}"
        + (f"  {row.declaration(1)}" if row.declared else "  set by the machine")
        for row in CLASSES
    )
    return "\n".join([*classes, "", *(f"{name} .{type_}" for name, type_ in SPECIAL.items())])
