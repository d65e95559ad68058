"""What two libraries did with the same call: where they differ, and where one broke its contract.

A call's contract: it ends; it changes nothing but elements of the output; after a nonzero status it
has changed nothing at all.
"""

from __future__ import annotations

from typing import NamedTuple

from bnnspy.conformance.calls import Call, plain_fields
from bnnspy.conformance.library import Outcome
from bnnspy.operations import WRITTEN, row
from bnnspy.plain import view_of

# Kinds of difference, and of faults that are never reproduced.
STATUS, VALUE, OUTPUT, ALLOCATION = "status", "value", "output", "allocation"
CRASH, HANG, MISSING, NOT_MADE = "crash", "hang", "missing", "not made"
WROTE_ON_FAILURE, WROTE_ELSEWHERE = "wrote on failure", "wrote elsewhere"
RECORD = "record"
FAULTS = frozenset({CRASH, HANG, WROTE_ON_FAILURE, WROTE_ELSEWHERE})


class Finding(NamedTuple):
    """One thing about one call: its kind, whose it is ("ours", "theirs", "both"), a sentence."""

    kind: str
    whose: str
    sentence: str


class Comparison(NamedTuple):
    """A call, what each library did, and what there is to say about it."""

    call: Call
    ours: Outcome
    theirs: Outcome
    findings: list[Finding]

    def kinds(self) -> set[str]:
        """The kinds of the findings."""
        return {finding.kind for finding in self.findings}


def compare(call: Call, ours: Outcome, theirs: Outcome) -> Comparison:
    """Everything that is to be said about a call; no finding when the two agree."""
    findings = [*faults(call, ours, "ours"), *faults(call, theirs, "theirs")]
    if "status" in ours and "status" in theirs:
        findings += departures(call, ours, theirs)
    for whose, outcome in (("ours", ours), ("theirs", theirs)):
        if "expected" in call and "status" in outcome and not as_recorded(call, outcome):
            sentence = f"{whose} is not what {call['name']} says"
            findings.append(Finding(RECORD, whose, sentence))
    return Comparison(call, ours, theirs, findings)


def has_status(call: Call) -> bool:
    """Whether what the function returns is a status: of a question it is the answer."""
    return row(call["function"]).returns == "status"


def departures(call: Call, ours: Outcome, theirs: Outcome) -> list[Finding]:
    """Differences of two calls that both came back."""
    found = []
    if ours["status"] != theirs["status"]:
        kind = STATUS if has_status(call) else VALUE
        sentence = f"theirs is {theirs['status']}, ours {ours['status']}{left_behind(call, theirs)}"
        found.append(Finding(kind, "both", sentence))
    elif ours["status"] == 0 and outputs_differ(call, ours, theirs):
        found.append(Finding(OUTPUT, "both", first_difference(call, ours, theirs)))
    counts = ours.get("allocations"), theirs.get("allocations")
    if counts[0] != counts[1]:
        sentence = f"theirs allocates {counts[1]} times, ours {counts[0]}"
        found.append(Finding(ALLOCATION, "both", sentence))
    return found


def left_behind(call: Call, theirs: Outcome) -> str:
    """What a call that ours refuses has put into the output, for a reader to judge."""
    if not has_status(call) or theirs["status"] != 0:
        return ""
    after = output_after(call, theirs)
    more = ".." if len(after) > 16 else ""
    return f"; theirs leaves {after[:16].hex()}{more}" if after else ""


