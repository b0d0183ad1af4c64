"""The interface between the compiler and a target: the stages of a compilation, and the target's hooks.

The driver has the stages down to TileAS, for all targets. A target describes the later stages, its options
and the format of its code in an object of `TargetHooks`, which the driver's table of targets names.
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
    """The options of a compilation that stages of every target use."""

    @property
    def debug_info(self) -> bool:
        """Return whether text shows locations, and code has line tables."""
        ...

    @property
    def opt_level(self) -> int:
        """Return the optimization level, 0 to 3."""
        ...


class Compilation(Protocol):
    """The interface of a compilation for its stages."""

    @property
    def options(self) -> StageOptions:
        """Return the options of the compilation."""
        ...

    @property
    def asm(self) -> Mapping[str, str | bytes]:
        """Return the written text or bytes of each stage so far, by the name of the stage."""
        ...

    @property
    def is_text(self) -> bool:
        """Return whether the input is text of a target, which has not been checked."""
        ...

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Return the warnings and remarks so far; a stage appends the diagnostics of its tools."""
        ...

    def option(self, name: str) -> Any:
        """Return the value of the target's option `name`: the given value, or the default."""
        ...

    def run_passes(self, module: Operation, pipeline: str, name: str) -> Operation:
        """Run the passes of a textual pipeline on a module, which they change, and return the module. `name`
        is the key of the time that they take.
        """
        ...

    def run_manager(self, add: Callable[[PassManager], object], module: Operation, name: str) -> Operation:
        """Run the passes that `add` adds to a manager on a module, which they change, and return the module.
        `name` is the key of the time that they take.
        """
        ...


Maker: TypeAlias = "Callable[[Any, Operation], Operation]"
StageWriter: TypeAlias = "Callable[[Any, Operation], str | bytes]"
Translator = Callable[[Any, Any], str | bytes]


def as_text(compilation: Compilation, module: Operation) -> str:
    """Return the MLIR text of a module, with a newline at the end, and with locations if the options of the
    compilation say so.
    """
    return module.get_asm(enable_debug_info=compilation.options.debug_info) + "\n"


class Stage(Record, frozen=True):
    """A stage of a compilation; ``summary`` is its line in help texts, and ``suffix`` the suffix of files
    with its text or bytes.

    `make` creates the stage's module from the module of `source`, the name of an earlier stage, which it must
    not change; without `make` both are equal. `write` writes the module. A stage without a module, which is
    made from the written text or bytes of its source, has `translate` instead of both. A stage without a
    source is made from the input. `recognises` returns whether a text belongs to this stage, for stages with
    input text other than MLIR's.
    """

    name: str
    summary: str
    suffix: str
    source: str | None = None
    make: Maker | None = None
    write: StageWriter = as_text
    translate: Translator | None = None
    recognises: Callable[[str], bool] | None = None


class TargetOption(Record, frozen=True):
    """An option of a target: a keyword of `tilewright.CompileOptions` and, with dashes, a flag of the command
    line.

    The type of `default` is the type of the values. `choices` returns the allowed values, if they are a list.
    """

    name: str
    default: str | bool
    help: str
    choices: Callable[[], Iterable[str]] | None = None


class TargetHooks(Record, frozen=True, kw_only=True):
    """The hooks of a target.

    - ``stages``: the stages after TileAS, in order.
    - ``options``: the options of the target.
    - ``capability``: the option ``compute-capability`` of the lowering of Tile IR for the target.
    - ``code``: the stage whose bytes are loaded; ``kernels`` returns the kernels in it, for loader and cache.
    - ``identity``: returns the properties that the code depends on, from the values of the options. Its
      ``repr`` is part of the cache key of the code, with the ``repr`` of the result of ``compiler``, which
      identifies the compiler of the code.
    - ``checks_of_runner``: the checks that the runner of the code does; all others are compiled into the
      code.
    - ``obstacle``: returns the reason why this process cannot run code made with these values of the options;
      empty if it can.
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
