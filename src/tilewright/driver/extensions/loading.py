"""Loading the extension of a module that the user names."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from tilewright.driver import codes
from tilewright.driver.extensions.extension import LOADED, Extension, in_words
from tilewright.ir.diagnostic import failure

CONSTANT = "EXTENSION"
"""The name of the `Extension` in a module that is loaded by its name."""


def load_module(name: str) -> Extension:
    """Load the extension of a module, given by its name or as a path of a Python file, add it to `LOADED` if
    it is new, and return it.

    Raises `DiagnosticError` when the module cannot be imported, or has no constant `EXTENSION`.
    """
    try:
        module = _from_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise failure(codes.BAD_EXTENSION, f"cannot load '{name}': {in_words(error)}") from error
    found = getattr(module, CONSTANT, None)
    if not isinstance(found, Extension):
        message = f"the module '{name}' has no constant {CONSTANT} that is an Extension"
        raise failure(codes.BAD_EXTENSION, message, hint=f"write {CONSTANT} = Extension(...)")
    if found not in LOADED:
        LOADED.append(found)
    return found


def _from_file(path: Path) -> ModuleType:
    """Return the module in a file; its extension may refer to it by the stem of the file. Raises
    `ImportError` for a file that is no Python file, and any exception of its code.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"'{path}' is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path.stem]
        raise
    return module
