"""The functions of cuTile's samples at small sizes, against PyTorch; `conformance.cutile_samples` runs them.

python -m tilewright run --target sim:sm_80 conformance/small_samples.py path/to/samples matmul
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

torch: Any = import_module("torch")
DEVICE = "cuda"


def check(found: Any, wanted: Any, tolerance: float = 0.0) -> None:
    """Raise `AssertionError` unless results are as near as ``tolerance``, relative to ``max(1, |wanted|)``."""
    found, wanted = found.detach().float().cpu(), wanted.detach().float().cpu()
    apart = ((found - wanted).abs() / wanted.abs().clamp(min=1)).max().item()
    assert apart <= tolerance, f"{apart} apart, allowed are {tolerance}"


def normal(*shape: int, type: Any = None) -> Any:
    """Random numbers on the GPU, of f32 unless a type is named."""
    return torch.randn(shape, device=DEVICE).to(type or torch.float32)


def quickstart() -> None:
    """The whole of it."""
    import_module("quickstart.VectorAdd_quickstart").test()


def vector_addition() -> None:
    """Of rows and matrices, by tiles and by gathering."""
    add = import_module("VectorAddition").vec_add
    for shape in ((1000,), (60, 70)):
        a, b = normal(*shape), normal(*shape)
        for gathers in (False, True):
            check(add(a, b, gathers), a + b)


def transpose() -> None:
    """Of f32 and f16."""
    for type in (torch.float32, torch.float16):
        x = normal(70, 40, type=type)
        check(import_module("Transpose").cutile_transpose(x), x.T)


def matmul() -> None:
    """Of f32, with a block for each tile and with persistent blocks."""
    a, b = normal(40, 50), normal(50, 30)
    for persistent in (False, True):
        check(import_module("MatMul").cutile_matmul(a, b, persistent), a @ b, 1e-2)


def matmul_of_halves() -> None:
    """Of f16, with sums in f32."""
    a, b = normal(40, 50, type=torch.float16), normal(50, 30, type=torch.float16)
    check(import_module("MatMul").cutile_matmul(a, b, False), a.float() @ b.float(), 2e-2)


def batched_matmul() -> None:
    """Of f16."""
    a, b = normal(2, 20, 30, type=torch.float16), normal(2, 30, 25, type=torch.float16)
    found = import_module("BatchMatMul").bmm(a, b, torch.float16)
    check(found, torch.bmm(a.float(), b.float()), 2e-2)


def layer_norm() -> None:
    """Forwards and backwards."""
    leaves = [normal(8, 100), normal(100), normal(100)]
    for leaf in leaves:
        leaf.requires_grad_()
    found = import_module("LayerNorm").cutile_layer_norm(*leaves, 1e-5)
    wanted = torch.nn.functional.layer_norm(leaves[0], (100,), leaves[1], leaves[2], 1e-5)
    check(found, wanted, 1e-3)
    gradient = normal(8, 100)
    for one, other in zip(
        torch.autograd.grad(found, leaves, gradient),
        torch.autograd.grad(wanted, leaves, gradient),
        strict=True,
    ):
        check(one, other, 1e-2)


def fft() -> None:
    """Of one row: with more, the sample indexes tiles outside of its index space."""
    x = torch.randn(1, 8, device=DEVICE, dtype=torch.complex64)
    found = import_module("FFT").cutile_fft(x, (2, 2, 2), 16)
    check(torch.view_as_real(found), torch.view_as_real(torch.fft.fft(x)), 1e-3)


def attention() -> None:
    """Of f16, causal and not."""
    q, k, v = (normal(1, 2, 32, 16, type=torch.float16) for _ in range(3))
    for causal in (False, True):
        found = import_module("AttentionFMHA").cutile_fmha(q, k, v, tile_m=16, tile_n=16, causal=causal)
        wanted = torch.nn.functional.scaled_dot_product_attention(
            q.float(), k.float(), v.float(), is_causal=causal
        )
        check(found, wanted, 2e-2)


def mixture_of_experts() -> None:
    """Of bf16, with two of four experts for each token."""
    sample = import_module("MoE")
    tokens, hidden, experts, inner, chosen = 6, 32, 4, 32, 2
    states = normal(tokens, hidden, type=torch.bfloat16) / 2
    up = normal(experts, inner * 2, hidden, type=torch.bfloat16) / 10
    down = normal(experts, hidden, inner, type=torch.bfloat16) / 10
    ids = torch.stack([torch.randperm(experts, device=DEVICE)[:chosen] for _ in range(tokens)])
    weights = torch.softmax(normal(tokens, chosen), dim=-1).to(torch.bfloat16)
    found = sample.cutile_moe(states, up, down, weights, ids, tile_m=16, tile_n=16, tile_k=16)
    check(found, sample.torch_moe(states, up, down, weights, ids), 1e-1)


def block_scaled_matmul() -> None:
    """The kernel alone, with the scales as matrices and in their packed form: the tiles of the function that launches it
    have 256 x 256 elements, whose products the simulator takes minutes for."""
    tile = import_module("cuda.tile")
    sample = import_module("BlockScaledMatMul")
    block = 32
    for edge, packed in ((32, False), (128, True)):
        (a, a_scale), (b, b_scale) = (
            sample.block_quantize(torch.rand((edge, max(edge, 64)), device=DEVICE), block) for _ in range(2)
        )
        out = torch.zeros((edge, edge), device=DEVICE)
        scales = (
            [sample.swizzle_32_4_4(one) for one in (a_scale, b_scale)] if packed else [a_scale, b_scale.T]
        )
        arguments = (a, scales[0], b.T, scales[1], out, edge, edge, a.shape[1], block)
        tile.launch(torch.cuda.current_stream(), (1,), sample.block_scaled_matmul_kernel, arguments)
        factors = [
            one.float() * torch.repeat_interleave(scale.float(), block, dim=1)
            for one, scale in ((a, a_scale), (b, b_scale))
        ]
        check(out, factors[0] @ factors[1].T, 1e-3)


def gathered_matmul() -> None:
    """The kernel alone, with the rows of two GPUs: the rest of the sample needs several."""
    tile = import_module("cuda.tile")
    sample = import_module("AllGatherMatmul")
    rows, w = [normal(16, 32), normal(16, 32)], normal(32, 16)
    out = torch.zeros(32, 16, device=DEVICE)
    arguments = (rows, w, out, 16, 16, 16)
    tile.launch(torch.cuda.current_stream(), (2, 1), sample.gather_matmul_kernel, arguments)
    check(out, torch.cat(rows) @ w, 1e-2)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    torch.manual_seed(0)
    globals()[sys.argv[2]]()
