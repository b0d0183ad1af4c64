"""Compiles C++ translation units with tile kernels to Tile IR bytecode."""

from __future__ import annotations

import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.bytecode.preview import FEATURES
from tilewright.cpp import codes, includes, messages as cpp_messages
from tilewright.cpp.nvrtc import TranslationResult, compile_with_nvrtc
from tilewright.cpp.options import CppOptions
from tilewright.cpp.toolchain import HEADER, Toolchain, toolchain
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.demangling import matching, source_name
from tilewright.ir.support.record import Record
from tilewright.runtime.disk_cache import DiskCache, key_of
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.ops.control import EntryOp

INSTANCES = "tilewright_instances.cu"
"""The name of the file that includes the user's file and instantiates templates."""


def compile_with_nvcc(path: Path, options: CppOptions, tools: Toolchain) -> TranslationResult:
    """Compile a file with `nvcc`, which ``tools`` must have, and instantiate the templates that the options
    name. The result has no bytecode if `nvcc` fails.
    """
    assert tools.nvcc is not None
    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        source = _with_instances(path, options, Path(folder)) if options.instantiate else path
        made = Path(folder, "unit.tilebc")
        command = [str(tools.nvcc.path), "-enable-tile", *options.flags(), f"-I{path.parent}"]
        done = subprocess.run(
            [*command, "-tilebc", str(source), "-o", str(made)], capture_output=True, text=True, check=False
        )
        log = done.stdout + done.stderr
        return TranslationResult(made.read_bytes() if done.returncode == 0 and made.exists() else None, log)


def _with_instances(path: Path, options: CppOptions, folder: Path) -> Path:
    """Write a file to `folder` that includes `path` and takes the address of each kernel in
    ``options.instantiate``, which instantiates its template. Return the path of the file.
    """
    uses = (
        f"[[maybe_unused]] static const void* tilewright_instance_{number} = "
        f"reinterpret_cast<const void*>(&{name});\n"
        for number, name in enumerate(options.instantiate)
    )
    source = folder / INSTANCES
    source.write_text(f'#include "{path.resolve()}"\n{"".join(uses)}', encoding="utf-8")
    return source


NO_KERNEL = "__$dummy_kernel"
"""The name of the kernel that the compilers generate if a file has none."""
FOREIGN = "__experimental_foreign_decl__"
"""The word with which a C++ file declares a function of a tile library, in SIMT code."""
IN_MEMORY = "<cpp>"
"""The name of a translation unit that is in no file."""


class CompiledUnit(Record, frozen=True):
    """A translation unit as Tile IR bytecode. ``symbol`` is the kernel that was named, or the only kernel;
    empty if there are several and none was named. ``symbols`` holds all kernels.
    """

    bytecode: bytes
    symbol: str
    symbols: tuple[str, ...]


class CppWarning(UserWarning):
    """A warning of the C++ compiler."""


def compile(
    source: str | Path,
    name: str | None = None,
    template_args: Sequence[object] = (),
    options: CppOptions | None = None,
) -> CompiledUnit:
    """Compile a `.cu` file, or a text of C++, to Tile IR bytecode. A string is a text if it has a line break,
    otherwise a path.

    ``name`` is a kernel; without it, ``symbol`` of the result is the only kernel, or empty if there are
    several. ``template_args`` are its template arguments as C++ writes them: ``("float", 256)``. The result
    can be given to `tilewright.launch` and `tilewright.compile`. Raises `DiagnosticError` for errors that the
    C++ compiler reports, for a file without tile kernels, for a name that fits no kernel or several, and if
    the compiler is not installed.
    """
    chosen = options or CppOptions()
    wanted = name
    if template_args:
        wanted = f"{name}<{', '.join(map(_argument, template_args))}>"
        chosen = chosen.replace(instantiate=(*chosen.instantiate, wanted))
    path = source if isinstance(source, Path) or "\n" not in source else None
    bytecode = file_bytecode(Path(path), chosen) if path is not None else _of_text(str(source), chosen)
    symbols = kernels_in(bytecode)
    return CompiledUnit(bytecode, _chosen(wanted, symbols), symbols)


