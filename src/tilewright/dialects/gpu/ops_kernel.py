"""Modules of kernels, functions, launches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import base, kinds, traits as common_traits
from tilewright.dialects.gpu import rules as gpu_rules, rules_kernel, syntax as gpu_syntax, syntax_kernel
from tilewright.dialects.gpu.constraints import ASYNC_TOKEN, INDEX, INT32, LAUNCH_SIZE, REDUCIBLE
from tilewright.dialects.gpu.kinds import OFFLOADING, SIZE_HINT, TARGETS
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, dominance
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

SAME_LAUNCH_SIZE = TypeVariable("T", LAUNCH_SIZE)
BODY_DOC = "The code."


class GPUModuleOp(gpu_rules.GPUModuleRole, name="gpu.module"):
    """A module of functions that are compiled for the device, for each of `targets`; `offloadingHandler` says
    how the binaries are embedded. It is a symbol table.
    """

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name of the module.")
    targets: tuple[Attribute, ...] | None = fields.optional_attr_def(
        TARGETS, "The targets of the module's compilation.", default=None
    )
    offloadingHandler: Attribute | None = fields.optional_attr_def(
        OFFLOADING, "How the binaries are embedded.", default=None
    )
    bodyRegion: ir_block.Region = fields.region_def("The functions.")
    assembly_format = (
        "$sym_name (`<` $offloadingHandler^ `>`)? ($targets^)? attr-dict-with-keyword $bodyRegion"
    )
    traits = (
        ir_traits.IsolatedFromAbove(),
        common_traits.NoEntryBlockArguments(),
        ir_traits.SymbolTable(),
        common_traits.SymbolWithVisibility(),
        ir_traits.NoTerminator(),
        ir_traits.SingleBlock(),
        dominance.GraphRegion(),
    )


class GPUFuncOp(gpu_rules.GPUFuncRole, name="gpu.func"):
    """A function of the device: a kernel if it has the attribute `gpu.kernel`; kernels have no results. The
    arguments of the region are the parameters, then the shared buffers, as many as the attribute
    `workgroup_attributions` says, and then the private buffers.
    """

    function_type: builtin_types.FunctionType = fields.attr_def(
        attribute_kind.TypeKind(builtin_types.FunctionType), "Argument and result types."
    )
    arg_attrs: tuple[builtin_attributes.DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[builtin_attributes.DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )
    workgroup_attrib_attrs: tuple[builtin_attributes.DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the shared buffers, one dictionary each.", default=None
    )
    private_attrib_attrs: tuple[builtin_attributes.DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the private buffers, one dictionary each.", default=None
    )
    known_block_size: tuple[int, ...] | None = fields.optional_attr_def(
        SIZE_HINT, "The number of threads of a block, where it is known.", default=None
    )
    known_grid_size: tuple[int, ...] | None = fields.optional_attr_def(
        SIZE_HINT, "The number of blocks of the grid, where it is known.", default=None
    )
    known_cluster_size: tuple[int, ...] | None = fields.optional_attr_def(
        SIZE_HINT, "The number of blocks of a cluster, where it is known.", default=None
    )
    body: ir_block.Region = fields.region_def(BODY_DOC, single_block=False)
    traits = (
        ir_traits.HasParent("gpu.module"),
        common_traits.AutomaticAllocationScope(),
        ir_traits.IsolatedFromAbove(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_kernel.print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_kernel.parse_function(cls.op_kind, parser)

    def verify_(self) -> None:
        rules_kernel.check_function(self)


class ReturnOp(base.StandardOp, name="gpu.return"):
    """Returns from the function."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The results of the function.", default=()
    )
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    traits = (
        ir_traits.Pure(),
        ir_traits.HasParent("gpu.func"),
        ir_traits.Terminator(),
    )

    def verify_(self) -> None:
        rules_kernel.check_return(self)