def faults(call: Call, outcome: Outcome, whose: str) -> list[Finding]:
    """Where one library broke the contract."""
    if "crash" in outcome:
        said = f", saying: {outcome['said']}" if "said" in outcome else ""
        return [Finding(CRASH, whose, f"{whose} ended the process ({outcome['crash']}){said}")]
    if "hang" in outcome:
        return [Finding(HANG, whose, f"{whose} did not return in {outcome['hang']:g} s")]
    if "missing" in outcome:
        return [Finding(MISSING, whose, f"{whose} has no {outcome['missing']}")]
    if "not made" in outcome:
        return [Finding(NOT_MADE, whose, f"not made: {outcome['not made']}")]
    found = []
    changed = changed_bytes(call, outcome)
    if has_status(call) and outcome["status"] != 0 and any(changed.values()):
        sentence = f"{whose} returns {outcome['status']}, and has changed {places(changed)}"
        found.append(Finding(WROTE_ON_FAILURE, whose, sentence))
    elements = output_elements(call) if changed else {}
    strayed = {
        name: [n for n in bytes_ if n not in elements.get(name, ())]
        for name, bytes_ in changed.items()
    }
    astray = [*outcome.get("strayed", [])]
    astray += [places({name: bytes_}) for name, bytes_ in strayed.items() if bytes_]
    if astray and not found:
        sentence = f"{whose} has changed {', '.join(astray)}, outside output's elements"
        found.append(Finding(WROTE_ELSEWHERE, whose, sentence))
    return found


def changed_bytes(call: Call, outcome: Outcome) -> dict[str, list[int]]:
    """Which bytes of which buffers are not what they were."""
    changed = {}
    for name, after in outcome.get("changed", {}).items():
        pairs = zip(bytes.fromhex(call["buffers"][name]), bytes.fromhex(after), strict=True)
        changed[name] = [n for n, (old, new) in enumerate(pairs) if old != new]
    return changed


def output_elements(call: Call) -> dict[str, frozenset[int]]:
    """The buffers that the function writes, and which bytes of each hold elements of an output.

    A buffer has none where no fields say so.
    """
    found: dict[str, frozenset[int]] = {}
    for argument in row(call["function"]).tensors(WRITTEN):
        output = call["tensors"].get(argument.name)
        if output is None or output["buffer"] is None:
            continue
        held: set[int] = set()
        view = view_of(plain_fields(output))
        if view is not None and view.elements <= 1 << 20:
            bits, first = view.bits, 8 * output.get("offset", 0)
            held = {(first + p * bits + bit) // 8 for p in view.places() for bit in range(bits)}
        found[output["buffer"]] = found.get(output["buffer"], frozenset()) | held
    return found


def outputs_differ(call: Call, ours: Outcome, theirs: Outcome) -> bool:
    """Whether the elements differ; mostly nothing at all does, and that is soon seen."""
    if ours.get("changed") == theirs.get("changed"):
        return False
    return output_after(call, ours) != output_after(call, theirs)


def output_after(call: Call, outcome: Outcome) -> bytes:
    """The bytes of the outputs' elements after the call, in the order of memory."""
    found = b""
    for buffer, elements in output_elements(call).items():
        after = bytes.fromhex(outcome.get("changed", {}).get(buffer, call["buffers"][buffer]))
        found += bytes(after[n] for n in sorted(elements))
    return found


def first_difference(call: Call, ours: Outcome, theirs: Outcome) -> str:
    """Where two outputs part."""
    pairs = zip(output_after(call, ours), output_after(call, theirs), strict=True)
    differing = [n for n, (one, other) in enumerate(pairs) if one != other]
    return f"{len(differing)} bytes of output differ, the first at byte {differing[0]} of elements"


def places(changed: dict[str, list[int]]) -> str:
    """Bytes for people."""
    parts = []
    for name, numbers in changed.items():
        if numbers:
            shown = ", ".join(map(str, numbers[:4])) + (", .." if len(numbers) > 4 else "")
            parts.append(f"byte {shown} of {name}")
    return " and ".join(parts)


def as_recorded(call: Call, outcome: Outcome) -> bool:
    """Whether an outcome is the recorded one."""
    expected = call["expected"]
    output = expected.get("output")
    return outcome["status"] == expected["status"] and (
        output is None or output_after(call, outcome).hex() == output
    )