def _argument(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chosen(name: str | None, symbols: tuple[str, ...]) -> str:
    if name is None:
        return symbols[0] if len(symbols) == 1 else ""
    found = matching(name, symbols)
    if len(found) != 1:
        count = f"{len(found)} kernels" if found else "no kernel"
        message = f"the C++ file has {count} '{name}'"
        known = ", ".join(map(source_name, found or symbols))
        raise failure(codes.UNKNOWN_KERNEL, message, hint=f"kernels: {known}")
    return found[0]


def _of_text(text: str, options: CppOptions) -> bytes:
    """Return the bytecode of a C++ text, compiled from a temporary file: `nvcc` and line numbers in messages
    need a file.
    """
    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        path = Path(folder, "unit.cu")
        path.write_text(text, encoding="utf-8")
        return file_bytecode(path, options)


def file_bytecode(path: Path, options: CppOptions) -> bytes:
    """Return a C++ file as Tile IR bytecode, from the cache on disk if nothing that it depends on has
    changed; otherwise it is compiled, and warnings of the compiler are emitted as `CppWarning`. Raises
    `DiagnosticError` for errors that the compiler reports and if the compiler is not installed, and OSError
    for a file that cannot be read.
    """
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    tools = toolchain(options.compiler)
    headers = includes.headers_of(text, path.parent, options.include)
    contents = [text.encode(errors="surrogateescape"), *(one.read_bytes() for one in headers or ())]
    if any(FOREIGN.encode() in one for one in contents):
        options = options.replace(preview=(*FEATURES,))
    make: Callable[[], bytes] = lambda: _made(text, path, options, tools)  # noqa: E731
    if headers is None:
        return make()
    return DiskCache().of(_key(path, options, tools, headers, contents), make, bytes)


def _key(
    path: Path, options: CppOptions, tools: Toolchain, headers: Sequence[Path], contents: Sequence[bytes]
) -> str:
    """Return the key of the cache for a compilation of the file `path`: a hash of its path, the options, the
    compilers and the version of this package, the paths of `headers`, and `contents`, the bytes of the file
    and of each header.
    """
    compilers = tuple(tool.identity for tool in (tools.nvrtc, tools.nvcc) if tool is not None)
    known = repr((str(path.resolve()), options, compilers, __version__, [str(one) for one in headers]))
    return key_of([b"cpp", known.encode(), *contents])


def _made(text: str, path: Path, options: CppOptions, tools: Toolchain) -> bytes:
    """Return the bytecode of a file, and emit the compiler's warnings as `CppWarning`. Raises
    `DiagnosticError` for errors, and if the file has no tile kernel.
    """
    outcome = _compiled(text, path, options, tools)

    def files(name: str) -> str:
        return str(path) if Path(name).name in (path.name, INSTANCES) else name

    def names() -> Iterable[str]:
        return (cpp_messages.words(text) - cpp_messages.words(outcome.log)) | _header_words(tools.include)

    if outcome.bytecode is None:
        raise cpp_messages.refusal(outcome.log, files, names)
    for diagnostic in cpp_messages.diagnostics(outcome.log, files, names):
        warnings.warn(str(diagnostic), CppWarning, stacklevel=2)
    if not kernels_in(outcome.bytecode):
        message = f"'{path}' has no tile kernel"
        hint = "instantiate a template: --instantiate 'scale<float, 256>'"
        raise failure(codes.NO_TILE_KERNEL, message, hint=hint)
    return outcome.bytecode


def _compiled(text: str, path: Path, options: CppOptions, tools: Toolchain) -> TranslationResult:
    """Compile with the compiler that the options name. ``auto`` is NVRTC, then `nvcc` if NVRTC finds no file
    for an include; `nvcc` alone without NVRTC.
    """
    if tools.nvrtc is None or options.compiler == "nvcc":
        return compile_with_nvcc(path, options, tools)
    outcome = compile_with_nvrtc(text, str(path), options, tools)
    misses_header = outcome.bytecode is None and "cannot open source file" in outcome.log
    if misses_header and tools.nvcc is not None and options.compiler == "auto":
        return compile_with_nvcc(path, options, tools)
    return outcome


@cache
def _header_words(include: tuple[str, ...]) -> set[str]:
    """Return the identifiers in the header `cuda_tile.h`, as suggestions for misspelt names; empty without
    folders of headers.
    """
    for folder in include[:1]:
        text = Path(folder, "crt", HEADER).read_text(encoding="utf-8", errors="replace")
        return cpp_messages.words(text)
    return set()


def kernels_in(bytecode: bytes) -> tuple[str, ...]:
    """Return the symbols of the kernels in bytecode, in order."""
    return tuple(entry.sym_name for entry in entries_in(bytecode))


def entries_in(bytecode: bytes) -> list[EntryOp]:
    """Return the kernels in bytecode, in order, without the empty kernel that the compilers generate if a
    file has none.
    """
    from tilewright.bytecode.reader.module import read_bytecode
    from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
    from tilewright.dialects.cuda_tile.ops.control import EntryOp
    from tilewright.ir.context import Context

    module = read_bytecode(bytecode, Context([CUDA_TILE]), name="<bytecode>", verify=False, preview=FEATURES)
    return [op for op in module.walk() if isinstance(op, EntryOp) and op.sym_name != NO_KERNEL]
