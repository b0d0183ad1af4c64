"""The table of targets. A target is a value: the machine that code is made for. It is never taken from this machine
implicitly.

To add a target is to add a row: the stages of its code, its options and how the code is loaded stand in the modules
that the row names, which are imported at the first use.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.driver import codes, dependencies
from tilewright.driver.extensions.extension import Extension, extensions, loaded_extensions, named
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tilewright.targets.stage import Stage, TargetHooks, TargetOption


class LaunchableKernel(Protocol):
    """A kernel that has been loaded, and can be launched."""

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> object:
        """Run all tile blocks of a grid, and return the target's report, or None if it has none. ``threads``
        is the maximum number of threads, by default one per processor; ``memory`` lists further arrays that
        the kernel reaches through addresses. Raises `DiagnosticError` for wrong arguments, and for a failure
        of the run.
        """
        ...

    def prepare(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> Callable[[], object]:
        """Return a launch with this grid and these arguments, as a function without parameters that can be
        called repeatedly. The parameters are as for `launch`, and each call of the function returns its
        result.
        """
        return partial(self.launch, grid, arguments, threads, memory)


class Loaded(Protocol):
    """The kernels of a module that a target has loaded."""

    @property
    def kernels(self) -> Mapping[str, LaunchableKernel]:
        """Return the kernels by name."""
        ...


class Target(Record, frozen=True, eq=False):
    """Something a kernel can run on.

    - ``name``: the word that users write.
    - ``needs``: names the packages that the target depends on (see `dependencies`).
    - ``hooks``: the place of its `TargetHooks`, as "module:NAME": the stages after TileAS, options, identity.
    - ``loader``: the place of a function, as "module:NAME", from a `tilewright.runtime.image.Image` to its kernels.
    - ``interprets``: whether kernels are interpreted and not compiled; then there are no hooks, and the loader gets the
      module in Tile IR and the names of checks.
    """

    name: str
    summary: str = ""
    needs: str = ""
    hooks: str = ""
    loader: str = ""
    interprets: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def code(self) -> TargetHooks | None:
        """Return the hooks by which the target makes code; None for a target that interprets."""
        return named(self.hooks) if self.hooks else None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Return the stages after TileAS; none for a target without code."""
        return self.code.stages if self.code is not None else ()

    @property
    def options(self) -> tuple[TargetOption, ...]:
        """Return the options that the target declares; none for a target that interprets."""
        return self.code.options if self.code is not None else ()

    @property
    def capability(self) -> str:
        """Return the capability that Tile IR is lowered for: ``host``, or the name of a GPU such as ``sm_100``."""
        return self.code.capability if self.code is not None else "host"

    def load(self, code: Any, *checks: Any) -> Loaded:
        """Load `code` into this process and return its kernels. `code` is an image, and `checks` is empty.
        For a target that interprets, `code` is a module in Tile IR, and `checks` is one argument, the
        sequence of the names of the checks. Raises `DiagnosticError` for code that cannot be loaded, and for
        a target that names a GPU to compile for.
        """
        return named(self.loader)(code, *checks)


DEFAULT = "cpu"
"""The name of the default target."""

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target(
            "cpu",
            "this machine's processor, through LLVM",
            "cpu",
            "tilewright.targets.cpu.stages:CPU",
            "tilewright.runtime.kernel:LoadedImage",
        ),
        Target(
            "interp",
            "the reference interpreter: slow, exact, checked",
            "interp",
            loader="tilewright.driver.interpreted:InterpretedKernels",
            interprets=True,
        ),
    )
}
"""Every known target by name."""

GPU, SIMULATION, DEVICE = "sm_", "sim:", "cuda"
"""The prefix of the names of GPUs, the prefix of launches in the simulator, and the target for this machine's GPU."""
SIMULATED = "tilewright.targets.nvptx.simulated:SimulatedImage"
"""The loader of targets whose code the simulator runs."""
ABSENT = "tilewright.targets.nvptx.absent:NoDevice"
"""The loader of targets whose code is made and not run."""
PRESENT, CHIP = (f"tilewright.targets.nvptx.device:{name}" for name in ("DeviceImage", "chip_of_device"))
"""The loader of the target for this machine's GPU, and the function that returns the name of its chip."""

ASSEMBLED = ("tilewright.targets.nvptx.assemble.record:AssemblerOutput",)
"""Further records of the cache on disk, as ``module:Class``: code for other machines, which no target loads into this
process. Their ``from_bytes`` raises ValueError for other records.
"""


