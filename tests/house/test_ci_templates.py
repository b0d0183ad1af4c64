"""Files for CI: GitHub and GitLab accept them, and commands, inputs and folders that they name exist."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tests.house.documents import blocks
from tests.house.tree import ROOT, files, relative
from tilewright import pytest_plugin
from tilewright.cli.group import cli
from tilewright.cli.program import without_option

yaml = pytest.importorskip("yaml")
ACTION = ROOT / "action.yml"
WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), ROOT / "examples" / "ci" / "github.yml"]
GITLAB = [ROOT / "examples" / "ci" / "gitlab.yml"]
SCHEMAS = {
    "vendor.github-actions": [ACTION],
    "vendor.github-workflows": WORKFLOWS,
    "vendor.gitlab-ci": GITLAB,
}
ALL = [path for paths in SCHEMAS.values() for path in paths]
OF_OTHERS = ("mkdocs.yml", ".pre-commit-config.yaml", "idea.yml", "wrong-result.yml", "config.yml")
WITHOUT_ACTION = ("nightly.yml", "release.yml")
ACTION_ITSELF = ("./", "tilewright/tilewright@main")


def loaded(path: Path) -> Any:
    """A file as values; the word `on` is a key of workflows, and not the truth value that YAML 1.1 makes of it."""
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {("on" if key is True else key): row for key, row in value.items()}


def test_every_file_of_ci_is_looked_at() -> None:
    found = {path for path in files() if path.suffix in (".yml", ".yaml")}
    assert {path for path in found if path.name not in OF_OTHERS} == set(ALL)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_schema_of_the_vendor_accepts_it(schema: str) -> None:
    schemas = pytest.importorskip("check_jsonschema.builtin_schemas")
    validator = pytest.importorskip("jsonschema").validators
    rules = schemas.get_builtin_schema(schema)
    checker = validator.validator_for(rules)(rules)
    for path in SCHEMAS[schema]:
        assert [error.message for error in checker.iter_errors(loaded(path))] == [], relative(path)
    assert list(checker.iter_errors({"jobs": 3, "runs": 4, "kernels": {"script": 5}}))


def uses_of_the_action() -> Iterator[tuple[str, dict[str, str]]]:
    """Each step that uses the action, of workflows, templates and the guide, with its inputs."""
    for path in WORKFLOWS:
        for job in loaded(path)["jobs"].values():
            for step in job["steps"]:
                if step.get("uses") in ACTION_ITSELF:
                    yield relative(path), step.get("with", {})
    page = ROOT / "docs" / "guides" / "ci.md"
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "yaml":
            for step in yaml.safe_load(block.text):
                if step.get("uses") in ACTION_ITSELF:
                    yield relative(page), step.get("with", {})


def test_the_action_has_the_inputs_that_its_users_name() -> None:
    used = list(uses_of_the_action())
    places = {relative(path) for path in WORKFLOWS if path.name not in WITHOUT_ACTION}
    assert {place for place, _ in used} == places | {"docs/guides/ci.md"}
    for place, given in used:
        assert set(given) <= set(loaded(ACTION)["inputs"]), place


def test_folders_that_the_workflow_runs_exist() -> None:
    workflow = ROOT / ".github" / "workflows" / "test.yml"
    for place, given in uses_of_the_action():
        for word in ("arguments", "program"):
            for one in ("cutile", "triton") if place == relative(workflow) and word in given else ():
                assert (ROOT / given[word].replace("${{ matrix.frontends }}", one)).exists()


def test_frontends_are_extras() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"cutile|triton", loaded(ACTION)["inputs"]["frontends"]["description"])
    assert set(named) <= set(project["optional-dependencies"])


def scripts(value: Any) -> Iterator[str]:
    """The texts that a shell runs: what stands under `run`, `script` and `before_script`."""
    if isinstance(value, dict):
        for key, row in value.items():
            if key in ("run", "script", "before_script"):
                yield from [row] if isinstance(row, str) else row
            else:
                yield from scripts(row)
    elif isinstance(value, list):
        for row in value:
            yield from scripts(row)


def commands(path: Path) -> Iterator[list[str]]:
    """The commands `pytest` and `tilewright` of a file, as words."""
    for script in scripts(loaded(path)):
        for line in script.splitlines():
            found = re.search(r"(?:^\s*|python -m )((?:pytest|tilewright) .*)", line)
            if found is not None:
                yield shlex.split(found[1])


def options_of_the_plugin() -> set[str]:
    """The words that the plugin declares."""
    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser)
    return {name for group in parser._groups for option in group.options for name in option.names()}


@pytest.mark.parametrize("path", ALL, ids=relative)
def test_the_commands_exist(path: Path) -> None:
    for program, *words in commands(path):
        if program == "pytest":
            named = {word.partition("=")[0] for word in words if word.startswith("--tilewright")}
            assert named <= options_of_the_plugin()
        else:
            (name, *rest) = without_option(words, "-m")[0]
            command = cli.get_command(click.Context(cli), name)
            assert command is not None
            command.make_context(name, [word.replace("$GPU", "sm_90") for word in rest]).close()


def test_commands_are_found() -> None:
    assert [words[0] for words in commands(ACTION)] == ["tilewright", "pytest"]
    assert [words[0] for words in commands(GITLAB[0])] == ["pytest"]


def test_no_placeholder_is_left() -> None:
    places = [path for path in files() if path.suffix in (".md", ".yml", ".toml")]
    assert [relative(path) for path in places if "OWNER/" in path.read_text(encoding="utf-8")] == []
