"""The functions and methods of PyTorch with a parameter for a device; ``cuda`` means the GPU of `tensors`."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tilewright.gpu_programs.patches import Patches, always
from tilewright.gpu_programs.pytorch import libraries, pinning
from tilewright.gpu_programs.pytorch.tensors import Tensors

Function = Callable[..., Any]

_LIKE = ("empty_like", "full_like", "ones_like", "zeros_like", "rand_like", "randn_like", "randint_like")
_NEW = ("new_empty", "new_empty_strided", "new_full", "new_ones", "new_tensor", "new_zeros")
_SHARING = ("as_tensor", "asarray")
"""Functions whose result may share the memory of an argument, which then stays on the host."""


def install(tensors: Tensors, patches: Patches) -> None:
    """Patch the functions and methods of PyTorch that have a parameter for a device, so that they accept the
    GPU; also `torch.Generator`, the default device and modules for neural networks. `patches` undoes it.
    """
    torch = tensors.torch
    constructors = import_module("torch.utils._device")._device_constructors()
    names: set[str] = {function.__name__ for function in constructors} | {"normal"}
    for name in sorted(name for name in names if hasattr(torch, name)):
        original = getattr(torch, name)
        patches.set(torch, name, _constructor(tensors, original, uses_default=True))
    for name in _LIKE:
        patches.set(torch, name, _constructor(tensors, getattr(torch, name), uses_default=False))
    for name in _NEW:
        method = getattr(torch.Tensor, name)
        patches.set(torch.Tensor, name, _constructor(tensors, method, uses_default=False))
    patches.set_all(torch.Tensor, _methods(tensors))
    patches.set(torch, "Generator", _generator_class(tensors))
    patches.set(torch, "from_dlpack", _from_dlpack(tensors))
    default = torch.get_default_device
    patches.set(torch, "get_default_device", lambda: tensors.device if _default_is_gpu(torch) else default())
    _install_modules(tensors, patches)


def _constructor(tensors: Tensors, original: Function, *, uses_default: bool) -> Function:
    """Return a replacement for `original`, a function that creates a tensor: the tensor is on the GPU if
    ``device`` is, or, with `uses_default`, if there is no ``device`` and the default device is the GPU. It
    raises `RuntimeError` for pinned memory on the GPU.
    """
    shares = original.__name__ in _SHARING
    torch = tensors.torch
    current_mode = torch._C._get_dispatch_mode
    fake = torch._C._TorchDispatchModeKey.FAKE

    def is_traced(device: Any) -> bool:
        """Return whether PyTorch traces a program with tensors without memory.

        Such tensors keep the device that the program named.
        """
        return current_mode(fake) is not None

    @functools.wraps(original, updated=())
    def make(*arguments: Any, **named: Any) -> Any:
        is_pinned = named.pop("pin_memory", False)
        device = named.get("device")
        if device is None and uses_default:
            device = "cuda" if "out" not in named and _default_is_gpu(torch) else None
        if device is None or is_traced(device):
            return pinning.pinned(original(*arguments, **named), is_pinned)
        to_gpu = tensors.is_gpu(device)
        if not to_gpu:
            return pinning.pinned(tensors.moved(original(*arguments, **named), False), is_pinned)
        if is_pinned:
            raise RuntimeError(pinning.ONLY_DENSE)
        needs_gradient = named.pop("requires_grad", False)
        made = original(*arguments, **{**named, "device": "cpu"})
        if not tensors.is_on_gpu(made):
            is_the_hosts = shares and not getattr(arguments[0], "is_gpu_memory", False)
            made = tensors.adopt(made.detach().clone() if is_the_hosts else made)
        return made.requires_grad_() if needs_gradient else made

    return make


def _default_is_gpu(torch: Any) -> bool:
    """Return whether ``torch.set_default_device`` or a ``with torch.device`` block selected the GPU."""
    if not torch._C._len_torch_function_stack():
        return False
    modes = reversed(import_module("torch.overrides")._get_current_function_mode_stack())
    context = import_module("torch.utils._device").DeviceContext
    chosen = next((mode.device for mode in modes if isinstance(mode, context)), None)
    return chosen is not None and chosen.type == "cuda"


def _methods(tensors: Tensors) -> dict[str, Function]:
    """Return, by name, the replacements of the methods of `torch.Tensor` that move a tensor between devices:
    ``to``, ``cuda``, ``cpu`` and ``type``. They accept the GPU as a device; ``type`` without a dtype names
    the class in ``torch.cuda`` of a tensor on the GPU.
    """
    torch = tensors.torch
    originals = {name: getattr(torch.Tensor, name) for name in ("to", "type")}

    def to(self: Any, *arguments: Any, **named: Any) -> Any:
        device, rest, others = _destination(tensors, arguments, named)
        if device is None:
            return originals["to"](self, *arguments, **named)
        to_gpu = tensors.is_gpu(device)
        moved = tensors.moved(self, to_gpu)
        if moved is not self:
            others.pop("copy", None)
        return originals["to"](moved, *rest, **others) if rest or others else moved

    def cuda(self: Any, device: Any = None, *arguments: Any, **named: Any) -> Any:
        tensors.is_gpu(0 if device is None else device)
        return tensors.moved(self, True)

    def cpu(self: Any, *arguments: Any, **named: Any) -> Any:
        return tensors.moved(self, False)

    def kind(self: Any, dtype: Any = None, *arguments: Any, **named: Any) -> Any:
        found = originals["type"](self, dtype, *arguments, **named) if dtype is not None else None
        if found is not None:
            return found
        text = originals["type"](self)
        return text.replace("torch.", "torch.cuda.", 1) if tensors.is_on_gpu(self) else text

    return {"to": to, "cuda": cuda, "cpu": cpu, "type": kind}


def _destination(
    tensors: Tensors, arguments: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Return (device, positional arguments, keyword arguments) of a call of ``Tensor.to``: the device that
    the call requests, and the other arguments. The device is None if the call names none, and the arguments
    are then unchanged.
    """
    torch = tensors.torch
    others = dict(named)
    first = arguments[0] if arguments else others.pop("device", others.pop("other", None))
    rest = arguments[1:]
    if isinstance(first, torch.Tensor):
        return first.device, (first.dtype, *rest), others
    if isinstance(first, str | torch.device | int):
        return first, () if rest and rest[0] is None else rest, others
    return None, arguments, named


