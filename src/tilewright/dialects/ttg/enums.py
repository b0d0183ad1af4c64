"""The enums of ``ttg``."""

from __future__ import annotations

import enum


class AddrSpace(enum.Flag):
    """The memory whose accesses a barrier orders."""

    NONE = 0
    LOCAL = 1
    GLOBAL_READ = 2
    GLOBAL_WRITE = 4
    TENSOR_READ = 8
    TENSOR_WRITE = 16
    ALL = 31
