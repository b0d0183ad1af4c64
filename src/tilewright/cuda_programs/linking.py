"""Joins the PTX of several modules, as the linkers of CUDA do with `cuLinkAddData` and nvJitLink."""

from __future__ import annotations

import re
from collections.abc import Sequence

SEPARATOR = "\n// linked with the code of another module\n"
"""The line between modules in what the stand-in's linkers return; `runtime/images.cpp` has it, too."""
_HEADER = re.compile(r"^\s*\.(?:version|target|address_size)\b.*\n", re.MULTILINE)
_DECLARATION = re.compile(r"^\.extern\s+\.(?:func|global|const)\b[^;{]*;", re.MULTILINE)
_NAME = re.compile(r"([A-Za-z_$%][\w$]*)\s*(?:\[[^\]]*\]\s*)*(?:\([^()]*\)\s*)?(?:\.noreturn\s*)?;$")
_FILE_NUMBER = re.compile(r"(^\s*\.(?:file|loc)\s+|\binlined_at\s+)(\d+)", re.MULTILINE)
_DEBUG_LABEL = re.compile(r"\$L__info_string\d+")
_NUMBERS = 1000
"""The distance between the numbers of files of two modules."""


def joined(text: str) -> str:
    """Return PTX of one module with all that the modules in `text` have, which `SEPARATOR` separates. The
    directives ``.version``, ``.target`` and ``.address_size`` come from the first module. A declaration of a
    name that another module defines is left out.
    """
    parts = text.split(SEPARATOR)
    if len(parts) == 1:
        return text
    first = _HEADER.findall(parts[0])
    bodies = [_renumbered(_HEADER.sub("", part), at) for at, part in enumerate(parts)]
    return "".join(first) + "\n".join(_resolved(body, bodies) for body in bodies)


def _renumbered(body: str, module: int) -> str:
    """Return the text of module number `module` with numbers of files and labels of debug information that no
    other module has.
    """
    body = _FILE_NUMBER.sub(lambda match: f"{match[1]}{int(match[2]) + module * _NUMBERS}", body)
    return _DEBUG_LABEL.sub(lambda match: f"{match[0]}_{module}", body)


def _resolved(body: str, bodies: Sequence[str]) -> str:
    """Return the text of a module without declarations of names that one of `bodies` defines."""

    def kept(match: re.Match[str]) -> str:
        name = _NAME.search(match[0])
        is_defined = name is not None and any(_defines(other, name[1]) for other in bodies)
        return "" if is_defined else match[0]

    return _DECLARATION.sub(kept, body)


def _defines(body: str, name: str) -> bool:
    pattern = rf"^\.(?:visible|weak|common)\s+\.(?:func|global|const)\b[^;{{]*?[\s){{]{re.escape(name)}\b"
    return re.search(pattern, body, re.MULTILINE) is not None
