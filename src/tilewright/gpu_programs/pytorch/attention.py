"""Attention kernels of PyTorch's CUDA build, called by name: the CPU's own kernel computes the same.

Calls with dropout, whose random numbers are the kernel's own, gradients of the bias, windows, or several
sequences in one tensor raise an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.gpu_programs.pytorch.libraries import refused

_PRODUCT = "_scaled_dot_product_"
_CAUSAL = {0: False, 1: True}
"""Whether scores above the diagonal are omitted, by the number of the mask in `_efficient_attention_forward`.
"""


def routes(torch: Any) -> dict[str, Callable[..., Any]]:
    """Return the attention kernels of a GPU by their names in ATen, each computed on the CPU."""
    made = _Attention(torch)
    found = {
        f"{_PRODUCT}flash_attention": made.flash,
        f"{_PRODUCT}flash_attention_backward": made.flash_backward,
        f"{_PRODUCT}efficient_attention": made.efficient,
        f"{_PRODUCT}efficient_attention_backward": made.efficient_backward,
        f"{_PRODUCT}cudnn_attention": made.cudnn,
        f"{_PRODUCT}cudnn_attention_backward": made.cudnn_backward,
        "_flash_attention_forward": made.plain_flash,
        "_efficient_attention_forward": made.plain_efficient,
    }
    return {f"aten::{name}": route for name, route in found.items()}


class _Attention:
    """Attention kernels, with the parameters of the operations in ATen. Lengths of sequences and states of
    random numbers are ignored; `scale` None is 1 over the square root of the elements.

    Queries, keys and values are (batch, heads, sequence, elements), unless a method states another form.
    """

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._forward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
        self._backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward

    def _none(self) -> Any:
        """Return an empty tensor for a result that no caller reads: lengths of sequences, states of random
        numbers.
        """
        return self._torch.empty(0, dtype=self._torch.int64)

    def _with_state(
        self,
        name: str,
        query: Any,
        key: Any,
        value: Any,
        mask: Any,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        return_debug_mask: bool = False,
        *,
        scale: float | None = None,
    ) -> tuple[Any, ...]:
        """Return the nine results of the kernel ``name`` with the scores' additive `mask`, or None: the
        output, the logarithms of the sums of exponentials, and seven values about sequences and random
        numbers. With `is_causal`, scores above the diagonal are omitted. Raises `NoAnswerError` for dropout
        and for a debug mask.
        """
        _refuse(f"{_PRODUCT}{name}", dropout_p or return_debug_mask)
        output, sums = self._forward(query, key, value, 0.0, is_causal, attn_mask=mask, scale=scale)
        lengths = query.shape[-2], key.shape[-2]
        return (output, sums, self._none(), self._none(), *lengths, self._none(), self._none(), self._none())

    def flash(self, query: Any, key: Any, value: Any, *options: Any, **named: Any) -> tuple[Any, ...]:
        """Return the results of flash attention without a mask: the output, the logarithms of sums, and seven
        values about sequences and random numbers. The options are the dropout, whether attention is causal,
        and whether a debug mask is requested; raises `NoAnswerError` for dropout and for a debug mask.
        """
        return self._with_state("flash_attention", query, key, value, None, *options, **named)

    def flash_backward(
        self,
        grad_out: Any,
        query: Any,
        key: Any,
        value: Any,
        out: Any,
        logsumexp: Any,
        cum_seq_q: Any,
        cum_seq_k: Any,
        max_q: int,
        max_k: int,
        dropout_p: float,
        is_causal: bool,
        *state: Any,
        scale: float | None = None,
    ) -> Any:
        """Return the gradients of query, key and value for `flash`, from the gradient of its output and its
        results `out` and `logsumexp`. Lengths and states have no effect. Raises `NoAnswerError` for dropout.
        """
        _refuse(f"{_PRODUCT}flash_attention_backward", dropout_p)
        return self._backward(
            grad_out, query, key, value, out, logsumexp, 0.0, is_causal, attn_mask=None, scale=scale
        )

    def efficient(
        self,
        query: Any,
        key: Any,
        value: Any,
        attn_bias: Any,
        compute_log_sumexp: bool,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: float | None = None,
    ) -> tuple[Any, ...]:
        """Return the output, the logarithms of sums, and the state of random numbers, two empty tensors.
        `attn_bias`, unless it is None, is added to the scores; `compute_log_sumexp` has no effect. Raises
        `NoAnswerError` for dropout.
        """
        _refuse(f"{_PRODUCT}efficient_attention", dropout_p)
        output, sums = self._forward(query, key, value, 0.0, is_causal, attn_mask=attn_bias, scale=scale)
        return output, sums, self._none(), self._none()

    def efficient_backward(
        self,
        grad_out_: Any,
        query: Any,
        key: Any,
        value: Any,
        attn_bias: Any,
        out: Any,
        logsumexp: Any,
        philox_seed: Any,
        philox_offset: Any,
        dropout_p: float,
        grad_input_mask: Any,
        is_causal: bool = False,
        *,
        scale: float | None = None,
    ) -> tuple[Any, ...]:
        """Return the gradients of query, key and value for `efficient`, from the gradient of its output and
        its results `out` and `logsumexp`, and None for the gradient of the bias. States of random numbers
        have no effect. Raises `NoAnswerError` for dropout, and if `grad_input_mask` requests the gradient of
        the bias.
        """
        _refuse(f"{_PRODUCT}efficient_attention_backward", dropout_p or grad_input_mask[3])
        what = grad_out_, query, key, value, out, logsumexp
        made = self._backward(*what, 0.0, is_causal, attn_mask=attn_bias, scale=scale)
        return (*made, None)

    def cudnn(
        self,
        query: Any,
        key: Any,
        value: Any,
        attn_bias: Any,
        compute_log_sumexp: bool,
        *options: Any,
        **named: Any,
    ) -> tuple[Any, ...]:
        """Return the results of cuDNN's attention with the mask `attn_bias`, or None: the output, the
        logarithms of sums, and seven values about sequences and random numbers. The options are the dropout,
        whether attention is causal, and whether a debug mask is requested; raises `NoAnswerError` for dropout
        and for a debug mask.
        """
        return self._with_state("cudnn_attention", query, key, value, attn_bias, *options, **named)

    def cudnn_backward(
        self,
        grad_out: Any,
        query: Any,
        key: Any,
        value: Any,
        out: Any,
        logsumexp: Any,
        philox_seed: Any,
        philox_offset: Any,
        attn_bias: Any,
        cum_seq_q: Any,
        cum_seq_k: Any,
        max_q: int,
        max_k: int,
        dropout_p: float,
        is_causal: bool,
        *,
        scale: float | None = None,
    ) -> Any:
        """Return the gradients of query, key and value for `cudnn` with the mask `attn_bias`, from the
        gradient of its output and its results `out` and `logsumexp`. Lengths and states have no effect.
        Raises `NoAnswerError` for dropout.
        """
        _refuse(f"{_PRODUCT}cudnn_attention_backward", dropout_p)
        what = grad_out, query, key, value, out, logsumexp
        return self._backward(*what, 0.0, is_causal, attn_mask=attn_bias, scale=scale)

    def plain_flash(
        self,
        query: Any,
        key: Any,
        value: Any,
        cum_seq_q: Any,
        cum_seq_k: Any,
        max_q: int,
        max_k: int,
        dropout_p: float,
        is_causal: bool,
        return_debug_mask: bool,
        *,
        scale: float | None = None,
        **special: Any,
    ) -> tuple[Any, ...]:
        """Return the output, the logarithms of sums, and three empty tensors of flash attention, for operands
        and an output of the form (batch, sequence, heads, elements). Raises `NoAnswerError` for dropout, a
        debug mask, and options that the CPU lacks, such as several sequences in a tensor.
        """
        is_special = any(value is not None for value in (cum_seq_q, cum_seq_k, *special.values()))
        _refuse("_flash_attention_forward", dropout_p or return_debug_mask or is_special)
        output, sums = self._turned(query, key, value, is_causal, scale, None)
        return output, sums, self._none(), self._none(), self._none()

    def plain_efficient(
        self,
        query: Any,
        key: Any,
        value: Any,
        bias: Any,
        cu_seqlens_q: Any,
        cu_seqlens_k: Any,
        max_seqlen_q: Any,
        max_seqlen_k: Any,
        dropout_p: float,
        custom_mask_type: int,
        compute_log_sumexp: bool = False,
        *,
        scale: float | None = None,
        **special: Any,
    ) -> tuple[Any, ...]:
        """Return the output, the logarithms of sums, two empty tensors and the lengths of the sequences, for
        operands and an output of the form (batch, sequence, heads, elements). `bias`, unless it is None, is
        added to the scores; scores above the diagonal are omitted if `custom_mask_type` is 1, and none if it
        is 0. Raises `NoAnswerError` for dropout, other masks, and options that the CPU lacks, such as several
        sequences in a tensor.
        """
        is_special = any(value is not None for value in (cu_seqlens_q, cu_seqlens_k, *special.values()))
        is_unknown = custom_mask_type not in _CAUSAL
        _refuse("_efficient_attention_forward", dropout_p or is_special or is_unknown)
        output, sums = self._turned(query, key, value, _CAUSAL[custom_mask_type], scale, bias)
        return output, sums, self._none(), self._none(), query.shape[1], key.shape[1]

    def _turned(self, query: Any, key: Any, value: Any, is_causal: bool, scale: Any, mask: Any) -> Any:
        """Return the output and the logarithms of sums of attention, for operands and an output of the shape
        (batch, sequence, heads, elements). `mask` is added to the scores, unless it is None.
        """
        turned = (one.transpose(1, 2) for one in (query, key, value))
        output, sums = self._forward(*turned, 0.0, is_causal, attn_mask=mask, scale=scale)
        return output.transpose(1, 2), sums


def _refuse(name: str, is_special: Any) -> None:
    """Raise `NoAnswerError` if `is_special` is true: the CPU lacks this use of the kernel `name`."""
    if is_special:
        raise refused(f"aten::{name}")
