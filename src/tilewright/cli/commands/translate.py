"""`tilewright translate`: between bytecode and MLIR text, with the flags of `cuda-tile-translate`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from tilewright.bytecode.preview import FEATURES
from tilewright.cli import collector, flags as cli_flags, main as cli_main
from tilewright.cli.errors import UsageError, refuse_terminal, report
from tilewright.ir.support.record import NamedTuple

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version
    from tilewright.ir.diagnostic import Diagnostic
    from tilewright.ir.operation import Operation

FLAGS = (
    cli_flags.Flag("help", "Show this page."),
    cli_flags.Flag("o", "Where to write (default: stdout).", "FILE"),
    cli_flags.Flag(
        "mlir-to-cudatilebc",
        "Write bytecode. Bytecode as input is written again, in another version if --bytecode-version names one.",
    ),
    cli_flags.Flag("cudatilebc-to-mlir", "Write text; the input must be bytecode."),
    cli_flags.Flag(
        "mlir-to-ptx", "Write PTX of a module of the dialects llvm and nvvm, for the GPU of --chip."
    ),
    cli_flags.Flag("chip", "The GPU that PTX is written for, such as sm_90a.", "SM"),
    cli_flags.Flag("line-info", "Say in PTX which lines instructions come from."),
    cli_flags.Flag("test-cudatile-roundtrip", "Write bytecode, read it back, and write that as text."),
    cli_flags.Flag(
        "bytecode-version", "Version of the bytecode (default: the oldest that holds the module).", "M.N"
    ),
    cli_flags.Flag("list-versions", "List the bytecode versions."),
    cli_flags.Flag("split-input-file", "Treat pieces between '// -----' lines as separate inputs."),
    cli_flags.Flag("verify-diagnostics", "Write nothing; compare diagnostics with 'expected-*' comments."),
    cli_flags.Flag(
        "no-implicit-module", "Do not wrap text into a builtin.module; it must be a single operation."
    ),
    *cli_flags.HINT_FLAGS,
    *cli_flags.CPP_FLAGS,
    cli_flags.Flag("allow-unregistered-dialect", "Accept operations of unknown dialects in text."),
    cli_flags.Flag("g", "Print locations; also --print-debug-info and --mlir-print-debuginfo."),
    cli_flags.Flag("print-debug-info", "The same as -g."),
    cli_flags.Flag("mlir-print-debuginfo", "The same as -g."),
    cli_flags.Flag("mlir-print-op-generic", "Print the generic form."),
)
USAGE = """Usage: tilewright translate [OPTIONS] [FILE|-]

