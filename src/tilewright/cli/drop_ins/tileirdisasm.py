"""A ``tileirdisasm``: the command line and the exit status of NVIDIA's tool, for programs that call it.

cuTile Python runs ``tileirdisasm FILE [--preview=FEATURE]`` from the folder of the compiler that it uses.
`tilewright install-tileirdisasm` puts this tool there, the distribution ``tilewright-tileirdisasm`` beside `tilewright`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tilewright.cli import collector, errors, preview as cli_preview
from tilewright.cli.flags import Flag, ParsedFlags, help_text, parse_flags
from tilewright.version import __version__

FLAGS = (
    Flag("g", "The same as --print-debug-info."),
    Flag("print-debug-info", "Print locations and debug information."),
    cli_preview.FLAG,
    Flag("help", "Show this page."),
    Flag("version", "Show the version."),
)
USAGE = "Usage: tileirdisasm [OPTIONS] FILE\n\nPrint Tile IR bytecode as text (- is stdin)."
WRONG_USAGE, UNREADABLE, NOT_BYTECODE = 1, 2, 3


def main() -> None:
    """Run the `tileirdisasm` script."""
    collector.own_process()
    sys.exit(run_tileirdisasm(sys.argv[1:]))


def run_tileirdisasm(arguments: Sequence[str]) -> int:
    """Run the command on the standard streams; return the exit status: 0, `WRONG_USAGE`, `UNREADABLE` for a
    missing file or one that cannot be read, or `NOT_BYTECODE`.
    """
    try:
        flags = parse_flags(arguments, FLAGS, {})
        page = _page(flags)
        if page is not None:
            print(page)
            return 0
        _check(flags)
    except errors.UsageError as error:
        print(f"tileirdisasm: {error}", file=sys.stderr)
        return WRONG_USAGE
    return _disassemble(flags)


def _page(flags: ParsedFlags) -> str | None:
    if flags.has("help"):
        return help_text(USAGE, FLAGS, {})
    return f"tileirdisasm: tilewright {__version__}" if flags.has("version") else None


def _check(flags: ParsedFlags) -> None:
    cli_preview.check_features(flags)
    if len(flags.positional) > 1:
        raise errors.UsageError(f"one input file at most, got {len(flags.positional)}")


def _disassemble(flags: ParsedFlags) -> int:
    from tilewright.ir.diagnostic import DiagnosticError

    if not flags.positional:
        print("error: no input file provided", file=sys.stderr)
        return UNREADABLE
    (name,) = flags.positional
    try:
        data = _read(name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"error: unable to read input file '{name}': {reason}", file=sys.stderr)
        return UNREADABLE
    try:
        text = _text(data, name, flags)
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return NOT_BYTECODE
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    return 0


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    with open(name, "rb") as file:  # quicker to load than pathlib
        return file.read()


def _text(data: bytes, name: str, flags: ParsedFlags) -> str:
    from tilewright.bytecode import read_bytecode
    from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
    from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble
    from tilewright.ir.context import Context

    module = read_bytecode(data, Context([CUDA_TILE]), name=name, preview=flags.texts("preview"))
    return disassemble(module, debug_info=flags.has("g") or flags.has("print-debug-info"))


if __name__ == "__main__":
    main()
