"""`tilewright layout`: a layout, or an operation on layouts, as text, table and picture."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tilewright.cli.errors import UsageError, check_output


@click.command(name="layout")
@click.argument("expression")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Draw the tables into this file.")
def command(expression: str, as_json: bool, svg: str | None) -> None:
    """Show what EXPRESSION is, with a table of its elements.

    An EXPRESSION is a layout "(4,8):(1,4)", a swizzle "S<3,4,3>", a composed layout "S<3,4,3> o 0 o (8,64):(64,1)", a
    fragment "mma.m16n8k16.A.f16" or "ldmatrix.x4.trans", a layout of registers and lanes "(8) register=2:4@0 lane=4:1@0",
    or an operation on them.  A tiler "[4:1;_;8:2]" has a layout for each mode, or _ to keep it.

    Operations: coalesce, filter_zeros, complement(LAYOUT, NUMBER), right_inverse, left_inverse, max_common_vector;
    composition, logical_divide, zipped_divide, tiled_divide, flat_divide, logical_product and zipped_product with a tiler;
    blocked_product, raked_product; spread(LAYOUT, TILE), blocked(TILE, REGISTERS, LANES, WARPS, ORDER), and
    conversion(FROM, TO) between two layouts of registers and lanes.
    """
    from tilewright.layouts.description import description, record
    from tilewright.layouts.expressions import evaluate
    from tilewright.layouts.grids import grids, picture

    value = evaluate(expression)
    if svg is not None:
        tables = grids(value)
        if not tables:
            raise UsageError(f"there is nothing to draw of '{expression}'", "draw a layout or a conversion")
        check_output(svg)
        Path(svg).write_text(picture(tables), encoding="utf-8")
    click.echo(json.dumps(record(value)) if as_json else description(value))