def _generator_class(tensors: Tensors) -> Any:
    """Return a class of random-number generators. A generator for the GPU is a generator of the CPU whose
    ``device`` is the GPU.
    """
    base = tensors.torch.Generator

    def new(cls: Any, device: Any = "cpu") -> Any:
        made = base.__new__(cls, "cpu")
        made.is_gpus = tensors.is_gpu(device)
        return made

    def device(self: Any) -> Any:
        return tensors.device if self.is_gpus else tensors.torch.device("cpu")

    return type("Generator", (base,), {"__module__": "torch", "__new__": new, "device": property(device)})


def _from_dlpack(tensors: Tensors) -> Function:
    """Return a replacement of ``torch.from_dlpack``: for a tensor on the GPU or an array of our CuPy it
    returns a tensor on the GPU that shares the memory.
    """
    original = tensors.torch.from_dlpack

    def from_dlpack(value: Any, *arguments: Any, **named: Any) -> Any:
        is_array = getattr(value, "is_gpu_memory", False)
        memory = value.view(type(value).__base__) if is_array else tensors.memory(value)
        made = original(memory, *arguments, **named)
        return tensors.adopt(made) if is_array or tensors.is_on_gpu(value) else made

    return from_dlpack


def _install_modules(tensors: Tensors, patches: Patches) -> None:
    """Patch the modules for neural networks, mixed precision and compilation: parameters change their class
    when a module moves, autocast for the GPU becomes autocast for the CPU (to f16 by default),
    `torch.compile` returns its argument, and attention is computed by `_attention`.
    """
    torch = tensors.torch
    future = import_module("torch.__future__")
    patches.set(future, "_overwrite_module_params_on_conversion", True)  # parameters change their class
    patches.set(torch, "compile", _uncompiled)
    mode = import_module("torch.amp.autocast_mode").autocast
    original = mode.__init__

    def initialise(self: Any, device_type: str, dtype: Any = None, *arguments: Any, **named: Any) -> None:
        is_gpu = device_type == "cuda"
        dtype = torch.float16 if is_gpu and dtype is None else dtype
        original(self, "cpu" if is_gpu else device_type, dtype, *arguments, **named)

    patches.set(mode, "__init__", initialise)
    cudnn: Any = import_module("torch.backends.cudnn")
    patches.set(
        cudnn, "is_acceptable", always(False)
    )  # weights stay as they are: nothing here reads them as cuDNN does
    _install_export(torch, patches)
    patches.set(torch._VF, "_pad_packed_sequence", _unpacking(tensors, torch._VF._pad_packed_sequence))
    functional = import_module("torch.nn.functional")
    attention = _attention(torch, functional.scaled_dot_product_attention)
    patches.set(functional, "scaled_dot_product_attention", attention)


