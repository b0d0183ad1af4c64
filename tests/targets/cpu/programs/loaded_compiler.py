"""Importing this loads all of the compiler: it loads its parts when a kernel first needs them, so one is compiled."""

from __future__ import annotations

import tilewright
from tests.targets.cpu.programs import campaign as campaign
from tilewright.testing.strategies import sample_module

tilewright.compile(sample_module(0), target="cpu").asm["llvm"]
