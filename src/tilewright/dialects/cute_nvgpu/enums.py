"""The words in the types of ``cute_nvgpu``."""

from __future__ import annotations

from tilewright.ir.declaration.enum_attribute import SpelledEnum


class MemoryOrder(SpelledEnum):
    """How a copy is ordered against other accesses, as in PTX; ``SC`` is sequentially consistent, ``MMIO``
    for memory of a device, ``CONSTANT`` for memory that does not change.
    """

    RELAXED = 0
    ACQUIRE = 1
    RELEASE = 2
    ACQ_REL = 3
    SC = 4
    MMIO = 5
    CONSTANT = 6
    VOLATILE = 7


class MemoryScope(SpelledEnum):
    """The threads among which a copy is ordered."""

    CLUSTER = 0
    GPU = 1
    SYS = 2


class CacheLevel(SpelledEnum):
    """The caches of an asynchronous copy: all levels, or all but the first."""

    CA = 0
    CG = 1


class MatrixMode(SpelledEnum):
    """The shape of a matrix that a warp loads or stores by one instruction: ``M88`` has 8 x 8 elements,
    ``M832`` 8 x 32. ``MT``: the matrix is transposed.
    """

    M88 = 0, "M88"
    MT88 = 1, "MT88"
    M816 = 2, "M816"
    M832 = 3, "M832"
    MT1616 = 4, "MT1616"


class TmaLoadMode(SpelledEnum):
    """How the copy engine loads, and which blocks receive the data: a tiled load for one block, or for a pair
    of blocks (``TWO_CTA``), or the multicast modes of convolutions along their width (``W``, ``W128``).
    """

    TILED = 0
    TWO_CTA = 1
    W_MULTICAST = 2
    W128_MULTICAST = 3


class TmaStoreMode(SpelledEnum):
    """How the copy engine stores: a box of a tensor (``TILED``), or the im2col modes of convolutions (``W``
    and ``W128``: along the width only).
    """

    TILED = 0
    IM2COL = 1
    IM2COL_W = 2
    IM2COL_W128 = 3


class Reduction(SpelledEnum):
    """How the copy engine combines stored elements with the elements in memory. ``INC`` and ``DEC`` count the
    element in memory up or down, and wrap around at the stored one.
    """

    ADD = 0
    MIN = 1
    MAX = 2
    INC = 3
    DEC = 4
    AND = 5
    OR = 6
    XOR = 7


class TensorMemoryShape(SpelledEnum):
    """Lanes times bits that one access to tensor memory moves."""

    LANES_16_BITS_64 = 0, "16x64b"
    LANES_16_BITS_128 = 1, "16x128b"
    LANES_16_BITS_256 = 2, "16x256b"
    LANES_32_BITS_32 = 3, "32x32b"


class SharedToTensorShape(SpelledEnum):
    """Lanes times bits that one copy from shared to tensor memory moves."""

    LANES_128_BITS_256 = 0, "128x256b"
    LANES_4_BITS_256 = 1, "4x256b"
    LANES_128_BITS_128 = 2, "128x128b"
    LANES_64_BITS_128 = 3, "64x128b"
    LANES_32_BITS_128 = 4, "32x128b"


class Major(SpelledEnum):
    """The dimension of an operand in shared memory that is contiguous: K, or the other one, M or N."""

    K = 0
    MN = 1


class DescriptorSwizzle(SpelledEnum):
    """The permutation of bytes in shared memory that a descriptor names, by the width of the repeating
    pattern.
    """

    NONE = 0
    BYTES_32 = 1, "32B"
    BYTES_64 = 2, "64B"
    BYTES_128 = 3, "128B"
