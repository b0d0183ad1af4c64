"""Functions, global variables and other symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses
from tilewright.dialects.common.kinds import DICTIONARIES, STRINGS
from tilewright.dialects.common.traits import (
    AutomaticAllocationScope,
    NoEntryBlockArguments,
    SingleBlockImplicitTerminator,
    SymbolWithVisibility,
)
from tilewright.dialects.llvm.attributes import (
    MemoryEffectsAttr,
    ModuleFlagAttr,
    TargetFeaturesAttr,
    VecTypeHintAttr,
    VScaleRangeAttr,
)
from tilewright.dialects.llvm.enums import (
    CallingConvention,
    Comdat,
    FramePointerKind,
    Linkage,
    LlvmVisibility,
    UnnamedAddress,
    UnwindTableKind,
)
from tilewright.dialects.llvm.kinds import (
    CALLING_CONVENTION,
    COMDAT,
    DEBUG_EXPRESSIONS,
    FRAME_POINTER,
    FUNCTION_TYPE,
    INTEGERS,
    LINKAGE,
    MEMORY_EFFECTS,
    MODULE_FLAGS,
    SYMBOLS,
    TARGET_FEATURES,
    UNNAMED_ADDRESS,
    UNWIND_TABLE,
    VECTOR_TYPE_HINT,
    VISIBILITY,
    VSCALE_RANGE,
)
from tilewright.dialects.llvm.roles import (
    AliasRole,
    ComdatSelectorRole,
    FunctionRole,
    IFuncRole,
    LlvmGlobalRole,
)
from tilewright.dialects.llvm.rules.symbol import (
    check_alias,
    check_alias_region,
    check_exceptions,
    check_function,
    check_global,
    check_indirect_function,
    check_initializer,
    check_module_level,
    check_table,
    check_table_symbols,
)
from tilewright.dialects.llvm.syntax.custom import DIRECTIVES
from tilewright.dialects.llvm.syntax.symbol import (
    parse_alias,
    parse_function,
    parse_global,
    print_alias,
    print_function,
    print_global,
)
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr, SymbolRefAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import (
    ArrayKind,
    AttributeKind,
    BoolKind,
    DenseArrayKind,
    IntegerKind,
    StringKind,
    SymbolNameKind,
    SymbolRefKind,
    TypeKind,
)
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    optional_attr_def,
    optional_region_def,
    region_def,
)
from tilewright.ir.declaration.traits import IsolatedFromAbove, NoTerminator, SymbolTable
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

LINKAGE_DOC = "How the symbol is linked with equal names of other modules."
SYM_NAME_DOC = "The name of the symbol."
PRIORITIES_DOC = "The order of the functions: lower numbers first."
DATA_DOC = "The dependence of each function: the name of a global, or `#llvm.zero`."
THREAD_LOCAL_DOC = "Whether every thread has a variable of its own."
UNNAMED_ADDR_DOC = "Whether the address matters."
DSO_LOCAL_DOC = "Whether the symbol resolves inside the same shared object."
VISIBILITY_DOC = "The visibility of the symbol for linked objects."


class LLVMFuncOp(FunctionRole, name="llvm.func"):
    """A function; the body is empty for one that is defined elsewhere."""

    sym_name: str = attr_def(StringKind(), SYM_NAME_DOC)
    function_type: LLVMFunctionType = attr_def(FUNCTION_TYPE, "The type of the function.")
    sym_visibility: str | None = optional_attr_def(
        StringKind(), "The visibility of the symbol for other modules.", default=None
    )
    linkage: Linkage = attr_def(LINKAGE, LINKAGE_DOC, default=Linkage.EXTERNAL)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    CConv: CallingConvention = attr_def(
        CALLING_CONVENTION, "The calling convention.", default=CallingConvention.CCC
    )
    comdat: SymbolRefAttr | None = optional_attr_def(
        SymbolRefKind(flat=False), "The COMDAT to which the symbol belongs.", default=None
    )
    convergent: bool = flag_def("Whether threads that run together must call it together.", default=False)
    personality: str | None = optional_attr_def(
        SymbolRefKind(), "The function that handles exceptions.", default=None
    )
    garbageCollector: str | None = optional_attr_def(
        StringKind(), "The garbage collector in use.", default=None
    )
    passthrough: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "Further LLVM attributes: names, or pairs of name and value.", default=None
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )
    function_entry_count: int | None = optional_attr_def(
        IntegerKind(), "How often the function was entered when profiled.", default=None
    )
    memory_effects: MemoryEffectsAttr | None = optional_attr_def(
        MEMORY_EFFECTS, "The memory effects of the function.", default=None
    )
    visibility_: LlvmVisibility = attr_def(
        VISIBILITY, VISIBILITY_DOC, default=LlvmVisibility.DEFAULT, ir_name="visibility_"
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
    section: str | None = optional_attr_def(StringKind(), "The section of the object file.", default=None)
    unnamed_addr: UnnamedAddress | None = optional_attr_def(UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=None)
    alignment: int | None = optional_attr_def(
        IntegerKind(), "Alignment in bytes, a power of two.", default=None
    )
    vscale_range: VScaleRangeAttr | None = optional_attr_def(
        VSCALE_RANGE, "Bounds of the scale of scalable vectors.", default=None
    )
    frame_pointer: FramePointerKind | None = optional_attr_def(
        FRAME_POINTER, "The functions that keep a frame pointer.", default=None
    )
    target_cpu: str | None = optional_attr_def(StringKind(), "The target processor.", default=None)
    tune_cpu: str | None = optional_attr_def(
        StringKind(), "The processor that code is tuned to.", default=None
    )
    reciprocal_estimates: str | None = optional_attr_def(
        StringKind(), "Where reciprocals may be estimated.", default=None
    )
    prefer_vector_width: str | None = optional_attr_def(
        StringKind(), "The preferred width of vectors in bits.", default=None
    )
    target_features: TargetFeaturesAttr | None = optional_attr_def(
        TARGET_FEATURES, "Features of the processor.", default=None
    )
    no_infs_fp_math: bool | None = optional_attr_def(
        BoolKind(), "Whether infinities do not occur.", default=None
    )
    no_nans_fp_math: bool | None = optional_attr_def(BoolKind(), "Whether NaNs do not occur.", default=None)
    no_signed_zeros_fp_math: bool | None = optional_attr_def(
        BoolKind(), "Whether the sign of zero does not matter.", default=None
    )
    denormal_fp_math: str | None = optional_attr_def(
        StringKind(), "How subnormal numbers are treated.", default=None
    )
    denormal_fp_math_f32: str | None = optional_attr_def(
        StringKind(), "How subnormal f32 numbers are treated.", default=None
    )
    fp_contract: str | None = optional_attr_def(
        StringKind(), "Whether multiplications and additions may be fused.", default=None
    )
    instrument_function_entry: str | None = optional_attr_def(
        StringKind(), "The function to call on entry.", default=None
    )
    instrument_function_exit: str | None = optional_attr_def(
        StringKind(), "The function to call on exit.", default=None
    )
    no_inline: bool = flag_def("Keep the call; do not put the body in its place.", default=False)
    always_inline: bool = flag_def("Put the body in place of the call.", default=False)
    inline_hint: bool = flag_def("Putting the body in place of the call is worth it.", default=False)
    no_unwind: bool = flag_def("Whether it never throws.", default=False)
    will_return: bool = flag_def("Whether it always returns or throws.", default=False)
    optimize_none: bool = flag_def("Whether the function is not optimized.", default=False)
    vec_type_hint: VecTypeHintAttr | None = optional_attr_def(
        VECTOR_TYPE_HINT, "The type in which the function mostly computes.", default=None
    )
    work_group_size_hint: tuple[int, ...] | None = optional_attr_def(
        DenseArrayKind(), "The likely size of a work group.", default=None
    )
    reqd_work_group_size: tuple[int, ...] | None = optional_attr_def(
        DenseArrayKind(), "The size of a work group.", default=None
    )
    intel_reqd_sub_group_size: int | None = optional_attr_def(
        IntegerKind(i32), "The size of a sub-group.", default=None
    )
    uwtable_kind: UnwindTableKind | None = optional_attr_def(
        UNWIND_TABLE, "The unwind table of the function.", default=None
    )
    body: Region = region_def("The code.", single_block=False)
    traits = (
        AutomaticAllocationScope(),
        IsolatedFromAbove(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_function(cls, parser)

    def verify_(self) -> None:
        check_function(self)

    def verify_regions_(self) -> None:
        check_exceptions(self)


class GlobalOp(LlvmGlobalRole, name="llvm.mlir.global"):
    """A global variable or constant, with a value, an initializer region, or neither."""

    global_type: Type = attr_def(TypeKind(), "The type of the variable.")
    sym_name: str = attr_def(StringKind(), SYM_NAME_DOC)
    linkage: Linkage = attr_def(LINKAGE, LINKAGE_DOC)
    constant: bool = flag_def("Whether the variable never changes.", default=False)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    thread_local_: bool = flag_def(THREAD_LOCAL_DOC, default=False, ir_name="thread_local_")
    externally_initialized: bool = flag_def(
        "Whether something else may set the variable before the program starts.", default=False
    )
    value: Attribute | None = optional_attr_def(AttributeKind(), "The value.", default=None)
    alignment: int | None = optional_attr_def(
        IntegerKind(), "Alignment in bytes, a power of two.", default=None
    )
    addr_space: int = attr_def(IntegerKind(i32, minimum=0), "The address space.", default=0)
    unnamed_addr: UnnamedAddress | None = optional_attr_def(UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=None)
    section: str | None = optional_attr_def(StringKind(), "The section of the object file.", default=None)
    comdat: SymbolRefAttr | None = optional_attr_def(
        SymbolRefKind(flat=False), "The COMDAT to which the symbol belongs.", default=None
    )
    dbg_exprs: tuple[Attribute, ...] | None = optional_attr_def(
        DEBUG_EXPRESSIONS, "Debug information.", default=None
    )
    visibility_: LlvmVisibility = attr_def(
        VISIBILITY, VISIBILITY_DOC, default=LlvmVisibility.DEFAULT, ir_name="visibility_"
    )
    target_specific_attrs: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "Further LLVM attributes.", default=None
    )
    initializer: Region = optional_region_def("Computes the initial value.", single_block=False)
    traits = (
        IsolatedFromAbove(),
        SingleBlockImplicitTerminator("llvm.return"),
        SymbolWithVisibility(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_global(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_global(cls.op_kind, parser)

    def verify_(self) -> None:
        check_global(self)

    def verify_regions_(self) -> None:
        check_initializer(self)


class GlobalCtorsOp(StandardOp, name="llvm.mlir.global_ctors"):
    """Functions that run before the program starts."""

    ctors: tuple[str, ...] = attr_def(SYMBOLS, "The names of the functions.")
    priorities: tuple[int, ...] = attr_def(INTEGERS, PRIORITIES_DOC)
    data: tuple[Attribute, ...] = attr_def(ArrayKind(), DATA_DOC)
    assembly_format = "`ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"

    traits = (VerifiesSymbolUses(),)

    def verify_(self) -> None:
        check_table(self, self.ctors, "ctors")

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless all names are functions defined in this module."""
        check_table_symbols(self.ctors, symbols)


