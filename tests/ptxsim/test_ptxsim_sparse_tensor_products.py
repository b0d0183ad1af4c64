"""Products in tensor memory with a sparse left factor, against NumPy; metadata as Mosaic GPU (JAX) lays them out."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.ptxsim.test_ptxsim_tensor_pairs import SYNC, paired
from tests.ptxsim.test_ptxsim_tensormemory import (
    COMMIT,
    RANDOM,
    READY,
    WAIT,
    WAIT_LD,
    WAIT_ST,
    descriptor,
    idesc,
    laid,
    listed,
    numbers,
    run,
)
from tilewright.ir.diagnostic import DiagnosticError

N = 32
SPARSE = 4
"""The bit of an instruction descriptor for sparse products."""


def drawn(groups: int) -> Any:
    """Two positions in increasing order for each row and group of four elements: (128, groups, 2)."""
    pairs = np.array([(first, second) for second in range(4) for first in range(second)])
    return pairs[RANDOM.integers(0, len(pairs), (128, groups))]


def words_of(positions: Any, bits: int) -> Any:
    """The words of each lane, from a permutation of all positions as JAX has it for 128 elements of 16 bits, or of 8."""
    tiles = positions.reshape(8, 2, 8, -1, 2, 8).transpose(0, 4, 2, 3, 1, 5) if bits == 16 else positions
    found = tiles.reshape(128, -1, 16).astype(np.uint32) << np.arange(0, 32, 2, dtype=np.uint32)
    return np.bitwise_or.reduce(found, -1)


def whole(stored: Any, positions: Any) -> Any:
    """The dense left factor."""
    found = np.zeros((128, positions.shape[1], 4))
    np.put_along_axis(found, positions, stored.astype(float).reshape(positions.shape), -1)
    return found.reshape(128, -1)


def program(words: Any, a: Any, b: Any, kind: str, word: int, *, steps: int = 2) -> tuple[str, Any]:
    """A product of ``steps`` instructions along K, each with its metadata; and the beginning of shared memory."""
    columns = words.shape[1]
    image = np.concatenate(
        [np.ascontiguousarray(one).view(np.uint8).ravel() for one in (laid(a), laid(b), words)]
    )
    body = f"mov.u32 %s, tile; mad.lo.u32 %s, %t, {4 * columns}, %s; bar.sync 0;"
    body += "".join(f"ld.shared.b32 %r{at}, [%s+{a.nbytes + b.nbytes + 4 * at}];" for at in range(columns))
    body += f"tcgen05.st.sync.aligned.32x32b.x{columns}.b32 [%lane+64], {listed(columns)}; {WAIT_ST} {READY}"
    for step in range(steps):
        column = columns // steps * step
        body += f"mov.b64 %da, {descriptor(1024 + 2 * 128 * 16 * step, 128)};"
        body += f"mov.b64 %db, {descriptor(1024 + a.nbytes + 4 * N * 16 * step, N)};"
        body += f"mov.b32 %w, {word | SPARSE | column % 2}; setp.{'eq' if step else 'ne'}.u32 %p, %t, %t;"
        address = f"[%m+{64 + column // 2 * 2}]"
        body += f"@%one tcgen05.mma.sp.cta_group::1.kind::{kind} [%m], %da, %db, {address}, %w, %p;"
    read = f"tcgen05.ld.sync.aligned.32x32b.x{N}.b32 {listed(N)}, [%lane];"
    return f"{body} {COMMIT} {WAIT} {read} {WAIT_LD}", image


@pytest.mark.parametrize(
    ("kind", "dtype", "code", "result"),
    [
        ("f16", np.float16, 0, 1),
        ("f16", ml_dtypes.bfloat16, 1, 1),
        ("f8f6f4", ml_dtypes.float8_e4m3fn, 0, 1),
        ("f8f6f4", ml_dtypes.float8_e5m2, 1, 1),
        ("i8", np.int8, 1, 2),
    ],
)
def test_half_of_the_left_factor_is_stored(kind: str, dtype: Any, code: int, result: int) -> None:
    bits = 8 * np.dtype(dtype).itemsize
    k = 1024 // bits
    positions = drawn(k // 4)
    a, b = numbers(128, k // 2, dtype), numbers(N, k, dtype)
    words = words_of(positions, bits)
    body, image = program(words, a, b, kind, idesc(result, code, code, N))
    found = run(body, image, N).view(np.float32 if result == 1 else np.int32)
    assert (found == whole(a, positions) @ b.astype(float).T).all()


def test_each_block_of_a_pair_has_the_metadata_of_its_rows() -> None:
    a, b = numbers(256, 16, np.float16), numbers(N, 32, np.float16)
    clear = "".join(f"mov.b32 %r{at}, 0;" for at in range(64))
    body = f"and.b32 %lane, %t, 96; shl.b32 %lane, %lane, 16; add.u32 %lane, %lane, %m; {clear}"
    body += f"tcgen05.st.sync.aligned.32x32b.x64.b32 [%lane], {listed(64)}; {WAIT_ST}"
    body += "setp.eq.u32 %q, %c, 0; selp.b32 %r0, 0x44444444, 0xeeeeeeee, %q;"  # the first two of four, the last two
    body += f"tcgen05.st.sync.aligned.32x32b.x1.b32 [%lane+32], {{%r0}}; {WAIT_ST} {SYNC} or.b32 %w, %w, {SPARSE};"
    body += "add.u32 %a, %m, 32; @%one tcgen05.mma.sp.cta_group::2.kind::f16 [%m], %da, %db, [%a], %w, %p;"
    positions = (
        np.zeros((256, 8, 2), np.int64) + np.where(np.arange(256) < 128, 0, 2)[:, None, None] + np.arange(2)
    )
    dense = np.concatenate([whole(a[:128], positions[:128]), whole(a[128:], positions[128:])])
    assert (paired(a, b, body).reshape(256, 64)[:, :N] == dense @ b.astype(float).T).all()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[%m+64]", "[%m+65]", "metadata of a product in column 65, with the selector 0"),
        ("[%m+64]", "[%m+66]", "the metadata of a product in tensor memory are undefined"),
        (
            f"mov.b32 %w, {idesc(1, 0, 0, N) | SPARSE}",
            f"mov.b32 %w, {idesc(1, 0, 0, N)}",
            "of a dense product",
        ),
        (
            f"mov.b32 %w, {idesc(1, 0, 0, N) | SPARSE}",
            f"mov.b32 %w, {idesc(1, 0, 0, N) | 6}",
            "with the selector 2",
        ),
        (f"mov.b32 %w, {idesc(1, 0, 0, N)}", f"mov.b32 %w, {idesc(1, 0, 0, 24)}", "the shape 128 x 24"),
    ],
)
def test_what_a_sparse_product_refuses(old: str, new: str, message: str) -> None:
    words = words_of(drawn(16), 16)
    a, b = numbers(128, 32, np.float16), numbers(N, 64, np.float16)
    body, image = program(words, a, b, "f16", idesc(1, 0, 0, N))
    if "24" in message:
        old, new = (f"mov.b32 %w, {idesc(1, 0, 0, n) | SPARSE};" for n in (N, 24))
    assert old in body
    with pytest.raises(DiagnosticError) as raised:
        run(body.replace(old, new), image, N)
    assert message in str(raised.value)


def test_positions_increase() -> None:
    words = words_of(drawn(16)[..., ::-1], 16)
    a, b = numbers(128, 32, np.float16), numbers(N, 64, np.float16)
    body, image = program(words, a, b, "f16", idesc(1, 0, 0, N))
    with pytest.raises(DiagnosticError, match="the metadata of a sparse matrix is not in increasing order"):
        run(body, image, N)


def test_sparse_factors_of_tf32_are_refused() -> None:
    words = words_of(drawn(16), 16)
    a, b = numbers(128, 32, np.float16), numbers(N, 64, np.float16)
    body, image = program(words, a, b, "tf32", idesc(1, 2, 2, N))
    with pytest.raises(DiagnosticError, match="TW1252"):
        run(body, image, N)
