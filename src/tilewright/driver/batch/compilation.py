"""Compile many files: each file is a job, which another process or machine can run.

```
jobs = [CompileJob(file, f"built/{name}", ("llvm", "object")) for file, name in ...]
for done in compile_files(jobs, processes()):
    print(done.result().status, done.item.file)
```
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.cpp.options import CppOptions, is_cpp
from tilewright.driver import compile as driver_compile, reading, sources, stages as driver_stages
from tilewright.driver.artifact import Artifact, find_stage
from tilewright.driver.target import DEFAULT, target as find_target
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.distribution import Done, ResultsFile, distribute
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.passes.pass_ import Instrumentation
    from tilewright.targets.stage import Stage


@dataclass(frozen=True, slots=True)
class CompileJob:
    """A file to compile for `target` with `options`; `cpp` are the options for a file of CUDA C++. Each of
    ``stages`` is written to the path ``place`` with the suffix of the stage. With ``keeps_all`` the stages
    before them are written as well.
    """

    file: str
    place: str
    stages: Sequence[str]
    target: str = DEFAULT
    options: driver_stages.CompileOptions = field(default_factory=driver_stages.CompileOptions)
    keeps_all: bool = False
    cpp: CppOptions = field(default_factory=CppOptions)

    def key(self) -> str:
        """Return the key of the job: path, size and modification time of the file; the path alone if the file
        cannot be examined.
        """
        try:
            state = os.stat(self.file)
        except OSError:
            return self.file
        return f"{self.file} {state.st_size} {state.st_mtime_ns}"


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job: exit status, diagnostics as text, paths of written files, seconds by step. The
    status is 0, or 2 if a file cannot be read or written, or 1 for an error in the input and for a file of
    CUDA C++ that cannot be read.
    """

    file: str
    status: int
    messages: tuple[str, ...]
    outputs: tuple[str, ...]
    seconds: dict[str, float]


def compile_file(job: CompileJob, instrumentations: Sequence[Instrumentation] = ()) -> JobResult:
    """Compile the file of a job, write its stages to files, and return the result. Errors in the input, or in
    reading and writing files, are not raised, but are part of the result. `instrumentations` see every pass
    that runs.
    """
    try:
        data = reading.file_bytes(job.file, job.cpp) if is_cpp(job.file) else Path(job.file).read_bytes()
        artifact = driver_compile.compile(
            sources.read_any(data, job.file),
            target=job.target,
            options=job.options,
            instrumentations=instrumentations,
        )
        wanted = [find_stage(name, find_target(job.target)) for name in job.stages]
        rows = on_the_way(artifact, wanted) if job.keeps_all else wanted
        outputs = [_written(artifact, row, Path(f"{job.place}{row.suffix}")) for row in rows]
    except DiagnosticError as error:
        return JobResult(job.file, 1, (str(error),), (), {})
    except OSError as error:
        message = f"error: cannot use '{error.filename}': {error.strerror or error}"
        return JobResult(job.file, 2, (message,), (), {})
    messages = tuple(str(diagnostic) for diagnostic in artifact.diagnostics)
    return JobResult(job.file, 0, messages, tuple(outputs), dict(artifact.timings))


def _written(artifact: Artifact, row: Stage, path: Path) -> str:
    written = artifact.asm[row.name]
    path.write_bytes(written.encode() if isinstance(written, str) else written)
    return str(path)


def on_the_way(artifact: Artifact, stages: Iterable[Stage]) -> list[Stage]:
    """Return the given stages and the stages that they are made from, without the stage of the input. Each
    stage occurs once and precedes the stage that it is made from, unless that is listed already.
    """
    found: dict[str, Stage] = {}
    for stage in stages:
        current: Stage | None = stage
        while current is not None and current.name != artifact.input and current.name not in found:
            found[current.name] = current
            current = artifact.rows[current.source] if current.source is not None else None
    return list(found.values())


def compile_files(
    jobs: Sequence[CompileJob], executor: Executor | Callable[[], Executor], results: Path | None = None
) -> Generator[Done[CompileJob, JobResult]]:
    """Run jobs on an executor, or on executors that the function `executor` makes; yield the outcome of each
    job, in the order of `jobs`.

    With a file ``results``, jobs recorded there as done are not repeated, unless their input has changed
    since. Raises `DiagnosticError` for a file with the results of other work.
    """
    return distribute(
        compile_file,
        jobs,
        executor,
        results=_results(jobs, results) if results is not None else None,
        what="files compiled",
    )


def _results(jobs: Sequence[CompileJob], path: Path) -> ResultsFile[CompileJob, JobResult]:
    how = {(tuple(job.stages), job.target, repr(job.options), job.keeps_all) for job in jobs}
    work = f"tilewright {__version__} compile {sorted(how)}"

    def decoded(value: dict[str, Any]) -> JobResult:
        return JobResult(
            value["file"],
            value["status"],
            tuple(value["messages"]),
            tuple(value["outputs"]),
            value["seconds"],
        )

    return ResultsFile(path, work, key=CompileJob.key, encode=asdict, decode=decoded)
