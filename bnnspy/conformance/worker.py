"""The process that makes the calls, and may crash or hang of them.

    python -m bnnspy.conformance.worker LIBRARY CALLS START

CALLS is a file with one call a line. It answers on standard output, a line of JSON each: first what
it found in the library, then one outcome a call, from the START-th on.
"""

from __future__ import annotations

import json
import os
import sys

from bnnspy.conformance.library import Library


def main() -> None:
    """Answers until the calls are through."""
    path, calls, start = sys.argv[1:]
    # The library may print: its standard output becomes standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(text: object) -> None:
        answers.write(json.dumps(text) + "\n")
        answers.flush()  # a crash may come next

    try:
        library = Library(path)
    except OSError as error:
        answer({"error": str(error)})
        return
    answer({"missing": library.missing()})
    with open(calls, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number >= int(start):
                answer(library.perform(json.loads(line)))


if __name__ == "__main__":
    main()
