"""A batched complex Fourier transform in four steps: two small matrix products around a twiddle factor.

With n = n1 * n2, input index n2 * a + b and output index c + n1 * d,
X[c + n1 d] = sum_b W(n2)^(b d) * ( W(n)^(b c) * sum_a W(n1)^(a c) * x[n2 a + b] ).
"""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


def multiply(a, b):
    """The matrix product of two complex tiles, each a (real, imaginary) pair."""
    real = ct.matmul(a[0], b[0]) - ct.matmul(a[1], b[1])
    imaginary = ct.matmul(a[0], b[1]) + ct.matmul(a[1], b[0])
    return real, imaginary


@ct.kernel
def fft(x, out, first, twiddle, second, n1: ct.Constant[int], n2: ct.Constant[int]):
    """``x``, ``out`` and the tables are (real, imaginary) pairs of arrays; one block transforms one row."""
    row = ct.bid(0)
    n = n1 * n2
    signal = (
        ct.load(x[0], (row, 0), shape=(1, n)).reshape((n1, n2)),
        ct.load(x[1], (row, 0), shape=(1, n)).reshape((n1, n2)),
    )
    left = ct.load(first[0], (0, 0), shape=(n1, n1)), ct.load(first[1], (0, 0), shape=(n1, n1))
    right = ct.load(second[0], (0, 0), shape=(n2, n2)), ct.load(second[1], (0, 0), shape=(n2, n2))
    turn = ct.load(twiddle[0], (0, 0), shape=(n1, n2)), ct.load(twiddle[1], (0, 0), shape=(n1, n2))

    half = multiply(left, signal)
    turned = half[0] * turn[0] - half[1] * turn[1], half[0] * turn[1] + half[1] * turn[0]
    whole = multiply(turned, right)
    ct.store(out[0], (row, 0), ct.transpose(whole[0]).reshape((1, n)))
    ct.store(out[1], (row, 0), ct.transpose(whole[1]).reshape((1, n)))


def roots(rows: int, columns: int, order: int) -> tuple[np.ndarray, np.ndarray]:
    """exp(-2 pi i a b / order) as a pair of float32 arrays."""
    angles = -2 * np.pi * np.outer(np.arange(rows), np.arange(columns)) / order
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(6)
    batch, n1, n2 = 4, 16, 32
    n = n1 * n2
    x = tuple(random.standard_normal((batch, n)).astype(np.float32) for _ in range(2))
    out = tuple(np.zeros_like(part) for part in x)
    launch((batch,), fft, (x, out, roots(n1, n1, n1), roots(n1, n2, n), roots(n2, n2, n2), n1, n2))

    expected = np.fft.fft(x[0].astype(np.complex128) + 1j * x[1])
    yield compare("fft real part", f"{batch}x{n}", out[0], expected.real, 2e-5)
    yield compare("fft imaginary part", f"{batch}x{n}", out[1], expected.imag, 2e-5)


if __name__ == "__main__":
    raise SystemExit(main(run))
