"""The hosted workflows, as far as they can be looked at without being run."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NAMES = [path.name for path in WORKFLOWS]
BESIDE = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


def tool(name: str) -> str:
    """A program of the extra `release`, beside this Python or on PATH."""
    found = shutil.which(name, path=BESIDE)
    if found is None:
        pytest.skip(f"{name} is not installed: bnnspy[release]")
    return found


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def parsed(path: Path) -> dict[str, Any]:
    """A workflow as data; YAML 1.2, in which `on` is a word."""
    yaml = pytest.importorskip("ruamel.yaml", reason="it comes with bnnspy[release]")
    return yaml.YAML(typ="safe").load(path.read_text("utf-8"))


def test_there_are_three() -> None:
    assert NAMES == ["checks.yml", "nightly.yml", "wheels.yml"]


# --- linted ---------------------------------------------------------------------------------------


def form(*files: Path) -> subprocess.CompletedProcess[str]:
    """Against the published schema, which comes with the tool."""
    schema = ("--builtin-schema", "vendor.github-workflows")
    return run(tool("check-jsonschema"), *schema, *map(str, files))


def safety(*files: Path) -> subprocess.CompletedProcess[str]:
    options = ("--offline", "--no-progress", "--config", ".github/zizmor.yml")
    return run(tool("zizmor"), *options, *map(str, files))


def test_their_form() -> None:
    done = form(*WORKFLOWS)
    assert done.returncode == 0, done.stdout


def test_their_safety() -> None:
    done = safety(*WORKFLOWS)
    assert done.returncode == 0, done.stdout


def test_both_would_say_so(tmp_path: Path) -> None:
    """A misspelt key; a stranger's text in a shell, and an action by the name of a branch."""
    text = (ROOT / ".github" / "workflows" / "checks.yml").read_text("utf-8")
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(text.replace("timeout-minutes", "timeout"), "utf-8")
    assert form(wrong).returncode != 0
    wrong.write_text(text.replace("run: .ci/run", "run: echo ${{ github.head_ref }}"), "utf-8")
    assert "template-injection" in safety(wrong).stdout
    wrong.write_text(text.replace("actions/checkout@v6", "somebody/checkout@main"), "utf-8")
    assert "unpinned-uses" in safety(wrong).stdout


# --- what they say --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=NAMES)
def test_they_read_only_end_and_do_not_pile_up(path: Path) -> None:
    workflow = parsed(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "group" in workflow["concurrency"]
    for name, job in workflow["jobs"].items():
        assert 0 < job["timeout-minutes"] < 360, name
        assert "permissions" not in job, name
        assert "latest" not in str(job["runs-on"]), name
        for used in (step["uses"] for step in job["steps"] if "uses" in step):
            assert re.fullmatch(r"actions/[\w-]+@v\d+", used), used


def steps(name: str) -> str:
    """All commands of a workflow."""
    jobs = parsed(ROOT / ".github" / "workflows" / name)["jobs"].values()
    return "\n".join(step.get("run", "") for job in jobs for step in job["steps"])


def test_they_run_what_is_here() -> None:
    assert "\n.ci/run" in steps("checks.yml")
    assert "python -m bnnspy conformance --report conformance.json" in steps("checks.yml")
    assert "tests/prove all" in steps("nightly.yml")
    everything = "\n".join(map(steps, NAMES))
    for script in re.findall(r"(?<![\w/])((?:tests|\.ci)/[\w.-]+)", everything):
        assert os.access(ROOT / script, os.X_OK), script
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for extras in re.findall(r"'\.\[([\w,]+)\]'", everything):
        for extra in extras.split(","):
            assert re.search(rf"^{extra} = \[", project, re.MULTILINE), extra


@pytest.mark.parametrize("status", [0, 1, 2])
def test_the_report_is_kept_when_it_has_differences(tmp_path: Path, status: int) -> None:
    """The step's own script: differences (status 1) are no failure, a run that was not made is."""
    jobs = parsed(ROOT / ".github" / "workflows" / "checks.yml")["jobs"]
    named = {step.get("name"): step for step in jobs["macos"]["steps"]}
    script = named["Compare with Accelerate"]["run"]
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\necho "$@"\n[ "$3" = info ] || {{ echo >conformance.json; exit {status}; }}\n'
    )
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == (status < 2), done.stderr
    assert "conformance --report conformance.json" in done.stdout
    assert (tmp_path / "conformance.json").is_file()


# --- the wheels -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "processor", "wanted"),
    [
        ("linux", "x86_64", {"cp310-manylinux_x86_64", "cp310-musllinux_x86_64"}),
        ("linux", "aarch64", {"cp310-manylinux_aarch64", "cp310-musllinux_aarch64"}),
        ("macos", "x86_64", {"cp310-macosx_x86_64"}),
        ("macos", "arm64", {"cp310-macosx_arm64"}),
    ],
)
def test_cibuildwheel_builds_one_wheel_a_system(
    platform: str, processor: str, wanted: set[str]
) -> None:
    """It reads pyproject.toml as it would on the runner, and refuses options it does not know."""
    if importlib.util.find_spec("cibuildwheel") is None:
        pytest.skip("cibuildwheel is not installed: bnnspy[release]")
    options = ("--print-build-identifiers", "--platform", platform, "--archs", processor)
    done = run(sys.executable, "-m", "cibuildwheel", *options, str(ROOT))
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == wanted


def test_the_tests_of_a_wheel_are_here() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    named = re.findall(r"\{project\}/(\S+\.\w+)", project.split("[tool.cibuildwheel]")[1])
    assert len(named) > 3
    assert [name for name in named if not (ROOT / name).is_file()] == []