def _unpacking(tensors: Tensors, original: Function) -> Function:
    """Return the function that pads packed sequences, with its result on the device of the data.

    PyTorch's C++ function would return a tensor on the host.
    """

    @functools.wraps(original, updated=())
    def unpack(data: Any, *arguments: Any) -> tuple[Any, Any]:
        padded, lengths = original(data, *arguments)
        return tensors.moved(padded, tensors.is_on_gpu(data)), lengths

    return unpack


def _install_export(torch: Any, patches: Patches) -> None:
    """Let ``torch.export`` trace tensors on the GPU; the resulting program is the same as on a GPU.

    PyTorch's C++ connects the gradients of traced tensors with streams of their device. The CUDA build skips
    the streams if it finds the guard for machines without a GPU, which PyTorch sets only if there is no GPU;
    so the guard is set here. The CPU build has no guard and would end the process; there traced tensors have
    no gradients.
    """
    if torch.version.cuda is not None:
        torch._C._ensureCUDADeviceGuardSet()
        return
    module: Any = import_module("torch.export")
    original = module.export

    @functools.wraps(original)
    def export(*arguments: Any, **named: Any) -> Any:
        with torch.no_grad():
            return original(*arguments, **named)

    patches.set(module, "export", export)


MAXIMUM_SCORES = 1 << 27
"""The maximum number of attention scores that are computed at once: 1 GiB of f64."""


def _attention(torch: Any, original: Function) -> Function:
    """Return a replacement for `original`, the function ``scaled_dot_product_attention``: it uses the CPU's
    own kernel or the formula, also if the program allows other kernels of a GPU only.

    The formula holds all scores in memory, unlike a GPU's kernels. If there are many scores, and neither a
    mask nor dropout, it runs for one head at a time.
    """

    @functools.wraps(original, updated=())
    def attention(query: Any, key: Any, value: Any, *more: Any, **named: Any) -> Any:
        is_allowed = torch._C._get_math_sdp_enabled()
        torch._C._set_sdp_use_math(True)
        try:
            if more or named.get("attn_mask") is not None or named.get("dropout_p") or query.dim() < 3:
                return original(query, key, value, *more, **named)
            return torch.cat([original(*part, **named) for part in _heads(query, key, value)], dim=-3)
        finally:
            torch._C._set_sdp_use_math(is_allowed)

    return attention


def _heads(query: Any, key: Any, value: Any) -> list[tuple[Any, Any, Any]]:
    """Return queries, keys and values: one triple with all heads, or, if there are more than `MAXIMUM_SCORES`
    scores, one triple for each head of the queries. Several heads of queries may share the head of a key; if
    their number is not a multiple of the heads of the keys, nothing is split.
    """
    heads, scores = query.shape[-3], query.shape[:-1].numel() * key.shape[-2]
    if scores <= MAXIMUM_SCORES or not heads or heads % key.shape[-3]:
        return [(query, key, value)]
    shared = heads // key.shape[-3]
    return [
        (query.narrow(-3, head, 1), key.narrow(-3, head // shared, 1), value.narrow(-3, head // shared, 1))
        for head in range(heads)
    ]


def _uncompiled(model: Any = None, *arguments: Any, **named: Any) -> Any:
    """``torch.compile``: return the function or module unchanged, since compilation would not change its
    result. Without one, return a decorator that does this.
    """
    return _uncompiled if model is None else model


_MAKERS = ("empty.memory_format", "empty_strided", "tril_indices", "triu_indices")
_REFUSED = ("_cudnn_init_dropout_state",)
"""Operations without tensors among their arguments that the CPU lacks."""
_WARNING = r"(?s).*Overriding a previously registered kernel.*"


def install_factories(tensors: Tensors, patches: Patches) -> None:
    """Let ATen's functions that allocate memory on the GPU allocate host memory, and let `_REFUSED`, which
    the CPU lacks, raise `NoAnswerError`. Undoing the patches removes both.
    """
    library = import_module("torch.library").Library("aten", "IMPL", "CUDA")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _WARNING, UserWarning)
        for name in _MAKERS:
            library.impl(name, _on_host(tensors, name))
        for name in _REFUSED:
            library.impl(name, _refusing(f"aten::{name}"))
    patches.on_undo(library._destroy)


def _on_host(tensors: Tensors, name: str) -> Callable[..., Any]:
    packet, _, overload = name.partition(".")
    original = getattr(getattr(tensors.torch.ops.aten, packet), overload or "default")

    def make(*arguments: Any, **named: Any) -> Any:
        return tensors.adopt(original(*arguments, **{**named, "device": "cpu", "pin_memory": False}))

    return make


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **named: Any) -> None:
        raise libraries.refused(name)

    return refuse