class LaunchOp(base.StandardOp, name="gpu.launch"):
    """Launches a kernel whose body is the region of the operation. With the result `asyncToken` the host does
    not wait for its end. The arguments of the region are, each in three dimensions, the indices of block and
    thread, the numbers of blocks and threads, the index and the size of the cluster if there are clusters,
    and then shared and private buffers.
    """

    asyncDependencies: tuple[Value, ...] = fields.variadic_operand_def(
        ASYNC_TOKEN, "The operations that must be complete before."
    )
    gridSizeX: Value = fields.operand_def(INDEX, "Blocks of the grid, first dimension.")
    gridSizeY: Value = fields.operand_def(INDEX, "Blocks of the grid, second dimension.")
    gridSizeZ: Value = fields.operand_def(INDEX, "Blocks of the grid, third dimension.")
    blockSizeX: Value = fields.operand_def(INDEX, "Threads of a block, first dimension.")
    blockSizeY: Value = fields.operand_def(INDEX, "Threads of a block, second dimension.")
    blockSizeZ: Value = fields.operand_def(INDEX, "Threads of a block, third dimension.")
    clusterSizeX: Value | None = fields.optional_operand_def(
        INDEX, "Blocks of a cluster, first dimension.", default=None
    )
    clusterSizeY: Value | None = fields.optional_operand_def(
        INDEX, "Blocks of a cluster, second dimension.", default=None
    )
    clusterSizeZ: Value | None = fields.optional_operand_def(
        INDEX, "Blocks of a cluster, third dimension.", default=None
    )
    dynamicSharedMemorySize: Value | None = fields.optional_operand_def(
        INT32, "Bytes of shared memory in addition.", default=None
    )
    module: str | None = fields.optional_attr_def(
        attribute_kind.SymbolRefKind(), "The name of the module that the kernel is put into.", default=None
    )
    function: str | None = fields.optional_attr_def(
        attribute_kind.SymbolRefKind(), "The name that the kernel gets.", default=None
    )
    asyncToken: Value | None = fields.optional_result_def(ASYNC_TOKEN, "Stands for the completion.")
    body: ir_block.Region = fields.region_def(BODY_DOC, single_block=False)
    traits = (
        common_traits.AutomaticAllocationScope(),
        ir_traits.RecursiveMemoryEffects(),
    )

    def has_custom_form(self) -> bool:
        """Return whether the region has a block, whose arguments the custom form names."""
        return bool(self.body.blocks)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_kernel.print_launch(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_kernel.parse_launch(cls.op_kind, parser)

    def verify_regions_(self) -> None:
        rules_kernel.check_launch(self)


class LaunchFuncOp(base.StandardOp, name="gpu.launch_func"):
    """Launches a kernel, which is named by module and function, and waits for its end. With the result
    `asyncToken` the host does not wait; the token is then complete at the end of the kernel.
    """

    asyncDependencies: tuple[Value, ...] = fields.variadic_operand_def(
        ASYNC_TOKEN, "The operations that must be complete before."
    )
    kernel: builtin_attributes.SymbolRefAttr = fields.attr_def(
        attribute_kind.SymbolRefKind(flat=False), "The name of the kernel: module and function."
    )
    gridSizeX: Value = fields.operand_def(SAME_LAUNCH_SIZE, "Blocks of the grid, first dimension.")
    gridSizeY: Value = fields.operand_def(SAME_LAUNCH_SIZE, "Blocks of the grid, second dimension.")
    gridSizeZ: Value = fields.operand_def(SAME_LAUNCH_SIZE, "Blocks of the grid, third dimension.")
    blockSizeX: Value = fields.operand_def(SAME_LAUNCH_SIZE, "Threads of a block, first dimension.")
    blockSizeY: Value = fields.operand_def(SAME_LAUNCH_SIZE, "Threads of a block, second dimension.")
    blockSizeZ: Value = fields.operand_def(SAME_LAUNCH_SIZE, "Threads of a block, third dimension.")
    clusterSizeX: Value | None = fields.optional_operand_def(
        LAUNCH_SIZE, "Blocks of a cluster, first dimension.", default=None
    )
    clusterSizeY: Value | None = fields.optional_operand_def(
        LAUNCH_SIZE, "Blocks of a cluster, second dimension.", default=None
    )
    clusterSizeZ: Value | None = fields.optional_operand_def(
        LAUNCH_SIZE, "Blocks of a cluster, third dimension.", default=None
    )
    dynamicSharedMemorySize: Value | None = fields.optional_operand_def(
        INT32, "Bytes of shared memory in addition.", default=None
    )
    kernelOperands: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The arguments of the kernel.", default=()
    )
    asyncObject: Value | None = fields.optional_operand_def(
        ANY_TYPE, "The stream to launch on.", default=None
    )
    asyncToken: Value | None = fields.optional_result_def(ASYNC_TOKEN, "Stands for the completion.")
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
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES

    def verify_(self) -> None:
        rules_kernel.check_kernel_launch(self)


class TerminatorOp(gpu_rules.TerminatorRole, name="gpu.terminator"):
    """Ends the region of a launch."""

    assembly_format = "attr-dict"
    traits = (
        ir_traits.Pure(),
        ir_traits.HasParent("gpu.launch"),
        ir_traits.Terminator(),
    )


class YieldOp(gpu_rules.GpuYieldRole, name="gpu.yield"):
    """Ends the region of `gpu.all_reduce` or `gpu.warp_execute_on_lane_0` with its results."""

    values: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The results.", default=())
    assembly_format = "attr-dict ($values^ `:` type($values))?"
    traits = (
        ir_traits.Pure(),
        common_traits.ReturnLike(),
    )


class WarpExecuteOnLane0Op(base.StandardOp, name="gpu.warp_execute_on_lane_0"):
    """Executes its region on lane 0 of a warp only; vectors are distributed over the lanes on entry and on
    exit.
    """

    laneid: Value = fields.operand_def(INDEX, "The position of the thread in its warp.")
    warp_size: int = fields.attr_def(attribute_kind.IntegerKind(), "The number of threads of a warp.")
    args: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "Values that are spread over the threads.", default=()
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(
        ANY_TYPE, "The results, spread over the threads."
    )
    warpRegion: ir_block.Region = fields.region_def(BODY_DOC)
    traits = (
        common_traits.SingleBlockImplicitTerminator("gpu.yield"),
        ir_traits.RecursiveMemoryEffects(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_kernel.print_lane(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_kernel.parse_lane(cls.op_kind, parser)

    def verify_regions_(self) -> None:
        rules_kernel.check_distribution(self)


class PrintfOp(base.StandardOp, name="gpu.printf"):
    """Prints a format string with its arguments from a kernel."""

    format: str = fields.attr_def(attribute_kind.StringKind(), "The format string.")
    args: tuple[Value, ...] = fields.variadic_operand_def(REDUCIBLE, "The values.", default=())
    assembly_format = "$format attr-dict (`,` $args^ `:` type($args))?"


class SetDefaultDeviceOp(base.StandardOp, name="gpu.set_default_device"):
    """Sets the device that later operations of the host thread use."""

    devIndex: Value = fields.operand_def(INT32, "The number of the device.")
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
