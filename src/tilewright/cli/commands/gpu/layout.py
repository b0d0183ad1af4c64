"""`tilewright layout`: a layout, an operation on layouts, or the layouts of a kernel, as text, tables and pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli import completion
from tilewright.cli.errors import UsageError, check_output

if TYPE_CHECKING:
    from tilewright.layouts.grids import LayoutGrid


@click.command(name="layout")
@click.argument("expression", shell_complete=completion.files)
@click.option("--value", default="", metavar="NAME", help="Show one tile of the kernel, such as %12.")
@click.option(
    "--target",
    default="sm_80",
    show_default=True,
    help="The GPU that the kernel is compiled for.",
    shell_complete=completion.one_of(completion.targets),
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Draw the tables into this file.")
def command(expression: str, value: str, target: str, as_json: bool, svg: str | None) -> None:
    """Show the layout that EXPRESSION describes, with a table of its elements, or the layouts of all tiles of a kernel.

    An EXPRESSION is a layout "(4,8):(1,4)", a swizzle "S<3,4,3>", a composed layout "S<3,4,3> o 0 o (8,64):(64,1)", a
    fragment "mma.m16n8k16.A.f16" or "ldmatrix.x4.trans", a layout of registers and lanes "(8) register=2:4@0 lane=4:1@0",
    or an operation on them.  A tiler "[4:1;_;8:2]" has a layout for each mode, or _ to keep it.

    Operations: coalesce, filter_zeros, complement(LAYOUT, NUMBER), right_inverse, left_inverse, max_common_vector;
    composition, logical_divide, zipped_divide, tiled_divide, flat_divide, logical_product and zipped_product with a tiler;
    blocked_product, raked_product; spread(LAYOUT, TILE), blocked(TILE, REGISTERS, LANES, WARPS, ORDER), and
    conversion(FROM, TO) between two layouts of registers and lanes.

    A file (*.mlir, *.tileirbc, or - for stdin) stands for its kernels: each layout of the stage 'layouts' is shown with the
    tiles that have it, and where they are made; then the addresses of tiles in shared memory with the banks of their elements,
    and the fragments of matrix instructions.
    """
    from tilewright.cli.kernel_layouts import is_kernel

    if is_kernel(expression):
        from tilewright.cli.kernel_layouts import drawings_of, drawings_text, records, tables

        found = drawings_of(expression, target, value)
        if svg is not None:
            _draw(tables(found), svg)
        click.echo(json.dumps(records(found)) if as_json else drawings_text(found))
    elif value:
        raise UsageError("--value is for kernels", "name a file that ends with .mlir or .tileirbc")
    else:
        _evaluate(expression, as_json, svg)


def _evaluate(expression: str, as_json: bool, svg: str | None) -> None:
    from tilewright.layouts.description import description, record
    from tilewright.layouts.expressions import evaluate
    from tilewright.layouts.grids import MAX_DRAWN, grids

    value = evaluate(expression)
    if svg is not None:
        tables = grids(value, MAX_DRAWN)
        if not tables:
            raise UsageError(f"there is nothing to draw of '{expression}'", "draw a layout or a conversion")
        _draw(tables, svg)
    click.echo(json.dumps(record(value)) if as_json else description(value))


def _draw(tables: Sequence[LayoutGrid], svg: str) -> None:
    from tilewright.layouts.grids import picture

    check_output(svg)
    Path(svg).write_text(picture(tables), encoding="utf-8")
