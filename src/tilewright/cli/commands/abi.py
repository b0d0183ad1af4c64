"""`tilewright abi`: byte layouts, C headers, memory images."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

PROFILES = ("tileiras-13.1", "mlir-upstream")
profile_option: Any = click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default=PROFILES[0],
    show_default=True,
    help="The version of MLIR whose layout is used.",
)


@click.group(name="abi")
def command() -> None:
    """Byte layouts: list them, show one, write a C header; modules as memory images."""


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_layouts(as_json: bool) -> None:
    """List every layout with its sizes in bytes, and every table of code pointers."""
    from tilewright.abi.catalogue import families
    from tilewright.abi.table_shapes import TABLE_SHAPES

    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "family": family,
                "name": layout.name,
                "bytes": {str(p): s.size for p, s in layout.structs.items()},
            }
            for family, layouts in families().items()
            for layout in layouts
        ]
        rows += [
            {"family": "tables", "name": s.name, "slots": {str(s.profile): len(s.slots)}}
            for s in TABLE_SHAPES
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for family, layouts in families().items():
        for layout in layouts:
            sizes = ", ".join(f"{profile}: {struct.size}" for profile, struct in layout.structs.items())
            click.echo(f"{family:18} {layout.name:22} {sizes}")
    for shape in TABLE_SHAPES:
        click.echo(f"{'tables':18} {shape.name:22} {shape.profile}: {len(shape.slots)} slots")


@command.command(name="show")
@click.argument("name")
@click.option("--profile", type=click.Choice(PROFILES), help="Only this profile.")
def show(name: str, profile: str | None) -> None:
    """Show the layout NAME: offsets, widths, meanings, sources."""
    from tilewright.abi.catalogue import layout, struct
    from tilewright.abi.documentation import layout_text
    from tilewright.abi.layout import Profile

    held = layout(name)
    if profile is not None:
        struct(name, Profile(profile))  # says so when the layout does not exist there
    click.echo(layout_text(held, tuple(Profile) if profile is None else (Profile(profile),)))


@command.command(name="header")
@profile_option
def header_of(profile: str) -> None:
    """Write a C header of every layout to the standard output."""
    from tilewright.abi.c_header import header
    from tilewright.abi.catalogue import CATALOGUE
    from tilewright.abi.layout import Profile

    click.echo(header(CATALOGUE.values(), Profile(profile)), nl=False)


@command.command(name="image")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The core file to write."
)
@profile_option
def image(file: Path, output: Path, profile: str) -> None:
    """Write the module in FILE (bytecode or MLIR text) as a memory image: an ELF core file with real
    pointers.
    """
    from tilewright.abi.image.core_file import save
    from tilewright.abi.image.module import write_module
    from tilewright.abi.layout import Profile
    from tilewright.driver.reading import read
    from tilewright.driver.startup import context

    ctx = context()
    ctx.allow_unregistered = True
    module = read(file.read_bytes(), str(file), ctx)
    save(write_module(module, Profile(profile)), output)


@command.command(name="read")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def read(file: Path) -> None:
    """Print the module in the memory image FILE."""
    from tilewright.abi.codes import MALFORMED_IMAGE
    from tilewright.abi.image.core_file import load
    from tilewright.abi.image.module import read_module
    from tilewright.driver.startup import context
    from tilewright.ir.diagnostic import failure

    held = load(file)
    if "module" not in held.roots:
        raise failure(
            MALFORMED_IMAGE, f"the image holds no module, but: {', '.join(held.roots) or 'nothing'}"
        )
    ctx = context()
    ctx.allow_unregistered = True
    click.echo(str(read_module(held, ctx)).rstrip("\n"))
