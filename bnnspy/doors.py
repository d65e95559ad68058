"""The faces' way into the C core: one place for the functions that they call, and for the calling.

A face is a signature and a docstring, decorated; its body is made here from the function's row in
the registry, the same for all functions, and as fast as one that is written out. Faces find the C
functions in DOORS, where strict mode puts others.
"""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator
from operator import index as as_index
from typing import Any, NoReturn, TypeVar, cast

from bnnspy._bnns import lib
from bnnspy.capi.arguments import (
    as_size,
    descriptor_record,
    integer,
    parameters_record,
    reason,
)
from bnnspy.errors import Status, error_of, failed
from bnnspy.filter_parameters import NULL_RECORD
from bnnspy.frames import release, releasing
from bnnspy.operations import OPERATIONS, Argument, Operation, row
from bnnspy.overlay.arguments import index_tensor, tensor

F = TypeVar("F", bound=Callable[..., Any])


def doors_of(operation: Operation) -> Iterator[str]:
    """The names of the C functions that an operation's faces call."""
    yield operation.door
    if operation.default_door:
        yield f"{operation.door}_default"


# The globals of the faces: a name that is looked up here costs less than an attribute of lib.
DOORS: dict[str, Any] = {
    "__name__": __name__,
    "NULL_RECORD": NULL_RECORD,
    "SUCCESS": Status.Success,
    "as_index": as_index,
    "as_size": as_size,
    "error_of": error_of,
    "failed": failed,
    "index_tensor": index_tensor,
    "integer": integer,
    "parameters_record": parameters_record,
    "reason": reason,
    "release": release,
    "tensor": tensor,
    **{name: getattr(lib, name) for operation in OPERATIONS for name in doors_of(operation)},
}


def made_from_row() -> NoReturn:
    """The body of a face until its decorator has made one."""
    raise AssertionError("a face is made by its decorator")


@releasing
def carefully(function: str, given: tuple[Any, ...]) -> tuple[int, dict[str, int]]:
    """The call with None, with a wrong type, or with a number that no size_t holds.

    Gives the outcome, and the numbers as integers.
    """
    operation = row(function)
    numbers: dict[str, int] = {}
    arguments = []
    # Numbers first, as the fast way has them.
    pairs = list(zip(operation.arguments, given, strict=True))
    for argument, value in pairs:
        if argument.kind == "size":
            numbers[argument.name] = integer(value, argument.name)
    for argument, value in pairs:
        if argument.kind == "size":
            arguments.append(as_size(numbers[argument.name]))
        elif argument.kind == "parameters":
            arguments.append(parameters_record(value, argument.name)[0])
        else:
            arguments.append(descriptor_record(value, argument.name)[0])
    return DOORS[operation.door](*arguments), numbers


DOORS["carefully"] = carefully


class Names:
    """What a face's body calls its arguments and its records."""

    def __init__(self, operation: Operation, name: Callable[[Argument], str]) -> None:
        self.name = {argument.name: name(argument) for argument in operation.arguments}
        kinds = {kind: [a for a in operation.arguments if a.kind == kind] for kind in
                 ("tensor", "size", "parameters")}  # fmt: skip
        self.tensors = [self.name[argument.name] for argument in kinds["tensor"]]
        self.sizes = kinds["size"]
        self.parameters = [self.name[argument.name] for argument in kinds["parameters"]]
        self.record = {a.name: f"record{k}" for k, a in enumerate(operation.arguments)
                       if a.kind in ("tensor", "parameters")}  # fmt: skip
        self.operation = operation

    def records(self, *kinds: str) -> list[str]:
        """The local names of the records of tensors or of parameters."""
        return [self.record[a.name] for a in self.operation.arguments if a.kind in kinds]

    def call(self, door: str, number: str, *, parameters: bool = True) -> str:
        """The call of a C function; `number` is how a number is handed over."""
        given = [
            number.format(self.name[a.name]) if a.kind == "size" else f"{self.record[a.name]}[0]"
            for a in self.operation.arguments
            if parameters or a.kind != "parameters"
        ]
        return f"{door}({', '.join(given)})"

    def reason(self, source: str = "{0}={1}") -> str:
        """The keywords that give a sentence the caller's numbers."""
        pairs = [source.format(a.name, self.name[a.name]) for a in self.sizes]
        return "".join(f", {pair}" for pair in pairs)


