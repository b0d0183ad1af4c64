"""The table ``[tool.tilewright]`` of ``pyproject.toml``: defaults for options of commands and of the pytest
plugin.

A key is the name of a long option. A key of the table itself holds for all commands that `COMMON` lists for
it; ``[tool.tilewright.run]`` and the like hold for one command. The plugin counts as a command called
``pytest``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from tilewright.driver.codes import BAD_SETTINGS
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import nearest

FILE = "pyproject.toml"
VARIABLE = "TILEWRIGHT_PROJECT"
"""The environment variable with the path of the settings file, used in place of the nearest
``pyproject.toml``. If it is empty, no file is read.
"""
PYTEST = "pytest"
"""The name of the pytest plugin among the commands with settings."""
COMMON: dict[str, tuple[str, ...]] = {
    "target": ("run", "compile", "explore", PYTEST),
    "check": ("run", PYTEST),
    "gpu": ("run", "explore", PYTEST),
    "ignore": ("run", PYTEST),
    "output-format": ("run", "verify"),
    "sarif": ("run", PYTEST),
}
"""The keys that may be in the table itself, each with the commands that they hold for."""
DOORS = (
    "compare",
    "compile",
    "dap",
    "debug",
    "diff",
    "doctor",
    "explain",
    "explore",
    "inspect",
    "install-tileirdisasm",
    "layout",
    "lsp",
    "mcp",
    "reduce",
    "registry",
    "run",
    "sass",
    "schedule",
    "sim",
    "verify",
    PYTEST,
)
"""The entry points with settings. Commands that replace other tools have no settings, so that they behave the
same everywhere. Commands that consist of several commands have none either.
"""
_READ_AT_ONCE = frozenset({"target", "check", "gpu", "ignore"})
"""The settings that say how kernels run; they are checked before the command begins."""
_PATH = ("tool", "tilewright")
_HEADER = r"\s*\[\[?([^\]]+)\]\]?"
_KEY = r"""\s*([\w."'-]+)\s*="""
_AT = r"\s*\(at line (\d+), column (\d+)\)"


class Kind(Record, frozen=True):
    """A kind of setting: its description for messages, the Python types of its values, and whether a list is
    accepted.
    """

    words: str
    types: tuple[type, ...]
    listed: bool = False


TEXT = Kind("a text", (str,))
TEXTS = Kind("a text or a list of texts", (str,), listed=True)
FLAG = Kind("true or false", (bool,))
WHOLE = Kind("a whole number", (int,))
NUMBER = Kind("a number", (int, float))


class Setting(Record, frozen=True):
    """A setting of the project: its key, its value, and its position in the file."""

    key: str
    value: Any
    location: FileLineColLocation

    @property
    def text(self) -> Any:
        """Return the value for an option: a list of texts joined by commas, any other value unchanged."""
        value: object = self.value
        return ",".join(cast("list[str]", value)) if isinstance(value, list) else value

    def read(self, reader: Callable[[Any], object]) -> None:
        """Call `reader` with `text`. If it raises a `DiagnosticError`, the first diagnostic is raised again,
        located at the setting.
        """
        try:
            reader(self.text)
        except DiagnosticError as error:
            first = error.diagnostics[0]
            hint = "\n".join(first.hints) or None
            raise failure(first.code or BAD_SETTINGS, first.message, self.location, hint=hint) from None


def check_how_it_runs(setting: Setting) -> None:
    """Raise `DiagnosticError` at a setting about how kernels run (target, checks, GPU, ignored codes), if its
    value names nothing that exists. Other settings are not checked.
    """
    if setting.key in _READ_AT_ONCE:
        from tilewright.gpu_programs.settings import ProgramSettings

        setting.read(lambda text: ProgramSettings.of(**{setting.key: text}))


class Project(Record, frozen=True):
    """A settings file: its path, its text, and its table ``[tool.tilewright]``."""

    file: str
    text: str
    table: Mapping[str, Any]

    def settings(self, door: str, known: Mapping[str, Kind]) -> dict[str, Setting]:
        """Return the settings for a command (``door``), by key; ``known`` has the keys that it accepts.

        Raises `DiagnosticError` for an unknown key, and for a value of another kind.
        """
        self._check_keys(self.table, (), (*COMMON, *DOORS))
        tables = [name for name in DOORS if name in self.table]
        for name in tables:
            self._check_kind((name,), self.table[name], Kind("a table", (dict,)))
        own: Mapping[str, Any] = self.table.get(door, {})
        self._check_keys(own, (door,), known)
        common = {key: value for key, value in self.table.items() if door in COMMON.get(key, ())}
        found = {key: self._setting((key,), value, known[key]) for key, value in common.items()}
        return found | {key: self._setting((door, key), value, known[key]) for key, value in own.items()}

    def _check_keys(
        self, table: Mapping[str, Any], path: tuple[str, ...], known: Sequence[str] | Any
    ) -> None:
        for key in table:
            if key in known:
                continue
            near = nearest(key, known)
            listed = f"its keys: {', '.join(sorted(known))}" if known else "it has no keys"
            message = f"[{'.'.join((*_PATH, *path))}] has no key '{key}'"
            hint = f"did you mean '{near}'?" if near else listed
            raise failure(BAD_SETTINGS, message, self.place(*path, key), hint=hint)

    def _setting(self, path: tuple[str, ...], value: Any, kind: Kind) -> Setting:
        self._check_kind(path, value, kind)
        return Setting(path[-1], value, self.place(*path))

    def _check_kind(self, path: tuple[str, ...], value: Any, kind: Kind) -> None:
        values = cast("list[Any]", value) if kind.listed and isinstance(value, list) else [value]
        if not all(type(one) in kind.types for one in values):
            raise failure(BAD_SETTINGS, f"'{path[-1]}' is not {kind.words}", self.place(*path))

    def place(self, *path: str) -> FileLineColLocation:
        """Return the position in the file of the key ``path``, which is relative to ``[tool.tilewright]``; a
        key without a line of its own has the position of its table.
        """
        wanted, best = (*_PATH, *path), (0, 1, 1)
        for keys, line, column in _keys(self.text):
            if keys == wanted[: len(keys)]:
                best = max(best, (len(keys), line, column), key=lambda one: one[0])
        return FileLineColLocation.at(self.file, *best[1:])


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield the path of each header and key that has its own line, with the line and the column."""
    inside: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header, key = re.match(_HEADER, line), re.match(_KEY, line)
        if header:
            inside = _parts(header[1])
            yield inside, number, header.start(1) + 1
        elif key:
            yield (*inside, *_parts(key[1])), number, key.start(1) + 1


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def find(folder: str) -> Project | None:
    """Return the settings of the nearest ``pyproject.toml`` with the table, in a folder or above it; None if
    there is none. If the environment variable `VARIABLE` is set, only the file that it names is read; no file
    if it is empty. Raises `DiagnosticError` for a file that cannot be read.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return _read(named) if named else None
    folder = os.path.abspath(folder)
    while True:
        found = _read(os.path.join(folder, FILE))
        above = os.path.dirname(folder)
        if found is not None or above == folder:
            return found
        folder = above


def _read(path: str) -> Project | None:
    """Return the settings in a file; None if there is no such file, or if it lacks the table. Raises
    `DiagnosticError` for a file that cannot be read or parsed, and if there is no file at the path that
    `VARIABLE` has.
    """
    if not os.path.isfile(path):
        if path == os.environ.get(VARIABLE):
            raise failure(BAD_SETTINGS, f"there is no file '{path}'", hint=f"{VARIABLE} names it")
        return None
    shown = min(path, os.path.relpath(path), key=len)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise failure(BAD_SETTINGS, f"cannot read '{shown}': {error}") from None
    if _PATH[-1] not in text:  # most files: nothing is parsed
        return None
    table: Any = _parsed(text, shown)
    for key in _PATH:
        table = cast("dict[str, Any]", table).get(key) if isinstance(table, dict) else None
    if table is None:
        return None
    found = Project(shown, text, cast("Mapping[str, Any]", table) if isinstance(table, dict) else {})
    if not isinstance(table, dict):
        raise failure(BAD_SETTINGS, f"'{'.'.join(_PATH)}' is not a table", found.place())
    return found


def _parsed(text: str, shown: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(_AT, str(error))
        line, column = (int(at[1]), int(at[2])) if at else (text.count("\n") + 1, 1)
        words = re.sub(_AT, "", str(error))
        place = FileLineColLocation.at(shown, line, column)
        raise failure(BAD_SETTINGS, f"the file is no TOML: {words}", place) from None
