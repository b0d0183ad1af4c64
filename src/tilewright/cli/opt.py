"""`tilewright opt`: run passes over a module in MLIR text or bytecode, with the flags of `mlir-opt`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import IO

import click

from tilewright.bytecode.container import MAGIC
from tilewright.cli.color import colored_stderr
from tilewright.cli.completion import FlagCommand, files, passes
from tilewright.cli.errors import UsageError
from tilewright.cli.flags import (
    HINT_FLAGS,
    Flag,
    ParsedFlags,
    help_text,
    parse_flags,
    warnings_of,
)
from tilewright.cli.verify import read_input
from tilewright.driver.options import VERIFY_EACH
from tilewright.driver.reading import decoded, read
from tilewright.driver.startup import Registry, startup
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, render
from tilewright.ir.text.expected import mismatches, split_input
from tilewright.ir.text.printer import PrintOptions
from tilewright.ir.verifier import verify
from tilewright.passes.instrumentation import Instrumentation
from tilewright.passes.ir_printing import IRPrinting, PrintingOptions, printable
from tilewright.passes.manager import PassManager
from tilewright.passes.pipeline import describe, make_pass, parse_pipeline
from tilewright.passes.reproducer import CrashReproducer, read_configuration
from tilewright.passes.rewrite_tracing import RewriteTracing
from tilewright.passes.timing import Statistics, Timing
from tilewright.version import __version__

FLAGS = (
    Flag("help", "Show this page."),
    Flag("help-passes", "Show the manuals of all passes, with their options."),
    Flag("version", "Show the version."),
    Flag("o", "Where to write (default: stdout).", "FILE"),
    Flag("pass-pipeline", "Passes to run, such as builtin.module(canonicalize,cse).", "TEXT"),
    Flag("run-reproducer", "Run the pipeline named in the input's first line."),
    Flag("dump-pass-pipeline", "Print the pipeline to stderr before running it."),
    Flag("split-input-file", "Treat pieces between '// -----' lines as separate inputs."),
    Flag(
        "verify-diagnostics",
        "Compare diagnostics with 'expected-*' comments; =only-expected lets others pass.",
    ),
    Flag(VERIFY_EACH.name, VERIFY_EACH.page, ""),
    Flag("verify-all", "Report every broken rule, not just the first."),
    *HINT_FLAGS,
    Flag("allow-unregistered-dialect", "Accept operations of unknown dialects."),
    Flag("no-implicit-module", "Do not wrap the input into a builtin.module; it must be a single operation."),
    Flag("show-dialects", "List the dialects."),
    Flag("mlir-print-op-generic", "Print the generic form."),
    Flag("mlir-print-debuginfo", "Print locations."),
    Flag("mlir-print-local-scope", "Print locations in place, without aliases."),
    Flag("mlir-print-ir-before", "Print the IR before these passes.", "PASSES", repeated=True),
    Flag("mlir-print-ir-after", "Print the IR after these passes.", "PASSES", repeated=True),
    Flag("mlir-print-ir-before-all", "Print the IR before every pass."),
    Flag("mlir-print-ir-after-all", "Print the IR after every pass."),
    Flag("mlir-print-ir-after-change", "With -after-all: only when the pass changed something."),
    Flag("mlir-print-ir-after-failure", "Print the IR only after a pass failed."),
    Flag("mlir-print-ir-module-scope", "Print the whole module, not just the pass's operation."),
    Flag("mlir-print-ir-tree-dir", "Write dumps into a tree of files.", "DIR"),
    Flag("mlir-timing", "Report how long passes took."),
    Flag("mlir-timing-display", "list or tree.", "KIND"),
    Flag("mlir-pass-statistics", "Report what passes counted and what their patterns did."),
    Flag("debug-rewrites", "Print every attempt of a pattern, with the reason why it declined."),
    Flag(
        "mlir-pass-pipeline-crash-reproducer", "When a pass fails, write a file that runs it again.", "FILE"
    ),
    Flag("mlir-pass-pipeline-local-reproducer", "Reproduce the failing pass alone."),
)
USAGE = "Usage: tilewright opt [OPTIONS] [FILE|-]"


@click.command(
    name="opt",
    cls=FlagCommand,
    flags=lambda: FLAGS,
    passes=passes,
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, shell_complete=files)
def command(arguments: tuple[str, ...]) -> None:
    """Run passes over MLIR text or bytecode; `tilewright opt --help` lists flags and passes."""
    sys.exit(run_opt(arguments, sys.stdin, sys.stdout, sys.stderr))


def main() -> None:
    """Entry point of the `tilewright-opt` script."""
    with colored_stderr(sys.argv[1:]) as rest:
        sys.exit(run_opt(rest, sys.stdin, sys.stdout, sys.stderr))


def run_opt(arguments: Sequence[str], stdin: IO[str], stdout: IO[str], stderr: IO[str]) -> int:
    """The command as a function: returns the exit status (0 fine, 1 diagnostics, 2 usage)."""
    registry = startup()
    try:
        flags = parse_flags(arguments, FLAGS, registry.passes)
        if flags.has("help"):
            passes = {name: cls.manual().partition("\n")[0] for name, cls in registry.passes.items()}
            print(help_text(USAGE, FLAGS, passes), file=stdout)
            return 0
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):  # passes print as well
            return _Opt(flags, registry, stdin, stdout, stderr).run()
    except UsageError as error:
        print(error, file=stderr)
        return 2
    except DiagnosticError as error:
        print(error, file=stderr)
        return 1


class _Opt:
    """One run of the command."""

    def __init__(
        self, flags: ParsedFlags, registry: Registry, stdin: IO[str], stdout: IO[str], stderr: IO[str]
    ) -> None:
        self.flags = flags
        self.registry = registry
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.print_options = PrintOptions(
            generic=flags.has("mlir-print-op-generic"),
            debug_info=flags.has("mlir-print-debuginfo"),
            use_local_scope=flags.has("mlir-print-local-scope"),
        )
        self.outputs: list[str] = []
        self.file_name = "<stdin>"

    def run(self) -> int:
        page = self._page()
        if page is not None:
            print(page, file=self.stdout)
            return 0
        data = self._read()
        pieces = [data] if data.startswith(MAGIC) else self._pieces(decoded(data, self.file_name))
        status = 0
        for piece in pieces:
            status |= self._verified(piece) if self.flags.has("verify-diagnostics") else self._process(piece)
        self._write("\n// -----\n".join(self.outputs))
        return status

    def _page(self) -> str | None:
        """What was asked for instead of running anything."""
        if self.flags.has("version"):
            return f"tilewright {__version__}"
        if self.flags.has("show-dialects"):
            return f"Available Dialects: {','.join(sorted(self.registry.dialects))}"
        if self.flags.has("help-passes"):
            return "\n\n".join(describe(cls) for _, cls in sorted(self.registry.passes.items()))
        return None

    def _read(self) -> bytes:
        positional = self.flags.positional
        if len(positional) > 1:
            raise UsageError(f"one input file at most, got {len(positional)}")
        if not positional or positional[0] == "-":
            binary: IO[bytes] | None = getattr(self.stdin, "buffer", None)
            return binary.read() if binary is not None else self.stdin.read().encode()
        self.file_name = positional[0]
        return read_input(self.file_name)

    def _pieces(self, text: str) -> list[bytes]:
        pieces = split_input(text) if self.flags.has("split-input-file") else [text]
        return [piece.encode() for piece in pieces]

    def _write(self, text: str) -> None:
        if self.flags.has("verify-diagnostics") or not text:
            return
        output = self.flags.text("o", "-")
        if output == "-":
            print(text, file=self.stdout)
        else:
            try:
                Path(output).write_text(text + "\n")
            except OSError as error:
                raise UsageError(f"cannot write '{output}': {error}") from error

    def _context(self) -> Context:
        return self.registry.context(allow_unregistered=self.flags.has("allow-unregistered-dialect"))

    def _process(self, data: bytes) -> int:
        """Read, verify, run and print one input; diagnostics go to stderr."""
        context = self._context()
        source = _line_reader(_text_of(data), self.file_name)
        with _emitted(context, lambda d: print(render(d, source), file=self.stderr)) as diagnostics:
            self._run_and_report(context, data, diagnostics)
        return 1 if any(d.severity is Severity.ERROR for d in diagnostics) else 0

    def _verified(self, data: bytes) -> int:
        context = self._context()
        with _emitted(context, lambda diagnostic: None) as diagnostics:
            self._run_and_report(context, data, diagnostics)
        only_expected = self.flags.text("verify-diagnostics") == "only-expected"
        problems = mismatches(_text_of(data), diagnostics, self.file_name, only_expected=only_expected)
        for problem in problems:
            print(problem, file=self.stderr)
        return 1 if problems else 0

    def _run_and_report(self, context: Context, data: bytes, emitted: Sequence[Diagnostic]) -> None:
        """Run the pipeline; what an exception carries and nobody emitted is emitted now."""
        try:
            self._run_pipeline(context, data)
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                if not any(diagnostic is known for known in emitted):
                    context.diagnostics.emit(diagnostic)

    def _run_pipeline(self, context: Context, data: bytes) -> None:
        implicit_module = not self.flags.has("no-implicit-module")
        module = read(data, self.file_name, context, implicit_module=implicit_module, verify=False)
        errors = verify(module, all_errors=self.flags.has("verify-all"), dialects=context.dialects)
        if errors:
            raise DiagnosticError(errors)
        for warning in warnings_of(self.flags, module):
            context.diagnostics.emit(warning)
        manager = self._manager(context, module.name, _text_of(data))
        reports = self._instrument(manager)
        try:
            manager.run(module)
        finally:
            for report in reports:
                print(report.report(), file=self.stderr)
        options = self.print_options if manager.verify_each else printable(module, self.print_options)
        self.outputs.append(module.print(options))

    def _manager(self, context: Context, anchor: str, text: str) -> PassManager:
        flags = self.flags
        pipeline = flags.text("pass-pipeline")
        if flags.has("run-reproducer"):
            pipeline = read_configuration(text) or pipeline
        if pipeline and flags.passes:
            raise UsageError("'--pass-pipeline' can't be used with individual pass options")
        if pipeline:
            manager = parse_pipeline(pipeline, context, self.registry.passes, anchor=anchor)
        else:
            manager = PassManager(context, anchor)
            for name, options in flags.passes:
                manager.add(make_pass(name, _option_texts(options), self.registry.passes))
        manager.verify_each = flags.text(VERIFY_EACH.name, VERIFY_EACH.shown_default) not in ("false", "0")
        if flags.has("dump-pass-pipeline"):
            count = sum(1 for _ in manager.passes())
            print(f"Pass Manager with {count} passes:\n{_indented(manager)}", file=self.stderr)
        return manager

    def _instrument(self, manager: PassManager) -> list[Timing | Statistics]:
        flags = self.flags
        clients: list[Instrumentation] = []
        if any(name.startswith("mlir-print-ir-") for name in flags.values):
            clients.append(IRPrinting(self._printing(), self.stderr.write))
        path = flags.text("mlir-pass-pipeline-crash-reproducer")
        if path:
            local = flags.has("mlir-pass-pipeline-local-reproducer")
            clients.append(CrashReproducer(Path(path), str(manager), local=local))
        if flags.has("debug-rewrites"):
            clients.append(RewriteTracing(self.stderr))
        reports: list[Timing | Statistics] = []
        if flags.has("mlir-timing"):
            reports.append(Timing(as_list=flags.text("mlir-timing-display", "tree") == "list"))
        if flags.has("mlir-pass-statistics"):
            reports.append(Statistics())
        for client in (*clients, *reports):
            manager.instrument(client)
        return reports

    def _printing(self) -> PrintingOptions:
        flags = self.flags
        directory = flags.text("mlir-print-ir-tree-dir")
        return PrintingOptions(
            before=frozenset(flags.texts("mlir-print-ir-before")),
            after=frozenset(flags.texts("mlir-print-ir-after")),
            before_all=flags.has("mlir-print-ir-before-all"),
            after_all=flags.has("mlir-print-ir-after-all"),
            only_on_change=flags.has("mlir-print-ir-after-change"),
            only_on_failure=flags.has("mlir-print-ir-after-failure"),
            module_scope=flags.has("mlir-print-ir-module-scope"),
            tree_directory=Path(directory) if directory else None,
            text=self.print_options,
        )


@contextlib.contextmanager
def _emitted(
    context: Context, show: Callable[[Diagnostic], object]
) -> Generator[list[Diagnostic], None, None]:
    """Collects what is emitted within a ``with`` block, showing each at once."""
    collected: list[Diagnostic] = []

    def take(diagnostic: Diagnostic) -> bool:
        collected.append(diagnostic)
        show(diagnostic)
        return True

    with context.diagnostics.handler(take):
        yield collected


def _indented(manager: PassManager, margin: str = "") -> str:
    """The pipeline, one pass a line."""
    inner = margin + "  "
    items = [
        _indented(i, inner) if isinstance(i, PassManager) else inner + i.display_name for i in manager.items
    ]
    return f"{margin}{manager.anchor}(\n" + ",\n".join(items) + f"\n{margin})"


def _text_of(data: bytes) -> str:
    """The text of an input; bytecode has none."""
    return "" if data.startswith(MAGIC) else data.decode()


def _line_reader(text: str, file_name: str) -> Callable[[str, int], str | None]:
    lines = text.split("\n")

    def read(file: str, number: int) -> str | None:
        return lines[number - 1] if file == file_name and 0 < number <= len(lines) else None

    return read


def _option_texts(options: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in options.strip('"{}').split())
    return {name: value or "true" for name, _, value in pairs}


if __name__ == "__main__":
    main()
