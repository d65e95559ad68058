"""A described call written out as a program: in Python on this package, and in C on any library."""

from __future__ import annotations

from bnnspy.conformance.calls import Call, TensorFields
from bnnspy.conformance.compare import output_elements
from bnnspy.constants import DataLayout, DataType
from bnnspy.operations import Argument, row


def python(call: Call) -> str:
    """A program on this package that makes the call and prints status and outputs."""
    lines = ["import bnnspy", ""]
    for name, text in call["buffers"].items():
        lines.append(f'{name}_bytes = bytearray.fromhex("{text}")')
    for role, tensor in call["tensors"].items():
        lines += python_tensor(role, tensor)
    given = ", ".join(
        python_argument(call, argument) for argument in row(call["function"]).arguments
    )
    lines.append(f"status = bnnspy.{call['function']}({given})")
    lines.append("print(int(status))")
    lines += [f"print({buffer}_bytes.hex())" for buffer in output_elements(call)]
    return "\n".join([*lines, ""])


def python_argument(call: Call, argument: Argument) -> str:
    """What stands for an argument in the call."""
    if argument.kind == "tensor":
        return argument.name
    if argument.kind != "parameters":
        return f"{call['numbers'][argument.name]}"
    parameters = call["parameters"]
    if parameters is None:
        return "None"
    numbers = {k: v for k, v in parameters.items() if k != "allocator"}
    return f"bnnspy.FilterParameters({', '.join(f'{k}={v}' for k, v in numbers.items())})"


def python_tensor(role: str, tensor: TensorFields | None) -> list[str]:
    """A descriptor in Python."""
    if tensor is None:
        return [f"{role} = None"]
    data = "None"
    if tensor["buffer"] is not None:
        offset = tensor.get("offset", 0)
        cut = f"[{offset}:]" if offset else ""
        data = f"memoryview({tensor['buffer']}_bytes){cut}"
    given = {
        "layout": symbol(tensor["layout"], DataLayout, "bnnspy.BNNSDataLayout"),
        "size": repr(tuple(tensor["size"])),
        "stride": repr(tuple(tensor["stride"])),
        "data_type": symbol(tensor["data_type"], DataType, "bnnspy.BNNSDataType"),
        "data": data,
    }
    for name in ("flags", "table_data_type", "data_scale", "data_bias"):
        if name in tensor:
            given[name] = repr(tensor[name])
    table = tensor.get("table")
    if table is not None:
        given["table_data"] = f"{table}_bytes"
    inner = "".join(f"    {name}={value},\n" for name, value in given.items())
    return [f"{role} = bnnspy.NDArrayDescriptor(\n{inner})"]


def symbol(code: int, kind: type[DataLayout] | type[DataType], prefix: str) -> str:
    """A constant by its C name, or the number where Apple has none."""
    try:
        name = kind(code).name
    except ValueError:
        return f"{code:#x}"
    return prefix + (name.removeprefix("Tensor") if kind is DataLayout else name)


C_BEGIN = """\
/* cc this.c -framework Accelerate, or cc -I<headers> this.c <library> */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#else
#include <bnns/bnns.h>
#endif
"""
C_GUARD = """
/* A copy behind which a page begins that may not be touched. */
static unsigned char *guarded(const unsigned char *bytes, size_t n)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (n / page + 1) * page;
    unsigned char *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + whole, page, PROT_NONE) != 0)
        return NULL;
    return memcpy(memory + whole - n, bytes, n);
}
"""
C_ALLOCATOR = """
#include <stdlib.h>

static int allocate(void **memory, size_t alignment, size_t size)
{
    fprintf(stderr, "asked for %zu bytes\\n", size);
    return posix_memalign(memory, alignment, size);
}
"""


def c(call: Call) -> str:
    """A C program that makes the call and prints status and outputs."""
    parameters = call["parameters"]
    counts = bool((parameters or {}).get("allocator"))
    helpers = (C_GUARD if call["buffers"] else "") + (C_ALLOCATOR if counts else "")
    lines = [C_BEGIN + helpers, "int main(void)\n{"]
    for name, text in call["buffers"].items():
        data = bytes.fromhex(text)
        lines.append(f"    static const unsigned char {name}_data[{len(data) or 1}] = {{")
        for start in range(0, len(data), 16):
            lines.append("        " + " ".join(f"{b}," for b in data[start : start + 16]))
        lines.append("    };" if data else "        0};")
        lines.append(f"    unsigned char *{name}_bytes = guarded({name}_data, {len(data)});")
    for role, tensor in call["tensors"].items():
        lines += c_tensor(role, tensor)
    if parameters is not None:
        flags, threads = parameters.get("flags", 0), parameters.get("n_threads", 0)
        own = ", allocate, free" if counts else ", NULL, NULL"
        lines.append(f"    BNNSFilterParameters parameters = {{{flags}, {threads}{own}}};")
    operation = row(call["function"])
    arguments = ", ".join(c_argument(call, argument) for argument in operation.arguments)
    kind, form = ("int", "%d") if operation.returns == "status" else ("size_t", "%zu")
    lines.append(f"    {kind} status = {operation.function}({arguments});")
    lines.append(f'    printf("{form}\\n", status);')
    sizes = {name: len(call["buffers"][name]) // 2 for name in output_elements(call)}
    if any(sizes.values()):
        lines.append("    size_t n;")
    for name, length in sizes.items():
        if length:
            lines.append(f"    for (n = 0; n < {length}; n++)")
            lines.append(f'        printf("%02x", {name}_bytes[n]);')
        lines.append('    printf("\\n");')
    return "\n".join([*lines, "    return 0;\n}\n"])


def c_argument(call: Call, argument: Argument) -> str:
    """What stands for an argument in the call."""
    if argument.kind == "tensor":
        return f"&{argument.name}" if call["tensors"][argument.name] is not None else "NULL"
    if argument.kind == "parameters":
        return "NULL" if call["parameters"] is None else "&parameters"
    number = call["numbers"][argument.name]
    return f"(BNNS{argument.type}){number:#x}u" if argument.kind == "enum" else f"{number}u"


def c_tensor(role: str, tensor: TensorFields | None) -> list[str]:
    """A descriptor in C."""
    if tensor is None:
        return []
    data = "NULL"
    if tensor["buffer"] is not None:
        data = f"{tensor['buffer']}_bytes + {tensor.get('offset', 0)}"
    given = {
        "layout": symbol(tensor["layout"], DataLayout, "BNNSDataLayout"),
        "size": "{" + ", ".join(f"{n}u" for n in tensor["size"]) + "}",
        "stride": "{" + (", ".join(f"{n}u" for n in tensor["stride"]) or "0") + "}",
        "data": data,
        "data_type": symbol(tensor["data_type"], DataType, "BNNSDataType"),
    }
    table = tensor.get("table")
    if table is not None:
        given["table_data"] = f"{table}_bytes"
    for name in ("flags", "table_data_type", "data_scale", "data_bias"):
        if name in tensor:
            given[name] = repr(tensor[name])
    inner = "".join(f"        .{name} = {value},\n" for name, value in given.items())
    return [f"    BNNSNDArrayDescriptor {role} = {{\n{inner}    }};"]
