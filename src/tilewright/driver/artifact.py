"""The result of a compilation: a module with its stages, made on demand."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilewright.driver import codes, dependencies, sources, stages as driver_stages
from tilewright.driver.launch_arguments import argument_list, normalise_grid
from tilewright.driver.loading import Kernels, Loader, Outcome, kernels_of, outcome
from tilewright.driver.options import CHECKS, check_names
from tilewright.driver.target import Target, one_of_each_kind
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support import collection, locks, strings
from tilewright.ir.verifier import verify_or_raise
from tilewright.runtime.keyed_cache import KeyedCache

if TYPE_CHECKING:
    from tilewright.pages.notebook import NotebookStage as ShownStage
    from tilewright.passes.manager import PassManager
    from tilewright.passes.pass_ import Instrumentation
    from tilewright.targets.stage import Stage

_LEXERS = {"llvm": "llvm", "asm": "gas", "ptx": "gas"}
"""Languages of stages that are texts of tools, as notebooks highlight them; the others that have modules are MLIR."""
KEPT = 1 << len(CHECKS)
"""The maximum number of loaded kernels that an artifact keeps: one for each combination of checks."""
ANCHOR = "builtin.module"
"""The operation that pipelines of a compilation are anchored on."""
FROM_THE_BEGINNING = "compile the module in Tile IR (bytecode or text) that this one was made from"
"""The hint for a stage that precedes the stage of the input."""


class MissingStageError(DiagnosticError, KeyError):
    """There is no stage of this name, the stage cannot be made from the input, or it is text and its module
    was requested.

    The message names the reason and, except for text, the available stages.
    """

    def __str__(self) -> str:  # KeyError would quote the message
        return str(self.args[0])


class Artifact:
    """A compiled module.

    ``asm`` maps names of stages to their texts or bytes; ``module(stage)`` returns the IR of a stage.
    ``timings`` has seconds by step, ``diagnostics`` warnings about the module, and the warnings and remarks
    of passes. Do not change the modules.

    ``given`` is the input of the compilation; ``input`` is its stage, and ``is_text`` says whether it is text
    of a stage that is not MLIR's, such as LLVM IR. ``instrumentations`` see every pass that runs. Raises
    `DiagnosticError` for a stage of another target, and for checks of a module that is not in Tile IR any
    more.
    """

    def __init__(
        self, given: sources.CompilationInput, target: Target, options: driver_stages.CompileOptions
    ) -> None:
        module = given.module
        self.given = given
        self.target = target
        self.options = options
        self.rows = driver_stages.stages_of(target)
        self.is_text = isinstance(module, str)
        self.input = (
            (driver_stages.text_stage(module) or "")
            if isinstance(module, str)
            else driver_stages.input_stage(module)
        )
        self.diagnostics: list[Diagnostic] = []
        self.timings: dict[str, float] = {}
        self._pipelines: list[str] = []
        self.instrumentations: list[Instrumentation] = []
        self.asm: Mapping[str, str | bytes] = StageTexts(
            self, {self.input: module} if isinstance(module, str) else {}
        )
        self._modules = {} if isinstance(module, str) else {self.input: module}
        self._kernels: KeyedCache[tuple[str, ...], Outcome] = KeyedCache(KEPT)
        if self.input not in self.rows:
            raise _of_another_target(self.input, target)
        if options.checks and self.input != "tileir":
            raise _cannot_check(self.input)

    @property
    def entry(self) -> str | None:
        """Return the name of the kernel, if the module was given with one; else None."""
        return self.given.entry

    @property
    def pipeline(self) -> str:
        """Return the passes that ran so far, as one pipeline for modules of the stage of the input.

        `tilewright opt` runs it with the same result.
        """
        inner = ",".join(self._pipelines)
        return f"{ANCHOR}({inner})"

    def stages(self) -> tuple[str, ...]:
        """Return the names of the stages that can be made from this input, in order."""
        return tuple(
            name for name, row in self.rows.items() if driver_stages.is_made_from(row, self.input, self.rows)
        )

    def module(self, stage: str = "tileir") -> Operation:
        """Return the IR of a stage, which is made with the stages before it if it does not exist yet. Raises
        `MissingStageError` if there is no such stage or it is text, and `DiagnosticError` if a pass fails, or
        packages that the target needs are not installed.
        """
        chain = [find_stage(stage, self.target, self)]
        while chain[-1].name not in self._modules:
            source = chain[-1].source
            if source is None or self.is_text or chain[-1].translate is not None:
                raise text_only(stage)
            chain.append(self.rows[source])
        module = self._modules[chain.pop().name]
        for row in reversed(chain):
            self._require(row)
            if row.make is not None:
                with collection.paused_collection():
                    module = row.make(self, module)
            self._modules[row.name] = module
        return module

    def _require(self, row: Stage) -> None:
        """Raise `DiagnosticError` if `row` is a stage of the target, and packages that the target needs are
        not installed.
        """
        if row in self.target.stages:
            dependencies.require(self.target.needs)

    def translated(self, row: Stage, written: str | bytes) -> str | bytes:
        """Return the output of the stage `row`, made from `written`, the text or bytes of the stage before.
        The stage must have a ``translate``.
        """
        assert row.translate is not None
        self._require(row)
        return row.translate(self, written)

    def option(self, name: str) -> Any:
        """Return the value of the option `name` of the target. Raises `KeyError` if the target has no such
        option.
        """
        return self.target_options[name]

    @cached_property
    def target_options(self) -> dict[str, str | bool]:
        """Return the values of all options of the target, by name."""
        return driver_stages.option_values(self.target, self.options)

    def run_passes(
        self, module: Operation, pipeline: str, name: str, *, verify_each: bool = False
    ) -> Operation:
        """Run the passes of the text `pipeline` on `module`, which they change, and return it; diagnostics
        other than errors are kept. `name` is the step in `timings`.

        The verifier runs when all have run, and after each one if ``verify_each`` or the options say so.
        Raises `DiagnosticError` if a pass fails.
        """
        from tilewright.driver.bindings import Context, PassManager as NamedPasses

        context = Context()
        manager = NamedPasses.parse(pipeline, context)
        manager.verify_each = verify_each or self.options.verify_each
        return self._run(manager, context, module, name)

    def run_manager(self, add: Callable[[PassManager], object], module: Operation, name: str) -> Operation:
        """Call `add` with a new pass manager, to which it adds passes; run them on the module, which they
        change, and return the module. `name` is the step in `timings`.

        The verifier runs at the end, or after each pass if the options say so. Diagnostics other than errors
        are kept. Raises `DiagnosticError` if a pass fails.
        """
        from tilewright.driver.bindings import Context
        from tilewright.passes.manager import PassManager

        context = Context()
        manager = PassManager(context, module.name, verify_each=self.options.verify_each)
        add(manager)
        return self._run(manager, context, module, name)

    def _run(self, manager: Any, context: Any, module: Operation, name: str) -> Operation:
        for instrumentation in self.instrumentations:
            manager.instrument(instrumentation)
        passes = manager.listed
        self._pipelines.append(passes if module.name == ANCHOR else f"{module.name}({passes})")
        manager.restores = False  # the module is a copy that is dropped if a pass fails
        with self.timed(name), context.diagnostics.collect() as emitted:
            try:
                manager.run(module)
            finally:
                self.diagnostics.extend(d for d in emitted if d.severity is not Severity.ERROR)
            if not manager.verify_each:
                verify_or_raise(module)
        return module

    @contextmanager
    def timed(self, name: str) -> Generator[None]:
        """Add the seconds of a ``with`` block to ``timings[name]``, also if the block raises an exception."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + time.perf_counter() - start

    def launch(
        self,
        grid: int | Sequence[int],
        arguments: Sequence[Any],
        *,
        entry: str | None = None,
        check: str | Iterable[str] = (),
        memory: Sequence[Any] = (),
        threads: int | None = None,
    ) -> Any:
        """Run a kernel on the target, and return the target's report, or None; see `tilewright.launch` for
        the parameters. Without `entry` it is the kernel that the module was given with, or the only kernel.
        Globals keep their values from launch to launch.
        """
        start = time.perf_counter()
        try:
            kernel = self.kernels(check).kernel(entry or self.given.entry)
            arguments, memory = argument_list(arguments), argument_list(memory)
            return kernel.launch(normalise_grid(grid), arguments, threads, memory)
        finally:
            self.timings["launch"] = self.timings.get("launch", 0.0) + time.perf_counter() - start

    def prepare(
        self,
        grid: int | Sequence[int],
        arguments: Sequence[Any],
        *,
        entry: str | None = None,
        check: str | Iterable[str] = (),
        memory: Sequence[Any] = (),
        threads: int | None = None,
    ) -> Callable[[], object]:
        """Return a launch with fixed grid and arguments, as a function to be called repeatedly; the
        parameters are as for `launch`.

            again = artifact.prepare((4, 1, 1), [array, 1024])
            again()

        Arguments are checked and converted once, here; the elements of the arrays may change between calls.
        """
        kernel = self.kernels(check).kernel(entry or self.given.entry)
        arguments, memory = argument_list(arguments), argument_list(memory)
        return kernel.prepare(normalise_grid(grid), arguments, threads, memory)

    def kernels(self, check: str | Iterable[str] = ()) -> Kernels:
        """Return the kernels, loaded into this process, with the named checks and the checks that the
        artifact was compiled with. Raises `UncompilableError`, a `DiagnosticError`, if the module is valid,
        but there is no code for it.
        """
        checks = self.options.checks
        if check:
            checks = check_names((*checks, *check_names(check)))
        found = self._kernels.get(checks)
        return kernels_of(found or self._kernels.of(checks, lambda: outcome(self.loader(checks).kernels)))

    def loader(self, checks: tuple[str, ...] | None = None) -> Loader:
        """Return a loader of the module's kernels, with the run-time checks `checks`; None stands for the
        checks of the artifact. Nothing is compiled yet. With other checks than the artifact's, the loader
        compiles the module anew.
        """
        if checks is None or checks == self.options.checks:
            return Loader(self.given.content, self.options, self.target, lambda: self)
        options = replace(self.options, checks=checks)
        return Loader(
            self.given.content, options, self.target, lambda: Artifact(self.given, self.target, options)
        )

    def __repr__(self) -> str:
        return f"<Artifact for {self.target}: {', '.join(self.asm)}>"

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: all stages, folded, and the seconds of each step.

        Stages are made for it.
        """
        from tilewright.pages.notebook import compilation, output

        stages = [self._shown(name) for name in self.stages()]
        return output(compilation(f"{self.entry or 'module'} for {self.target}", stages, self.timings))

    def _shown(self, name: str) -> ShownStage:
        """Return a stage for a notebook: its text, its size if it is bytes, or the reason why it cannot be
        made.
        """
        from tilewright.pages.notebook import NotebookStage as ShownStage

        row = self.rows[name]
        try:
            written = self.asm[name]
        except DiagnosticError as error:
            return ShownStage(name, row.summary, 0, error=str(error))
        if isinstance(written, bytes):
            return ShownStage(name, row.summary, len(written))
        is_module = row.translate is None and row.write is self.rows["tileir"].write
        language = "mlir" if is_module else _LEXERS.get(name, "text")
        return ShownStage(name, row.summary, len(written.encode()), written, language)


locks.follow_properties(Artifact)


class StageTexts(Mapping[str, str | bytes]):
    """The texts or bytes of stages by name; a stage is made and written when it is first read. The keys are
    the stages that can be made from the input; for another name, `MissingStageError` is raised, which is a
    `KeyError`.
    """

    def __init__(self, artifact: Artifact, given: Mapping[str, str]) -> None:
        self._artifact = artifact
        self._written: dict[str, str | bytes] = {**given}

    def __getitem__(self, name: str) -> str | bytes:
        found = self._written.get(name)
        if found is None:
            stage = find_stage(name, self._artifact.target, self._artifact)
            found = self._written[name] = self._translated(stage) or self._module(stage)
        return found

    def _translated(self, stage: Stage) -> str | bytes | None:
        """Return the output of a stage that is made from the text or bytes of another stage; None for a stage
        that is written from a module.
        """
        if stage.translate is None or stage.source is None:
            return None
        source = self[stage.source]
        with self._artifact.timed(f"write {stage.name}"):
            return self._artifact.translated(stage, source)

    def _module(self, stage: Stage) -> str | bytes:
        module = self._artifact.module(stage.name)
        with self._artifact.timed(f"write {stage.name}"), collection.paused_collection():
            return stage.write(self._artifact, module)

    def __contains__(self, name: object) -> bool:
        return name in self._artifact.stages()

    def __iter__(self) -> Iterator[str]:
        return iter(self._artifact.stages())

    def __len__(self) -> int:
        return len(self._artifact.stages())


def _of_another_target(stage: str, target: Target) -> DiagnosticError:
    """Return the error for a module that was given in a stage of another target than the requested one."""
    message = f"the module was given as '{stage}', which is no stage of the target '{target}'"
    hint = f"stages of the target: {', '.join(driver_stages.stages_of(target))}"
    return failure(codes.UNKNOWN_STAGE, message, hint=hint)


def _cannot_check(stage: str) -> DiagnosticError:
    """Return the error for checks that were requested for a module in a stage after they are inserted."""
    message = f"the module was given as '{stage}', and checks become part of a module in Tile IR"
    hint = FROM_THE_BEGINNING
    return failure(codes.CANNOT_CHECK, message, hint=hint)


def text_only(name: str) -> MissingStageError:
    """Return the error for a request of the module of the stage `name`, which is text and has no module."""
    message = f"the stage '{name}' is text: it has no module"
    found = failure(codes.UNKNOWN_STAGE, message, hint="artifact.asm has the text")
    return MissingStageError(found.diagnostics)


def find_stage(name: str, target: Target, artifact: Artifact | None = None) -> Stage:
    """Return the stage `name` on the path to the code of `target` or, with an artifact, to the code of its
    target.

    Raises `MissingStageError` if there is no such stage, or if it cannot be made from the artifact's input.
    """
    rows = driver_stages.stages_of(target) if artifact is None else artifact.rows
    stage = rows.get(name)
    if stage is not None and (artifact is None or driver_stages.is_made_from(stage, artifact.input, rows)):
        return stage
    available = tuple(rows) if artifact is None else artifact.stages()
    message = f"there is no stage '{name}'"
    if stage is not None and artifact is not None:
        message += f": the module was given as '{artifact.input}', which comes after it"
    diagnostic = Diagnostic(Severity.ERROR, message, code=codes.UNKNOWN_STAGE)
    if stage is not None:
        diagnostic.hint(FROM_THE_BEGINNING)
    others = [
        other.name for other in one_of_each_kind() if name in driver_stages.stages_of(other) and stage is None
    ]
    if others:
        diagnostic.hint(f"it is a stage of the target '{others[0]}', and this is the target '{target}'")
    guess = strings.nearest(name, available) if stage is None else None
    if guess is not None:
        diagnostic.hint(f"did you mean '{guess}'?")
    diagnostic.hint(f"available stages: {', '.join(available)}")
    raise MissingStageError([diagnostic])
