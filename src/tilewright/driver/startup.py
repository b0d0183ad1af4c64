"""Start-up: builds the registration graph.  Importing a module registers nothing; `startup` does.

The order is strict: options, type ids, dialects (each after those it depends on, the shared interfaces behind a
once-guard between them, ``cuda_tile`` published by itself), passes, patterns, target hooks.  Packages of dialects and
passes are imported when something of theirs is first needed, so that commands that need few start fast.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from tilewright.driver import options as driver_options, target as driver_target
from tilewright.driver.extensions.extension import named
from tilewright.driver.registry import DialectEntry, OnceGuard, Registry, StartupStep

if TYPE_CHECKING:
    from tilewright.ir.context import Context
    from tilewright.ir.dialect import Dialect
    from tilewright.ir.interfaces.interface import Interface
    from tilewright.ir.interfaces.type_id import TypeId

Dependencies = dict[str, tuple[str, ...]]
"""Dialects in order of registration, each with those it depends on."""

STANDARD_DIALECTS: Dependencies = {
    "builtin": (),
    "ub": (),
    "arith": ("ub",),
    "math": ("arith",),
    "func": (),
    "cf": ("arith",),
    "scf": ("arith",),
    "memref": ("arith",),
    "vector": ("arith",),
    "gpu": (),
    "llvm": (),
    "nvgpu": (),
    "nvvm": (),
    "pdl": (),
    "pdl_interp": ("pdl",),
}
"""MLIR's own dialects, on which all others depend."""

FOREIGN_DIALECTS: Dependencies = {
    "tt": ("arith", "math", "scf", "cf", "ub"),
    "ttg": ("tt",),
}
"""Dialects of other compilers, whose programs are converted to the input dialect."""

CHAIN: Dependencies = {
    "nv_tileaa": (),
    "nv_tileas": ("nv_tileaa",),
    "cutlass": ("nv_tileaa", "nv_tileas"),
    "cute_nvgpu": ("cutlass",),
    "cute": ("nv_tileaa", "nv_tileas", "cutlass", "cute_nvgpu"),
}
"""Dialects of the lowering cascade; each may depend on earlier ones."""

