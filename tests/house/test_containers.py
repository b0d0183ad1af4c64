"""Files for containers: the extras, folders and versions that they name exist."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from tests.house.tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
DEVELOPMENT = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
FILES = {"Containerfile": CONTAINER, "devcontainer.json": json.dumps(DEVELOPMENT)}
INSTRUCTIONS = {"FROM", "COPY", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}


@pytest.mark.parametrize("name", FILES)
def test_extras_exist(name: str) -> None:
    named = re.findall(r"(?:\)|'\.)\[([a-z,]+)\]", FILES[name])
    assert named
    assert {extra for names in named for extra in names.split(",")} <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize("name", FILES)
def test_the_python_is_one_that_is_tested(name: str) -> None:
    versions = re.findall(r"python:(3\.\d+)", FILES[name])
    classifiers = "\n".join(PROJECT["classifiers"])
    assert versions
    assert all(f"Python :: {version}" in classifiers for version in versions)


@pytest.mark.parametrize("name", FILES)
def test_what_the_plugin_needs_is_installed(name: str) -> None:
    extras = re.search(r"\[([a-z,]+)\]['\"]", FILES[name])
    assert extras is not None
    assert "pytest" in extras[1].split(",")


def test_instructions_are_known_and_programs_in_json_are_lists() -> None:
    text = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", CONTAINER, flags=re.MULTILINE))
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    assert {word for word, _ in lines} <= INSTRUCTIONS
    entry = dict(lines)["ENTRYPOINT"]
    assert json.loads(entry)[0] in PROJECT["scripts"]


def test_images_for_one_kind_of_processor_are_not_named() -> None:
    assert not re.search(r"--platform|amd64/|arm64v8/|x86_64|aarch64", re.sub(r"#.*", "", CONTAINER))
