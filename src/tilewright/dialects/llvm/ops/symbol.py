"""Functions, global variables and other symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import base, functions, kinds, traits as common_traits
from tilewright.dialects.llvm import (
    attributes as llvm_attributes,
    enums as llvm_enums,
    kinds as llvm_kinds,
    roles as llvm_roles,
)
from tilewright.dialects.llvm.rules import symbol as symbol_rules
from tilewright.dialects.llvm.syntax import custom as llvm_custom_syntax, symbol as symbol_syntax
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr, SymbolRefAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import attribute_kind, traits as ir_traits
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    optional_attr_def,
    optional_region_def,
    region_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

LINKAGE_DOC = "How the symbol is linked with equal names of other modules."
SYM_NAME_DOC = "The name of the symbol."
PRIORITIES_DOC = "The order of the functions: lower numbers first."
DATA_DOC = "The dependence of each function: the name of a global, or `#llvm.zero`."
THREAD_LOCAL_DOC = "Whether every thread has a variable of its own."
UNNAMED_ADDR_DOC = "Whether the address matters."
DSO_LOCAL_DOC = "Whether the symbol resolves inside the same shared object."
VISIBILITY_DOC = "The visibility of the symbol for linked objects."


class LLVMFuncOp(llvm_roles.FunctionRole, name="llvm.func"):
    """A function; the body is empty for a function that is defined elsewhere, whose linkage is external or
    extern_weak. The arguments of the entry block are the parameters.
    """

    sym_name: str = attr_def(attribute_kind.StringKind(), SYM_NAME_DOC)
    function_type: LLVMFunctionType = attr_def(llvm_kinds.FUNCTION_TYPE, "The type of the function.")
    sym_visibility: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The visibility of the symbol for other modules.", default=None
    )
    linkage: llvm_enums.Linkage = attr_def(
        llvm_kinds.LINKAGE, LINKAGE_DOC, default=llvm_enums.Linkage.EXTERNAL
    )
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    CConv: llvm_enums.CallingConvention = attr_def(
        llvm_kinds.CALLING_CONVENTION, "The calling convention.", default=llvm_enums.CallingConvention.CCC
    )
    comdat: SymbolRefAttr | None = optional_attr_def(
        attribute_kind.SymbolRefKind(flat=False), "The COMDAT to which the symbol belongs.", default=None
    )
    convergent: bool = flag_def("Whether threads that run together must call it together.", default=False)
    personality: str | None = optional_attr_def(
        attribute_kind.SymbolRefKind(), "The function that handles exceptions.", default=None
    )
    garbageCollector: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The garbage collector in use.", default=None
    )
    passthrough: tuple[Attribute, ...] | None = optional_attr_def(
        attribute_kind.ArrayKind(),
        "Further LLVM attributes: names, or pairs of name and value.",
        default=None,
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )
    function_entry_count: int | None = optional_attr_def(
        attribute_kind.IntegerKind(), "How often the function was entered when profiled.", default=None
    )
    memory_effects: llvm_attributes.MemoryEffectsAttr | None = optional_attr_def(
        llvm_kinds.MEMORY_EFFECTS, "The memory effects of the function.", default=None
    )
    visibility_: llvm_enums.LlvmVisibility = attr_def(
        llvm_kinds.VISIBILITY,
        VISIBILITY_DOC,
        default=llvm_enums.LlvmVisibility.DEFAULT,
        ir_name="visibility_",
    )
    arm_streaming: bool = flag_def("Whether the function runs in streaming mode (Arm SME).", default=False)
    arm_locally_streaming: bool = flag_def(
        "Whether the body runs in streaming mode (Arm SME).", default=False
    )
    arm_streaming_compatible: bool = flag_def(
        "Whether the function runs in either mode (Arm SME).", default=False
    )
    arm_new_za: bool = flag_def("Whether the function starts a ZA state of its own (Arm SME).", default=False)
    arm_in_za: bool = flag_def("Whether the function reads the ZA state (Arm SME).", default=False)
    arm_out_za: bool = flag_def("Whether the function returns the ZA state (Arm SME).", default=False)
    arm_inout_za: bool = flag_def(
        "Whether the function reads and returns the ZA state (Arm SME).", default=False
    )
    arm_preserves_za: bool = flag_def(
        "Whether the function leaves the ZA state alone (Arm SME).", default=False
    )
    section: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The section of the object file.", default=None
    )
    unnamed_addr: llvm_enums.UnnamedAddress | None = optional_attr_def(
        llvm_kinds.UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=None
    )
    alignment: int | None = optional_attr_def(
        attribute_kind.IntegerKind(), "Alignment in bytes, a power of two.", default=None
    )
    vscale_range: llvm_attributes.VScaleRangeAttr | None = optional_attr_def(
        llvm_kinds.VSCALE_RANGE, "Bounds of the scale of scalable vectors.", default=None
    )
    frame_pointer: llvm_enums.FramePointerKind | None = optional_attr_def(
        llvm_kinds.FRAME_POINTER, "The functions that keep a frame pointer.", default=None
    )
    target_cpu: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The target processor.", default=None
    )
    tune_cpu: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The processor that code is tuned to.", default=None
    )
    reciprocal_estimates: str | None = optional_attr_def(
        attribute_kind.StringKind(), "Where reciprocals may be estimated.", default=None
    )
    prefer_vector_width: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The preferred width of vectors in bits.", default=None
    )
    target_features: llvm_attributes.TargetFeaturesAttr | None = optional_attr_def(
        llvm_kinds.TARGET_FEATURES, "Features of the processor.", default=None
    )
    no_infs_fp_math: bool | None = optional_attr_def(
        attribute_kind.BoolKind(), "Whether infinities do not occur.", default=None
    )
    no_nans_fp_math: bool | None = optional_attr_def(
        attribute_kind.BoolKind(), "Whether NaNs do not occur.", default=None
    )
    no_signed_zeros_fp_math: bool | None = optional_attr_def(
        attribute_kind.BoolKind(), "Whether the sign of zero does not matter.", default=None
    )
    denormal_fp_math: str | None = optional_attr_def(
        attribute_kind.StringKind(), "How subnormal numbers are treated.", default=None
    )
    denormal_fp_math_f32: str | None = optional_attr_def(
        attribute_kind.StringKind(), "How subnormal f32 numbers are treated.", default=None
    )
    fp_contract: str | None = optional_attr_def(
        attribute_kind.StringKind(), "Whether multiplications and additions may be fused.", default=None
    )
    instrument_function_entry: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The function to call on entry.", default=None
    )
    instrument_function_exit: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The function to call on exit.", default=None
    )
    no_inline: bool = flag_def("Keep the call; do not put the body in its place.", default=False)
    always_inline: bool = flag_def("Put the body in place of the call.", default=False)
    inline_hint: bool = flag_def("Putting the body in place of the call is worth it.", default=False)
    no_unwind: bool = flag_def("Whether it never throws.", default=False)
    will_return: bool = flag_def("Whether it always returns or throws.", default=False)
    optimize_none: bool = flag_def("Whether the function is not optimized.", default=False)
    vec_type_hint: llvm_attributes.VecTypeHintAttr | None = optional_attr_def(
        llvm_kinds.VECTOR_TYPE_HINT, "The type in which the function mostly computes.", default=None
    )
    work_group_size_hint: tuple[int, ...] | None = optional_attr_def(
        attribute_kind.DenseArrayKind(), "The likely size of a work group.", default=None
    )
    reqd_work_group_size: tuple[int, ...] | None = optional_attr_def(
        attribute_kind.DenseArrayKind(), "The size of a work group.", default=None
    )
    intel_reqd_sub_group_size: int | None = optional_attr_def(
        attribute_kind.IntegerKind(i32), "The size of a sub-group.", default=None
    )
    uwtable_kind: llvm_enums.UnwindTableKind | None = optional_attr_def(
        llvm_kinds.UNWIND_TABLE, "The unwind table of the function.", default=None
    )
    body: Region = region_def("The code.", single_block=False)
    traits = (
        common_traits.AutomaticAllocationScope(),
        ir_traits.IsolatedFromAbove(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        symbol_syntax.print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return symbol_syntax.parse_function(cls, parser)

    def verify_(self) -> None:
        symbol_rules.check_function(self)

    def verify_regions_(self) -> None:
        symbol_rules.check_exceptions(self)


class GlobalOp(llvm_roles.LlvmGlobalRole, name="llvm.mlir.global"):
    """A global variable, or a constant with the flag `constant`, of the type `global_type`. Its initial value
    is the attribute `value`, or the operand of the `return` in the region `initializer`; a variable that is
    defined elsewhere has neither.
    """

    global_type: Type = attr_def(attribute_kind.TypeKind(), "The type of the variable.")
    sym_name: str = attr_def(attribute_kind.StringKind(), SYM_NAME_DOC)
    linkage: llvm_enums.Linkage = attr_def(llvm_kinds.LINKAGE, LINKAGE_DOC)
    constant: bool = flag_def("Whether the variable never changes.", default=False)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    thread_local_: bool = flag_def(THREAD_LOCAL_DOC, default=False, ir_name="thread_local_")
    externally_initialized: bool = flag_def(
        "Whether something else may set the variable before the program starts.", default=False
    )
    value: Attribute | None = optional_attr_def(attribute_kind.AttributeKind(), "The value.", default=None)
    alignment: int | None = optional_attr_def(
        attribute_kind.IntegerKind(), "Alignment in bytes, a power of two.", default=None
    )
    addr_space: int = attr_def(attribute_kind.IntegerKind(i32, minimum=0), "The address space.", default=0)
    unnamed_addr: llvm_enums.UnnamedAddress | None = optional_attr_def(
        llvm_kinds.UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=None
    )
    section: str | None = optional_attr_def(
        attribute_kind.StringKind(), "The section of the object file.", default=None
    )
    comdat: SymbolRefAttr | None = optional_attr_def(
        attribute_kind.SymbolRefKind(flat=False), "The COMDAT to which the symbol belongs.", default=None
    )
    dbg_exprs: tuple[Attribute, ...] | None = optional_attr_def(
        llvm_kinds.DEBUG_EXPRESSIONS, "Debug information.", default=None
    )
    visibility_: llvm_enums.LlvmVisibility = attr_def(
        llvm_kinds.VISIBILITY,
        VISIBILITY_DOC,
        default=llvm_enums.LlvmVisibility.DEFAULT,
        ir_name="visibility_",
    )
    target_specific_attrs: tuple[Attribute, ...] | None = optional_attr_def(
        attribute_kind.ArrayKind(), "Further LLVM attributes.", default=None
    )
    initializer: Region = optional_region_def("Computes the initial value.", single_block=False)
    traits = (
        ir_traits.IsolatedFromAbove(),
        common_traits.SingleBlockImplicitTerminator("llvm.return"),
        common_traits.SymbolWithVisibility(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        symbol_syntax.print_global(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return symbol_syntax.parse_global(cls.op_kind, parser)

    def verify_(self) -> None:
        symbol_rules.check_global(self)

    def verify_regions_(self) -> None:
        symbol_rules.check_initializer(self)


class GlobalCtorsOp(base.StandardOp, name="llvm.mlir.global_ctors"):
    """Lists functions of the module that run before the program starts, each with a priority (lower numbers
    first) and with the global on which it depends, or `#llvm.zero`.
    """

    ctors: tuple[str, ...] = attr_def(llvm_kinds.SYMBOLS, "The names of the functions.")
    priorities: tuple[int, ...] = attr_def(llvm_kinds.INTEGERS, PRIORITIES_DOC)
    data: tuple[Attribute, ...] = attr_def(attribute_kind.ArrayKind(), DATA_DOC)
    assembly_format = "`ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"

    traits = (functions.VerifiesSymbolUses(),)

    def verify_(self) -> None:
        symbol_rules.check_table(self, self.ctors, "ctors")

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless all names are functions defined in this module."""
        symbol_rules.check_table_symbols(self.ctors, symbols)