INPUT_DIALECT = "cuda_tile"
SHARED_INTERFACES = "shared interfaces"
INTERFACE_MODULE = "tilewright.dialects.common.interfaces"
PASSES: dict[str, str] = {
    "canonicalize": "tilewright.passes.transforms.canonicalize:Canonicalize",
    "cse": "tilewright.passes.transforms.cse:CSE",
    "sccp": "tilewright.passes.transforms.sccp:SCCP",
    "loop-invariant-code-motion": "tilewright.passes.transforms.loop_invariant_code_motion:LoopInvariantCodeMotion",
    "inline": "tilewright.passes.transforms.inline:Inline",
    "symbol-dce": "tilewright.passes.transforms.symbol_dce:SymbolDCE",
    "strip-debuginfo": "tilewright.passes.transforms.strip_debug_info:StripDebugInfo",
    "print-op-stats": "tilewright.passes.transforms.operation_statistics:PrintOpStats",
    "verify": "tilewright.passes.transforms.verify:Verify",
    "reconcile-unrealized-casts": "tilewright.passes.transforms.reconcile_casts:ReconcileUnrealizedCasts",
    "convert-arith-to-llvm": "tilewright.lowering.upstream_to_llvm.arith:ConvertArithToLLVM",
    "convert-math-to-llvm": "tilewright.lowering.upstream_to_llvm.math:ConvertMathToLLVM",
    "convert-ub-to-llvm": "tilewright.lowering.upstream_to_llvm.everything:ConvertUBToLLVM",
    "convert-scf-to-cf": "tilewright.lowering.upstream_to_llvm.scf:ConvertSCFToCF",
    "convert-cf-to-llvm": "tilewright.lowering.upstream_to_llvm.cf:ConvertCFToLLVM",
    "convert-func-to-llvm": "tilewright.lowering.upstream_to_llvm.func:ConvertFuncToLLVM",
    "finalize-memref-to-llvm": "tilewright.lowering.upstream_to_llvm.everything:FinalizeMemRefToLLVM",
    "convert-to-llvm": "tilewright.lowering.upstream_to_llvm.everything:ConvertToLLVM",
    "mark-accesses": "tilewright.instrument.insert:MarkAccesses",
    "insert-checks": "tilewright.instrument.insert:InsertChecks",
    "convert-triton-to-cuda-tile": "tilewright.lowering.triton_to_cuda_tile.conversion:ConvertTritonToCudaTile",
    "convert-cuda-tile-to-tileaa": "tilewright.lowering.cuda_tile_to_tileaa.conversion:ConvertCudaTileToTileAA",
    "convert-cudatile-to-tileaa": "tilewright.lowering.cuda_tile_to_tileaa.conversion:ConvertCudaTileToTileAAAlias",
    "convert-nv-tileaa-to-nv-tileas": "tilewright.lowering.tileaa_to_tileas.descriptors:ConvertTileAAToTileAS",
    "convert-tileaa-to-tileas": "tilewright.lowering.tileaa_to_tileas.bodies:ConvertTileAABodies",
    "nv-tileas-generate-schedule": "tilewright.lowering.schedule.drawing:GenerateSchedule",
    "nv-tileas-materialise-schedule": "tilewright.targets.nvptx.pipelines.materialise:MaterialiseSchedule",
    "nv-tileas-widen-factors": "tilewright.lowering.tileas.widen_factors:WidenFactors",
    "nv-tileas-plan-kernel": "tilewright.lowering.tileas.kernel_plan.plan_kernel:PlanKernel",
    "nv-tileas-slice-tiles": "tilewright.lowering.tileas.slice_tiles:SliceTiles",
    "nv-tileas-assign-layouts": "tilewright.lowering.tileas.assign_layouts:AssignLayouts",
    "nv-tileas-hoist-conversions": "tilewright.lowering.tileas.conversions.hoist:HoistConversions",
    "nv-tileas-remove-conversions": "tilewright.lowering.tileas.conversions.remove:RemoveConversions",
    "nv-tileas-materialise-conversions": "tilewright.lowering.tileas.conversions.materialise:MaterialiseConversions",
    "nv-tileas-erase-layouts": "tilewright.lowering.tileas.erase_layouts:EraseLayouts",
    "nv-tileas-lower-packed-accesses": "tilewright.lowering.tileas.packed_accesses:LowerPackedAccesses",
    "nv-tileas-lower-view-accesses": "tilewright.lowering.tileas.view_accesses:LowerViewAccesses",
    "convert-nv-tile-func-to-llvm": "tilewright.lowering.tileas_to_llvm.functions:ConvertTileFunctions",
    "convert-nv-tileas-to-llvm": "tilewright.targets.cpu.back_end:ConvertTileASToLLVM",
    "convert-tileas-to-llvm": "tilewright.targets.cpu.back_end:ConvertTileASToLLVMAlias",
    "convert-nv-tileas-to-nvvm": "tilewright.targets.nvptx.tileas_to_nvvm.back_end:ConvertTileASToNVVM",
    "convert-cute-to-nvgpu": "tilewright.lowering.cute_to_nvvm.convert_cute:ConvertCuteToNVGPU",
    "convert-gpu-to-nvvm": "tilewright.lowering.cute_to_nvvm.convert_gpu:ConvertGPUToNVVM",
    "combine-addresses": "tilewright.targets.nvptx.addresses:CombineAddresses",
    "nvvm-chain-addresses": "tilewright.targets.nvptx.loops.chain_addresses:ChainAddresses",
    "nvvm-carry-addresses": "tilewright.targets.nvptx.loops.carry:CarryAddresses",
    "nvvm-sink-fragments": "tilewright.targets.nvptx.shared_memory.sink:SinkFragments",
    "nvvm-spread-copies": "tilewright.targets.nvptx.shared_memory.spread:SpreadCopies",
    "nvvm-allocate-shared-memory": "tilewright.targets.nvptx.shared_memory.allocate:AllocateSharedMemory",
    "nvvm-check-shared-memory": "tilewright.targets.nvptx.shared_memory.hazards:CheckSharedMemory",
    "split-long-functions": "tilewright.targets.llvm.split:SplitLongFunctions",
    "fuse-fma": "tilewright.optimizer.fuse_fma:FuseFMA",
    "loop-split": "tilewright.optimizer.loop_split:LoopSplit",
    "simplify-carried-values": "tilewright.optimizer.carried_values:SimplifyCarriedValues",
    "scalarize-induction": "tilewright.optimizer.induction_tiles:ScalarizeInduction",
    "simplify-tokens": "tilewright.optimizer.tokens:SimplifyTokens",
    "eliminate-dead-accesses": "tilewright.optimizer.dead_accesses:EliminateDeadAccesses",
    "synthesize-debug-info-scopes": "tilewright.optimizer.debug_scopes:SynthesizeDebugInfoScopes",
    "optimize-cuda-tile": "tilewright.optimizer.pipeline:OptimizeCudaTile",
    "print-value-facts": "tilewright.optimizer.analysis.printing:PrintValueFacts",
    "propagate-assumptions": "tilewright.optimizer.assumption_propagation:PropagateAssumptions",
}
"""The class of each pass, as "module:Class"; the module is imported when the pass is first used."""

PDL_DIALECTS = frozenset({"pdl", "pdl_interp"})
"""Dialects whose packages stand beside the compiler between them."""


def dialect_object(name: str) -> Dialect:
    """Return the `Dialect` constant of package ``tilewright.dialects.NAME``, or of
    ``tilewright.pdl.dialects.NAME`` for `PDL_DIALECTS`. The package is imported.
    """
    rooms = "tilewright.pdl.dialects" if name in PDL_DIALECTS else "tilewright.dialects"
    module = importlib.import_module(f"{rooms}.{name}.dialect")
    found: Dialect = getattr(module, name.upper())
    return found


