"""The conformance run, held against copies of our own core that each have one thing wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mutants
import pytest
from building import Builder
from running import run

from bnnspy.conformance import main, report
from bnnspy.conformance.calls import Call
from bnnspy.conformance.compare import Comparison, compare
from bnnspy.conformance.contain import CannotLoad, outcomes
from bnnspy.conformance.generate import all_calls
from bnnspy.conformance.library import OURS, Outcome
from bnnspy.constants import DataLayout, DataType
from bnnspy.operations import OPERATIONS

needs_cc = pytest.mark.skipif(mutants.compiler() is None, reason="builds libraries with cc")

LIMIT = 60.0  # seconds for a call that does return, however slow the machine
HANG = 3.0  # seconds after which a call counts as hanging, where one does hang


@pytest.fixture(scope="module")
def libraries(builder: Builder) -> dict[str, Path]:
    return mutants.build(builder)


@pytest.fixture(scope="module")
def every_call() -> list[Call]:
    return all_calls(count=300, seed=7)


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    """Those that the mutants can be seen by: they gather wrongly, and do nothing else wrong."""
    others = {operation.function for operation in OPERATIONS} - {"BNNSGather"}
    every = all_calls(count=300 * len(OPERATIONS), seed=7)
    return [call for call in every if call["function"] not in others]


@pytest.fixture(scope="module")
def ours(calls: list[Call]) -> list[Outcome]:
    return list(outcomes(OURS, calls, LIMIT, 0))


def compared(
    library: Path, calls: list[Call], ours: list[Outcome], limit: float = LIMIT
) -> list[Comparison]:
    theirs = outcomes(str(library), calls, limit, len(calls))
    return [compare(*three) for three in zip(calls, ours, theirs, strict=True)]


def verdicts(comparisons: list[Comparison]) -> dict[str, str]:
    """What is to be done about each entry that something was found about."""
    found = report.verdicts(comparisons)
    return {v.entry: v.verdict for v in found if v.verdict != report.AS_HERE}


def tensor(comparison: Comparison, role: str) -> Any:
    return comparison.call["tensors"].get(role) or {}


def with_few(wrong: list[bool], most: int = 3) -> list[int]:
    """The calls to make on a library that dies of some: those in between, and a few of them.

    Of the few some were made for an entry, and some are random, which come last.
    """
    dying = [k for k, dies in enumerate(wrong) if dies]
    kept = {*dying[:most], *dying[-most:]}
    return [k for k, dies in enumerate(wrong) if k in kept or not dies]


def reads_behind(call: Call, ours: Outcome) -> bool:
    """Whether two mutants go wrong: 16-bit inputs of calls that succeed."""
    source = call["tensors"].get("input")
    unsigned = source is not None and source["data_type"] == DataType.UInt16
    return unsigned and ours["status"] == 0


def of_both(comparisons: list[Comparison], entry: str) -> tuple[bool, bool]:
    """Whether calls made for the entry differ, and whether random calls do."""
    differing = [c for c in comparisons if c.findings]
    made = any(c.call["decides"] == entry for c in differing)
    return made, any(c.call["name"].startswith("random/") for c in differing)


# --- libraries that are right ---------------------------------------------------------------------


def test_ours_agrees_with_the_records(every_call: list[Call]) -> None:
    recorded = [call for call in every_call if "expected" in call]
    pairs = list(zip(recorded, outcomes(OURS, recorded, LIMIT, 0), strict=True))
    assert len(pairs) == 28
    for call, outcome in pairs:
        assert compare(call, outcome, outcome).findings == []


@needs_cc
@pytest.mark.parametrize("name", ["plain", "same"])
def test_our_own_core_shows_no_difference(
    name: str, libraries: dict[str, Path], every_call: list[Call]
) -> None:
    ours = list(outcomes(OURS, every_call, LIMIT, 0))
    comparisons = compared(libraries[name], every_call, ours)
    assert [c.findings for c in comparisons if c.findings] == []
    assert all("status" in c.theirs for c in comparisons)


# --- mutants --------------------------------------------------------------------------------------


@needs_cc
def test_wrapped_negatives_are_reported(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    comparisons = compared(libraries["wraps"], calls, ours)
    differing = [c for c in comparisons if c.findings]
    assert {kind for c in differing for kind in c.kinds()} == {"status"}
    assert {(c.ours["status"], c.theirs["status"]) for c in differing} == {(-1005, 0)}
    assert verdicts(comparisons) == {"gather-negative-indices": report.FLIP}
    first = next(c for c in differing if "index -1" in c.call["name"])
    assert (
        first.findings[0].sentence
        == "theirs is 0, ours -1005; theirs leaves "
        + (
            first.call["buffers"]["input"][-8:]  # the last of the four values
        )
    )


@needs_cc
def test_swapped_axes_are_reported(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    comparisons = compared(libraries["swaps"], calls, ours)
    differing = [c for c in comparisons if c.findings]
    assert {tensor(c, "input")["layout"] for c in differing} == {DataLayout.RowMajorMatrix}
    kinds = {kind for c in differing for kind in c.kinds()}
    assert kinds == {"status", "output", "record"}
    assert verdicts(comparisons)["rowmajor-axes"] == report.CONTRADICTS
    recorded = [c.call["name"] for c in differing if "record" in c.kinds()]
    assert recorded == ["recorded/gather-rowmajor-elements"]
    assert of_both(comparisons, "rowmajor-axes") == (True, True)


@needs_cc
def test_a_read_past_the_end_is_reported_as_a_crash(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    chosen = with_few([reads_behind(*pair) for pair in zip(calls, ours, strict=True)])
    picked = [calls[k] for k in chosen]
    comparisons = compared(libraries["overreads"], picked, [ours[k] for k in chosen])
    for c in comparisons:
        assert c.kinds() == ({"crash"} if reads_behind(c.call, c.ours) else set()), c
    assert verdicts(comparisons) == {"gather-value-types": report.KEEP}
    assert of_both(comparisons, "gather-value-types") == (True, True)


@needs_cc
def test_writing_on_failure_is_reported(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    comparisons = compared(libraries["spoils"], calls, ours)
    for c in comparisons:
        wrong = c.ours["status"] == -1005 and c.call["buffers"]["output"] != ""
        if wrong:
            assert "wrote on failure" in c.kinds(), c
            assert (
                c.findings[0].sentence == "theirs returns -1005, and has changed byte 0 of output"
            )
        elif c.findings:  # an output without a byte: the guard page stands there
            assert c.kinds() == {"crash"}
            assert c.call["buffers"]["output"] == ""
    assert verdicts(comparisons)["failure-writes-nothing"] == report.KEEP
    assert report.FLIP not in verdicts(comparisons).values()
    assert of_both(comparisons, "failure-writes-nothing") == (True, True)


@needs_cc
def test_writing_before_the_output_is_reported(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    comparisons = compared(libraries["strays"], calls, ours)
    for c in comparisons:
        wrong = reads_behind(c.call, c.ours)
        assert c.kinds() == ({"wrote elsewhere"} if wrong else set()), c
    assert verdicts(comparisons) == {"gather-value-types": report.KEEP}


@needs_cc
def test_a_crash_is_contained(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    """Each call behind a crash is made all the same, by another worker."""
    chosen = with_few([call["numbers"].get("axis") == 5 for call in calls])
    picked = [calls[k] for k in chosen]
    comparisons = compared(libraries["crashes"], picked, [ours[k] for k in chosen])
    for c in comparisons:
        assert c.kinds() == ({"crash"} if c.call["numbers"].get("axis") == 5 else set()), c
    crashes = [c.theirs["crash"] for c in comparisons if c.findings]
    assert len(crashes) == 6
    assert all(how.startswith(("SIG", "exit")) for how in crashes)


@needs_cc
def test_a_hang_is_contained(
    libraries: dict[str, Path], calls: list[Call], ours: list[Outcome]
) -> None:
    hanging = [k for k, call in enumerate(calls) if call["numbers"].get("axis") == 6][:2]
    others = [k for k, call in enumerate(calls) if call["numbers"].get("axis") != 6][::10]
    chosen = sorted([*hanging, *others])
    picked = [calls[k] for k in chosen]
    comparisons = compared(libraries["hangs"], picked, [ours[k] for k in chosen], HANG)
    hung = [c for c in comparisons if c.findings]
    assert {calls[k]["name"] for k in hanging} <= {c.call["name"] for c in hung}
    assert {kind for c in hung for kind in c.kinds()} == {"hang"}


@needs_cc
def test_a_library_that_always_crashes_is_given_up(
    libraries: dict[str, Path], calls: list[Call]
) -> None:
    picked = [call for call in calls if call["numbers"].get("axis") == 5][:4]
    found = list(outcomes(str(libraries["crashes"]), picked, LIMIT, most_restarts=1))
    assert ["crash" in outcome for outcome in found] == [True, True, False, False]
    assert "not made" in found[-1]


# --- libraries that can't be compared -------------------------------------------------------------


@needs_cc
def test_a_library_without_the_functions_is_no_result(
    tmp_path: Path, builder: Builder, calls: list[Call]
) -> None:
    source = tmp_path / "empty.c"
    source.write_text("int BNNSOther(void) { return 0; }\n")
    library = builder.link("empty.so", builder.objects([source], ["-fPIC"]), ["-shared"])
    with pytest.raises(CannotLoad, match="has no BNNSGather"):
        next(outcomes(str(library), calls, LIMIT, 0))


def test_a_path_that_is_no_library_is_no_result(tmp_path: Path, calls: list[Call]) -> None:
    text = tmp_path / "library.so"
    text.write_text("no library\n")
    with pytest.raises(CannotLoad, match=r"library\.so"):
        next(outcomes(str(text), calls, LIMIT, 0))


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def without_rich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("rich.console", "rich.table", "rich.progress"):
        monkeypatch.setitem(sys.modules, name, None)
    return


@needs_cc
def test_command_reports_and_writes_json(
    libraries: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    without_rich: None,
) -> None:
    target = tmp_path / "report.json"
    given = ["--library", str(libraries["wraps"]), "--count", "20", "--report", str(target)]
    assert main([*given, "--only", "gather-negative-indices/*"]) == 1
    printed = capsys.readouterr().out
    assert "\ngather-negative-indices  our choice  5      3       flip\n" in printed
    assert "entries to flip: 1\n  gather-negative-indices: theirs is 0, ours -1005" in printed
    assert "status = bnnspy.BNNSGather(0, input, indices, output, None)" in printed
    assert "int status = BNNSGather(0u, &input, &indices, &output, NULL);" in printed
    written = json.loads(target.read_text(encoding="utf-8"))
    assert written["flip"] == ["gather-negative-indices"]
    assert len(written["differences"]) == 3
    assert {"call", "ours", "theirs", "findings", "python", "c"} == set(written["differences"][0])
    assert written["entries"]["gather-negative-indices"]["differing"] == 3


@needs_cc
def test_command_as_a_module_says_nothing_of_itself(libraries: dict[str, Path]) -> None:
    command = [sys.executable, "-m", "bnnspy.conformance", "--library", str(libraries["plain"])]
    done = run([*command, "--only", "r*", "--count", "3"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of them differ" in done.stdout
    assert done.stderr == ""


def test_command_needs_a_library_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert main([]) == 2
    assert "--library PATH is needed here" in capsys.readouterr().err
    few = ["--count", "0", "--library", "/nowhere/lib.so"]
    assert main([*few, "--only", "recorded/*"]) == 2
    assert "/nowhere/lib.so" in capsys.readouterr().err
    assert main([*few, "--only", "nothing"]) == 2
    assert "no call is named like nothing" in capsys.readouterr().err


def test_on_a_mac_the_library_is_accelerate(monkeypatch: pytest.MonkeyPatch) -> None:
    from bnnspy.conformance.run import library_of

    monkeypatch.setattr(sys, "platform", "darwin")
    assert library_of(None) == "/System/Library/Frameworks/Accelerate.framework/Accelerate"
    assert library_of("libother.dylib") == "libother.dylib"