class GlobalDtorsOp(base.StandardOp, name="llvm.mlir.global_dtors"):
    """Lists functions of the module that run when the program ends, each with a priority (lower numbers
    first) and with the global on which it depends, or `#llvm.zero`.
    """

    dtors: tuple[str, ...] = attr_def(llvm_kinds.SYMBOLS, "The names of the functions.")
    priorities: tuple[int, ...] = attr_def(llvm_kinds.INTEGERS, PRIORITIES_DOC)
    data: tuple[Attribute, ...] = attr_def(attribute_kind.ArrayKind(), DATA_DOC)
    assembly_format = "`dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"

    traits = (functions.VerifiesSymbolUses(),)

    def verify_(self) -> None:
        symbol_rules.check_table(self, self.dtors, "dtors")

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless all names are functions defined in this module."""
        symbol_rules.check_table_symbols(self.dtors, symbols)


class ComdatOp(base.StandardOp, name="llvm.comdat"):
    """A symbol table of COMDAT selectors."""

    sym_name: str = attr_def(attribute_kind.SymbolNameKind(), SYM_NAME_DOC)
    body: Region = region_def("The selectors.")
    assembly_format = "$sym_name $body attr-dict"
    traits = (
        ir_traits.NoTerminator(),
        common_traits.NoEntryBlockArguments(),
        ir_traits.SymbolTable(),
        common_traits.SymbolWithVisibility(),
    )


class ComdatSelectorOp(llvm_roles.ComdatSelectorRole, name="llvm.comdat_selector"):
    """A COMDAT: a named group of symbols; the linker keeps one copy of the group."""

    sym_name: str = attr_def(attribute_kind.SymbolNameKind(), SYM_NAME_DOC)
    comdat: llvm_enums.Comdat = attr_def(llvm_kinds.COMDAT, "How the linker chooses.")
    assembly_format = "$sym_name $comdat attr-dict"
    traits = (common_traits.SymbolWithVisibility(),)


class AliasOp(llvm_roles.AliasRole, name="llvm.mlir.alias"):
    """A second name for an address, which the region computes and returns."""

    alias_type: Type = attr_def(attribute_kind.TypeKind(), "The type of what the alias names.")
    sym_name: str = attr_def(attribute_kind.StringKind(), SYM_NAME_DOC)
    linkage: llvm_enums.Linkage = attr_def(llvm_kinds.LINKAGE, LINKAGE_DOC)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    thread_local_: bool = flag_def(THREAD_LOCAL_DOC, default=False, ir_name="thread_local_")
    unnamed_addr: llvm_enums.UnnamedAddress | None = optional_attr_def(
        llvm_kinds.UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=None
    )
    visibility_: llvm_enums.LlvmVisibility = attr_def(
        llvm_kinds.VISIBILITY,
        VISIBILITY_DOC,
        default=llvm_enums.LlvmVisibility.DEFAULT,
        ir_name="visibility_",
    )
    initializer: Region = region_def("Computes the initial value.")
    traits = (
        ir_traits.IsolatedFromAbove(),
        common_traits.SingleBlockImplicitTerminator("llvm.return"),
        common_traits.SymbolWithVisibility(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        symbol_syntax.print_alias(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return symbol_syntax.parse_alias(cls.op_kind, parser)

    def verify_(self) -> None:
        symbol_rules.check_alias(self)

    def verify_regions_(self) -> None:
        symbol_rules.check_alias_region(self)


class IFuncOp(llvm_roles.IFuncRole, name="llvm.mlir.ifunc"):
    """A function of the type `i_func_type` whose address the function `resolver` returns when the program is
    loaded.
    """

    sym_name: str = attr_def(attribute_kind.SymbolNameKind(), SYM_NAME_DOC)
    i_func_type: Type = attr_def(attribute_kind.TypeKind(), "The type of the function.")
    resolver: str = attr_def(attribute_kind.SymbolRefKind(), "The name of the function that chooses.")
    resolver_type: Type = attr_def(attribute_kind.TypeKind(), "The type of the resolver's result.")
    linkage: llvm_enums.Linkage = attr_def(llvm_kinds.LINKAGE, LINKAGE_DOC)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    address_space: int = attr_def(attribute_kind.IntegerKind(i32, minimum=0), "The address space.", default=0)
    unnamed_addr: llvm_enums.UnnamedAddress = attr_def(
        llvm_kinds.UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=llvm_enums.UnnamedAddress.NONE
    )
    visibility_: llvm_enums.LlvmVisibility = attr_def(
        llvm_kinds.VISIBILITY,
        VISIBILITY_DOC,
        default=llvm_enums.LlvmVisibility.DEFAULT,
        ir_name="visibility_",
    )
    assembly_format = (
        "custom<LLVMLinkage>($linkage) ($visibility_^)? ($unnamed_addr^)? $sym_name `:` $i_func_type "
        "`,` $resolver_type $resolver attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = llvm_custom_syntax.DIRECTIVES
    traits = (
        ir_traits.IsolatedFromAbove(),
        common_traits.SymbolWithVisibility(),
    )

    def verify_(self) -> None:
        symbol_rules.check_indirect_function(self)


class ModuleFlagsOp(base.StandardOp, name="llvm.module_flags"):
    """Lists the flags of the module, which the linker compares between modules."""

    flags: tuple[llvm_attributes.ModuleFlagAttr, ...] = attr_def(llvm_kinds.MODULE_FLAGS, "The flags.")
    assembly_format = "$flags attr-dict"

    def verify_(self) -> None:
        symbol_rules.check_module_level(self)


class LinkerOptionsOp(base.StandardOp, name="llvm.linker_options"):
    """Options handed to the linker."""

    options: tuple[str, ...] = attr_def(kinds.STRINGS, "The options.")
    assembly_format = "$options attr-dict"

    def verify_(self) -> None:
        symbol_rules.check_module_level(self)


OPERATIONS: tuple[type[Operation], ...] = (
    LLVMFuncOp,
    GlobalOp,
    GlobalCtorsOp,
    GlobalDtorsOp,
    ComdatOp,
    ComdatSelectorOp,
    AliasOp,
    IFuncOp,
    ModuleFlagsOp,
    LinkerOptionsOp,
)
"""The operations of this module."""
