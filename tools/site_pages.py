"""What the site of the documentation has besides `docs/`: its navigation, and pages from elsewhere in the checkout.

`mkdocs.yml` names this file as its hook.  The navigation follows the lists of ``docs/index.md``, and generated pages are
listed behind them, so nothing has to be listed twice.  Links to Markdown outside of ``docs/`` lead to copies.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # mkdocs loads this file by its path

from tools import explorer_pages  # noqa: E402

DOCS = ROOT / "docs"
COPIES = "project"
"""The folder of the site with pages that stand outside of `docs/`."""
FRONT = {"README.md": "Read me", "CONTRIBUTING.md": "Contributing", "CHANGELOG.md": "Changes"}
"""Those of them that the navigation has, with their titles."""
_LINK = re.compile(r"\[(?P<words>[^\[\]]*)\]\((?P<target>(?!\w+:|#)[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_SECTION = re.compile(r"^## (?P<title>[^\n]+)$(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_GROUP = re.compile(r"^### (?P<title>[^\n]+)$(?P<body>.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)#]+\.md)\)", re.MULTILINE)

Navigation = list[dict[str, Any]]


def navigation() -> Navigation:
    """The sections of the table of contents, commands, and all generated pages."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    sections = {found["title"]: _listed(found["body"]) for found in _SECTION.finditer(text)}
    reference = sections.pop("Reference")
    reference = [entry for entry in reference if not str(*entry.values()).startswith("reference/")]
    return [
        {"tilewright": [{"tilewright": "index.md"}, *_copies()]},
        *({title: entries} for title, entries in sections.items() if entries),
        {"Commands": _folder("commands")},
        {"Reference": [*_folder("reference"), *reference]},
    ]


def _listed(body: str) -> Navigation:
    """The entries of a section, or its groups (headings of the third level), each with its entries."""
    groups = {found["title"]: _listed(found["body"]) for found in _GROUP.finditer(body)}
    if groups:
        return [{title: entries} for title, entries in groups.items()]
    entries = ({found["title"]: found["page"]} for found in _ENTRY.finditer(body))
    return [entry for entry in entries if not str(*entry.values()).startswith("commands/")]


def _folder(folder: str) -> Navigation:
    """The pages of a folder: its index first, then the others by their names, then the folders in it."""
    path = DOCS / folder
    pages = sorted(path.glob("*.md"), key=lambda page: (page.stem != "index", page.stem))
    found: Navigation = [
        {_title(page) if page.stem != "index" else "Overview": page.relative_to(DOCS).as_posix()}
        for page in pages
    ]
    inner = sorted(below for below in path.iterdir() if below.is_dir())
    return [*found, *({below.name: _folder(below.relative_to(DOCS).as_posix())} for below in inner)]


def _title(page: Path) -> str:
    """The heading of a page, without its marks."""
    head = page.read_text(encoding="utf-8").partition("\n")[0]
    return head.removeprefix("# ").replace("`", "").removeprefix("tilewright ")


def _copies() -> Navigation:
    return [{title: f"{COPIES}/{name.lower()}"} for name, title in FRONT.items()]


def copied() -> dict[str, Path]:
    """Pages from outside of `docs/`, by their place on the site: those of the navigation, and those that pages link."""
    found = {f"{COPIES}/{name.lower()}": ROOT / name for name in FRONT}
    pending = [*DOCS.rglob("*.md"), *found.values()]
    while pending:
        page = pending.pop()
        for match in _LINK.finditer(page.read_text(encoding="utf-8")):
            target = (page.parent / match["target"]).resolve()
            place = _place(target)
            if place.startswith(f"{COPIES}/") and place not in found and target.suffix == ".md":
                found[place] = target
                pending.append(target)
    return found


def _place(target: Path) -> str:
    """Where a file of the checkout is on the site; empty for one that is not there."""
    if target.is_relative_to(DOCS):
        return target.relative_to(DOCS).as_posix()
    if not target.is_relative_to(ROOT) or target.suffix != ".md":
        return ""
    return f"{COPIES}/{target.relative_to(ROOT).as_posix().lower()}"


def relinked(text: str, source: Path, place: str) -> str:
    """A page with links as they are on the site; links to what is not there become plain words."""

    def link(match: re.Match[str]) -> str:
        found = _place((source.parent / match["target"]).resolve())
        if not found:
            return match["words"]
        target = posixpath.relpath(found, posixpath.dirname(place) or ".")
        return f"[{match['words']}]({target}{match['anchor'] or ''})"

    return _LINK.sub(link, text)


def on_config(config: Any) -> Any:
    """Put the navigation into the configuration."""
    config.nav = navigation()
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from outside of `docs/`, and those of the explorer."""
    from mkdocs.structure.files import File, InclusionLevel

    for place, path in copied().items():
        text = relinked(path.read_text(encoding="utf-8"), path, place)
        made = File.generated(config, place, content=text)
        if path.name not in FRONT:
            made.inclusion = InclusionLevel.NOT_IN_NAV  # only other pages lead there
        files.append(made)
    for place, text in explorer_pages.pages():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links that leave `docs/` lead to the copies, and put pages of the explorer where documents want them."""
    place = page.file.src_uri
    markdown = explorer_pages.embedded(markdown, place)
    return markdown if place.startswith(f"{COPIES}/") else relinked(markdown, DOCS / place, place)