def dialect_entry(name: str, depends_on: Iterable[str] = ()) -> DialectEntry:
    """Return the entry of a dialect of this installation, which is loaded after the dialects ``depends_on``."""
    return DialectEntry(name, tuple(depends_on), partial(dialect_object, name))


def _options(registry: Registry) -> None:
    for option in driver_options.OPTIONS:
        registry.options.add(option.name, option)
    registry.guards["options of targets"] = registry.options.stage(_options_of_targets)


def _options_of_targets() -> Iterator[tuple[str, driver_options.Option[Any]]]:
    for option in driver_target.target_options().values():
        yield option.name, driver_options.Option(option.name, option.default, option.help)


def _type_ids(registry: Registry) -> None:
    """Stage the table of type ids, which is filled when it is first read."""
    registry.guards["type ids"] = registry.type_ids.stage(_all_type_ids)


def _all_type_ids() -> Iterator[tuple[str, TypeId]]:
    from tilewright.ir.interfaces.type_id import static_type_id

    for name in (*STANDARD_DIALECTS, *CHAIN, INPUT_DIALECT, *FOREIGN_DIALECTS):
        dialect = dialect_object(name)
        for declared in (*dialect.types.values(), *dialect.attributes.values(), *dialect.operations):
            identity = static_type_id(declared)
            yield f"{name}.{identity.name}", identity


def _standard(registry: Registry) -> None:
    for name, depends_on in STANDARD_DIALECTS.items():
        registry.add_dialect(dialect_entry(name, depends_on))


def _link(name: str, before: str) -> StartupStep:
    def register(registry: Registry) -> None:
        registry.add_dialect(dialect_entry(name, CHAIN[name]))

    return StartupStep(f"dialect {name}", (before,), register, f"the {name} dialect")


def _shared_interfaces(registry: Registry) -> None:
    """Stage the table of interfaces, which is filled when it is first read."""
    registry.guards[SHARED_INTERFACES] = registry.interfaces.stage(_all_interfaces)


def _all_interfaces() -> Iterator[tuple[str, type[Interface]]]:
    interfaces: tuple[type[Interface], ...] = importlib.import_module(INTERFACE_MODULE).INTERFACES
    for interface in interfaces:
        yield interface.__name__, interface


def _input_dialect(registry: Registry) -> None:
    registry.add_dialect(dialect_entry(INPUT_DIALECT))


def _foreign(registry: Registry) -> None:
    for name, depends_on in FOREIGN_DIALECTS.items():
        registry.add_dialect(dialect_entry(name, depends_on))


def _passes(registry: Registry) -> None:
    for name, place in PASSES.items():
        registry.passes.publish(name, partial(named, place))


def _patterns(registry: Registry) -> None:
    def canonicalizations() -> Iterator[tuple[str, Any]]:
        for name, entry in registry.dialects.items():
            patterns = entry.load().canonicalization_patterns
            if patterns is not None:
                yield f"{name} canonicalization", patterns

    registry.guards["patterns"] = registry.patterns.stage(canonicalizations)


def _target_hooks(registry: Registry) -> None:
    registry.target_hooks.update(driver_target.TARGETS)


def _chain() -> list[StartupStep]:
    """Return the start-up steps of the cascade: a step for each dialect of `CHAIN`, which requires the
    previous step. The third step stages the shared interfaces.
    """
    chain: list[StartupStep] = []
    for position, name in enumerate(CHAIN):
        if position == 2:
            summary = "interfaces that dialects share"
            chain.append(StartupStep(SHARED_INTERFACES, (chain[-1].name,), _shared_interfaces, summary))
        chain.append(_link(name, chain[-1].name if chain else "standard dialects"))
    return chain


def steps() -> list[StartupStep]:
    """Return the steps of start-up; each step follows its dependencies."""
    chain = _chain()
    words = "builtin, func, arith and the other standard dialects"
    return [
        StartupStep("options", (), _options, "defaults of the command line"),
        StartupStep("type ids", ("options",), _type_ids, "identities of types, attributes and operations"),
        StartupStep("standard dialects", ("type ids",), _standard, words),
        *chain,
        StartupStep("foreign dialects", ("standard dialects",), _foreign, "the dialects of Triton"),
        StartupStep("dialect cuda_tile", ("type ids",), _input_dialect, "the public input dialect"),
        StartupStep(
            "passes", (chain[-1].name, "dialect cuda_tile", "foreign dialects"), _passes, "passes by name"
        ),
        StartupStep("patterns", ("passes",), _patterns, "pattern sets"),
        StartupStep("target hooks", ("patterns",), _target_hooks, "targets"),
    ]


_REGISTRY = Registry()


def startup() -> Registry:
    """Return the registry with all dialects, passes and targets. It is filled once per process."""
    _FILLED()
    return _REGISTRY


_FILLED = OnceGuard(lambda: _REGISTRY.run_all(steps()))


def context(*, allow_unregistered: bool = False) -> Context:
    """Return a fresh context in which every dialect is available; each is loaded when something of it is
    first met. With `allow_unregistered`, operations of other dialects are accepted as well.
    """
    return startup().context(allow_unregistered=allow_unregistered)
