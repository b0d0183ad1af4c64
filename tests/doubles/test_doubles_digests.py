"""The reference depends on nothing of the host: its results have the digests that were made on another one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from tests.doubles.digests import OTHER_HOST, digests, numpy_features
from tilewright.doubles import exponentials

ROOT = Path(__file__).parents[2]
KNOWN = {
    "exp": "e021bbd491cadef9",
    "exp2": "4232637d7e51e117",
    "log": "a870358929617ae5",
    "log2": "292e128519d49278",
    "sin": "c01fd819b3a1f22a",
    "cos": "153d1d5289910253",
    "tan": "cfdb95b43b384dbd",
    "sinh": "245a06e8fbf3ece8",
    "cosh": "ca7a1600e8a65d37",
    "tanh": "7b5f4cc6ae2d544d",
    "rsqrt": "2620cd17592d3b95",
    "atan2": "47ef052d309913ed",
    "pow": "55e2652d72d66214",
    "products": "7501b84d180c20ad",
}
"""Made on a Zen 4 with AVX-512, Python 3.11 and NumPy 2.4."""
ASKED = """
import json, sys, warnings
warnings.simplefilter("ignore", ImportWarning)
import numpy
from hashlib import sha256
x = numpy.arange(1, 4000) * 2.0**-9
host = sha256(numpy.tanh(x).tobytes() + numpy.exp(x).tobytes()).hexdigest()
from tests.doubles.digests import digests
json.dump([host, digests()], sys.stdout)
"""


def test_digests_are_those_of_another_host() -> None:
    assert digests() == KNOWN


def test_digests_do_not_depend_on_libraries() -> None:
    """The process has other functions in NumPy, the C library and OpenBLAS: NumPy's results tell."""
    environment = {**os.environ, **OTHER_HOST}
    output = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=ROOT, env=environment, check=True, capture_output=True, timeout=60
    )
    host, found = json.loads(output.stdout)
    assert found == KNOWN
    x = np.arange(1, 4000) * 2.0**-9
    here = sha256(np.tanh(x).tobytes() + np.exp(x).tobytes()).hexdigest()
    if "X86_V4" in numpy_features():
        assert host != here, "the variables changed nothing, so the test compares nothing"


def test_a_digest_notices_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = exponentials.exp
    monkeypatch.setattr(exponentials, "exp", lambda x: np.nextafter(exact(x), np.inf))
    found = digests()
    assert [name for name in KNOWN if found[name] != KNOWN[name]] == ["exp"]
