"""A ``tileiras``: Tile IR bytecode to a cubin, with the command line and the exit statuses of NVIDIA's tool.

cuTile Python runs ``tileiras FILE -o CUBIN --gpu-name sm_90 -O3 --lineinfo``.  The distribution ``tilewright-tileiras``
puts this tool beside `tilewright`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tilewright.bytecode.preview import FEATURES
from tilewright.cli import collector, errors, flags as cli_flags
from tilewright.dialects.common.chips import CHIPS
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.driver import artifact as driver_artifact, stages as driver_stages
    from tilewright.ir.attribute import Location
    from tilewright.ir.diagnostic import Diagnostic

CATEGORIES = ("none", "all", "memory", "tensorcore")
CHOICES: dict[str, tuple[str, ...]] = {
    "gpu-name": tuple(CHIPS),
    "host-arch": ("x86_64", "aarch64"),
    "host-os": ("linux", "windows"),
    "sanitize": ("memcheck",),
    "remark-format": ("command-line", "yaml"),
    "remarks": CATEGORIES,
    **{f"remarks-{kind}": CATEGORIES for kind in ("analysis", "failed", "missed", "passed")},
}
"""The values of options that have a closed list of them."""
ALIASES = {"O": "opt-level", "o": "output-file", "g": "device-debug", "arch": "gpu-name"}
FLAGS = (
    cli_flags.Flag("gpu-name", "The GPU to make code for, such as sm_90 or sm_90a.", "GPU"),
    cli_flags.Flag("arch", "The same as --gpu-name.", "GPU"),
    cli_flags.Flag("output-file", "Where to write (default: elf.o; - is stdout).", "FILE"),
    cli_flags.Flag("o", "The same as --output-file.", "FILE"),
    cli_flags.Flag("opt-level", "How much the optimizers do, 0 to 3 (default: 3).", "N"),
    cli_flags.Flag("O", "The same as --opt-level.", "N"),
    cli_flags.Flag("lineinfo", "Keep the lines of the program with the code, if the bytecode has them."),
    cli_flags.Flag("device-debug", "Keep the lines for a debugger; needs --opt-level=0."),
    cli_flags.Flag("g", "The same as --device-debug."),
    cli_flags.Flag("list-versions", "List the versions of bytecode that are read."),
    cli_flags.Flag("preview", "Features whose bytecode may come: simt.", "FEATURE[,FEATURE]", repeated=True),
    cli_flags.Flag("sanitize", "Make checks of memory part of the code; refused for GPUs.", "TOOL"),
    cli_flags.Flag("host-arch", "The processor beside the GPU; code does not depend on it.", "NAME"),
    cli_flags.Flag("host-os", "The operating system; code does not depend on it.", "NAME"),
    cli_flags.Flag("apply-controls", "A file of controls of NVIDIA's compilers; refused.", "FILE"),
    cli_flags.Flag("l", "A library of tiles; refused without --preview=simt.", "FILE", repeated=True),
    cli_flags.Flag("remark-format", "How remarks are written: command-line (the default) or yaml.", "FORMAT"),
    cli_flags.Flag(
        "remarks", "The remarks to write: none (the default), all, memory, tensorcore.", "CATEGORY"
    ),
    *(
        cli_flags.Flag(
            f"remarks-{kind}", f"The categories of remarks of the kind '{kind}' to write.", "CATEGORY"
        )
        for kind in ("analysis", "failed", "missed", "passed")
    ),
    cli_flags.Flag("remarks-output-file", "Where yaml goes (default: tileir_remarks.yaml).", "FILE"),
    cli_flags.Flag("help", "Show this page."),
    cli_flags.Flag("version", "Show the version."),
)
USAGE = "Usage: tileiras [OPTIONS] FILE\n\nCompile Tile IR bytecode to a cubin."
OUTPUT, REMARKS = "elf.o", "tileir_remarks.yaml"
WRONG_USAGE, UNUSABLE, NOT_BYTECODE, NOT_COMPILED = 1, 2, 3, 5
"""Exit statuses: the command line is wrong or a file cannot be read; options or a file cannot be used; a file
is not valid bytecode; there is no code for the module on the GPU.
"""


class _Refusal(Exception):
    """An error that ends the command: the exit status, and lines for stderr."""

    def __init__(self, status: int, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.status = status


def main() -> None:
    """Run the `tileiras` script."""
    collector.own_process()
    sys.exit(run_tileiras(sys.argv[1:]))


def run_tileiras(arguments: Sequence[str]) -> int:
    """Run the command on the standard streams; return the exit status: 0, the number of the kind of error,
    such as `NOT_COMPILED`, or the result of `errors.report` for any other error.
    """
    try:
        return _run(arguments)
    except _Refusal as refusal:
        print(refusal, file=sys.stderr)
        return refusal.status
    except (Exception, KeyboardInterrupt) as error:
        return errors.report(error)


def _run(arguments: Sequence[str]) -> int:
    flags = _flags(arguments)
    page = _page(flags)
    if page is not None:
        print(page)
        return 0
    if not flags.positional:
        print(cli_flags.help_text(USAGE, FLAGS, {}))
        raise _Refusal(WRONG_USAGE, "error: no input file provided")
    _check(flags)
    (name,) = flags.positional
    artifact = _read(name, flags)
    _write(flags.text("output-file", OUTPUT), _machine_code(artifact))
    _write_remarks(flags, artifact)
    return 0


# --- the command line


def _flags(arguments: Sequence[str]) -> cli_flags.ParsedFlags:
    """Return the options of a command line by their long names.

    Raises `_Refusal` with the message of LLVM's command lines.
    """
    try:
        parsed = cli_flags.parse_flags([_separate(word) for word in arguments], FLAGS, {})
    except cli_flags.UnknownFlag as error:
        hint = [f"tileiras: Did you mean '--{error.close}'?"] if error.close else []
        text = f"tileiras: Unknown command line argument '{error.word}'.  Try: 'tileiras --help'"
        raise _Refusal(WRONG_USAGE, text, *hint) from error
    except cli_flags.MissingValue as error:
        raise _Refusal(WRONG_USAGE, f"tileiras: for the {error.word} option: requires a value!") from error
    for short, name in ALIASES.items():
        parsed.values.setdefault(name, []).extend(parsed.values.pop(short, []))
    parsed.values = {name: values for name, values in parsed.values.items() if values}
    return parsed


def _separate(word: str) -> str:
    """Return an option such as ``-O3`` with its value after ``=``: ``-O=3``. Other words are unchanged."""
    level = word.removeprefix("-O")
    return f"-O={level}" if level != word and level and not level.startswith("=") else word


def _page(flags: cli_flags.ParsedFlags) -> str | None:
    if flags.has("help"):
        return cli_flags.help_text(USAGE, FLAGS, {})
    if flags.has("version"):
        return version()
    if flags.has("list-versions"):
        from tilewright.dialects.cuda_tile.version import VERSIONS

        return "\n".join(map(str, VERSIONS))
    return None


def version() -> str:
    """Return the text of ``--version``, which differs between versions of the compiler: cuTile keeps cubins
    under it.
    """
    from tilewright.runtime.disk_cache import program_stamp
    from tilewright.targets.nvptx.assemble.assemblers import assemblers

    tool = next((found.identity for found in assemblers()), "none")
    return f"tileiras: tilewright {__version__}\nBuild {program_stamp()}\nAssembler {tool}"


def _check(flags: cli_flags.ParsedFlags) -> None:
    """Raise `_Refusal` for invalid values of options, and for options that are not supported."""
    if len(flags.positional) > 1:
        more = "Can specify at most 1 positional arguments: See: tileiras --help"
        raise _Refusal(WRONG_USAGE, "tileiras: Too many positional arguments specified!", more)
    for name, choices in CHOICES.items():
        if name in flags.values and flags.text(name) not in choices:
            text = f"tileiras: for the --{name} option: Cannot find option named '{flags.text(name)}'!"
            raise _Refusal(WRONG_USAGE, text, f"hint: known are {', '.join(choices)}")
    for feature in flags.texts("preview"):
        if feature not in FEATURES:
            known = ", ".join(FEATURES)
            text = f"unknown preview feature '{feature}'; supported features: {known}"
            raise _Refusal(WRONG_USAGE, f"tileiras: for the --preview option: {text}")
    _check_refused(flags)


def _check_refused(flags: cli_flags.ParsedFlags) -> None:
    if flags.has("apply-controls"):
        raise _Refusal(UNUSABLE, "error: --apply-controls is not supported: it is for compilers of NVIDIA")
    if flags.has("sanitize"):
        hint = "hint: the simulator checks memory: `tilewright run --target sim:sm_80`"
        raise _Refusal(UNUSABLE, "error: --sanitize is not supported: code for GPUs has no checks", hint)
    if flags.has("l"):
        raise _Refusal(NOT_COMPILED, "error: libraries of tiles are not supported")
    if flags.has("device-debug") and _level(flags):
        text = "error: optimized debugging is not supported"
        raise _Refusal(UNUSABLE, text, "hint: set the optimization level to 0, or take --lineinfo instead")


def _level(flags: cli_flags.ParsedFlags) -> int:
    text = flags.text("opt-level", "3")
    try:
        level = int(text)
    except ValueError as error:
        words = f"tileiras: for the --opt-level option: '{text}' value invalid for integer argument!"
        raise _Refusal(WRONG_USAGE, words) from error
    if level not in range(4):
        raise _Refusal(UNUSABLE, f"error: invalid optimization level: {level}")
    return level


def _chip(flags: cli_flags.ParsedFlags) -> str:
    if "gpu-name" not in flags.values:
        text = "error: GPU architecture sm_0 is not supported by this version of tileiras"
        raise _Refusal(UNUSABLE, text, "hint: name a GPU, such as --gpu-name sm_90")
    return flags.text("gpu-name")


def _options(flags: cli_flags.ParsedFlags) -> driver_stages.CompileOptions:
    from tilewright.driver.stages import CompileOptions

    lines = flags.has("lineinfo") or flags.has("device-debug")
    return CompileOptions(opt_level=_level(flags), debug_info=lines)


# --- the work


def _read(name: str, flags: cli_flags.ParsedFlags) -> driver_artifact.Artifact:
    """Return the compilation of the module in a file. Raises `_Refusal` if the file cannot be read, or is not
    valid bytecode.
    """
    from tilewright.bytecode import MAGIC, read_container
    from tilewright.driver.compile import compile
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        with open(name, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        text = f"error: unable to read input file '{name}': {reason}"
        raise _Refusal(WRONG_USAGE, text) from error
    last = "error: input does not correspond to Tile IR bytecode"
    if not data.startswith(MAGIC):
        raise _Refusal(NOT_BYTECODE, last)
    chip, options = _chip(flags), _options(flags)
    try:
        read_container(data, preview=flags.texts("preview"))
        return compile(data, target=chip, options=options)
    except DiagnosticError as error:
        raise _Refusal(NOT_BYTECODE, *_said(error.diagnostics), last) from error


def _machine_code(artifact: driver_artifact.Artifact) -> bytes:
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        cubin = artifact.asm["cubin"]
    except DiagnosticError as error:
        last = "error: failed to compile Tile IR program"
        raise _Refusal(NOT_COMPILED, *_said(error.diagnostics), last) from error
    assert isinstance(cubin, bytes)
    return cubin


def _said(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Return diagnostics in the form that calling programs parse: ``loc("file":1:2): error: text``."""
    lines: list[str] = []
    for one in diagnostics:
        code = f" [{one.code}]" if one.code else ""
        offset = f"error at offset {one.offset}: " if one.offset is not None else ""
        lines.append(f"{_place(one.location)}{one.severity.name.lower()}: {offset}{one.message}{code}")
        lines += [f"{_place(note.location)}note: {note.message}" for note in one.notes]
        lines += [f"hint: {hint}" for hint in one.hints]
    return lines


