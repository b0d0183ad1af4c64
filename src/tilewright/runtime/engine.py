"""Link object files into this process, and compile LLVM IR quickly for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache
from typing import Any

from tilewright.ir.diagnostic import failure
from tilewright.ir.support.locks import reentrant_lock
from tilewright.runtime import codes, disk_cache, image as runtime_image, llvm as runtime_llvm

_NUMBERS = itertools.count()
_LINKING = reentrant_lock()


class Library:
    """A linked object file; its memory is freed with the last reference to it. ``addresses`` has the address
    of each requested function. Calls to functions that are not in the file go to functions of this process:
    C's mathematical functions, `memcpy` and the like. Raises `DiagnosticError` if the file cannot be linked.
    """

    def __init__(self, object_code: bytes, symbols: Iterable[str]) -> None:
        builder = runtime_llvm.llvm().JITLibraryBuilder().add_object_img(object_code).add_current_process()
        names = tuple(symbols)
        for name in names:
            builder.export_symbol(name)
        try:
            with _LINKING:
                self._tracker = builder.link(_linker(), f"tilewright.{next(_NUMBERS)}")
        except RuntimeError as error:
            hint = "code can only be run on the processor that it was made for"
            raise failure(
                codes.NOT_LOADABLE, f"the object file cannot be linked: {error}", hint=hint
            ) from error
        self.addresses = {name: int(self._tracker[name]) for name in names}


def machine_code(text: str, triple: str | None = None) -> bytes:
    """Return the object file made from `text`, LLVM IR, for the generic processor of the target `triple`
    (default: the triple of this process), without optimisation, which is the quickest. Raises `RuntimeError`
    for invalid IR and for an unknown triple.
    """
    binding = runtime_llvm.llvm()
    target = binding.Target.from_triple(triple or binding.get_process_triple())
    machine = target.create_target_machine(opt=0, reloc="pic", codemodel="small")
    with binding.parse_assembly(text, binding.create_context()) as module:
        return bytes(machine.emit_object(module))


def own_library(text: str, symbols: Iterable[str]) -> Library:
    """Return the library of ``text``, LLVM IR that tilewright brings itself, with the addresses of
    ``symbols``. The code is compiled once and kept in the cache on disk, as a record without kernels: each
    further process saves the time.
    """
    names = tuple(symbols)

    def make() -> bytes:
        return runtime_image.Image(machine_code(text), ()).to_bytes()

    def use(record: bytes) -> Library:
        return Library(runtime_image.Image.from_bytes(record).object_code, names)

    return disk_cache.DiskCache().of(_own_key(text), make, use)


def _own_key(text: str) -> str:
    """Return the key of a record of own code: it depends on the code, the machine, and LLVM."""
    binding = runtime_llvm.llvm()
    compiler = binding.get_process_triple(), binding.llvm_version_info, runtime_llvm.llvm_options()
    return disk_cache.key_of([b"own code", text.encode(), repr(compiler).encode()])


@cache
def _linker() -> Any:
    """Return the linker of the process, which lives as long as the process.

    It is LLVM's JITLink, which places an object file's code and constants in one piece of memory.
    RuntimeDyld, the default, allocates a piece each, and ends the process if their distance exceeds the range
    of a 32-bit relocation. That happens in a process that has used and freed gigabytes.
    """
    return runtime_llvm.llvm().create_lljit_compiler(use_jit_link=True)
