"""The contract between the compiler and a target: the stages of a compilation, and what a target adds to them.

The driver shares the stages down to TileAS between all targets.  A target describes the stages below, its options and
the form in which its code is loaded as one object of `TargetHooks`, which the driver's table of targets names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tilewright.ir.support.record import Record

if TYPE_CHECKING:
    from tilewright.ir.diagnostic import Diagnostic
    from tilewright.ir.operation import Operation
    from tilewright.passes.manager import PassManager


class StageOptions(Protocol):
    """Options of a compilation that stages of every target ask for."""

    @property
    def debug_info(self) -> bool:
        """Whether text shows locations, and code has line tables."""
        ...

    @property
    def opt_level(self) -> int:
        """How much the optimizers do, 0 to 3."""
        ...


class Compilation(Protocol):
    """A compilation as its stages see it."""

    @property
    def options(self) -> StageOptions:
        """How to compile."""
        ...

    @property
    def asm(self) -> Mapping[str, str | bytes]:
        """The stages, each written down."""
        ...

    @property
    def is_text(self) -> bool:
        """Whether the input is text of a target, which nobody has checked."""
        ...

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Warnings and remarks so far; a stage adds those of the tools that it uses."""
        ...

    def option(self, name: str) -> Any:
        """The value of an option of the target."""
        ...

    def run_passes(self, module: Operation, pipeline: str, name: str) -> Operation:
        """Run passes, given by their names, on a module."""
        ...

    def run_manager(self, add: Callable[[PassManager], object], module: Operation, name: str) -> Operation:
        """Run the passes that ``add`` adds to a manager on a module."""
        ...


Maker: TypeAlias = "Callable[[Any, Operation], Operation]"
Writer: TypeAlias = "Callable[[Any, Operation], str | bytes]"
Translator = Callable[[Any, Any], str | bytes]


def as_text(compilation: Compilation, module: Operation) -> str:
    """MLIR text, ended by a newline."""
    return module.get_asm(enable_debug_info=compilation.options.debug_info) + "\n"


class Stage(Record, frozen=True):
    """One row.

    ``make`` makes the stage's module from that of ``source``, which it must not change; without it they are the same.
    ``write`` writes the module down.  A stage that has no module, but is made from the text or the bytes that its source is
    written as, has ``translate`` instead of both.  A stage without a source is made from the input.  ``recognises`` says whether a text
    is of this stage, for stages that can be given as text which is not MLIR's.
    """

    name: str
    summary: str
    suffix: str
    source: str | None = None
    make: Maker | None = None
    write: Writer = as_text
    translate: Translator | None = None
    recognises: Callable[[str], bool] | None = None


class TargetOption(Record, frozen=True):
    """An option of a target: a keyword of `tilewright.CompileOptions` and, with dashes, a flag of the command line.

    ``default`` also says which type the values have.  ``choices`` answers the values there are, if they are a list.
    """

    name: str
    default: str | bool
    help: str
    choices: Callable[[], Iterable[str]] | None = None


class TargetHooks(Record, frozen=True, kw_only=True):
    """What a target adds to the compiler.

    - ``stages``: those after TileAS, in order.
    - ``options``: the target's own.
    - ``capability``: the option ``compute-capability`` with which Tile IR is lowered for the target.
    - ``code``: the stage whose bytes are loaded, and ``kernels``: describes the kernels in it, for loader and cache.
    - ``identity``: of what the code is made for, from the values of the options; its ``repr`` is part of the key under
      which code is kept, as is the ``repr`` of ``compiler``'s answer, which says what made the code.
    - ``checks_of_runner``: the checks that whoever runs the code makes; all others are made part of the code.
    - ``obstacle``: why code made with these values of the options cannot be run by this process; empty when it can.
    """

    stages: tuple[Stage, ...]
    code: str
    kernels: Callable[[Any], tuple[Any, ...]]
    options: tuple[TargetOption, ...] = ()
    capability: str = "host"
    identity: Callable[[Mapping[str, Any]], object] = dict
    compiler: Callable[[], object] = tuple
    checks_of_runner: frozenset[str] = frozenset()
    obstacle: Callable[[Mapping[str, Any]], str] = lambda _: ""
