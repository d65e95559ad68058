"""The benchmark of rearranging compares its results; here at small sizes, without times."""

from __future__ import annotations

import bench_copy
import pytest
from peers import MEMCPY, OURS


@pytest.mark.parametrize("case", bench_copy.CASES, ids=[case.name for case in bench_copy.CASES])
def test_all_contenders_agree(case: bench_copy.Case) -> None:
    """Contenders that disagree with NumPy are an error."""
    small = case.small()
    calls = bench_copy.contenders(small, *small.make(), 1)
    assert {OURS, "np.copyto", MEMCPY} <= set(calls)
    row = bench_copy.line(case, dict.fromkeys(calls, 1.0))
    assert row.startswith(f"| {case.name} ")
    assert row.endswith("| yes |" if case.target * bench_copy.NEAR >= 1 else "| limit |")
