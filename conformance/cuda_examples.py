"""Calls of operations that only GPUs have, each beside the same computed from operations of the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Example = Callable[[], tuple[list[Any], list[Any]]]
"""Results of an operation on tensors of the GPU, and those that it should have."""


def examples(torch: Any) -> dict[str, Example]:
    """By the names of operations."""
    generator = torch.Generator().manual_seed(0)

    def some(*shape: int) -> Any:
        return torch.randn(*shape, generator=generator)

    aten = torch.ops.aten
    return {
        **_convolutions(torch, aten, some),
        **_attention(torch, aten, some),
        **_normalisations(torch, aten, some),
        **_others(torch, aten, some),
    }


def _convolutions(torch: Any, aten: Any, some: Callable[..., Any]) -> dict[str, Example]:
    x, weight, bias = some(2, 4, 7, 7), some(6, 4, 3, 3), some(6)
    shape, how = ([1, 1], [2, 2], [1, 1], 1), (False, False, False)
    stride_first = ([2, 2], [1, 1], [1, 1], 1)
    plain = torch.conv2d(x, weight, None, 2, 1)
    each = some(4, 1, 3, 3)
    back = some(4, 6, 3, 3)
    volume, small = some(1, 2, 5, 5, 5), some(2, 1, 3, 3, 3)
    g = _on_gpu
    deep = torch.conv2d(x, each, some(4) * 0, 1, 1, groups=4)
    return {
        "aten::cudnn_convolution": lambda: ([aten.cudnn_convolution(g(x), g(weight), *shape, *how)], [plain]),
        "aten::cudnn_convolution.out": lambda: (
            [aten.cudnn_convolution.out(g(x), g(weight), *shape, *how, out=g(plain * 0))],
            [plain],
        ),
        "aten::cudnn_convolution_transpose": lambda: (
            [aten.cudnn_convolution_transpose(g(x), g(back), [1, 1], [0, 0], [2, 2], [1, 1], 1, *how)],
            [torch.conv_transpose2d(x, back, None, 2, 1)],
        ),
        "aten::cudnn_convolution_relu": lambda: (
            [aten.cudnn_convolution_relu(g(x), g(weight), g(bias), *stride_first)],
            [torch.conv2d(x, weight, bias, 2, 1).relu()],
        ),
        "aten::cudnn_convolution_add_relu": lambda: (
            [aten.cudnn_convolution_add_relu(g(x), g(weight), g(plain), 0.5, g(bias), *stride_first)],
            [(torch.conv2d(x, weight, bias, 2, 1) + 0.5 * plain).relu()],
        ),
        "aten::_conv_depthwise2d": lambda: (
            [aten._conv_depthwise2d(g(x), g(each), [3, 3], None, [1, 1], [1, 1], [1, 1])],
            [deep],
        ),
        "aten::_conv_depthwise2d.out": lambda: (
            [
                aten._conv_depthwise2d.out(
                    g(x), g(each), [3, 3], None, [1, 1], [1, 1], [1, 1], out=g(deep * 0)
                )
            ],
            [deep],
        ),
        "aten::conv_depthwise3d": lambda: (
            [aten.conv_depthwise3d(g(volume), g(small), [3] * 3, None, [1] * 3, [1] * 3, [1] * 3)],
            [torch.conv3d(volume, small, None, 1, 1, groups=2)],
        ),
    }


def _attention(torch: Any, aten: Any, some: Callable[..., Any]) -> dict[str, Example]:
    query, key, value, grad = (some(2, 3, 8, 16) for _ in range(4))
    given = [_on_gpu(one) for one in (query, key, value)]
    attend = torch.nn.functional.scaled_dot_product_attention

    def formula(is_causal: bool) -> list[Any]:
        """The output, and the gradients of query, key and value."""
        leaves = [one.clone().requires_grad_() for one in (query, key, value)]
        output = attend(*leaves, is_causal=is_causal)
        output.backward(grad)
        return [output.detach(), *(leaf.grad for leaf in leaves)]

    def learnt(forward: Callable[..., Any], *options: Any) -> list[Any]:
        """The gradients that PyTorch finds by calling the operation for these."""
        leaves = [one.detach().requires_grad_() for one in given]
        forward(*leaves, *options)[0].backward(_on_gpu(grad))
        return [leaf.grad for leaf in leaves]

    def turned(one: Any) -> Any:
        return one.transpose(1, 2)

    plain = [turned(one) for one in given]
    kinds: dict[str, tuple[Any, ...]] = {
        "flash": (0.0, True),
        "efficient": (None, True, 0.0, True),
        "cudnn": (None, True, 0.0, True),
    }
    made: dict[str, Example] = {}
    for kind, options in kinds.items():
        name = f"_scaled_dot_product_{kind}_attention"
        call = getattr(aten, name)
        made[f"aten::{name}"] = lambda call=call, options=options: (
            [call(*given, *options)[0]],
            formula(True)[:1],
        )
        made[f"aten::{name}_backward"] = lambda call=call, options=options: (
            learnt(call, *options),
            formula(True)[1:],
        )
    made["aten::_flash_attention_forward"] = lambda: (
        [turned(aten._flash_attention_forward(*plain, None, None, 8, 8, 0.0, True, False)[0])],
        formula(True)[:1],
    )
    made["aten::_efficient_attention_forward"] = lambda: (
        [turned(aten._efficient_attention_forward(*plain, None, None, None, 8, 8, 0.0, 0)[0])],
        formula(False)[:1],
    )
    return made


def _normalisations(torch: Any, aten: Any, some: Callable[..., Any]) -> dict[str, Example]:
    x, grad, weight, bias, mean = some(4, 3, 5), some(4, 3, 5), some(3), some(3), some(3)
    variance, none = some(3).square() + 0.5, None
    g = _on_gpu
    inverse = (x.transpose(0, 1).reshape(3, -1).var(1, correction=0) + 1e-5).rsqrt()
    middle = x.transpose(0, 1).reshape(3, -1).mean(1)

    def learnt() -> list[Any]:
        leaves = [one.clone().requires_grad_() for one in (x, weight, bias)]
        torch.nn.functional.batch_norm(leaves[0], none, none, leaves[1], leaves[2], True).backward(grad)
        return [leaf.grad for leaf in leaves]

    def reduced() -> Any:
        return aten.batch_norm_backward_reduce(
            g(grad), g(x), g(middle), g(inverse), g(weight), True, True, True
        )

    def back() -> Any:
        sums = reduced()
        what = g(grad), g(x), g(middle), g(inverse), g(weight)
        return aten.batch_norm_backward_elemt(
            *what, *sums[:2], torch.tensor([20], dtype=torch.int32, device="cuda")
        )

    def gathered(call: Any, count: Any) -> Any:
        means, inverses = torch.stack([middle, middle]), torch.stack([inverse, inverse])
        return call(g(x), g(means), g(inverses), none, none, 0.1, 1e-5, count)

    plain = torch.nn.functional.batch_norm(x, none, none, weight, bias, True)
    counts = torch.full((2,), 20.0)
    running = torch.nn.functional.batch_norm(x, mean, variance, weight, bias)
    deviation = (variance + 1e-5).rsqrt()
    return {
        "aten::cudnn_batch_norm": lambda: (
            [aten.cudnn_batch_norm(g(x), g(weight), g(bias), none, none, True, 0.1, 1e-5)[0]],
            [plain],
        ),
        "aten::cudnn_batch_norm.out": lambda: (
            [
                aten.cudnn_batch_norm.out(
                    *(g(x), g(weight), g(bias), none, none, True, 0.1, 1e-5),
                    **{f"out{at}": torch.empty(0, device="cuda") for at in range(4)},
                )[0]
            ],
            [plain],
        ),
        "aten::cudnn_batch_norm_backward": lambda: (
            list(
                aten.cudnn_batch_norm_backward(
                    g(x), g(grad), g(weight), none, none, g(middle), g(inverse), 1e-5, g(mean)
                )
            ),
            learnt(),
        ),
        "aten::batch_norm_stats": lambda: (list(aten.batch_norm_stats(g(x), 1e-5)), [middle, inverse]),
        "aten::batch_norm_gather_stats": lambda: (
            list(gathered(aten.batch_norm_gather_stats, 20)),
            [middle, inverse],
        ),
        "aten::batch_norm_gather_stats_with_counts": lambda: (
            list(gathered(aten.batch_norm_gather_stats_with_counts, g(counts))),
            [middle, inverse],
        ),
        "aten::batch_norm_elemt": lambda: (
            [aten.batch_norm_elemt(g(x), g(weight), g(bias), g(mean), g(deviation), 1e-5)],
            [running],
        ),
        "aten::batch_norm_elemt.out": lambda: (
            [aten.batch_norm_elemt.out(g(x), g(weight), g(bias), g(mean), g(deviation), 1e-5, out=g(x * 0))],
            [running],
        ),
        "aten::batch_norm_backward_reduce": lambda: (list(reduced()[2:]), learnt()[1:]),
        "aten::batch_norm_backward_elemt": lambda: ([back()], learnt()[:1]),
    }


def _others(torch: Any, aten: Any, some: Callable[..., Any]) -> dict[str, Example]:
    g = _on_gpu
    theta, image, grid = some(2, 2, 3), some(2, 3, 5, 5), some(2, 4, 4, 2)
    a, b = some(2, 3, 4).half(), some(2, 4, 5).half()
    wide = (a.double() @ b.double()).float()
    total = some(2, 3, 5)
    logs = some(6, 2, 5).log_softmax(2)
    targets, lengths = torch.tensor([1, 2, 3, 1], dtype=torch.int32), ([6, 6], [2, 2])
    gates, hidden = some(2, 8), some(2, 8)

    def sampled() -> list[Any]:
        leaves = [image.clone().requires_grad_(), grid.clone().requires_grad_()]
        torch.nn.functional.grid_sample(*leaves, align_corners=True).sum().backward()
        return [leaf.grad for leaf in leaves]

    def placed() -> Any:
        leaf = theta.clone().requires_grad_()
        torch.nn.functional.affine_grid(leaf, [2, 3, 4, 4], align_corners=True).backward(grid)
        return leaf.grad

    def out(call: Any, *arguments: Any, like: Any) -> list[Any]:
        return [call(*arguments, out=g(like * 0))]

    single = torch.float32
    found: dict[str, Example] = {
        "aten::cudnn_affine_grid_generator": lambda: (
            [aten.cudnn_affine_grid_generator(g(theta), 2, 3, 4, 4)],
            [torch.nn.functional.affine_grid(theta, [2, 3, 4, 4], align_corners=True)],
        ),
        "aten::cudnn_affine_grid_generator_backward": lambda: (
            [aten.cudnn_affine_grid_generator_backward(g(grid), 2, 3, 4, 4)],
            [placed()],
        ),
        "aten::cudnn_grid_sampler": lambda: (
            [aten.cudnn_grid_sampler(g(image), g(grid))],
            [torch.nn.functional.grid_sample(image, grid, align_corners=True)],
        ),
        "aten::cudnn_grid_sampler_backward": lambda: (
            list(aten.cudnn_grid_sampler_backward(g(image), g(grid), torch.ones(2, 3, 4, 4, device="cuda"))),
            sampled(),
        ),
        "aten::_cudnn_ctc_loss": lambda: (
            [aten._cudnn_ctc_loss(g(logs), targets, *lengths, 0, True, False)[0]],
            [torch._ctc_loss(logs, targets, *lengths)[0]],
        ),
        "aten::_cudnn_ctc_loss.Tensor": lambda: (
            [aten._cudnn_ctc_loss.Tensor(g(logs), targets, *map(torch.tensor, lengths), 0, True, False)[0]],
            [torch._ctc_loss(logs, targets, *lengths)[0]],
        ),
        "aten::_cudnn_rnn_flatten_weight": lambda: (
            [aten._cudnn_rnn_flatten_weight([g(gates), g(hidden)], 2, 4, 2, 8, 0, 1, False, False)],
            [torch.cat([gates.flatten(), hidden.flatten()])],
        ),
        "aten::_masked_scale": lambda: (
            [aten._masked_scale(g(gates), g((hidden > 0).byte()), 2.0)],
            [gates * (hidden > 0) * 2],
        ),
        "aten::_fused_dropout": lambda: ([aten._fused_dropout(g(gates), 1.0)[0]], [gates]),
        "aten::mm.dtype": lambda: ([aten.mm.dtype(g(a[0]), g(b[0]), single)], [wide[0]]),
        "aten::mm.dtype_out": lambda: (
            out(aten.mm.dtype_out, g(a[0]), g(b[0]), single, like=wide[0]),
            [wide[0]],
        ),
        "aten::bmm.dtype": lambda: ([aten.bmm.dtype(g(a), g(b), single)], [wide]),
        "aten::bmm.dtype_out": lambda: (out(aten.bmm.dtype_out, g(a), g(b), single, like=wide), [wide]),
    }
    for name, parts, like in (("addmm", (total[0], a[0], b[0]), wide[0]), ("baddbmm", (total, a, b), wide)):
        packet, given = getattr(aten, name), [g(one) for one in parts]
        want = parts[0] + like
        found[f"aten::{name}.dtype"] = lambda packet=packet, given=given, want=want: (
            [packet.dtype(*given, single)],
            [want],
        )
        found[f"aten::{name}.dtype_out"] = lambda packet=packet, given=given, want=want: (
            out(packet.dtype_out, *given, single, like=want),
            [want],
        )
    return found


def _on_gpu(tensor: Any) -> Any:
    return tensor.cuda()
