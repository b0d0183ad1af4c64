"""Targets and versions of PTX as data: their introduction, and features of some targets only."""

from __future__ import annotations

Version = tuple[int, int]

MINORS = {1: 5, 2: 3, 3: 2, 4: 3, 5: 0, 6: 5, 7: 8, 8: 8, 9: 5}
"""The last minor version of each major version."""
SINCE: dict[str, Version] = {
    **{f"sm_{number}": (1, 0) for number in (10, 11)},
    **{f"sm_{number}": (1, 2) for number in (12, 13)},
    **{f"sm_{number}": (2, 0) for number in (20, 21)},
    **{"sm_30": (3, 0), "sm_32": (4, 0), "sm_35": (3, 1), "sm_37": (4, 1)},
    **{"sm_50": (4, 0), "sm_52": (4, 1), "sm_53": (4, 2), "sm_60": (5, 0), "sm_61": (5, 0), "sm_62": (5, 0)},
    **{"sm_70": (6, 0), "sm_72": (6, 1), "sm_75": (6, 3), "sm_80": (7, 0), "sm_82": (6, 2), "sm_86": (7, 1)},
    **{"sm_87": (7, 4), "sm_88": (9, 0), "sm_89": (7, 8), "sm_90": (7, 8), "sm_90a": (8, 0)},
    **{f"sm_{number}{suffix}": (8, 6) for number in (100, 101) for suffix in ("", "a")},
    **{"sm_120": (8, 7), "sm_120a": (8, 7)},
    **{f"sm_{number}f": (8, 8) for number in (100, 101, 120)},
    **{f"sm_{number}{suffix}": (8, 8) for number in (103, 121) for suffix in ("", "a", "f")},
    **{
        f"sm_{number}{suffix}": version
        for number, version in ((107, (9, 4)), (110, (9, 0)))
        for suffix in ("", "a", "f")
    },
}
"""The first version of PTX with each target."""


def _chips(numbers: tuple[int, ...], suffixes: str = "af") -> frozenset[str]:
    return frozenset(f"sm_{number}{suffix}" for number in numbers for suffix in suffixes)


_TENSOR = (100, 101, 103, 107, 110)
BLACKWELL = _chips((*_TENSOR, 120, 121))
FEATURES: dict[str, frozenset[str]] = {
    "wgmma": frozenset({"sm_90a"}),
    "hopper": BLACKWELL | {"sm_90a"},
    "blackwell": BLACKWELL,
    "tensor memory": _chips(_TENSOR),
    "shifts": _chips(_TENSOR, "a"),
    "reductions": _chips((100, 103, 107)),
    "random": _chips((100, 103, 107), "a"),
    "small mma": _chips((120, 121)),
}
"""The targets with a suffix that have a feature, including later targets."""
SPECIAL_SINCE: dict[str, tuple[int, Version]] = {
    **dict.fromkeys(
        (
            *("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid", "cluster_ctarank"),
            *("cluster_nctarank", "is_explicit_cluster"),
        ),
        (90, (7, 8)),
    ),
    "current_graph_exec": (50, (8, 0)),
    "aggr_smem_size": (90, (8, 1)),
}
"""Special registers, with their minimum architecture and version."""
TYPES_SINCE: dict[str, tuple[int, Version]] = {"b128": (70, (8, 3))}
"""Types of registers, with their minimum architecture and version."""
PARAMETER_BYTES, MORE_PARAMETER_BYTES = 4352, 32764
MORE_PARAMETERS_SINCE: tuple[int, Version] = (70, (8, 1))
"""The minimum architecture and version of the larger limit of kernel parameters."""
SHARED_BYTES, CONSTANT_BYTES = 48 << 10, 64 << 10
"""The maximum sizes in bytes of a kernel's static shared memory, and of a module's constant variables."""


SHARED_OF_SUFFIXED = {120: 99 << 10, 121: 99 << 10}
MOST_SHARED = 227 << 10
"""The maximum static shared memory of targets with a suffix in bytes, unless the table has a row for the
target.
"""


def shared_bytes(target: tuple[str, ...], sm: int) -> int:
    """Return the maximum static shared memory of a kernel in bytes, for the targets `target` with the number
    `sm`; targets with a suffix, such as ``sm_90a``, have more.
    """
    has_suffix = any(word[-1:] in ("a", "f") and word.startswith("sm_") for word in target)
    return SHARED_OF_SUFFIXED.get(sm, MOST_SHARED) if has_suffix else SHARED_BYTES


def is_version(version: Version) -> bool:
    """Return whether `version` (major, minor) of PTX is in the tables."""
    major, minor = version
    return minor <= MINORS.get(major, -1)


def newest() -> Version:
    """Return the newest version of PTX in the tables."""
    return max(MINORS.items())


def parameter_bytes(sm: int, version: Version) -> int:
    """Return the maximum size of a kernel's parameters in bytes on the architecture `sm` in PTX `version`."""
    more = sm >= MORE_PARAMETERS_SINCE[0] and version >= MORE_PARAMETERS_SINCE[1]
    return MORE_PARAMETER_BYTES if more else PARAMETER_BYTES