def c_body(operation: Operation) -> Iterator[str]:
    """The lines of a C face: quick for what is right, `carefully` for all else."""
    names = Names(operation, lambda argument: argument.name)
    tensors = [f"{name}._record" for name in names.tensors]
    yield "    try:"
    yield f"        {', '.join(names.records('tensor'))} = {', '.join(tensors)}"
    for argument in names.sizes:
        # cffi itself would cut a Decimal or a float32 to an integer.
        yield f"        if {argument.name}.__class__ is not int:"
        yield f"            {argument.name} = as_index({argument.name})"
    for name, record in zip(names.parameters, names.records("parameters"), strict=True):
        if operation.default_door:
            yield f"        if {name} is None:"
            quick = names.call(f"{operation.door}_default", "{}", parameters=False)
            yield f"            outcome = {quick}"
            yield "        else:"
            yield f"            {record} = {name}._record"
            yield f"            outcome = {names.call(operation.door, '{}')}"
        else:
            yield f"        {record} = NULL_RECORD if {name} is None else {name}._record"
    if not (names.parameters and operation.default_door):
        yield f"        outcome = {names.call(operation.door, '{}')}"
    yield "    except (AttributeError, OverflowError, TypeError):"
    # What is raised from here on keeps no memory.
    yield f"        {' = '.join(names.records('tensor', 'parameters'))} = NULL_RECORD"
    given = ", ".join(argument.name for argument in operation.arguments)
    yield f"        outcome, numbers = carefully({operation.function!r}, ({given},))"
    for argument in names.sizes:
        yield f"        {argument.name} = numbers[{argument.name!r}]"
    yield "    if outcome == 0:"
    yield "        return SUCCESS"
    yield f"    return failed(reason(outcome{names.reason()}), {operation.function!r})"


def swift_body(operation: Operation) -> Iterator[str]:
    """The lines of a face that takes arrays too, and raises."""
    names = Names(operation, lambda argument: argument.label or argument.name)
    yield "    try:"
    for argument in names.sizes:
        name = names.name[argument.name]
        yield f"        {name} = integer({name}, {name!r})"
    for argument in operation.arguments:
        if argument.kind == "tensor":
            name, record = names.name[argument.name], names.record[argument.name]
            wrap = "index_tensor" if argument.role == "indices" else "tensor"
            yield f"        {record} = {wrap}({name}, {name!r})"
    for name, record in zip(names.parameters, names.records("parameters"), strict=True):
        yield f"        {record} = parameters_record({name}, {name!r})"
    yield f"        outcome = {names.call(operation.door, 'as_size({})')}"
    yield "        if outcome:"
    yield f"            raise error_of(reason(outcome{names.reason()}))"
    yield "    except Exception as error:"
    kept = [*names.records("tensor", "parameters"), *names.tensors]
    yield f"        {' = '.join(kept)} = NULL_RECORD"
    yield "        release(error)"
    yield "        raise"


def made(face: F, body: Iterable[str]) -> F:
    """A function with a face's signature and docstring, and this body."""
    signature = inspect.signature(face)
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    head = signature.replace(parameters=bare, return_annotation=signature.empty)
    lines = [f"def {face.__name__}{head}:", *body]
    text = "\n".join(lines) + "\n"
    # Tracebacks name the file that the face is in, and show the lines that were made.
    name = f"<{face.__module__.replace('.', '/')}.py: {face.__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    found: dict[str, Any] = {}
    exec(compile(text, name, "exec"), DOORS, found)
    return cast("F", functools.wraps(face)(found[face.__name__]))


def c_face(face: F) -> F:
    """Makes a function of the C face: a status is returned, and never raised."""
    return made(face, c_body(row(face.__name__)))


def swift_face(function: str) -> Callable[[F], F]:
    """Makes a function of the Swift face: it calls `function`, and raises what it fails with."""
    return lambda face: made(face, swift_body(row(function)))