def _place(location: Location) -> str:
    """Return a location in the form of MLIR's tools, ``loc("file":1:2): ``, or an empty text if it is
    unknown.
    """
    from tilewright.ir.location import FileLineColLocation

    if location.source is None or not location.source[1]:
        return ""
    place = FileLineColLocation.at(*location.source)
    return f'loc("{place.file}":{place.line}:{place.column}): '


def _write(name: str, data: bytes) -> None:
    if name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        with open(name, "wb") as file:
            file.write(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise _Refusal(UNUSABLE, f"error: cannot write '{name}': {reason}") from error


# --- remarks


def _write_remarks(flags: cli_flags.ParsedFlags, artifact: driver_artifact.Artifact) -> None:
    """Write warnings and remarks about the program to stdout, or in the format YAML to a file. They have no
    category, so only the category `all` selects them.
    """
    wanted = any(flags.text(name) == "all" for name in ("remarks", "remarks-analysis"))
    found = artifact.diagnostics if wanted else []
    if flags.text("remark-format") == "yaml":
        _write(flags.text("remarks-output-file", REMARKS), "".join(map(_yaml, found)).encode())
        return
    for line in _said(found):
        print(line)


def _yaml(diagnostic: Diagnostic) -> str:
    """Return a remark in the form of LLVM's remarks."""
    from json import dumps

    name = str(diagnostic.code or diagnostic.severity.name.capitalize())
    lines = ["--- !Analysis", "Pass:            tilewright", f"Name:            {name}"]
    source = diagnostic.location.source
    if source is not None:
        file, line, column = source
        lines.append(f"DebugLoc:        {{ File: {dumps(os.fspath(file))}, Line: {line}, Column: {column} }}")
    return "\n".join([*lines, "Args:", f"  - Remark:      {dumps(diagnostic.message)}", "...", ""])


if __name__ == "__main__":
    main()
