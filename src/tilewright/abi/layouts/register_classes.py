"""Descriptors of register classes, as LLVM's code generator keeps them in read-only data."""

from __future__ import annotations

from tilewright.abi.layout import I8, U8, U16, U32, U64, AbiLayout, LayoutField, Struct, both, pointer

FAMILY = "register classes"
_MC = "LLVM 22: MCRegisterInfo.h"
_TARGET = "LLVM 22: TargetRegisterInfo.h"

MC_REGISTER_CLASS = Struct(
    "MCRegisterClass",
    32,
    (
        LayoutField("registers", 0x00, pointer("u16"), "the registers of the class", _MC),
        LayoutField("set", 0x08, pointer("u8"), "bit set of them", _MC),
        LayoutField("name", 0x10, U32, "offset of the name in the table of names", _MC),
        LayoutField("num_registers", 0x14, U16, "their number", _MC),
        LayoutField("set_size", 0x16, U16, "bytes of the bit set", _MC),
        LayoutField("id", 0x18, U16, "number of the class", _MC),
        LayoutField("bits", 0x1A, U16, "bits of a register", _MC),
        LayoutField("copy_cost", 0x1C, I8, "cost of a copy", _MC),
        LayoutField("allocatable", 0x1D, U8, "registers may be handed out", _MC),
        LayoutField("base_class", 0x1E, U8, "may be named by assembly", _MC),
    ),
    "The part of a register class that assemblers know, too.",
)
TARGET_REGISTER_CLASS = Struct(
    "TargetRegisterClass",
    0x40,
    (
        LayoutField("mc", 0x00, pointer("MCRegisterClass"), "the part that assemblers know", _TARGET),
        LayoutField("subclass_mask", 0x08, pointer("u32"), "bit set of subclasses", _TARGET),
        LayoutField("superregister_indices", 0x10, pointer("u16"), "indices of registers around it", _TARGET),
        LayoutField("lane_mask", 0x18, U64, "lanes it covers", _TARGET),
        LayoutField("allocation_priority", 0x20, U8, "order of service", _TARGET),
        LayoutField("global_priority", 0x21, U8, "whether that holds across classes", _TARGET),
        LayoutField("target_flags", 0x22, U8, "flags of the target", _TARGET),
        LayoutField("has_disjunct_subregisters", 0x23, U8, "parts do not overlap", _TARGET),
        LayoutField("covered_by_subregisters", 0x24, U8, "parts make up the whole", _TARGET),
        LayoutField("superclasses", 0x28, pointer("u32"), "numbers of the classes around it", _TARGET),
        LayoutField("num_superclasses", 0x30, U16, "their number", _TARGET),
        LayoutField(
            "raw_allocation_order", 0x38, pointer("code"), "order in which to hand out, or null", _TARGET
        ),
    ),
    "A register class. Published notes on tileiras list the members and give no offsets.",
)

LAYOUTS: tuple[AbiLayout, ...] = (
    both("mc_register_class", FAMILY, MC_REGISTER_CLASS),
    both("target_register_class", FAMILY, TARGET_REGISTER_CLASS),
)
