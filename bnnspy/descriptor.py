"""NDArrayDescriptor: Apple's 176 bytes, with the memory that they point to."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy import ndarray

from bnnspy._bnns import ffi
from bnnspy.allocation import initialized, new, plan_of, randomized, repeated
from bnnspy.array_types import Fields, Number, ScalarType, Tensor, Unpack, Values
from bnnspy.arrays import (
    NOTHING,
    borrowed,
    describe_array,
    element_type,
    natural_layout,
    not_contiguous,
    packed_model,
)
from bnnspy.constants import DataLayout, DataType, NDArrayFlags
from bnnspy.errors import ArrayDescriptorInvalidData, error_for
from bnnspy.explain import explained
from bnnspy.fields import FIELDS, Field, Slots, changed
from bnnspy.frames import release, releases
from bnnspy.memory import (
    CODES,
    Memory,
    Vouched,
    as_address,
    as_array,
    data_type_of,
    from_buffer,
    hold,
)
from bnnspy.readable import Readable
from bnnspy.record import (
    bind,
    copied,
    emptied,
    new_record,
    shown,
)
from bnnspy.shape import MAX_SIZE, Shape, ShapeLike, unsigned

NOT_GIVEN: tuple[int, ...] = ()

# Looked up once, for loops.
POINTER = ffi.typeof("char *")
UINT16 = np.dtype(np.uint16)
cast = ffi.cast

# What a frame holds in place of memory, so that an exception keeps none alive.
RELEASED: Any = None


@releases(
    *("__init__", "allocate", "allocate_uninitialized", "from_address", "replace", "_set"),
    *("table_data", "__deepcopy__"),
)
class NDArrayDescriptor(Readable):
    """A tensor as BNNS sees it: layout, sizes, strides, type, and a pointer to memory.

    Two forms, by keyword:

    ``NDArrayDescriptor(data=buffer, shape=shape, scalar_type=None, batch_size=1)``
        A checked view of a buffer; raises where Swift's failable initialisers give nil.
    ``NDArrayDescriptor(flags=, layout=, size=, stride=, data=, data_type=, table_data=, ...)``
        The memberwise initialiser: any values, which the call that uses them answers for.

    With ``shape`` and ``data_type`` and no data, the descriptor has no memory yet.

    Parameters
    ----------
    data : array or buffer, optional
        C-contiguous. It is viewed, never copied, and held as long as the descriptor points to it.
        Read-only memory can be an input.
    shape : Shape, int or sequence of int, optional
        An int means Vector, 2 to 8 ints nDFirstMajor.
    scalar_type : DataType or dtype-like, optional
        The type of the elements; by default that of data. Has to agree with it, unless data are
        bytes.
    batch_size : int, optional
        How many tensors of that shape follow each other in data, `shape.batch_stride` apart.
    flags, layout, size, stride, data_type, table_data, table_data_type, data_scale, data_bias
        The fields of BNNSNDArrayDescriptor. size and stride take up to 8 entries.

    Raises
    ------
    ArrayDescriptorInvalidData
        data is shorter than the shape needs.
    TypeError
        data is no buffer, or its type is not one of BNNS's or contradicts scalar_type.
    ValueError
        data is not contiguous (the message says what to do).

    Notes
    -----
    Setting a field replaces the record that the descriptor points to; a call that is running goes
    on with the one it started with. `copy.copy` shares the memory and has fields of its own,
    `copy.deepcopy` copies the memory. Two names of one descriptor share its fields, where Swift
    would have copied the struct.
    """

    __slots__ = ("__weakref__", "_record")

    def __init__(
        self,
        *,
        data: Tensor | None = None,
        shape: ShapeLike | None = None,
        scalar_type: ScalarType | None = None,
        batch_size: int = 1,
        flags: int = 0,
        layout: int = 0,
        size: int | Sequence[int] = NOT_GIVEN,
        stride: int | Sequence[int] = NOT_GIVEN,
        data_type: int = 0,
        table_data: Tensor | None = None,
        table_data_type: int = 0,
        data_scale: float = 0.0,
        data_bias: float = 0.0,
    ) -> None:
        if shape is None:
            if scalar_type is not None or batch_size != 1:
                raise TypeError("scalar_type and batch_size go with shape; a field is data_type")
            record = new_record()
            record[0].live = 1
            self._record = (record, None, None, None, 0)
            self._set(
                flags=flags,
                layout=layout,
                size=size,
                stride=stride,
                data_type=data_type,
                data=data,
                table_data=table_data,
                table_data_type=table_data_type,
                data_scale=data_scale,
                data_bias=data_bias,
            )
            return
        others = flags or layout or table_data_type or data_scale or data_bias
        if others or table_data is not None or size is not NOT_GIVEN or stride is not NOT_GIVEN:
            raise TypeError("shape says the fields: they can't stand beside it, but be set later")
        if scalar_type is None:
            scalar_type = data_type or None
        elif data_type:
            raise TypeError("scalar_type and data_type are two names of one thing")
        self._view_buffer(data, Shape.of(shape), scalar_type, batch_size)

    def _view_buffer(self, data: Any, shape: Shape, scalar_type: Any, batch_size: int) -> None:
        """The checked form."""
        if data is None:
            if scalar_type is None:
                raise TypeError("without data, the type of the elements has to be given")
            self._bind(shape, int(data_type_of(scalar_type)), NOTHING, 0)
            return
        array = as_array(data, "data")
        wanted = 0 if scalar_type is None else int(data_type_of(scalar_type))
        data_type = element_type(array, wanted, data, "data")
        memory = hold(array, data) or not_contiguous(array, data)
        self._bind(shape, data_type, memory, unsigned(batch_size, "batch_size"))

    def _bind(self, shape: Shape, data_type: int, memory: Memory, batches: int) -> None:
        """A new record: shape and type with this memory, checked for so many batches."""
        pointer, nbytes, writable, hold, owner = memory
        record = new_record()
        if outcome := bind(record, shape.model(data_type), pointer, nbytes, writable, batches):
            raise error_for(outcome, ArrayDescriptorInvalidData)
        self._record = (record, hold, owner, None, data_type)

    # --- making and changing ----------------------------------------------------------------------

    @classmethod
    def allocate(
        cls,
        *,
        initializing_from: Values | None = None,
        repeating: Number | None = None,
        random_in: tuple[Number, Number] | None = None,
        shape: ShapeLike,
        batch_size: int = 1,
        scalar_type: ScalarType | None = None,
        rng: int | np.random.Generator | None = None,
    ) -> NDArrayDescriptor:
        """A descriptor with memory of its own, filled in one of three ways.

        Parameters
        ----------
        initializing_from : array or iterable of numbers
            Exactly product(size) x batch_size elements, in memory order; what lies between strides
            becomes 0. Lists of floats give Float32, of ints Int32, of bools Boolean.
        repeating : number
            The value of every element; typed like a list.
        random_in : (low, high)
            Two ints: uniform in low..high, both included. Two floats: uniform.
        shape : Shape, int or sequence of int
        batch_size : int, optional
        scalar_type : DataType or dtype-like, optional
            Overrides the type.
        rng : int or numpy.random.Generator, optional
            Makes random_in reproducible.

        Returns
        -------
        NDArrayDescriptor
            With memory aligned to 64 bytes.

        Raises
        ------
        TypeError
            Not exactly one source, or a type that BNNS does not have (float64 among them).
        ValueError
            The number of values does not fit, or a value does not fit the type.
        """
        if (initializing_from is None) + (repeating is None) + (random_in is None) != 2:
            raise TypeError("allocate takes one of initializing_from, repeating and random_in")
        chosen = None if scalar_type is None else data_type_of(scalar_type)
        if not isinstance(shape, Shape):
            shape = Shape.of(shape)
        batches = unsigned(batch_size, "batch_size")
        made = cls.__new__(cls)
        if initializing_from is not None:
            made._record = initialized(initializing_from, shape, chosen, batches)
        elif random_in is None:
            made._record = repeated(repeating, shape, chosen, batches)
        else:
            made._record = randomized(random_in, shape, chosen, batches, rng)
        return made

    @classmethod
    def allocate_uninitialized(
        cls, *, scalar_type: ScalarType, shape: ShapeLike, batch_size: int = 1
    ) -> NDArrayDescriptor:
        """A descriptor with memory of its own that holds whatever was there before.

        Parameters
        ----------
        scalar_type, shape, batch_size
            As in `allocate`.
        """
        made = cls.__new__(cls)
        batches = unsigned(batch_size, "batch_size")
        made._record = new(plan_of(Shape.of(shape), data_type_of(scalar_type), batches))
        return made

    @classmethod
    def from_array(cls, array: Tensor, *, layout: int | None = None) -> NDArrayDescriptor:
        """A view of an array's own memory, strides included.

        Parameters
        ----------
        array : numpy.ndarray, buffer, torch or DLPack tensor on the CPU
            1 to 8 dimensions.
        layout : DataLayout, optional
            array's axes are taken in the layout's tuple order. By default nDFirstMajor for an array
            in C's order, nDLastMajor for one in Fortran's, and Vector for one dimension: axis
            numbers are NumPy's in each.

        Raises
        ------
        TypeError
            The type is not one of BNNS's.
        ValueError
            The strides are none that the layout can say: negative, 0, in another order, or no
            multiple of an element. The message names the remedy.
        """
        try:
            made = cls.__new__(cls)
            source: Any = as_array(array, "array")
            memory, last_major = None, False
            if layout is None:
                memory = hold(source, array)
                if memory is None and source.flags.f_contiguous:
                    memory, last_major = hold(source.T, array), True
            if memory is not None:
                pointer, nbytes, writable, held, owner = memory
                record = new_record()
                try:
                    model, data_type = packed_model(source.shape, source.dtype, last_major)
                except (TypeError, ValueError):
                    element_type(source, 0, array)  # the same again, in words for what was given
                    natural_layout(source, array)
                    raise
                bind(record, model, pointer, nbytes, writable, 0)
                made._record = (record, held, owner, None, data_type)
            else:
                data_type = element_type(source, 0, array)
                shape, memory = describe_array(source, layout, array)
                made._bind(shape, data_type, memory, 1)
            return made
        except Exception as error:
            array = source = memory = pointer = held = owner = record = RELEASED
            release(error)
            raise

    @classmethod
    def from_address(
        cls,
        address: Any,
        *,
        nbytes: int,
        shape: ShapeLike,
        scalar_type: ScalarType,
        batch_size: int = 1,
        writable: bool = True,
        owner: object = None,
    ) -> NDArrayDescriptor:
        """A view of raw memory: the caller answers for it being there, and for its size.

        Parameters
        ----------
        address : int, or pointer of ctypes or cffi
            Of the lowest byte. Setting `address` later moves the descriptor to another one.
        nbytes : int
            How many bytes from address may be touched.
        shape, scalar_type, batch_size
            As in the constructor.
        writable : bool, optional
            Whether the memory may be an output.
        owner : object, optional
            Kept alive as long as the descriptor points to the memory.
        """
        made = cls.__new__(cls)
        place = as_address(address)
        length = unsigned(nbytes, "nbytes", min(sys.maxsize, MAX_SIZE - place))
        held = Vouched(length, bool(writable), owner)
        memory = (ffi.cast("char *", place), length, held.writable, held, owner)
        batches = unsigned(batch_size, "batch_size")
        made._bind(Shape.of(shape), int(data_type_of(scalar_type)), memory, batches)
        return made

    def _set(self, **fields: Any) -> None:
        self._record = changed(self._record, fields)

    def replace(self, **fields: Unpack[Fields]) -> NDArrayDescriptor:
        """A descriptor of the same memory with some fields changed.

        Parameters
        ----------
        **fields
            Any of the ten fields of BNNSNDArrayDescriptor.
        """
        if unknown := set(fields) - FIELDS:
            raise TypeError(f"NDArrayDescriptor has no field {', '.join(sorted(unknown))}")
        changed = self.__copy__()
        changed._set(**fields)
        return changed

    def deallocate(self) -> None:
        """Lets go of the memory. Views taken with `.array` stay valid; calling it again is fine."""
        self._record = emptied(self._record)

    def __enter__(self) -> NDArrayDescriptor:
        return self

    def __exit__(self, *_: object) -> None:
        self.deallocate()

    # --- the memory -------------------------------------------------------------------------------

    @property
    def address(self) -> int:
        """Where the memory begins; 0 without memory.

        A descriptor that `from_address` made can be moved by setting it: to an int or a pointer of
        ctypes or cffi, of memory that is as long and as writable. The caller answers for that too.
        """
        record = self._record[0]  # held, as in data_size
        return int(ffi.cast("uintptr_t", record[0].descriptor.data))

    @address.setter
    def address(self, value: Any) -> None:
        record, held, owner, table, data_type = self._record
        if type(held) is not Vouched:
            raise AttributeError(
                "address can be set where from_address gave the bounds of the memory; set data to "
                "an array or a buffer, or make a descriptor with NDArrayDescriptor.from_address"
            )
        nbytes, writable, _ = held
        if type(value) is not int or not 0 <= value <= MAX_SIZE - nbytes:
            value = as_address(value)
            unsigned(value, "address", MAX_SIZE - nbytes)
        changed = new_record()
        bind(changed, record, cast(POINTER, value), nbytes, writable, 0)
        self._record = (changed, held, owner, table, data_type)

    @property
    def data(self) -> Any:
        """The object whose memory this is, or None. Setting it views another buffer."""
        return self._record[2]

    @data.setter
    def data(self, value: Tensor | None) -> None:
        record, _, _, table, data_type = self._record
        # Programs go from buffer to buffer here: an array that leaves no question takes only those
        # steps of `borrowed` that it needs.
        if type(value) is ndarray and CODES.get(value.dtype) == data_type and value.flags.carray:
            pointer = hold = from_buffer(value)
            nbytes, writable = len(pointer), True
        else:
            try:
                pointer, nbytes, writable, hold, _ = borrowed(value, data_type)
            except Exception as error:
                value = record = table = None
                release(error)
                raise
        changed = new_record()
        bind(changed, record, pointer, nbytes, writable, 0)
        self._record = (changed, hold, value, table, data_type)

    @property
    def table_data(self) -> Any:
        """The look-up table of Indexed types, or None; movement ignores it."""
        table = self._record[3]
        return None if table is None else table[4]

    @table_data.setter
    def table_data(self, value: Tensor | None) -> None:
        self._set(table_data=value)

    flags = Field[NDArrayFlags | int, int](NDArrayFlags, "Set or accumulate, for gradients.")
    layout = Field[DataLayout | int, int](DataLayout, "The layout; an int where Apple has none.")
    size = Slots(tuple, "8 sizes as the layout orders them; fewer can be set.")
    stride = Slots(tuple, "8 strides in elements, 0 for the default; as size.")
    data_type = Field[DataType | int, int](DataType, "The type; an int where Apple has none.")
    table_data_type = Field[DataType | int, int](DataType, "The type of the look-up table.")
    data_scale = Field[float, float](float, "Scale of integers; movement ignores it.")
    data_bias = Field[float, float](float, "Bias of integers; movement ignores it.")

    # --- copying and showing ----------------------------------------------------------------------

    def __copy__(self) -> NDArrayDescriptor:
        made = type(self).__new__(type(self))
        made._record = self._record
        for name, value in self._attributes().items():
            setattr(made, name, value)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> NDArrayDescriptor:
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        made._record = copied(self._record)
        for name, value in self._attributes().items():
            setattr(made, name, deepcopy(value, memo))
        return made

    def _attributes(self) -> dict[str, Any]:
        """What a subclass's instance has besides the record."""
        if type(self) is NDArrayDescriptor:
            return {}
        state = object.__reduce_ex__(self, 4)[2]  # what pickle would take: __dict__, and slots
        parts = state if isinstance(state, tuple) else (state,)
        found = {name: value for part in parts if part for name, value in part.items()}
        found.pop("_record", None)
        return found

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a descriptor points to memory and can't be pickled; pickle its .array")

    def explain(self, axis: int | None = None) -> str:
        """A drawing in text: axes, slots, elements in memory, what a gather along axis takes."""
        return explained(self._record, axis)

    def __repr__(self) -> str:
        record = getattr(self, "_record", None)  # none yet, while a constructor fails
        return f"NDArrayDescriptor({shown(record) if record else 'not made'})"
