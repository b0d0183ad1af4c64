"""``--mlir-pass-pipeline-crash-reproducer``: when a pass fails, a file that runs it again."""

from __future__ import annotations

from pathlib import Path

from tilewright.ir.operation import Operation
from tilewright.ir.text.printer import PrintOptions
from tilewright.passes.instrumentation import Instrumentation
from tilewright.passes.pass_ import Pass, PassState

HEADER = "// configuration: "


class CrashReproducer(Instrumentation):
    """Keeps the IR of the pipeline's start (or, ``local``, of each pass's start) and writes it on failure.

    The file's first line is the pipeline to run: ``tilewright opt --run-reproducer FILE`` does so.
    """

    def __init__(self, path: Path, pipeline: str, *, local: bool = False) -> None:
        self.path = path
        self.pipeline = pipeline
        self.local = local
        self._text = ""
        self._depth = 0

    def before_pipeline(self, anchor: str, op: Operation) -> None:
        if self._depth == 0 and not self.local:
            self._text = self._print(op)
        self._depth += 1

    def after_pipeline(self, anchor: str, op: Operation) -> None:
        self._depth -= 1

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        if self.local:
            self._text = self._print(op)

    def after_pass_failed(self, pass_: Pass, op: Operation, state: PassState) -> None:
        self._depth = 0  # the pipelines around the pass end here
        pipeline = f"{op.name}({pass_.display_name})" if self.local else self.pipeline
        self.path.write_text(f"{HEADER}--pass-pipeline='{pipeline}'\n{self._text}\n")

    def _print(self, op: Operation) -> str:
        return op.print(PrintOptions(generic=True, debug_info=True))


def read_configuration(text: str) -> str | None:
    """Return the pipeline named in the first line of a reproducer, or None."""
    first = text.partition("\n")[0]
    if not first.startswith(HEADER):
        return None
    _, _, quoted = first.partition("--pass-pipeline=")
    return quoted.strip().strip("'")
