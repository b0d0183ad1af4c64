"""Operations that only PyTorch's CUDA build has: calls of cuDNN, and fused kernels.

Few programs call them by name; PyTorch's own modules do for tensors on a GPU. Each of these operations has a
route here, which computes the same with operations of the CPU, or it raises an error with its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from inspect import signature
from typing import Any

from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.refusals import HINT, NoAnswerError, refusal

Route = Callable[..., Any]

_CONNECTS = "connects several GPUs, and this program sees one"
_SPARSE = "multiplies sparse matrices of the form that tensor cores take"
_PACKED = "multiplies weights that are packed for tensor cores"
_DENSE = "multiply dense tensors, as in x @ weight"
_REFUSED = (
    ("symm_mem::*", _CONNECTS, "run this part on GPUs"),
    ("aten::*miopen*", "needs a GPU of AMD", "call the function of torch.nn.functional"),
    ("aten::_cudnn_rnn*", "calls cuDNN with its own form of weights", "use torch.nn.LSTM, GRU or RNN"),
    ("aten::_cudnn_init_dropout_state", "makes a state of cuDNN", "use torch.nn.Dropout"),
    ("aten::*attention*", "calls a kernel of attention in a form that has no counterpart on the CPU",
     "call torch.nn.functional.scaled_dot_product_attention"),
    ("aten::_triton_*", "calls a kernel that PyTorch has for GPUs", "use the function of torch.nn.functional"),
    ("aten::*semi_structured*", _SPARSE, _DENSE),
    ("aten::_cslt_*", _SPARSE, _DENSE),
    ("aten::*int4pack*", _PACKED, _DENSE),
    ("aten::_mixed_dtypes_linear*", _PACKED, _DENSE),
    ("aten::_scaled_*", "multiplies scaled matrices in a form that the CPU has not", "scale and multiply in f32"),
    ("aten::_thnn_fused_*", "is one step of a recurrent layer, fused", "use torch.nn.LSTMCell or GRUCell"),
)  # fmt: skip
"""Patterns of names, the reason why such an operation is refused, and a hint; the first matching row holds.
"""


def refused(name: str) -> NoAnswerError:
    """Return the error for the operation `name`, such as ``aten::_cudnn_rnn``, which the CPU lacks. Reason
    and hint are those in the first row of `_REFUSED` that fits the name, or general ones if none does.
    """
    for pattern, reason, hint in _REFUSED:
        if fnmatchcase(name, pattern):
            return refusal(name, reason, hint)
    return refusal(name, "is an operation that only GPUs have", HINT)


def routes(torch: Any) -> dict[str, Route]:
    """Return the CPU's functions for operations of GPU libraries, by the names of the operations.

    A function takes the arguments of the operation's schema.
    """
    made = {**_convolutions(torch), **_samplers(torch), **_normalisations(torch), **_losses(torch)}
    made |= {
        "_cudnn_rnn_flatten_weight": partial(_flat_weights, torch),
        "_fused_dropout": partial(_dropout, torch),
        "_masked_scale": _masked_scale,
        "mkldnn_rnn_layer": partial(_in_single, torch, torch.ops.aten.mkldnn_rnn_layer),
        "mkldnn_rnn_layer_backward": partial(_in_single, torch, torch.ops.aten.mkldnn_rnn_layer_backward),
    }
    return {f"aten::{name}": route for name, route in made.items()}


def _flat_weights(torch: Any, weight_arr: Sequence[Any], *rest: Any) -> Any:
    """Return all weights of a recurrent layer in one buffer.

    cuDNN requires the weights to be views of the buffer; here they are not.
    """
    return torch.cat([weight.reshape(-1) for weight in weight_arr])


def _masked_scale(self: Any, mask: Any, scale: float) -> Any:
    """Return the gradient of the input of dropout, for the gradient of its output, `self`: `self` times the
    `mask` of kept elements times `scale`.
    """
    return self * mask.to(self.dtype) * scale


def _dropout(torch: Any, self: Any, p: float, generator: Any = None) -> tuple[Any, Any]:
    """Return the result of dropout and the mask of kept elements, as bytes. ``p`` is the probability that an
    element is kept; kept elements are divided by it.
    """
    kept = torch.empty_like(self, dtype=torch.float32).bernoulli_(p, generator=generator)
    return self * kept.to(self.dtype) / p, kept.to(torch.uint8)


def _in_single(torch: Any, function: Any, *arguments: Any) -> Any:
    """Call `function`, a recurrent layer of oneDNN. Half precision is computed in f32, since oneDNN does not
    train layers in half precision, and the results have the type of the first argument again.
    """
    narrow = arguments[0].dtype
    if narrow not in (torch.float16, torch.bfloat16):
        return function(*arguments)

    def converted(value: Any, before: Any, after: Any) -> Any:
        is_one = isinstance(value, torch.Tensor) and value.dtype == before
        return value.to(after) if is_one else value

    results = function(*(converted(value, narrow, torch.float32) for value in arguments))
    return tuple(converted(value, torch.float32, narrow) for value in results)


def _convolutions(torch: Any) -> dict[str, Route]:
    def plain(x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
        return torch.convolution(
            x, weight, bias, stride, padding, dilation, False, [0] * len(padding), groups
        )

    def convolution(
        self: Any, weight: Any, padding: Any, stride: Any, dilation: Any, groups: int, *how: bool
    ) -> Any:
        return plain(self, weight, None, stride, padding, dilation, groups)

    def transposed(
        self: Any,
        weight: Any,
        padding: Any,
        output_padding: Any,
        stride: Any,
        dilation: Any,
        groups: int,
        *how: bool,
    ) -> Any:
        return torch.convolution(self, weight, None, stride, padding, dilation, True, output_padding, groups)

    def with_relu(self: Any, weight: Any, bias: Any, *shape: Any) -> Any:
        return plain(self, weight, bias, *shape).relu()

    def with_sum_and_relu(self: Any, weight: Any, z: Any, alpha: Any, bias: Any, *shape: Any) -> Any:
        return (plain(self, weight, bias, *shape) + (1 if alpha is None else alpha) * z).relu()

    def depthwise(
        self: Any,
        weight: Any,
        kernel_size: Any,
        bias: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
    ) -> Any:
        return plain(self, weight, bias, stride, padding, dilation, self.shape[1])

    return {
        "cudnn_convolution": convolution,
        "cudnn_convolution_transpose": transposed,
        "cudnn_convolution_relu": with_relu,
        "cudnn_convolution_add_relu": with_sum_and_relu,
        "_conv_depthwise2d": depthwise,
        "conv_depthwise3d": depthwise,
    }


def _samplers(torch: Any) -> dict[str, Route]:
    """Return the sampling operations of cuDNN: bilinear, zero outside the borders, with aligned corners."""
    form = (0, 0, True)

    def grid_backward(grad: Any, *size: int) -> Any:
        return torch.ops.aten.affine_grid_generator_backward(grad, list(size), True)

    def backward(self: Any, grid: Any, grad_output: Any) -> Any:
        return torch.ops.aten.grid_sampler_2d_backward(grad_output, self, grid, *form, [True, True])

    def grid(theta: Any, *size: int) -> Any:
        return torch.affine_grid_generator(theta, list(size), True)

    def sample(self: Any, grid: Any) -> Any:
        return torch.grid_sampler_2d(self, grid, *form)

    return {
        "cudnn_affine_grid_generator": grid,
        "cudnn_affine_grid_generator_backward": grid_backward,
        "cudnn_grid_sampler": sample,
        "cudnn_grid_sampler_backward": backward,
    }


def _losses(torch: Any) -> dict[str, Route]:
    aten = torch.ops.aten

    def connectionist(
        log_probs: Any,
        targets: Any,
        input_lengths: Any,
        target_lengths: Any,
        blank: int,
        deterministic: bool,
        zero_infinity: bool,
    ) -> tuple[Any, Any]:
        """Return the losses of connectionist temporal classification and the gradients of `log_probs`, which
        cuDNN computes together, for a gradient of 1 for each loss. `deterministic` has no effect.
        """
        what = log_probs, targets, input_lengths, target_lengths
        losses, alpha = torch._ctc_loss(*what, blank, zero_infinity)
        ones = torch.ones_like(losses)
        return losses, aten._ctc_loss_backward(ones, *what, losses, alpha, blank, zero_infinity)

    def not_used(*arguments: Any) -> bool:
        return False

    return {
        "_cudnn_ctc_loss": connectionist,
        "_use_cudnn_ctc_loss": not_used,
        "_use_miopen_ctc_loss": not_used,
    }


def _normalisations(torch: Any) -> dict[str, Route]:
    return {**_cudnn_normalisations(torch), **_Synchronised(torch).routes()}


def _cudnn_normalisations(torch: Any) -> dict[str, Route]:
    def forward(
        input: Any,
        weight: Any,
        bias: Any,
        running_mean: Any,
        running_var: Any,
        training: bool,
        exponential_average_factor: float,
        epsilon: float,
    ) -> tuple[Any, ...]:
        made = torch.native_batch_norm(
            input, weight, bias, running_mean, running_var, training, exponential_average_factor, epsilon
        )
        return *made, torch.empty(0, dtype=torch.uint8)

    def backward(
        input: Any,
        grad_output: Any,
        weight: Any,
        running_mean: Any,
        running_var: Any,
        save_mean: Any,
        save_var: Any,
        epsilon: float,
        reserve: Any,
    ) -> Any:
        saved = weight, running_mean, running_var, save_mean, save_var
        return torch.ops.aten.native_batch_norm_backward(
            grad_output, input, *saved, True, epsilon, [True] * 3
        )

    return {"cudnn_batch_norm": forward, "cudnn_batch_norm_backward": backward}


class _Synchronised:
    """The steps of ``torch.nn.SyncBatchNorm``: statistics of each process, statistics of all processes, and
    the normalisation.
    """

    def __init__(self, torch: Any) -> None:
        self._torch = torch

    def routes(self) -> dict[str, Route]:
        """Return the steps by the names of their operations."""
        return {
            "batch_norm_stats": self.statistics,
            "batch_norm_gather_stats": self.gather,
            "batch_norm_gather_stats_with_counts": self.gather,
            "batch_norm_elemt": self.normalise,
            "batch_norm_backward_reduce": self.reduce,
            "batch_norm_backward_elemt": self.backward,
        }

    @staticmethod
    def _flat(x: Any) -> Any:
        """Return the elements of each channel, in f32 if they are narrower: a tensor (channels, elements)."""
        rows = x.transpose(0, 1).reshape(x.shape[1], -1)
        return rows.float() if x.dtype.itemsize < 4 else rows

    @staticmethod
    def _channels(values: Any, x: Any) -> Any:
        """Return one value for each channel, in a shape that broadcasts with ``x``."""
        return values.reshape(1, -1, *(1,) * (x.dim() - 2))

    def statistics(self, input: Any, eps: float) -> tuple[Any, Any]:
        """Return the mean and the inverse standard deviation of each channel."""
        variance, mean = self._torch.var_mean(self._flat(input), 1, correction=0)
        return mean, (variance + eps).rsqrt()

    def gather(
        self,
        input: Any,
        mean: Any,
        invstd: Any,
        running_mean: Any,
        running_var: Any,
        momentum: float,
        eps: float,
        counts: Any,
    ) -> tuple[Any, Any]:
        """Return the mean and the inverse standard deviation over all processes, from `mean` and `invstd` of
        each process, which have the shape (processes, channels). `counts` has the number of elements of a
        channel in each process, or one number for all; `eps` is added to each variance, also in `invstd`.

        `running_mean` and `running_var` are updated with the weight `momentum`, unless they are None.
        """
        counts = self._torch.as_tensor(counts, dtype=mean.dtype).reshape(-1, 1).expand(mean.shape[0], 1)
        count = counts.sum()
        together = (mean * counts).sum(0) / count
        variance = ((invstd**-2 - eps + (mean - together) ** 2) * counts).sum(0) / count
        for running, new in ((running_mean, together), (running_var, variance * count / (count - 1))):
            if running is not None:
                running.mul_(1 - momentum).add_(new.to(running.dtype), alpha=momentum)
        return together, (variance + eps).rsqrt()

    def normalise(self, input: Any, weight: Any, bias: Any, mean: Any, invstd: Any, eps: float) -> Any:
        """Return the input with the mean 0 and the deviation 1 in each channel, times `weight`, plus `bias`,
        which both may be None. `mean` and `invstd` are the mean and the inverse standard deviation of each
        channel; `eps` is not used.
        """
        made = (input - self._channels(mean, input)) * self._channels(invstd, input)
        made = made if weight is None else made * self._channels(weight, input)
        return (made if bias is None else made + self._channels(bias, input)).to(input.dtype)

    def reduce(
        self,
        grad_out: Any,
        input: Any,
        mean: Any,
        invstd: Any,
        weight: Any,
        input_g: bool,
        weight_g: bool,
        bias_g: bool,
    ) -> tuple[Any, ...]:
        """Return, for each channel, the sum of the output's gradient and the sum of its product with the
        centred input; then the gradients of `weight` and of the bias. The first two are None unless
        `input_g`, the others unless `weight_g` and `bias_g`.
        """
        gradient = self._flat(grad_out)
        total = gradient.sum(1)
        product = (gradient * (self._flat(input) - mean.reshape(-1, 1))).sum(1)
        kind = mean.dtype if weight is None else weight.dtype
        of_weight = (product * invstd).to(kind) if weight_g else None
        return (
            total if input_g else None,
            product if input_g else None,
            of_weight,
            total.to(kind) if bias_g else None,
        )

    def backward(
        self,
        grad_out: Any,
        input: Any,
        mean: Any,
        invstd: Any,
        weight: Any,
        sum_dy: Any,
        sum_dy_xmu: Any,
        count: Any,
    ) -> Any:
        """Return the gradient of the input of a batch normalisation, from the gradient `grad_out` of its
        output. `sum_dy` and `sum_dy_xmu` are the first two results of `reduce`, added up over all processes;
        `count` has the number of elements of a channel in each process.
        """
        number = count.sum()
        centred = (input - self._channels(mean, input)) * self._channels(
            invstd**2 * sum_dy_xmu / number, input
        )
        made = (grad_out - self._channels(sum_dy / number, input) - centred) * self._channels(invstd, input)
        made = made if weight is None else made * self._channels(weight, input)
        return made.to(input.dtype)


_CUDA_FILE = ".cu"


def refuse_cuda_sources(extensions: Any, patches: Patches) -> None:
    """Patch `load_inline` and `load` of the module `torch.utils.cpp_extension` so that they raise
    `NoAnswerError` for CUDA C++: such extensions read the addresses of tensors, which are addresses of the
    host here. Other extensions are built as usual.
    """
    for name in ("load_inline", "load"):
        patches.set(extensions, name, _without_cuda(name, getattr(extensions, name)))


def _without_cuda(name: str, load: Route) -> Route:
    def loaded(*arguments: Any, **named: Any) -> Any:
        bound = signature(load).bind(*arguments, **named).arguments
        sources = bound.get("sources", ())
        files = [sources] if isinstance(sources, str) else sources
        if bound.get("cuda_sources") or any(str(one).endswith(_CUDA_FILE) for one in files):
            reason = "builds CUDA C++ against PyTorch's CUDA build, whose tensors there are none of here"
            hint = "launch the kernel by cupy.RawKernel or cuda.core, with x.data_ptr() for a tensor"
            raise refusal(f"torch.utils.cpp_extension.{name}", reason, hint)
        return load(*arguments, **named)

    return loaded