class GlobalDtorsOp(StandardOp, name="llvm.mlir.global_dtors"):
    """Functions that run when the program ends."""

    dtors: tuple[str, ...] = attr_def(SYMBOLS, "The names of the functions.")
    priorities: tuple[int, ...] = attr_def(INTEGERS, PRIORITIES_DOC)
    data: tuple[Attribute, ...] = attr_def(ArrayKind(), DATA_DOC)
    assembly_format = "`dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"

    traits = (VerifiesSymbolUses(),)

    def verify_(self) -> None:
        check_table(self, self.dtors, "dtors")

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless all names are functions defined in this module."""
        check_table_symbols(self.dtors, symbols)


class ComdatOp(StandardOp, name="llvm.comdat"):
    """A table of COMDAT selectors."""

    sym_name: str = attr_def(SymbolNameKind(), SYM_NAME_DOC)
    body: Region = region_def("The selectors.")
    assembly_format = "$sym_name $body attr-dict"
    traits = (
        NoTerminator(),
        NoEntryBlockArguments(),
        SymbolTable(),
        SymbolWithVisibility(),
    )


class ComdatSelectorOp(ComdatSelectorRole, name="llvm.comdat_selector"):
    """A COMDAT that symbols can join."""

    sym_name: str = attr_def(SymbolNameKind(), SYM_NAME_DOC)
    comdat: Comdat = attr_def(COMDAT, "How the linker chooses.")
    assembly_format = "$sym_name $comdat attr-dict"
    traits = (SymbolWithVisibility(),)


class AliasOp(AliasRole, name="llvm.mlir.alias"):
    """A second name for an address, which the region computes."""

    alias_type: Type = attr_def(TypeKind(), "The type of what the alias names.")
    sym_name: str = attr_def(StringKind(), SYM_NAME_DOC)
    linkage: Linkage = attr_def(LINKAGE, LINKAGE_DOC)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    thread_local_: bool = flag_def(THREAD_LOCAL_DOC, default=False, ir_name="thread_local_")
    unnamed_addr: UnnamedAddress | None = optional_attr_def(UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=None)
    visibility_: LlvmVisibility = attr_def(
        VISIBILITY, VISIBILITY_DOC, default=LlvmVisibility.DEFAULT, ir_name="visibility_"
    )
    initializer: Region = region_def("Computes the initial value.")
    traits = (
        IsolatedFromAbove(),
        SingleBlockImplicitTerminator("llvm.return"),
        SymbolWithVisibility(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_alias(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_alias(cls.op_kind, parser)

    def verify_(self) -> None:
        check_alias(self)

    def verify_regions_(self) -> None:
        check_alias_region(self)


class IFuncOp(IFuncRole, name="llvm.mlir.ifunc"):
    """A function that is chosen by a resolver when the program is loaded."""

    sym_name: str = attr_def(SymbolNameKind(), SYM_NAME_DOC)
    i_func_type: Type = attr_def(TypeKind(), "The type of the function.")
    resolver: str = attr_def(SymbolRefKind(), "The name of the function that chooses.")
    resolver_type: Type = attr_def(TypeKind(), "The type of the resolver's result.")
    linkage: Linkage = attr_def(LINKAGE, LINKAGE_DOC)
    dso_local: bool = flag_def(DSO_LOCAL_DOC, default=False)
    address_space: int = attr_def(IntegerKind(i32, minimum=0), "The address space.", default=0)
    unnamed_addr: UnnamedAddress = attr_def(UNNAMED_ADDRESS, UNNAMED_ADDR_DOC, default=UnnamedAddress.NONE)
    visibility_: LlvmVisibility = attr_def(
        VISIBILITY, VISIBILITY_DOC, default=LlvmVisibility.DEFAULT, ir_name="visibility_"
    )
    assembly_format = (
        "custom<LLVMLinkage>($linkage) ($visibility_^)? ($unnamed_addr^)? $sym_name `:` $i_func_type "
        "`,` $resolver_type $resolver attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (
        IsolatedFromAbove(),
        SymbolWithVisibility(),
    )

    def verify_(self) -> None:
        check_indirect_function(self)


class ModuleFlagsOp(StandardOp, name="llvm.module_flags"):
    """Flags of the module that the linker compares."""

    flags: tuple[ModuleFlagAttr, ...] = attr_def(MODULE_FLAGS, "The flags.")
    assembly_format = "$flags attr-dict"

    def verify_(self) -> None:
        check_module_level(self)


class LinkerOptionsOp(StandardOp, name="llvm.linker_options"):
    """Options handed to the linker."""

    options: tuple[str, ...] = attr_def(STRINGS, "The options.")
    assembly_format = "$options attr-dict"

    def verify_(self) -> None:
        check_module_level(self)


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
