"""Makes the committed fixtures: ``python -m tests.bytecode.make_fixtures`` (needs the package cuda-tile and the tool).

A fixture is a module as the vendor's writer makes it; ``manifest.json`` holds, for each, its version and the names of
its operations as tileirdisasm prints them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.bytecode.fixture_files import FIXTURES, MANIFEST
from tests.bytecode.tool_text import operation_names
from tests.support.corpora.frontend_corpus import corpus
from tests.support.real.real_tools import disassemble
from tests.support.real.real_writer import op_cases, version_cases

CASES = (
    "entry/hints-two@13.1",
    "entry/hints-two@13.5",
    "entry/debug-info@13.1",
    "entry/debug-info@13.5",
    "entry/ptr-multicast@13.5",
    "global/private-constant-aligned@13.3",
    "global/i1@13.1",
    "global/tf32@13.5",
    "for/unsigned-carried@13.2",
    "for/carried-three@13.1",
    "for/nested@13.5",
    "loop/differs@13.1",
    "loop/if@13.5",
    "if/yield-or-return@13.1",
    "if/no-else@13.5",
    "reduce/three@13.1",
    "reduce/identity-negative-f64@13.5",
    "scan/reverse@13.1",
    "print_tko/values@13.1",
    "print_tko/token-values@13.2",
    "constant/splat-f4E2M1FN@13.3",
    "constant/splat-i1@13.1",
    "constant/rank0-i16@13.1",
    "assume/div_by-second-dim@13.1",
    "assume/bounded-both@13.1",
    "assume/same_elements@13.5",
    "load_view_tko/everything@13.1",
    "load_view_tko/everything@13.5",
    "load_view_tko/gather_scatter-token@13.3",
    "load_ptr_tko/everything@13.5",
    "make_tensor_view/all-dynamic-i64@13.1",
    "make_tensor_view/ptr-unicast@13.5",
    "negi/",
    "tanh/",
    "exp/",
    "mmaf/",
    "ftoi/",
    "mmaf_scaled/",
    "atomic_rmw_tko/",
    "atomic_red_view_tko/",
    "multimem_reduce_view_tko/",
    "gdc_wait_tko/",
    "insert/",
    "permute/",
    "cmpf/",
    "divi/",
    "alloca/",
    "get_tile_block_id/",
    "select/",
)
"""Case names; one that ends in ``/`` stands for the oldest and the newest file of the op's plainest case."""
KERNELS = (
    ("flash_attention", "13.1"),
    ("matmul.matmul", "13.5"),
    ("softmax", "13.3"),
    ("fft", "13.4"),
    ("vector_add", "13.2"),
)


def _chosen() -> Iterator[tuple[str, str, bytes]]:
    cases = op_cases()
    for wanted in CASES:
        found = [
            case
            for case in cases
            if case.name == wanted or (wanted[-1] == "/" and case.name.startswith(wanted))
        ]
        plain = [case for case in found if case.name.partition("@")[0] == found[0].name.partition("@")[0]]
        for case in {plain[0].name: plain[0], plain[-1].name: plain[-1]}.values():
            yield case.name.replace("/", "."), f"{case.version[0]}.{case.version[1]}", case.bytecode
    for case in version_cases():
        yield case.name.replace("/", "."), f"{case.version[0]}.{case.version[1]}", case.bytecode
    for kernel, version in KERNELS:
        _, _, data = next(found for found in corpus() if found[0].startswith(kernel) and found[1] == version)
        yield f"kernel.{kernel}@{version}", version, data


def main() -> None:
    """Write all files anew."""
    manifest: dict[str, object] = {}
    for path in FIXTURES.glob("*.tileirbc"):
        path.unlink()
    for name, version, data in _chosen():
        code, text, _ = disassemble(data)
        assert code == 0, name
        (FIXTURES / f"{name}.tileirbc").write_bytes(data)
        manifest[name] = {"version": version, "operations": operation_names(text)}
    MANIFEST.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
