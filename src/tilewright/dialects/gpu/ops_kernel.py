"""Modules of kernels, functions, launches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.common.traits import (
    AutomaticAllocationScope,
    NoEntryBlockArguments,
    ReturnLike,
    SingleBlockImplicitTerminator,
    SymbolWithVisibility,
)
from tilewright.dialects.gpu.constraints import ASYNC_TOKEN, INDEX, INT32, LAUNCH_SIZE, REDUCIBLE
from tilewright.dialects.gpu.kinds import OFFLOADING, SIZE_HINT, TARGETS
from tilewright.dialects.gpu.rules import GPUFuncRole, GPUModuleRole, GpuYieldRole, TerminatorRole
from tilewright.dialects.gpu.rules_kernel import (
    check_distribution,
    check_function,
    check_kernel_launch,
    check_launch,
    check_return,
)
from tilewright.dialects.gpu.syntax import DIRECTIVES
from tilewright.dialects.gpu.syntax_kernel import (
    parse_function,
    parse_lane,
    parse_launch,
    print_function,
    print_lane,
    print_launch,
)
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr, SymbolRefAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.attribute_kind import (
    IntegerKind,
    StringKind,
    SymbolNameKind,
    SymbolRefKind,
    TypeKind,
)
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_result_def,
    region_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    HasParent,
    IsolatedFromAbove,
    NoTerminator,
    Pure,
    RecursiveMemoryEffects,
    SingleBlock,
    SymbolTable,
    Terminator,
)
from tilewright.ir.dominance import GraphRegion
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

SAME_LAUNCH_SIZE = TypeVariable("T", LAUNCH_SIZE)
BODY_DOC = "The code."


class GPUModuleOp(GPUModuleRole, name="gpu.module"):
    """A module of functions that are compiled for the device."""

    sym_name: str = attr_def(SymbolNameKind(), "The name of the module.")
    targets: tuple[Attribute, ...] | None = optional_attr_def(
        TARGETS, "The targets of the module's compilation.", default=None
    )
    offloadingHandler: Attribute | None = optional_attr_def(
        OFFLOADING, "How the binaries are embedded.", default=None
    )
    bodyRegion: Region = region_def("The functions.")
    assembly_format = (
        "$sym_name (`<` $offloadingHandler^ `>`)? ($targets^)? attr-dict-with-keyword $bodyRegion"
    )
    traits = (
        IsolatedFromAbove(),
        NoEntryBlockArguments(),
        SymbolTable(),
        SymbolWithVisibility(),
        NoTerminator(),
        SingleBlock(),
        GraphRegion(),
    )


class GPUFuncOp(GPUFuncRole, name="gpu.func"):
    """A function of the device: a kernel when it has the attribute `gpu.kernel`."""

    function_type: FunctionType = attr_def(TypeKind(FunctionType), "Argument and result types.")
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )
    workgroup_attrib_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the shared buffers, one dictionary each.", default=None
    )
    private_attrib_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the private buffers, one dictionary each.", default=None
    )
    known_block_size: tuple[int, ...] | None = optional_attr_def(
        SIZE_HINT, "The number of threads of a block, where it is known.", default=None
    )
    known_grid_size: tuple[int, ...] | None = optional_attr_def(
        SIZE_HINT, "The number of blocks of the grid, where it is known.", default=None
    )
    known_cluster_size: tuple[int, ...] | None = optional_attr_def(
        SIZE_HINT, "The number of blocks of a cluster, where it is known.", default=None
    )
    body: Region = region_def(BODY_DOC, single_block=False)
    traits = (
        HasParent("gpu.module"),
        AutomaticAllocationScope(),
        IsolatedFromAbove(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_function(cls.op_kind, parser)

    def verify_(self) -> None:
        check_function(self)


class ReturnOp(StandardOp, name="gpu.return"):
    """Returns from the function."""

    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The results of the function.", default=())
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    traits = (
        Pure(),
        HasParent("gpu.func"),
        Terminator(),
    )

    def verify_(self) -> None:
        check_return(self)


class LaunchOp(StandardOp, name="gpu.launch"):
    """Launches a kernel that stands in its region."""

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(
        ASYNC_TOKEN, "The operations that must be complete before."
    )
    gridSizeX: Value = operand_def(INDEX, "Blocks of the grid, first dimension.")
    gridSizeY: Value = operand_def(INDEX, "Blocks of the grid, second dimension.")
    gridSizeZ: Value = operand_def(INDEX, "Blocks of the grid, third dimension.")
    blockSizeX: Value = operand_def(INDEX, "Threads of a block, first dimension.")
    blockSizeY: Value = operand_def(INDEX, "Threads of a block, second dimension.")
    blockSizeZ: Value = operand_def(INDEX, "Threads of a block, third dimension.")
    clusterSizeX: Value | None = optional_operand_def(
        INDEX, "Blocks of a cluster, first dimension.", default=None
    )
    clusterSizeY: Value | None = optional_operand_def(
        INDEX, "Blocks of a cluster, second dimension.", default=None
    )
    clusterSizeZ: Value | None = optional_operand_def(
        INDEX, "Blocks of a cluster, third dimension.", default=None
    )
    dynamicSharedMemorySize: Value | None = optional_operand_def(
        INT32, "Bytes of shared memory in addition.", default=None
    )
    module: str | None = optional_attr_def(
        SymbolRefKind(), "The name of the module that the kernel is put into.", default=None
    )
    function: str | None = optional_attr_def(SymbolRefKind(), "The name that the kernel gets.", default=None)
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, "Stands for the completion.")
    body: Region = region_def(BODY_DOC, single_block=False)
    traits = (
        AutomaticAllocationScope(),
        RecursiveMemoryEffects(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_launch(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_launch(cls.op_kind, parser)

    def verify_regions_(self) -> None:
        check_launch(self)


class LaunchFuncOp(StandardOp, name="gpu.launch_func"):
    """Launches a kernel by name."""

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(
        ASYNC_TOKEN, "The operations that must be complete before."
    )
    kernel: SymbolRefAttr = attr_def(
        SymbolRefKind(flat=False), "The name of the kernel: module and function."
    )
    gridSizeX: Value = operand_def(SAME_LAUNCH_SIZE, "Blocks of the grid, first dimension.")
    gridSizeY: Value = operand_def(SAME_LAUNCH_SIZE, "Blocks of the grid, second dimension.")
    gridSizeZ: Value = operand_def(SAME_LAUNCH_SIZE, "Blocks of the grid, third dimension.")
    blockSizeX: Value = operand_def(SAME_LAUNCH_SIZE, "Threads of a block, first dimension.")
    blockSizeY: Value = operand_def(SAME_LAUNCH_SIZE, "Threads of a block, second dimension.")
    blockSizeZ: Value = operand_def(SAME_LAUNCH_SIZE, "Threads of a block, third dimension.")
    clusterSizeX: Value | None = optional_operand_def(
        LAUNCH_SIZE, "Blocks of a cluster, first dimension.", default=None
    )
    clusterSizeY: Value | None = optional_operand_def(
        LAUNCH_SIZE, "Blocks of a cluster, second dimension.", default=None
    )
    clusterSizeZ: Value | None = optional_operand_def(
        LAUNCH_SIZE, "Blocks of a cluster, third dimension.", default=None
    )
    dynamicSharedMemorySize: Value | None = optional_operand_def(
        INT32, "Bytes of shared memory in addition.", default=None
    )
    kernelOperands: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE, "The arguments of the kernel.", default=()
    )
    asyncObject: Value | None = optional_operand_def(ANY_TYPE, "The stream to launch on.", default=None)
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, "Stands for the completion.")
    assembly_format = (
        "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) (`<` $asyncObject^ `:` "
        "type($asyncObject) `>`)? $kernel ( `clusters` `in` ` ` `(` $clusterSizeX^ `,` $clusterSizeY "
        "`,` $clusterSizeZ `)` )? `blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)` "
        "`threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)` "
        "custom<LaunchDimType>(type($gridSizeX), ref($clusterSizeX), type($clusterSizeX), "
        "type($clusterSizeY), type($clusterSizeZ)) (`dynamic_shared_memory_size` "
        "$dynamicSharedMemorySize^)? custom<LaunchFuncOperands>($kernelOperands, "
        "type($kernelOperands)) attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES

    def verify_(self) -> None:
        check_kernel_launch(self)


class TerminatorOp(TerminatorRole, name="gpu.terminator"):
    """Ends the region of a launch."""

    assembly_format = "attr-dict"
    traits = (
        Pure(),
        HasParent("gpu.launch"),
        Terminator(),
    )


class YieldOp(GpuYieldRole, name="gpu.yield"):
    """Ends a region with its results."""

    values: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The results.", default=())
    assembly_format = "attr-dict ($values^ `:` type($values))?"
    traits = (
        Pure(),
        ReturnLike(),
    )


class WarpExecuteOnLane0Op(StandardOp, name="gpu.warp_execute_on_lane_0"):
    """A region that one thread executes for all of the warp."""

    laneid: Value = operand_def(INDEX, "The position of the thread in its warp.")
    warp_size: int = attr_def(IntegerKind(), "The number of threads of a warp.")
    args: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE, "Values that are spread over the threads.", default=()
    )
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The results, spread over the threads.")
    warpRegion: Region = region_def(BODY_DOC)
    traits = (
        SingleBlockImplicitTerminator("gpu.yield"),
        RecursiveMemoryEffects(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_lane(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_lane(cls.op_kind, parser)

    def verify_regions_(self) -> None:
        check_distribution(self)


class PrintfOp(StandardOp, name="gpu.printf"):
    """Prints from the device."""

    format: str = attr_def(StringKind(), "The format string.")
    args: tuple[Value, ...] = variadic_operand_def(REDUCIBLE, "The values.", default=())
    assembly_format = "$format attr-dict (`,` $args^ `:` type($args))?"


class SetDefaultDeviceOp(StandardOp, name="gpu.set_default_device"):
    """Chooses the device of the operations that follow."""

    devIndex: Value = operand_def(INT32, "The number of the device.")
    assembly_format = "attr-dict $devIndex"


OPERATIONS: tuple[type[Operation], ...] = (
    GPUModuleOp,
    GPUFuncOp,
    ReturnOp,
    LaunchOp,
    LaunchFuncOp,
    TerminatorOp,
    YieldOp,
    WarpExecuteOnLane0Op,
    PrintfOp,
    SetDefaultDeviceOp,
)
"""The operations of this module."""
