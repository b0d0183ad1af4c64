"""Compare two modules, given as files or as any other input."""

from __future__ import annotations

from pathlib import Path

from tilewright.bytecode import MAGIC
from tilewright.driver.diff.comparison import ModuleDiff
from tilewright.driver.diff.options import DiffOptions
from tilewright.driver.reading import file_bytes, is_path, read
from tilewright.driver.sources import Source, load
from tilewright.driver.startup import context


def diff(a: Source, b: Source, *, ignore_hints: bool = False, locations: bool = False) -> ModuleDiff:
    """Return the differences between two modules: bytecode, text, a path, or a module in memory.

    Names of values, the order of attributes and of symbols, defaults that are written or left out, and positions in text
    do not count; optimization hints do unless ``ignore_hints``, locations and producers only with ``locations``.

        differences = tilewright.diff("before.mlir", "after.tileirbc")
        print(differences or "the same")

    Raises `DiagnosticError` if one of them cannot be read or is not valid.
    """
    names = _name(a, "a"), _name(b, "b")
    texts = frozenset({*names, "<string>"})
    options = DiffOptions(
        hints=not ignore_hints,
        locations=locations,
        module_name=not (_is_bytecode(a) or _is_bytecode(b)),
        texts=texts,
    )
    return ModuleDiff(load(a), load(b), options, names)


def diff_files(
    a: tuple[bytes, str],
    b: tuple[bytes, str],
    *,
    ignore_hints: bool = False,
    locations: bool = False,
    allow_unregistered: bool = False,
) -> ModuleDiff:
    """Return the differences between two files, each given as a pair of its bytes, bytecode or text, and its
    name. Optimization hints count unless `ignore_hints`, locations and producers only with `locations`; with
    `allow_unregistered`, operations of unknown dialects are accepted. Raises `DiagnosticError` if a file
    cannot be read or is not valid.
    """
    options = DiffOptions(
        hints=not ignore_hints,
        locations=locations,
        module_name=not (a[0].startswith(MAGIC) or b[0].startswith(MAGIC)),
        texts=frozenset(name for data, name in (a, b) if not data.startswith(MAGIC)),
    )
    first, second = (read(*given, context(allow_unregistered=allow_unregistered)) for given in (a, b))
    return ModuleDiff(first, second, options, (a[1], b[1]))


def _name(source: Source, otherwise: str) -> str:
    return str(source) if is_path(source) else otherwise


def _is_bytecode(source: Source) -> bool:
    if isinstance(source, str | Path):
        return is_path(source) and file_bytes(Path(source)).startswith(MAGIC)
    return isinstance(source, bytes | bytearray | memoryview) and bytes(source).startswith(MAGIC)
