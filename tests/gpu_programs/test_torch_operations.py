"""Operations of PyTorch that its CUDA build computes elsewhere, and those that it refuses: with either build here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tilewright.gpu_programs import ProgramSettings, Routing, routed
from tilewright.gpu_programs.refusals import NoAnswerError

torch: Any = pytest.importorskip("torch")
nn: Any = torch.nn
functional: Any = nn.functional


@pytest.fixture(autouse=True)
def routing() -> Iterator[Routing]:
    with routed(ProgramSettings(gpu="sm_90")) as made:
        yield made


FORMS = ({}, {"bidirectional": True, "num_layers": 2}, {"batch_first": True}, {"bias": False})
LAYERS = ("LSTM", "GRU", "RNN")


def recurrent(name: str, **options: Any) -> tuple[Any, Any]:
    """A layer on the CPU, and one with the same weights on the GPU."""
    torch.manual_seed(0)
    host = getattr(nn, name)(4, 8, **options)
    gpu = getattr(nn, name)(4, 8, **options).cuda()
    gpu.load_state_dict(host.state_dict())
    return host, gpu


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_recurrent_layers_compute_and_learn_as_on_the_cpu(name: str, options: dict[str, Any]) -> None:
    host, gpu = recurrent(name, **options)
    x = torch.randn(5, 3, 4)
    there, here = x.cuda().requires_grad_(), x.clone().requires_grad_()
    made, want = gpu(there)[0], host(here)[0]
    assert made.is_cuda
    assert torch.allclose(made.cpu(), want, atol=1e-6)
    made.square().sum().backward()
    want.square().sum().backward()
    assert torch.allclose(there.grad.cpu(), here.grad, atol=1e-5)
    for one, other in zip(gpu.parameters(), host.parameters(), strict=True):
        assert one.grad.is_cuda
        assert torch.allclose(one.grad.cpu(), other.grad, atol=1e-5)


@pytest.mark.parametrize("name", LAYERS)
def test_recurrent_layers_take_packed_sequences_and_drop(name: str) -> None:
    host, gpu = recurrent(name, batch_first=True)
    x = torch.randn(3, 5, 4)

    def through(layer: Any, given: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(given, torch.tensor([2, 5, 3]), True, enforce_sorted=False)
        assert packed.batch_sizes.device.type == "cpu"
        padded, lengths = nn.utils.rnn.pad_packed_sequence(layer(packed)[0], batch_first=True)
        assert lengths.tolist() == [2, 5, 3]
        return padded

    made, want = through(gpu, x.cuda()), through(host, x)
    assert made.is_cuda
    assert torch.allclose(made.cpu(), want, atol=1e-6)
    made.sum().backward()
    dropping = recurrent(name, num_layers=2, dropout=0.5)[1]
    dropping(x.cuda())[0].sum().backward()
    assert dropping.weight_hh_l0.grad.is_cuda


def test_sequences_are_unpacked_where_they_are() -> None:
    packed = nn.utils.rnn.pack_padded_sequence(torch.ones(5, 3, 4, device="cuda"), [5, 3, 2])
    assert nn.utils.rnn.pad_packed_sequence(packed)[0].is_cuda


def test_recurrent_layers_learn_in_mixed_precision() -> None:
    gpu = recurrent("LSTM")[1]
    with torch.autocast("cuda"):
        made = gpu(torch.randn(5, 3, 4, device="cuda"))[0]
    assert made.dtype == torch.float16
    made.float().sum().backward()
    assert gpu.weight_hh_l0.grad.dtype == torch.float32


@pytest.mark.parametrize("name", LAYERS)
def test_recurrent_layers_take_half_precision(name: str) -> None:
    gpu = recurrent(name)[1]
    assert gpu.half()(torch.randn(5, 3, 4, device="cuda").half())[0].dtype == torch.float16


def test_lengths_of_sequences_are_the_hosts() -> None:
    x, lengths = torch.randn(5, 3, 4, device="cuda"), torch.tensor([5, 3, 2], device="cuda")
    with pytest.raises(RuntimeError, match="1D CPU int64 tensor, but got 1D cuda:0 Long tensor"):
        torch._VF._pack_padded_sequence(x, lengths, False)


class WithConstants(nn.Module):
    """Makes tensors on the GPU while it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(4, 8)

    def forward(self, x: Any) -> Any:
        return self.inner(x) + torch.ones(8, device=x.device) * torch.full((8,), 2.0, device="cuda")


@pytest.mark.filterwarnings("ignore:The tensor attributes:UserWarning")  # PyTorch's own, of nn.LSTM
def test_modules_are_exported_and_what_is_made_of_them_runs() -> None:
    x = torch.randn(5, 4, device="cuda")
    model = WithConstants().cuda()
    exported = torch.export.export(model, (x,))
    assert "device(type='cuda'" in str(exported)
    made = exported.module()(x)
    assert made.is_cuda
    assert torch.equal(made, model(x))
    layer = recurrent("LSTM")[1].eval()
    steps = torch.randn(5, 3, 4, device="cuda")
    assert torch.allclose(torch.export.export(layer, (steps,)).module()(steps)[0], layer(steps)[0])


def tensor(*shape: int, dtype: Any = None) -> Any:
    return torch.ones(shape, dtype=dtype or torch.float16, device="cuda")


def single(*shape: int) -> Any:
    return tensor(*shape, dtype=torch.float32)


