"""Importing this loads all of the compiler: it loads its parts when a kernel first needs them, so one is compiled.

Most of the objects that are made afterwards stay for a while, so the collector looks at them as seldom as in the tests.
"""

from __future__ import annotations

import gc

import tilewright
from tests.targets.cpu.programs import campaign as campaign
from tilewright.testing.strategies import sample_module

gc.set_threshold(20_000)
tilewright.compile(sample_module(0), target="cpu").asm["llvm"]
