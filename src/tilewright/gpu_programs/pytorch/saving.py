"""Saving and loading: tensors on the GPU are written, and read, as on a machine with a GPU.

PyTorch records for each storage the device that it was on. A storage on the GPU is marked here with an
attribute, since to PyTorch it is the CPU's; so files are the same as a GPU's, and files made on a GPU can be
read.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from tilewright.gpu_programs import patches as gpu_programs_patches, routing as gpu_programs_routing
from tilewright.gpu_programs.pytorch.tensors import Tensors
from tilewright.gpu_programs.settings import TARGET_VARIABLE, ProgramSettings
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.option_spelling import ENVIRONMENT, spell_options_for
from tilewright.runtime.findings.record import inherit

_MARK = "is_gpu_memory"
_BEFORE_OTHERS = 1
"""The priority of our entry among PyTorch's own; the CPU's entry is the first of them, at 10."""
_GPU, _LOCATION = "cuda", "cuda:0"


def install(tensors: Tensors, patches: gpu_programs_patches.Patches) -> None:
    """Let ``torch.save``, ``torch.load`` and ``pickle`` handle tensors on the GPU. `patches` undoes it."""
    serialization: Any = import_module("torch.serialization")
    serialization.register_package(_BEFORE_OTHERS, _location, _restored_in(tensors))
    registry = serialization._package_registry
    entry = next(entry for entry in registry if entry[1] is _location)
    patches.on_undo(lambda: registry.remove(entry))
    utilities: Any = import_module("torch._utils")
    patches.set(utilities, "_rebuild_tensor_v2", _rebuilding(tensors, utilities._rebuild_tensor_v2))
    allowed = import_module("torch._weights_only_unpickler")._get_allowed_globals
    allowed.cache_clear()  # it holds the function that was there before
    patches.on_undo(allowed.cache_clear)
    patches.set(tensors.kind, "__reduce_ex__", _reduction(tensors))


def _reduction(tensors: Tensors) -> Any:
    """Return ``__reduce_ex__`` for tensors on the GPU: as for any tensor or parameter, with the storage
    marked.
    """
    parameter: Any = tensors.torch.nn.Parameter

    def reduce(self: Any, protocol: int) -> Any:
        plain = tensors.memory(self.detach())
        setattr(plain.untyped_storage(), _MARK, True)
        if isinstance(self, parameter):
            plain = parameter(plain, self.requires_grad)
        return plain.requires_grad_(self.requires_grad).__reduce_ex__(protocol)

    return reduce


def marked(tensor: Any) -> Any:
    """Return a tensor on the GPU over the memory of the CPU tensor `tensor`, whose storage is marked as
    memory of the GPU. It is made as PyTorch makes the tensors that it reads from a file.
    """
    storage = tensor.untyped_storage()
    setattr(storage, _MARK, True)
    typed = import_module("torch").storage.TypedStorage(
        wrap_storage=storage, dtype=tensor.dtype, _internal=True
    )
    rebuild: Any = import_module("torch._utils")._rebuild_tensor_v2
    return rebuild(typed, tensor.storage_offset(), tuple(tensor.shape), tensor.stride(), False, {})


def _location(storage: Any) -> str | None:
    """Return the location of a storage for the file: ``cuda:0`` for a marked storage, which is on the GPU;
    None leaves the decision for other storages to PyTorch.
    """
    untyped = getattr(storage, "_untyped_storage", storage)
    return _LOCATION if getattr(untyped, _MARK, False) else None


def _restored_in(tensors: Tensors) -> Any:
    def restored(storage: Any, location: str) -> Any:
        """Return a storage that was read, marked, if the file or the program places it on the GPU; None for
        other locations, which leaves the storage to PyTorch.
        """
        if not location.startswith(_GPU) or not tensors.is_gpu(location):
            return None
        setattr(getattr(storage, "_untyped_storage", storage), _MARK, True)
        return storage

    return restored


def _rebuilding(tensors: Tensors, original: Any) -> Any:
    def rebuild(storage: Any, *arguments: Any) -> Any:
        made = original(storage, *arguments)
        return tensors.adopt(made) if _location(storage) else made

    rebuild.__module__, rebuild.__name__, rebuild.__qualname__ = (
        "torch._utils",
        original.__name__,
        original.__name__,
    )
    return rebuild


SWITCH_OFF = ("", "0", "off")


def begin() -> None:
    """Start the routing that the environment selects, if any, in this process, unless a routing is active.
    Child processes then start it, too, and uncaught exceptions are printed as `tilewright run` prints them. A
    wrong setting ends the process with status 2.
    """
    if os.environ.get(TARGET_VARIABLE, "") in SWITCH_OFF or gpu_programs_routing.active() is not None:
        return
    try:
        gpu_programs_routing.start(ProgramSettings.from_environment())
        inherit()
        spell_options_for(ENVIRONMENT)
        sys.excepthook = _excepthook
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def _excepthook(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """Print an uncaught exception on stderr as `tilewright run` does; one that is no `Exception`, such as
    `KeyboardInterrupt`, as Python does.
    """
    from tilewright.gpu_programs.script import error_text

    if isinstance(error, Exception):
        sys.stdout.flush()
        print(error_text(error), end="", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, error.__traceback__)


def install_sharing(tensors: Tensors, patches: gpu_programs_patches.Patches) -> None:
    """Patch the pickling of Python's ``multiprocessing`` so that a tensor on the GPU that is sent to another
    process arrives there on the GPU, with shared memory (`received`).
    """
    reductions: Any = import_module("torch.multiprocessing.reductions")
    pickler: Any = import_module("multiprocessing.reduction").ForkingPickler
    parameter: Any = tensors.torch.nn.Parameter

    def reduce(tensor: Any) -> tuple[Any, ...]:
        plain = tensors.memory(tensor.detach())
        is_parameter = isinstance(tensor, parameter)
        return received, (*reductions.reduce_tensor(plain), is_parameter, tensor.requires_grad)

    known = pickler._extra_reducers
    known[tensors.kind] = reduce
    patches.on_undo(lambda: known.pop(tensors.kind, None))


def received(rebuild: Any, arguments: tuple[Any, ...], is_parameter: bool, requires_grad: bool) -> Any:
    """Return the tensor on the GPU, a `torch.nn.Parameter` if `is_parameter`, that another process sent:
    ``rebuild(*arguments)`` makes it on the CPU, and its memory is shared. If this process has no routing yet,
    it is started from the environment.
    """
    begin()
    torch: Any = import_module("torch")
    tensor = marked(rebuild(*arguments))
    return torch.nn.Parameter(tensor, requires_grad) if is_parameter else tensor.requires_grad_(requires_grad)