MATRICES = "expected mat1 and mat2 to have the same dtype, but got: c10::Half != float"
FACTORS = "mat1 and mat2 must have the same dtype, but got Half and Float"
TOTAL = "self and mat2 must have the same dtype, but got Half and Float"
SCALAR = "expected scalar type Half but found Float"
VECTORS = "addmv input tensors must have the same dtype, but got Half, Half, and Float"
MIXTURES: dict[str, tuple[Callable[[], Any], str]] = {
    "mm": (lambda: tensor(2, 3) @ single(3, 2), MATRICES),
    "matmul": (lambda: tensor(4, 2, 3) @ single(3, 2), MATRICES),
    "linear": (lambda: functional.linear(tensor(2, 3), single(2, 3)), MATRICES),
    "linear with bias": (lambda: functional.linear(tensor(2, 3), single(2, 3), single(2)), FACTORS),
    "addmm": (lambda: torch.addmm(tensor(2, 2), tensor(2, 3), single(3, 2)), TOTAL),
    "bmm": (lambda: torch.bmm(tensor(1, 2, 3), single(1, 3, 2)), SCALAR),
    "einsum": (lambda: torch.einsum("ij,jk->ik", tensor(2, 3), single(3, 2)), SCALAR),
    "baddbmm": (lambda: torch.baddbmm(tensor(1, 2, 2), tensor(1, 2, 3), single(1, 3, 2)), SCALAR),
    "addmv": (lambda: torch.addmv(tensor(2), tensor(2, 3), single(3)), VECTORS),
    "dot": (
        lambda: torch.dot(tensor(2), single(2)),
        "dot : expected both vectors to have same dtype, but found Half and Float",
    ),
    "typed result": (
        lambda: torch.mm(tensor(2, 3), tensor(3, 2, dtype=torch.bfloat16), out_dtype=torch.float32),
        "mat1 and mat2 must have the same dtype, but got Half and BFloat16",
    ),
    "convolution": (
        lambda: functional.conv1d(tensor(1, 1, 4), single(1, 1, 2)),
        r"Input type \(torch.cuda.HalfTensor\) and weight type \(torch.cuda.FloatTensor\) should be the same$",
    ),
    "layer norm": (lambda: functional.layer_norm(tensor(2, 4), (4,), single(4), single(4)), SCALAR),
    "group norm": (lambda: functional.group_norm(tensor(2, 4), 2, single(4), single(4)), SCALAR),
}


@pytest.mark.parametrize("name", MIXTURES)
@pytest.mark.parametrize("precision", ["highest", "high"])
def test_mixed_types_are_refused_as_on_a_gpu(name: str, precision: str) -> None:
    call, said = MIXTURES[name]
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision)
    try:
        with pytest.raises(RuntimeError, match=said):
            call()
    finally:
        torch.set_float32_matmul_precision(before)


def test_types_that_a_gpu_promotes_are_promoted() -> None:
    assert torch.addr(tensor(2, 2), single(2), single(2)).dtype == torch.float32
    assert (tensor(2) * single(2)).dtype == torch.float32


INTEGERS: dict[str, Callable[[Any, Any], Any]] = {
    "addmm_cuda": lambda a, b: a @ b,
    "baddbmm_cuda": lambda a, b: a[None] @ b[None],
    "addmv_impl_cuda": lambda a, b: a @ b[0],
    "dot": lambda a, b: a[0] @ b[0],
}


@pytest.mark.parametrize("name", INTEGERS)
def test_products_of_integers_are_refused_as_on_a_gpu(name: str) -> None:
    a = torch.ones(2, 2, dtype=torch.int64, device="cuda")
    with pytest.raises(NotImplementedError, match=f"\"{name}\" not implemented for 'Long'"):
        INTEGERS[name](a, a)
    assert torch.equal(a.cpu() @ a.cpu(), torch.full((2, 2), 2))


def test_rounding_to_tf32_keeps_what_is_no_number() -> None:
    """Of each exponent and sign: the ends of the fraction, ties, and patterns between."""
    fractions = (0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x2FFF, 0x3000, 0x3001, 0x400000, 0x7FE000, 0x7FFFFF)
    words = [
        sign | exponent << 23 | one
        for sign in (0, -(1 << 31))
        for exponent in range(256)
        for one in fractions
    ]
    bits = torch.tensor(words, dtype=torch.int64).to(torch.int32)
    values = bits.view(torch.float32)
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        made = (values[:, None].cuda() @ torch.ones(1, 1, device="cuda"))[:, 0].cpu()
    finally:
        torch.set_float32_matmul_precision(before)
    assert torch.equal(made.isnan(), values.isnan())
    assert torch.equal(made[values.isinf()], values[values.isinf()])
    finite = values.isfinite()
    exponents = ((bits >> 23) & 255).clamp(min=1)[finite] - 127
    unit = torch.exp2((exponents - 10).double())
    wanted = ((values[finite].double() / unit).round() * unit).float()
    assert torch.equal(made[finite], wanted)


def test_operations_that_only_a_gpu_has_are_refused_by_name() -> None:
    x = torch.ones(4, 4, device="cuda")
    with pytest.raises(NoAnswerError, match=r"TW1300.*'aten::_cudnn_rnn' calls cuDNN") as raised:
        torch.ops.aten._cudnn_rnn(
            x[None], [x], 1, None, x[None], None, 0, 4, 0, 1, False, 0.0, False, False, [], None
        )
    assert "use torch.nn.LSTM" in str(raised.value)
    assert "test_torch_operations.py" in str(raised.value)