def target(target: str | Target) -> Target:
    """Return the target of a name; a `Target` is returned unchanged. Raises `DiagnosticError` for an unknown
    name, and for ``cuda`` on a machine that has no GPU or lacks a package that it needs.
    """
    if isinstance(target, Target):
        return target
    found = TARGETS.get(str(target)) or gpu(str(target)) or all_targets().get(str(target))
    if found is not None:
        return found
    close = nearest(str(target), target_names())
    known = (
        f"{', '.join(TARGETS)}, {DEVICE}, a GPU such as {GPU}80, or {SIMULATION}{GPU}80, which simulates it"
    )
    hint = f"did you mean '{close}'?" if close else f"known targets: {known}"
    raise failure(codes.UNKNOWN_TARGET, f"unknown target '{target}'", hint=hint)


@cache
def gpu(name: str) -> Target | None:
    """Return the target of a GPU, such as ``sm_90a``, of its simulation, ``sim:sm_90a``, or of this machine's
    GPU, ``cuda``; None for other names, and for chips without code.

    Raises `DiagnosticError` for ``cuda`` if this machine has no GPU or lacks a package that it needs.
    """
    if name == DEVICE:
        dependencies.require(DEVICE)
        hooks = f"tilewright.targets.nvptx.stages:{named(CHIP)()}"
        return Target(name, "the GPU of this machine, through its driver", DEVICE, hooks, PRESENT)
    chip = name.removeprefix(SIMULATION)
    if not chip.startswith(GPU):
        return None
    how = "in the simulator of PTX" if chip != name else "as PTX and machine code"
    loader = SIMULATED if chip != name else ABSENT
    hooks = f"simulated_{chip}" if chip != name else chip
    found = Target(name, f"a GPU, {how}", "", f"tilewright.targets.nvptx.stages:{hooks}", loader)
    return found if found.code is not None else None


def loaders() -> tuple[str, ...]:
    """Return the loaders of code that this process can run without a GPU, as places "module:NAME": the
    loaders of all targets of `TARGETS` that do not interpret, and the simulator's.
    """
    return (*(target.loader for target in TARGETS.values() if not target.interprets), SIMULATED)


def all_targets() -> dict[str, Target]:
    """Return every known target by name, including targets of installed packages. GPUs are not among them: see
    `target_names`.
    """
    return _with_targets_of(extensions())


def one_of_each_kind() -> tuple[Target, ...]:
    """Return the targets of `TARGETS`, and the GPU sm_80, which stands for all GPUs: they have the same
    stages.
    """
    return (*TARGETS.values(), _a_gpu())


def _a_gpu() -> Target:
    return target(f"{GPU}80")


def target_names() -> tuple[str, ...]:
    """Return every name that `target` accepts, for lists."""
    from tilewright.dialects.common.chips import CHIPS

    return (*all_targets(), DEVICE, *CHIPS, *(SIMULATION + chip for chip in CHIPS))


def _with_targets_of(found: Iterable[Extension]) -> dict[str, Target]:
    """Add the targets of the extensions `found` to `TARGETS` and return `TARGETS`. Raises `DiagnosticError`
    for a name that is taken.
    """
    for added in (target for extension in found for target in extension.targets):
        if TARGETS.setdefault(added.name, added) is not added:
            raise failure(codes.NAME_TAKEN, f"something else is already registered as '{added.name}'")
    return TARGETS


def target_options() -> dict[str, TargetOption]:
    """Return the options of all targets by name; targets may share an option. The GPUs have the options of
    the simulated sm_80.

    Options of a plug-in target appear once it is loaded.
    """
    _with_targets_of(loaded_extensions())
    known = (*TARGETS.values(), target(f"{SIMULATION}{GPU}80"))
    return {option.name: option for one in known for option in one.options}


def checked_options(given: Mapping[str, str | bool]) -> tuple[tuple[str, str | bool], ...]:
    """Return the options `given`, values by name, as (name, value) pairs in the order of their names.

    An option of one target is accepted for every target, so that the same options serve all of them. Raises
    `DiagnosticError` for an unknown name, and for a value of another type.
    """
    known = target_options() if given else {}
    for name, value in given.items():
        if name not in known:
            close = nearest(name, known)
            hint = f"did you mean '{close}'?" if close else f"options of targets: {', '.join(known)}"
            raise failure(codes.UNKNOWN_OPTION, f"no target has an option '{name}'", hint=hint)
        wanted = type(known[name].default)
        if type(value) is not wanted:
            message = f"the option '{name}' is of type '{wanted.__name__}', got {value!r}"
            raise failure(codes.UNKNOWN_OPTION, message)
    return tuple(sorted(given.items()))
