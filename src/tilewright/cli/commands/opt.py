"""`tilewright opt`: run passes over a module in MLIR text or bytecode, with the flags of `mlir-opt`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from typing import IO, TYPE_CHECKING

from tilewright.bytecode import MAGIC
from tilewright.cli import collector, flags as cli_flags, inputs, main as cli_main
from tilewright.cli.errors import UsageError
from tilewright.driver import options as driver_options, reading, startup as driver_startup
from tilewright.driver.reading import read
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, render
from tilewright.ir.support.strings import first_paragraph
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.verifier import verify
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.driver import registry as driver_registry

PASS_FLAGS = (
    cli_flags.Flag("pass-pipeline", "Passes to run, such as builtin.module(canonicalize,cse).", "PIPELINE"),
    cli_flags.Flag("run-reproducer", "Run the pipeline named in the input's first line."),
    cli_flags.Flag("dump-pass-pipeline", "Print the pipeline to stderr before running it."),
    cli_flags.Flag(driver_options.VERIFY_EACH.name, driver_options.VERIFY_EACH.page, ""),
    cli_flags.Flag("mlir-print-ir-before", "Print the IR before these passes.", "PASSES", repeated=True),
    cli_flags.Flag("mlir-print-ir-after", "Print the IR after these passes.", "PASSES", repeated=True),
    cli_flags.Flag("mlir-print-ir-before-all", "Print the IR before every pass."),
    cli_flags.Flag("mlir-print-ir-after-all", "Print the IR after every pass."),
    cli_flags.Flag("mlir-print-ir-after-change", "With -after-all: only when the pass changed something."),
    cli_flags.Flag("mlir-print-ir-after-failure", "Print the IR only after a pass failed."),
    cli_flags.Flag("mlir-print-ir-module-scope", "Print the whole module, not just the pass's operation."),
    cli_flags.Flag("mlir-print-ir-tree-dir", "Write dumps into a tree of files.", "DIR"),
    cli_flags.Flag("mlir-timing", "Report how long passes took."),
    cli_flags.Flag("mlir-timing-display", "list or tree.", "KIND"),
    cli_flags.Flag("mlir-pass-statistics", "Report what passes counted and what their patterns did."),
    cli_flags.Flag("debug-rewrites", "Print every attempt of a pattern, with the reason why it declined."),
    cli_flags.Flag(
        "mlir-pass-pipeline-crash-reproducer", "When a pass fails, write a file that runs it again.", "FILE"
    ),
    cli_flags.Flag("mlir-pass-pipeline-local-reproducer", "Reproduce the failing pass alone."),
)
"""Flags about passes; without passes and these no machinery for passes is loaded."""

FLAGS = (
    cli_flags.Flag("help", "Show this page."),
    cli_flags.Flag("help-passes", "Show the manuals of all passes, with their options."),
    cli_flags.Flag("version", "Show the version."),
    cli_flags.Flag("o", "Where to write (default: stdout).", "FILE"),
    cli_flags.Flag("split-input-file", "Treat pieces between '// -----' lines as separate inputs."),
    cli_flags.Flag(
        "verify-diagnostics",
        "Compare diagnostics with 'expected-*' comments; =only-expected lets others pass.",
    ),
    cli_flags.Flag("verify-all", "Report every broken rule, not just the first."),
    *cli_flags.HINT_FLAGS,
    cli_flags.Flag("allow-unregistered-dialect", "Accept operations of unknown dialects."),
    cli_flags.Flag(
        "no-implicit-module", "Do not wrap the input into a builtin.module; it must be a single operation."
    ),
    cli_flags.Flag("show-dialects", "List the dialects."),
    cli_flags.Flag("mlir-print-op-generic", "Print the generic form."),
    cli_flags.Flag("mlir-print-debuginfo", "Print locations."),
    cli_flags.Flag("mlir-print-local-scope", "Print locations in place, without aliases."),
    cli_flags.Flag("mlir-use-nameloc-as-prefix", "Call values as the names in their locations."),
    *PASS_FLAGS,
)
USAGE = "Usage: tilewright opt [OPTIONS] [FILE|-]"


def main() -> None:
    """Run the `tilewright-opt` script."""
    collector.own_process()
    cli_main.main(["opt", *sys.argv[1:]])


def run_opt(
    arguments: Sequence[str],
    stdin: IO[str] | None = None,
    stdout: IO[str] | None = None,
    stderr: IO[str] | None = None,
) -> int:
    """Run the command, by default on the standard streams. Return the exit status: 0, 1 for errors in the
    input, or 2 for a wrong command line or a file that cannot be read or written.
    """
    return _run(arguments, stdin or sys.stdin, stdout or sys.stdout, stderr or sys.stderr)


def _run(arguments: Sequence[str], stdin: IO[str], stdout: IO[str], stderr: IO[str]) -> int:
    registry = driver_startup.startup()
    try:
        flags = cli_flags.parse_flags(arguments, FLAGS, registry.passes)
        if flags.has("help"):
            passes = {name: first_paragraph(cls.manual()) for name, cls in registry.passes.items()}
            print(cli_flags.help_text(USAGE, FLAGS, passes), file=stdout)
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
    """One run of `tilewright opt` with the parsed ``flags``: `run` reads the input, or prints the page that a
    flag selects, and returns the exit status. Passes and dialects are found in ``registry``.
    """

    def __init__(
        self,
        flags: cli_flags.ParsedFlags,
        registry: driver_registry.Registry,
        stdin: IO[str],
        stdout: IO[str],
        stderr: IO[str],
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
            names_from_locations=flags.has("mlir-use-nameloc-as-prefix"),
        )
        self.outputs: list[str] = []
        self.file_name = inputs.STDIN

    def run(self) -> int:
        page = self._page()
        if page is not None:
            print(page, file=self.stdout)
            return 0
        data = self._read()
        pieces = [data] if data.startswith(MAGIC) else self._pieces(reading.decoded(data, self.file_name))
        status = 0
        for piece in pieces:
            status |= self._verified(piece) if self.flags.has("verify-diagnostics") else self._process(piece)
        self._write("\n// -----\n".join(self.outputs))
        return status

    def _page(self) -> str | None:
        """Return the text that a flag requests instead of a run: the version, the dialects, or the manuals of
        all passes. Return None without such a flag.
        """
        if self.flags.has("version"):
            return f"tilewright {__version__}"
        if self.flags.has("show-dialects"):
            return f"Available Dialects: {','.join(sorted(self.registry.dialects))}"
        if self.flags.has("help-passes"):
            from tilewright.passes.pipeline import describe

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
        return inputs.read_input(self.file_name)

    def _pieces(self, text: str) -> list[bytes]:
        if not self.flags.has("split-input-file"):
            return [text.encode()]
        from tilewright.ir.text.expected import split_input

        return [piece.encode() for piece in split_input(text)]

    def _write(self, text: str) -> None:
        if self.flags.has("verify-diagnostics") or not text:
            return
        output = self.flags.text("o", "-")
        if output == "-":
            print(text, file=self.stdout)
        else:
            try:
                with open(output, "w", encoding="utf-8") as file:
                    file.write(text + "\n")
            except OSError as error:
                raise UsageError(f"cannot write '{output}': {error}") from error

    def _context(self) -> Context:
        return self.registry.context(allow_unregistered=self.flags.has("allow-unregistered-dialect"))

    def _process(self, data: bytes) -> int:
        """Process one input: read it, verify it, run the passes and print it; diagnostics go to stderr.
        Return 1 if one of them is an error, else 0.
        """
        context = self._context()
        source = _line_reader(_text_of(data), self.file_name)
        with _emitted(context, lambda d: print(render(d, source), file=self.stderr)) as diagnostics:
            self._run_and_report(context, data, diagnostics)
        return 1 if any(d.severity is Severity.ERROR for d in diagnostics) else 0

    def _verified(self, data: bytes) -> int:
        from tilewright.ir.text.expected import mismatches

        context = self._context()
        with _emitted(context, lambda diagnostic: None) as diagnostics:
            self._run_and_report(context, data, diagnostics)
        only_expected = self.flags.text("verify-diagnostics") == "only-expected"
        problems = mismatches(_text_of(data), diagnostics, self.file_name, only_expected=only_expected)
        for problem in problems:
            print(problem, file=self.stderr)
        return 1 if problems else 0

    def _run_and_report(self, context: Context, data: bytes, emitted: Sequence[Diagnostic]) -> None:
        """Run the pipeline. Emit the diagnostics of an exception that are not among `emitted`."""
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
        for warning in cli_flags.warnings_of(self.flags, module):
            context.diagnostics.emit(warning)
        options = self.print_options
        if self.flags.passes or not {flag.name for flag in PASS_FLAGS}.isdisjoint(self.flags.values):
            # a third of what this command would import
            from tilewright.cli.commands.opt_pipeline import OptPipeline

            pipeline = OptPipeline(self.flags, self.registry, options, self.stderr)
            options = pipeline.run(module, context, _text_of(data))
        self.outputs.append(module.print(options))


@contextlib.contextmanager
def _emitted(
    context: Context, show: Callable[[Diagnostic], object]
) -> Generator[list[Diagnostic], None, None]:
    """Yield a list that receives the diagnostics emitted in the ``with`` block; each is also passed to `show`
    at once.
    """
    collected: list[Diagnostic] = []

    def take(diagnostic: Diagnostic) -> bool:
        collected.append(diagnostic)
        show(diagnostic)
        return True

    with context.diagnostics.handler(take):
        yield collected


def _text_of(data: bytes) -> str:
    """Return the text of an input; an empty text for bytecode."""
    return "" if data.startswith(MAGIC) else data.decode()


def _line_reader(text: str, file_name: str) -> Callable[[str, int], str | None]:
    lines = text.split("\n")

    def read(file: str, number: int) -> str | None:
        return lines[number - 1] if file == file_name and 0 < number <= len(lines) else None

    return read


if __name__ == "__main__":
    main()
