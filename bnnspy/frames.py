"""Exceptions that keep no memory alive.

A traceback holds the frames that it went through, and so their variables: kept by a future or a
debugger, an exception of ours would keep the memory of tensors from being closed or resized.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

PACKAGE = __name__.partition(".")[0]


def release(error: BaseException) -> None:
    """Empties the frames of this package that an exception went through, and that are done.

    The function that calls this is still running: it drops its own variables. Frames of callers
    and of callbacks are theirs, and stay as they are.
    """
    for traceback in tracebacks(error):
        frame = traceback.tb_frame
        if frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
            with suppress(RuntimeError):  # it is still running
                frame.clear()


def tracebacks(error: BaseException) -> Iterator[TracebackType]:
    """Every step of an exception, and of those that came before it or caused it."""
    left: list[BaseException | None] = [error]
    seen: set[int] = set()
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        left += [one.__context__, one.__cause__]
        traceback = one.__traceback__
        while traceback is not None:
            yield traceback
            traceback = traceback.tb_next


def releasing(function: F) -> F:
    """Makes a function whose exceptions keep nothing of what it was given or has made."""

    @functools.wraps(function)
    def outer(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            del args, kwargs
            release(error)
            raise

    return cast("F", outer)


def releases(*names: str) -> Callable[[C], C]:
    """The same for methods, class methods and properties of a class."""

    def changed(kind: C) -> C:
        for name in names:
            member = vars(kind)[name]
            if isinstance(member, property):
                ways: list[Any] = [way and releasing(way) for way in (member.fget, member.fset)]
                wrapped: Any = property(*ways, doc=member.__doc__)  # type: ignore[misc]
            elif isinstance(member, classmethod):
                wrapped = classmethod(releasing(member.__func__))
            else:
                wrapped = releasing(member)
            setattr(kind, name, wrapped)
        return kind

    return changed