Translate between Tile IR bytecode and MLIR text. The input may be either; without a direction the output is text.
Modules of the dialects llvm and nvvm become PTX. A file with CUDA C++ is compiled to bytecode first."""
DIRECTIONS = ("mlir-to-cudatilebc", "cudatilebc-to-mlir", "mlir-to-ptx", "test-cudatile-roundtrip")


def main() -> None:
    """Run the `tilewright-translate` script."""
    collector.own_process()
    cli_main.main(["translate", *sys.argv[1:]])


def run_translate(arguments: Sequence[str]) -> int:
    """Run the command on the standard streams. Return the exit status: 0, 1 for errors in the input, or 2 for
    a wrong command line or a file that cannot be read or written.
    """
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        flags = cli_flags.parse_flags(arguments, FLAGS, {})
        if flags.has("help"):
            print(cli_flags.help_text(USAGE, FLAGS, {}))
            return 0
        if flags.has("list-versions"):
            return _list_versions()
        return _Translation(flags).run()
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except DiagnosticError as error:
        return report(error)


def _list_versions() -> int:
    from tilewright.dialects.cuda_tile.version import VERSIONS

    print("\n".join(map(str, VERSIONS)))
    return 0


class _Input(NamedTuple):
    """The bytes of the input, and its name in diagnostics."""

    data: bytes
    name: str


class _Translation:
    """One run of `tilewright translate` with the parsed ``flags``, which `run` executes. Raises `UsageError`
    for two directions, and for an unknown version.
    """

    def __init__(self, flags: cli_flags.ParsedFlags) -> None:
        from tilewright.driver.startup import context

        self.flags = flags
        self.directions = [name for name in DIRECTIONS if flags.has(name)]
        if len(self.directions) > 1:
            raise UsageError(f"--{self.directions[0]} and --{self.directions[1]} exclude each other")
        self.version = self._version()
        self.warnings: list[Diagnostic] = []
        self.context = context(allow_unregistered=flags.has("allow-unregistered-dialect"))

    def _version(self) -> Version | None:
        from tilewright.dialects.cuda_tile.version import Version

        if not self.flags.text("bytecode-version"):
            return None
        try:
            return Version.parse(self.flags.text("bytecode-version"))
        except ValueError as error:
            raise UsageError(str(error)) from error

    def run(self) -> int:
        """Translate the input, or each piece of it, and write the result; return the exit status (1 if a
        piece has an error, or diagnostics that it does not expect). Raises `DiagnosticError` for an input
        that is translated as a whole, and `UsageError`.
        """
        given = self._read_input()
        if self.flags.has("split-input-file") or self.flags.has("verify-diagnostics"):
            return self._run_pieces(given)
        translated = self._translate(given)
        self._show(self.warnings)
        self._write(translated)
        return 0

    def _show(self, diagnostics: Sequence[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            print(diagnostic, file=sys.stderr)

    def _run_pieces(self, given: _Input) -> int:
        """Translate pieces of text one by one; an error in one piece does not stop the others. The results
        are written as one file, unless diagnostics are verified. Return 1 if a piece has an error, or
        diagnostics that it does not expect, else 0.
        """
        from tilewright.driver.reading import decoded
        from tilewright.ir.text.expected import split_input

        text = decoded(given.data, given.name)
        pieces = split_input(text) if self.flags.has("split-input-file") else [text]
        outputs: list[str | bytes] = []
        status = 0
        for piece in pieces:
            status |= self._run_piece(_Input(piece.encode(), given.name), piece, outputs)
        if outputs and not self.flags.has("verify-diagnostics"):
            self._write(_joined(outputs))
        return status

    def _run_piece(self, piece: _Input, text: str, outputs: list[str | bytes]) -> int:
        from tilewright.ir.diagnostic import DiagnosticError
        from tilewright.ir.text.expected import mismatches

        error = None
        self.warnings.clear()
        try:
            outputs.append(self._translate(piece))
        except DiagnosticError as raised:
            error = raised
        if self.flags.has("verify-diagnostics"):
            found = [*self.warnings, *(error.diagnostics if error else [])]
            problems = mismatches(text, found, piece.name)
        else:
            self._show(self.warnings)
            problems = [str(error)] if error else []
        for problem in problems:
            print(problem, file=sys.stderr)
        return int(bool(problems))

    def _read_input(self) -> _Input:
        positional = self.flags.positional
        if len(positional) > 1:
            raise UsageError(f"one input file at most, got {len(positional)}")
        if not positional or positional[0] == "-":
            return _Input(sys.stdin.buffer.read(), "<stdin>")
        from tilewright.driver.reading import file_bytes

        return _Input(file_bytes(positional[0], cli_flags.cpp_options_of(self.flags)), positional[0])

    def _translate(self, given: _Input) -> str | bytes:
        """Return the translation of the input: bytecode as bytes, MLIR or PTX as text. Warnings about the
        module are added to ``warnings``. Modules of Python that a direction does not need are not imported.
        """
        from tilewright.ir.text.printer import PrintOptions

        module = self._module(given)
        self.warnings += cli_flags.warnings_of(self.flags, module)
        if self.directions == ["mlir-to-ptx"]:
            return self._ptx(module)
        if self.directions and self.directions != ["cudatilebc-to-mlir"]:
            from tilewright.bytecode import read_bytecode, write_bytecode

            data = write_bytecode(module, self.version, verify=False)
            if self.directions == ["mlir-to-cudatilebc"]:
                return data
            module = read_bytecode(data, self.context, preview=FEATURES)
        locations = any(map(self.flags.has, ("g", "print-debug-info", "mlir-print-debuginfo")))
        return (
            module.print(PrintOptions(generic=self.flags.has("mlir-print-op-generic"), debug_info=locations))
            + "\n"
        )

    def _ptx(self, module: Operation) -> str:
        from tilewright.driver.preparation import wrapped
        from tilewright.lowering.capability import parse_capability
        from tilewright.targets.nvptx.nvvm_to_ptx import translate

        chip = parse_capability(self.flags.text("chip", "host")).gpu
        if chip is None:
            raise UsageError("--mlir-to-ptx writes for a GPU", "name it: --chip sm_90a")
        return translate(wrapped(module), chip, line_info=self.flags.has("line-info"))

    def _module(self, given: _Input) -> Operation:
        """Return the verified module of the input, which is recognised by its magic number unless it must be
        bytecode.
        """
        if self.directions == ["cudatilebc-to-mlir"]:
            from tilewright.bytecode import read_bytecode

            return read_bytecode(given.data, self.context, name=given.name, preview=FEATURES)
        from tilewright.driver.reading import read

        implicit = False if self.flags.has("no-implicit-module") else None
        return read(given.data, given.name, self.context, implicit_module=implicit)

    def _write(self, output: str | bytes) -> None:
        """Write the output to the file of the option ``-o``, or to stdout by default and for ``-``. Raises
        `UsageError` if it cannot be written, except to a closed pipe: `BrokenPipeError`.
        """
        target = self.flags.text("o", "-")
        data = output.encode() if isinstance(output, str) else output
        try:
            if target != "-":
                with open(target, "wb") as file:
                    file.write(data)
            elif isinstance(output, str):
                sys.stdout.write(output)
            else:
                _binary_stdout().write(data)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            raise UsageError(f"cannot write '{target}': {error.strerror}") from error


def _binary_stdout() -> IO[bytes]:
    stream: IO[bytes] | None = getattr(sys.stdout, "buffer", None)
    if stream is None:
        raise UsageError("stdout takes no bytes here", "name a file with -o")
    refuse_terminal()
    sys.stdout.flush()
    return stream


def _joined(outputs: list[str | bytes]) -> str | bytes:
    """Return the outputs of all pieces as one file. Raises `UsageError` for several pieces of bytecode."""
    texts = [output for output in outputs if isinstance(output, str)]
    if len(texts) == len(outputs):
        return "// -----\n".join(texts)
    if len(outputs) > 1:
        raise UsageError("only one piece of bytecode can be written", "translate the pieces one by one")
    return outputs[0]


if __name__ == "__main__":
    main()
