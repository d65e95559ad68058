"""BNNSGather as Swift code has it, line for line in Python. Needs nothing but bnnspy and NumPy.

Run it with `python examples/gather.py`. The lines that begin with `# Swift:` are what the Python
below them was ported from.
"""

from __future__ import annotations

import numpy as np

from bnnspy import BNNS, BNNSGather, NDArrayDescriptor, Shape, last_error


def vector() -> None:
    """Eight values, four indices: the first example of Apple's page on BNNSGather."""
    # Swift: var input = BNNSNDArrayDescriptor.allocate(
    #            initializingFrom: [10, 20, 30, 40, 50, 60, 70, 80] as [Float],
    #            shape: .vector(8))
    input = NDArrayDescriptor.allocate(
        initializing_from=[10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0],
        shape=Shape.vector(8),
    )
    # Swift: var indices = BNNSNDArrayDescriptor.allocate(
    #            initializingFrom: [1, 3, 7, 5] as [Int32], shape: .vector(4))
    indices = NDArrayDescriptor.allocate(initializing_from=[1, 3, 7, 5], shape=Shape.vector(4))
    # Swift: var output = BNNSNDArrayDescriptor.allocateUninitialized(
    #            scalarType: Float.self, shape: .vector(4))
    output = NDArrayDescriptor.allocate_uninitialized(scalar_type=np.float32, shape=Shape.vector(4))
    # Swift: let status = BNNSGather(0, &input, &indices, &output, nil)
    status = BNNSGather(0, input, indices, output, None)
    # Swift: print(status, output.makeArray(of: Float.self)!)
    print(f"  status {int(status)}, output {output.make_array()}")
    # Swift: [input, indices, output].forEach { $0.deallocate() }
    for descriptor in (input, indices, output):
        descriptor.deallocate()


def matrix() -> None:
    """Two picks out of each row: the second example of that page.

    A row-major shape names its columns first: (2, 3) is 2 columns and 3 rows. Axis numbers do not
    follow suit: axis 0 are the rows, and axis 1 moves along a row.
    """
    # Swift: let input = BNNSNDArrayDescriptor.allocate(
    #            initializingFrom: [10, 20, 30, 40, 50, 60, 70, 80, 90] as [Float],
    #            shape: .matrixRowMajor(3, 3))
    # Swift: defer { input.deallocate() }
    # Swift: let indices = BNNSNDArrayDescriptor.allocate(
    #            initializingFrom: [0, 1, 2, 0, 1, 1] as [Int32], shape: .matrixRowMajor(2, 3))
    # Swift: let output = BNNSNDArrayDescriptor.allocate(
    #            repeating: Float(0), shape: .matrixRowMajor(2, 3))
    with (
        NDArrayDescriptor.allocate(
            initializing_from=[10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0],
            shape=Shape.matrix_row_major(3, 3),
        ) as input,
        NDArrayDescriptor.allocate(
            initializing_from=[0, 1, 2, 0, 1, 1], shape=Shape.matrix_row_major(2, 3)
        ) as indices,
        NDArrayDescriptor.allocate(repeating=0.0, shape=Shape.matrix_row_major(2, 3)) as output,
    ):
        # Swift: try BNNS.gather(input: input, indices: indices, output: output, axis: 1)
        BNNS.gather(input=input, indices=indices, output=output, axis=1)
        show(output.array)


def padded() -> None:
    """Rows of two values that lie four apart: what is between them stays as it was."""
    buffer = np.full(11, -1, np.float32)
    # Swift: let output = BNNSNDArrayDescriptor(
    #            data: buffer, shape: .matrixRowMajor(2, 3, stride: (1, 4)))!
    output = NDArrayDescriptor(data=buffer, shape=Shape.matrix_row_major(2, 3, stride=(1, 4)))
    table = np.arange(10, dtype=np.float32).reshape(5, 2)
    input = NDArrayDescriptor.from_array(table)
    indices = NDArrayDescriptor.from_array(np.array([4, 0, 2], np.int32))
    status = BNNSGather(0, input, indices, output, None)
    print(f"  {output!r}")
    print(f"  status {int(status)}, {output.data_size} bytes from the first value to the last")
    print(f"  rows in the buffer: {buffer[0:2]} {buffer[4:6]} {buffer[8:10]}")
    print(f"  between the rows:   {buffer[2:4]} {buffer[6:8]}")


def frames() -> None:
    """1000 frames of a pose tracker, 17 joints each: the five joints of the head, frame by frame.

    Descriptors and the output buffer are made once. In the loop only `input.data` is set anew,
    which views the next frame and copies nothing.
    """
    recording = np.random.default_rng(7).random((1000, 17, 3), np.float32)
    head = np.empty((5, 3), np.float32)

    input = NDArrayDescriptor.from_array(recording[0])
    indices = NDArrayDescriptor.from_array(np.array([0, 1, 2, 3, 4], np.uint8))
    output = NDArrayDescriptor.from_array(head)
    mean = np.zeros(3)
    for frame in recording:
        input.data = frame
        if BNNSGather(0, input, indices, output, None) != 0:
            raise SystemExit(last_error())
        mean += head.mean(axis=0)
    mean /= len(recording)
    same = np.allclose(mean, recording[:, :5].mean(axis=(0, 1)))
    print(f"  the head is at {mean.round(3)} on average; NumPy says the same: {same}")


def failing() -> None:
    """An index that is out of range: the status for the program, a sentence for the person."""
    values = np.arange(10, 90, 10, dtype=np.float32)
    result = np.full(2, -1, np.float32)
    input = NDArrayDescriptor.from_array(values)
    indices = NDArrayDescriptor.from_array(np.array([1, 9], np.int32))
    output = NDArrayDescriptor.from_array(result)

    # Swift: let status = BNNSGather(0, &input, &indices, &output, nil)
    status = BNNSGather(0, input, indices, output, None)
    print(f"  status   {int(status)} ({status.name})")
    print(f"  sentence {last_error()}")
    print(f"  output   {result}, as it was before the call")

    # Swift: do { try BNNS.gather(input: input, indices: indices, output: output, axis: 0) }
    #        catch BNNS.Error.layerApplyFail { .. }
    try:
        BNNS.gather(input=input, indices=indices, output=output, axis=0)
    except BNNS.Error as error:
        print(f"  raised   BNNS.Error.{error.case}: {type(error).__name__}: {error}")
        print(f"           status {error.status}, index {error.index} at {error.position} of")
        print(f"           {error.argument}, where {error.valid} would have been right")


def show(matrix: np.ndarray) -> None:
    """A matrix with its rows below each other."""
    for row in matrix:
        print("  " + " ".join(f"{value:5g}" for value in row))


if __name__ == "__main__":
    print("A vector of values, a vector of indices")
    vector()
    print("A matrix, and indices of the output's shape, along axis 1")
    matrix()
    print("An output with padded rows")
    padded()
    print("1000 frames through the same descriptors")
    frames()
    print("An index outside its axis, by status and by exception")
    failing()
