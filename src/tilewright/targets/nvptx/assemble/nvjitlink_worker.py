"""A process that assembles PTX with nvJitLink: `assemblers.py` starts it.

The arguments are the library, the file with the text, the file for the cubin, and the library's options.
Messages go to stderr; the exit status is 1 if the library refuses the text.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PTX_INPUT = 2
"""The number of PTX in the library's enumeration of input kinds."""
REASONS = {
    1: "an option that it does not know",
    16: "unsupported architecture",
    17: "unsupported architecture",
}
"""The library's statuses that explain why it creates no handle, and so no log."""


class NvJitLink:
    """A linker of nvJitLink, the library at the path `library`, whose functions may carry a version in their
    names. It is created with the library's `options`. Raises `OSError` if the library cannot be loaded, and
    `RuntimeError` if it refuses the options.
    """

    def __init__(self, library: str, options: Sequence[str]) -> None:
        self.library = ctypes.CDLL(library)
        self.suffix = self._version()
        self.handle = ctypes.c_void_p()
        words = [option.encode() for option in options]
        self.call("Create", ctypes.byref(self.handle), len(words), (ctypes.c_char_p * len(words))(*words))

    def _version(self) -> str:
        major, minor = ctypes.c_uint(), ctypes.c_uint()
        self.library.nvJitLinkVersion(ctypes.byref(major), ctypes.byref(minor))
        return f"_{major.value}_{minor.value}"

    def ask(self, name: str, *arguments: Any) -> int:
        """Call the library's function `name`, without its prefix ``nvJitLink``, with `arguments`, and return
        its status, 0 for success. The function may carry the version of the library in its name.
        """
        plain, versioned = f"nvJitLink{name}", f"__nvJitLink{name}{self.suffix}"
        chosen = plain if hasattr(self.library, plain) else versioned
        return int(getattr(self.library, chosen)(*arguments))

    def call(self, name: str, *arguments: Any) -> None:
        """Call the library's function `name`, without its prefix ``nvJitLink``, with `arguments`.

        Raises:
            RuntimeError: the status is not 0.
        """
        status = self.ask(name, *arguments)
        if status:
            raise RuntimeError(f"nvJitLink{name} answers {status}: {REASONS.get(status, 'no reason')}")

    def log(self, kind: str) -> str:
        """Return the library's log of a kind: ``Error`` or ``Info``."""
        return self.content(f"Get{kind}Log", f"Get{kind}LogSize").rstrip(b"\0").decode(errors="replace")

    def content(self, name: str, size_name: str) -> bytes:
        """Return the data of a pair of functions: `size_name` returns the size in bytes, and `name` copies
        the data. Raises `RuntimeError` if one of them fails.
        """
        size = ctypes.c_size_t()
        self.call(size_name, self.handle, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(max(size.value, 1))
        self.call(name, self.handle, buffer)
        return buffer.raw[: size.value]


def main(arguments: list[str]) -> int:
    """Assemble PTX: `arguments` are the library, the file with the text, the file for the cubin, and the
    library's options. Messages go to stderr. Return the exit status: 1 if the library cannot be loaded, or
    refuses the options or the text; otherwise 0.
    """
    library, source, target, *options = arguments
    text = Path(source).read_bytes() + b"\0"
    try:
        link = NvJitLink(library, options)
    except (OSError, RuntimeError) as error:
        print(f"nvjitlink fatal : {error}", file=sys.stderr)
        return 1
    refused = link.ask("AddData", link.handle, PTX_INPUT, text, len(text), source.encode()) or link.ask(
        "Complete", link.handle
    )
    print(link.log("Error"), link.log("Info"), sep="\n", file=sys.stderr)
    if not refused:
        Path(target).write_bytes(link.content("GetLinkedCubin", "GetLinkedCubinSize"))
    return int(bool(refused))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
