"""What compiling gives: a module with its stages, made when they are asked for."""

from __future__ import annotations

import difflib
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tilewright.driver import codes
from tilewright.driver.dependencies import require
from tilewright.driver.launch import launch_prepared
from tilewright.driver.stages import STAGES, CompileOptions, Stage, available_stages
from tilewright.driver.target import Target
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.interp.launch import LoadedModule


class MissingStageError(DiagnosticError, KeyError):
    """There is no such stage; says which ones there are and why this is not among them."""

    def __str__(self) -> str:  # that of KeyError quotes the message
        return str(self.args[0])


class Artifact:
    """A compiled module.

    ``asm`` maps names of stages to what they are written as; ``module(stage)`` answers the IR of one.  ``timings`` has
    seconds by what took them, ``diagnostics`` the warnings and remarks of passes.  Do not change the modules.
    """

    def __init__(
        self, module: Operation, target: Target, options: CompileOptions, entry: str | None = None
    ) -> None:
        self.target = target
        self.options = options
        self.entry = entry
        self.diagnostics: list[Diagnostic] = []
        self.timings: dict[str, float] = {}
        self.asm: Mapping[str, str | bytes] = StageTexts(self)
        self._input = module
        self._modules: dict[str, Operation] = {}
        self._prepared: LoadedModule | None = None

    def module(self, stage: str = "tileir") -> Operation:
        """The IR of a stage.  Raises `MissingStageError`, or `DiagnosticError` when a pass on the way fails."""
        chain: list[Stage] = []
        wanted: str | None = stage
        while wanted is not None and wanted not in self._modules:
            chain.append(find_stage(wanted))
            wanted = chain[-1].source
        for row in reversed(chain):
            self._modules[row.name] = self._made(row)
        return self._modules[stage]

    def _made(self, row: Stage) -> Operation:
        before = self._input if row.source is None else self._modules[row.source]
        return self.run_passes(before.clone(), row.passes, row.name) if row.passes else before

    def run_passes(self, module: Operation, pipeline: str, name: str) -> Operation:
        """Run passes on a module of this artifact; what they report is kept."""
        from tilewright.driver.bindings import Context, PassManager

        context = Context()
        with self.timed(name), context.diagnostics.collect() as emitted:
            try:
                PassManager.parse(pipeline, context).run(module)
            finally:
                self.diagnostics.extend(d for d in emitted if d.severity is not Severity.ERROR)
        return module

    @contextmanager
    def timed(self, name: str) -> Generator[None]:
        """Add the seconds of a ``with`` block to `timings`."""
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
    ) -> Any:
        """Run a kernel on the target; see `tilewright.launch`.  Globals keep their values from launch to launch."""
        require(self.target.needs)
        if self._prepared is None:
            from tilewright.interp.launch import LoadedModule

            self._prepared = LoadedModule(self.module())
        with self.timed("launch"):
            return launch_prepared(
                self._prepared, entry or self.entry, grid, arguments, check=check, memory=memory
            )

    def __repr__(self) -> str:
        return f"<Artifact for {self.target}: {', '.join(self.asm)}>"


class StageTexts(Mapping[str, str | bytes]):
    """Stages by name, each written down when it is first asked for."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        self._written: dict[str, str | bytes] = {}

    def __getitem__(self, name: str) -> str | bytes:
        found = self._written.get(name)
        if found is None:
            stage, artifact = find_stage(name), self._artifact
            module = artifact.module(name)
            with artifact.timed(f"write {name}"):
                found = self._written[name] = stage.write(module, artifact.options)
        return found

    def __contains__(self, name: object) -> bool:
        return name in available_stages()

    def __iter__(self) -> Iterator[str]:
        return iter(available_stages())

    def __len__(self) -> int:
        return len(available_stages())


def find_stage(name: str) -> Stage:
    """The stage of a name.  Raises `MissingStageError` when there is none, or it cannot be made."""
    stage = STAGES.get(name)
    if stage is not None and not stage.missing:
        return stage
    if stage is None:
        message = f"there is no stage '{name}'"
    else:
        message = f"there is no stage '{name}': {stage.missing}"
    diagnostic = Diagnostic(Severity.ERROR, message, code=codes.UNKNOWN_STAGE)
    for other in STAGES.values():
        if other.missing and other is not stage:
            diagnostic.note(f"no stage '{other.name}': {other.missing}")
    close = difflib.get_close_matches(name, available_stages(), n=1) if stage is None else []
    for guess in close:
        diagnostic.hint(f"did you mean '{guess}'?")
    diagnostic.hint(f"available stages: {', '.join(available_stages())}")
    raise MissingStageError([diagnostic])
