"""``--mlir-print-ir-*``: prints the IR around passes, to stderr or into a tree of files."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tilewright.ir.declaration.traits import symbol_name
from tilewright.ir.operation import Operation
from tilewright.ir.text.printer import PrintOptions
from tilewright.ir.verifier import verify
from tilewright.passes.pass_ import Instrumentation, Pass, PassState
from tilewright.rewrite.observer import RewriteObserver, TreeObserver


@dataclass(frozen=True)
class PrintingOptions:
    """When and how to print. ``before`` and ``after`` hold names of passes; the ``all`` flags stand for every
    pass. ``only_on_change`` and ``only_on_failure`` limit the printing after passes; ``module_scope`` prints
    the outermost operation. ``tree_directory`` is the folder for one file per dump (None: all dumps are
    written to one stream), and ``text`` the form of the printed IR.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    before_all: bool = False
    after_all: bool = False
    only_on_change: bool = False
    only_on_failure: bool = False
    module_scope: bool = False
    tree_directory: Path | None = None
    text: PrintOptions = field(default_factory=PrintOptions)


class IRPrinting(Instrumentation):
    """Prints the IR before and after passes, under the headers that `mlir-opt` prints. ``write`` gets the
    text of each dump, by default stderr's; it is not used if the options name a folder.
    """

    def __init__(self, options: PrintingOptions, write: Callable[[str], object] | None = None) -> None:
        self.options = options
        self._write = write or sys.stderr.write
        self._before: dict[Operation, bytes] = {}
        self._counter = 0

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        options = self.options
        if options.only_on_change:
            self._before[op] = _fingerprint(op)
        if options.before_all or pass_.argument in options.before:
            self._dump("Before", "", pass_, op)

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        options = self.options
        if options.only_on_failure or not (options.after_all or pass_.argument in options.after):
            return
        if options.only_on_change and self._before.get(op) == _fingerprint(op):
            return
        self._dump("After", "", pass_, op)

    def after_pass_failed(self, pass_: Pass, op: Operation, state: PassState) -> None:
        options = self.options
        if options.only_on_failure or options.after_all or pass_.argument in options.after:
            self._dump("After", " Failed", pass_, op)

    def _dump(self, moment: str, outcome: str, pass_: Pass, op: Operation) -> None:
        scoped = self.options.module_scope
        root = _outermost(op) if scoped else op
        scope = _scope(op) if scoped else ""
        title = f"IR Dump {moment} {pass_.title}{outcome} ({pass_.argument}){scope}"
        options = printable(root, self.options.text) if outcome else self.options.text
        text = f"// -----// {title} //----- //\n{root.print(options)}\n\n"
        if self.options.tree_directory is None:
            self._write(text)
            return
        folder = self.options.tree_directory.joinpath(*_path_of(op))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self._counter}_{pass_.argument}.mlir").write_text(text)
        self._counter += 1


def printable(op: Operation, options: PrintOptions) -> PrintOptions:
    """Return the options for printing `op`, which may be invalid: `options` with the generic form if the
    verifier finds errors, because custom forms need valid operations.
    """
    return options if options.generic or not verify(op) else options.replace(generic=True)


def _scope(op: Operation) -> str:
    name = symbol_name(op)
    return f" ('{op.name}' operation{f': @{name}' if name else ''})"


def _fingerprint(op: Operation) -> bytes:
    return hashlib.blake2b(op.print(PrintOptions(generic=True)).encode(), digest_size=16).digest()


def _outermost(op: Operation) -> Operation:
    current = op
    while current.parent_op is not None:
        current = current.parent_op
    return current


def _path_of(op: Operation) -> list[str]:
    chain = [op, *op.ancestors()]
    return [
        f"{link.name.replace('.', '_')}_{symbol_name(link) or 'no-symbol-name'}" for link in reversed(chain)
    ]


HEADER = "// configuration: "


class CrashReproducer(Instrumentation):
    """Writes a reproducer to the file ``path`` when a pass fails: the IR as it was when the pipeline (or,
    ``local``, the pass) started. The first line of the file names the text ``pipeline`` (or, ``local``, the
    failed pass); ``tilewright opt --run-reproducer FILE`` runs it.
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
    """Return the pipeline that the first line of a reproducer names; None if `text` does not begin as a
    reproducer.
    """
    first = text.partition("\n")[0]
    if not first.startswith(HEADER):
        return None
    _, _, quoted = first.partition("--pass-pipeline=")
    return quoted.strip().strip("'")


class RewriteTracing(Instrumentation):
    """Prints to ``stream``, for every pass that applies patterns, the tree of attempts with the reason of
    each refusal.
    """

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        print(f"//===--- rewrites of '{pass_.display_name}' ---===//", file=self.stream)

    def rewrite_observer(self, pass_: Pass) -> RewriteObserver:
        return TreeObserver(self.stream)
