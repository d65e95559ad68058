"""Faults for `tests/prove mutants` to plant into the core, one at a time: each has to be noticed.

By file of src/: what stands there exactly once, what is put in its place, and what that breaks.
When the core changes, a test names the rows that no longer fit it; they are to be put where the
same fault can be made now. What changes nothing but speed is no fault, and neither is what only
some processors compile: neither can be noticed everywhere.
"""

# ruff: noqa: E501 - a row is what stands in the core, on one line

from __future__ import annotations

from typing import NamedTuple


class Plant(NamedTuple):
    """One fault."""

    file: str  # below src/
    right: str
    wrong: str
    breaks: str


ROWS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "ops/gather/strided.c": (
        ("s->rank <= MAX_LOOPS,", "s->rank <= MAX_LOOPS + 1,", "65 loops are taken"),
        ("s->first_index_loop <= s->rank && ", "", "index loops may begin behind the loops"),
        (
            "s->index_rank <= s->rank - s->first_index_loop",
            "s->index_rank <= s->rank",
            "index loops may end behind the loops",
        ),
        ("k < sizeof arrays / sizeof arrays[0]", "k < 3", "index_stride may be NULL"),
        ("REQUIRE(s->item != 0,", "REQUIRE(s->item + 1 != 0,", "elements of 0 bytes are taken"),
        ("s->axis_size <= PTRDIFF_MAX,", "s->axis_size != 0,", "axes that no offset can span"),
        ("(input != NULL && output != NULL)", "input != NULL", "output may be NULL"),
        (
            "REQUIRE(no_index || indices",
            "REQUIRE(no_index || empty || indices",
            "indices without an output may be NULL",
        ),
        (" && typed.type->kind == KIND_SIGNED", "", "unsigned indices are said to wrap"),
        ("    TRY(bnnspy_indices_typed(&typed));\n", "", "indices may be floats"),
        ("s->first_index_loop + k;", "k;", "bad indices are looked for along other loops"),
    ),
    "tensor.c": (
        ("data - base <= b->nbytes && ", "", "data may lie behind its memory"),
        ("(data - base) >= bytes", "(data - base) > bytes", "memory of just the size is refused"),
        ("(data - base) >= bytes", "(data - base) + 1 >= bytes", "memory may lack a byte"),
        ("elements * bits + 7) / 8", "elements * bits) / 8", "bits of a last byte are forgotten"),
        ("multiply_overflows(batches - 1,", "multiply_overflows(batches,", "a batch too many"),
        (
            "view->count ? bytes_for(elements, view->bits) : 0",
            "bytes_for(elements, view->bits)",
            "batches without elements need memory",
        ),
        (
            "bytes_for(record->view.extent, record->view.bits) <= nbytes",
            "nbytes > 0",
            "short memory counts as checked",
        ),
        ("record->live = 1;", "record->live = writable;", "read-only memory counts as deallocated"),
        (
            "type ? (uint32_t)(type - bnnspy_data_types) : 0",
            "0",
            "all that was bound counts as Float32",
        ),
        (
            "bnnspy_overlaps_itself(&record->view) == OVERLAP_NONE",
            "record->view.count > 0",
            "an output may write an element twice, once it was bound",
        ),
    ),
    "tensor.h": (
        (
            "t->bounded->writable || t->view->count == 0",
            "t->bounded->writable",
            "a read-only output without elements is refused",
        ),
        (
            "b == NULL || !b->live || !b->checked",
            "b == NULL || !b->checked",
            "deallocated tensors are used, once they were bound",
        ),
        (
            "!b->checked || b->descriptor.data == NULL",
            "!b->checked",
            "a bound tensor at NULL is read",
        ),
        ("view->size[axis] > 1 ?", "view->size[axis] > 2 ?", "axes of size 2 stand still"),
        ("(uintptr_t)(bits / 8)", "(uintptr_t)bits", "reversed axes begin elsewhere"),
        ("        if (t->descriptor->size[k] == 0)", "        if (false)", "no tensor is empty"),
        (
            "t->bounded == NULL || !t->bounded->checked)\n        return bnnspy_tensor_view_anew",
            "t->bounded == NULL)\n        return bnnspy_tensor_view_anew",
            "a record that nobody bound has a view",
        ),
    ),
    "ops/gather/gather.c": (
        ("REQUIRE(g->axis < in->rank,", "REQUIRE(g->axis <= in->rank,", "axis may be the rank"),
        (
            "index->rank == 1 || index->rank == out->rank,",
            "index->rank >= 1,",
            "indices may have any rank",
        ),
        (
            "k == g->axis || out->size[k] == in->size[k]",
            "k == g->axis || out->size[k] >= in->size[k]",
            "input is read behind its end",
        ),
        (
            "elementwise(g) || index->size[0] == out->size[g->axis]",
            "elementwise(g) || index->size[0] >= out->size[g->axis]",
            "indices that have no place in output",
        ),
        ("    return all % 8 == 0;", "    return true;", "a byte is cut that two elements share"),
        ("k == g->axis ? 0 : bnnspy_step(in,", "bnnspy_step(in,", "input moves along the axis too"),
        (
            "REQUIRE(out == in, INVALID,",
            "REQUIRE(out->bits == in->bits, INVALID,",
            "Int32 is gathered into Float32",
        ),
    ),
    "layout.c": (
        (
            "BNNSDataLayoutRowMajorMatrix, 2, PACKING_STRIDED, 0, 0x01, 0x01",
            "BNNSDataLayoutRowMajorMatrix, 2, PACKING_STRIDED, 0, SAME, 0x01",
            "rows and columns of RowMajorMatrix are exchanged",
        ),
        (
            "BNNSDataLayoutConvolutionWeightsOIHrWr, 4, PACKING_STRIDED, 3",
            "BNNSDataLayoutConvolutionWeightsOIHrWr, 4, PACKING_STRIDED, 0",
            "no axis of OIHrWr is reversed",
        ),
        (
            "PACKING_STRIDED, 3, 0x2310, 0x2310",
            "PACKING_STRIDED, 3, SAME, SAME",
            "IOHrWr is OIHrWr",
        ),
        (
            "REQUIRE(stride >= smallest,",
            "REQUIRE(stride + 1 >= smallest,",
            "strides may become less",
        ),
        ("if (size > 1) {", "if (size > 0) {", "the stride of an axis of size 1 counts"),
        (
            "multiply_overflows(stride, at_least_one(size), &next)",
            "multiply_overflows(stride, size, &next)",
            "an empty axis leaves no default strides",
        ),
        ("stride != 0 && stride <= PTRDIFF_MAX", "stride != 0", "strides beyond all memory"),
        (
            "overflow |= multiply_overflows(count, size, &count);",
            "count *= size;",
            "a product of sizes may overflow",
        ),
        ("!overflow && extent <= most", "!overflow", "more elements than can be counted in bits"),
        ("view->extent = empty ? 0 : extent;", "view->extent = extent;", "emptiness takes memory"),
        (
            "view->stride[k] = -view->stride[k];",
            "view->stride[k] += 0;",
            "reversed axes go forwards, from their end",
        ),
        ("row ? row->rank : SIZE_MAX", "row ? row->rank : 0", "an unknown layout has a rank"),
        (" + (size[3] % 32 != 0)", "", "the last block of 32 is forgotten"),
        ("view->batch_stride = next;", "view->batch_stride = 1;", "batches lie in each other"),
    ),
    "fold.c": (
        (
            "distance(loops[place - 1].step[0]) < distance",
            "distance(loops[place - 1].step[0]) <= distance",
            "loops that are alike change places",
        ),
        ("    return step < 0 ? -step : step;", "    return step;", "backwards counts as short"),
        (
            "k < MAX_OPERANDS; k++) {\n        int64_t whole;",
            "k < MAX_OPERANDS - 1; k++) {\n        int64_t whole;",
            "loops merge that the indices go through otherwise",
        ),
        ("            loops[kept - 1].count = count;\n", "", "a merged loop is short"),
        (
            "loops[k].step[operand] * (int64_t)loops[k].count;",
            "loops[k].step[operand] * (int64_t)(loops[k].count - 1);",
            "a loop does not return to its beginning",
        ),
        (
            "        place->turn[k] = 0;\n    }\n    return false;",
            "    }\n    return false;",
            "a loop runs once",
        ),
    ),
    "overlap.c": (
        ("% 8 == 0 ? 0 : 8;", "% 8 == 0 ? 0 : 0;", "packed blocks may share a byte"),
        ("reached += b->axes[k]", "reached = b->axes[k]", "strides nest that do not"),
        ("return OVERLAP_UNDECIDED;", "return OVERLAP_NONE;", "what can't be decided is accepted"),
        ("low = 1 - in_a.bits - widen", "low = 9 - in_a.bits - widen", "the first byte is missed"),
        ("in_b.bits - 1 + widen - offset", "in_b.bits - 9 + widen - offset", "the last is missed"),
        ("        *high += whole;\n", "", "the window of a negative step is empty"),
        ("s->terms[k].most += most;", "s->terms[k].most = most;", "equal steps count once"),
        ("add_term(&s, step, b.axes[last].most - 1,", "add_term(&s, step, 0,", "far ones meet not"),
    ),
    "overlap.h": (
        ("a_from - b_from >= b_bytes", "a_from - b_from + 1 >= b_bytes", "a byte may be shared"),
        ("b_from - a_from >= a_bytes", "b_from - a_from + 1 >= a_bytes", "as before, behind"),
    ),
    "data_type.c": (
        (
            "BNNSDataTypeUInt16, 16, KIND_UNSIGNED",
            "BNNSDataTypeUInt16, 16, KIND_SIGNED",
            "UInt16 has a sign",
        ),
        ("BNNSDataTypeUInt6, 6,", "BNNSDataTypeUInt6, 8,", "UInt6 is not packed"),
        (
            "BNNSDataTypeBoolean, 8, KIND_BOOLEAN",
            "BNNSDataTypeBoolean, 8, KIND_UNSIGNED",
            "booleans are indices",
        ),
    ),
    "indices.c": (
        ("integer && t->type->bits >= 8", "integer", "packed integers are indices"),
        ("type->kind == KIND_UNSIGNED ?", "type->kind == KIND_BOOLEAN ?", "no index is unsigned"),
        ("    if (row->bound == 0)", "    if (false)", "an empty axis is said to be long"),
        ("row->wrap ? -(int64_t)row->bound : 0", "0", "what wraps is said not to"),
        ("*turn += ahead - 1;", "*turn += ahead;", "a bad index is named beside its place"),
        (
            "        if (loops[k].count == 0)\n",
            "        if (false)\n",
            "indices are read where there are none",
        ),
        (
            "case TAKE_CHANGED: break;",
            "case TAKE_CHANGED: return bnnspy_status_success;",
            "indices that change are no failure",
        ),
        (
            "negative && row->wrap ? index + row->bound : index",
            "index",
            "an index that wraps is named as a bad one",
        ),
        (
            "error->position[k] = place->turn[k];",
            "error->position[k] = place->turn[0];",
            "only one place of a bad index is told",
        ),
    ),
    "kernels/narrow.c": (
        (
            "uint32_t *index = (uint32_t *)block + i;\n            *index = *index < row->bound ? *index : 0;",
            "uint32_t *index = (uint32_t *)block + i;\n            (void)index;",
            "a bad index of 32 bits is used",
        ),
        (
            "size_t *index = (size_t *)block + i;\n            *index = *index < row->bound ? *index : 0;",
            "size_t *index = (size_t *)block + i;\n            (void)index;",
            "a bad index of 64 bits is used",
        ),
        ("return signs >> 31 == 0;", "return true;", "no index of 32 bits is bad"),
        ("return signs >> 63 == 0;", "return true;", "no index of 64 bits is bad"),
        ("(uint64_t)(stored >> 63) & bound;", "bound;", "indices from the front wrap too"),
        (
            "case INDEX_UINT16: return value.u16;",
            "case INDEX_UINT16: return value.i16;",
            "large indices of UInt16 are negative",
        ),
        ("kind <= INDEX_INT64 && value < 0", "value < 0", "huge indices of UInt64 are negative"),
    ),
    "kernels/narrow.h": (
        ("bound <= INT32_MAX", "bound <= UINT32_MAX", "axes of 2^31 to 2^32 take the short way"),
    ),
    "kernels/move.c": (
        ("m->in_step == 0;", "m->count > 0;", "a strided input counts as packed"),
        ("    for (; i < end; i++) {", "    for (; i <= end; i++) {", "one element too many"),
        (
            "        copy(&v, i, index < v.bound ? index : 0, m->run);",
            "        copy(&v, i, index, m->run);",
            "after a changed index the others are not looked at",
        ),
        (
            "    return done == m->count || copy_changed(m, done);",
            "    return true;",
            "indices that change where they are used are not noticed",
        ),
    ),
    "parallel.c": (
        (" + (allowed % period != 0)", "", "a quota is rounded down"),
        ("read != 2 || allowed <= 0 ||", "read != 2 ||", "a quota may be negative"),
        ("team->outcome = team->good;", "team->outcome = true;", "no thread can stop the others"),
        ("worth < most ?", "worth > most ?", "small calls take all threads"),
        (
            "parameters->n_threads < MOST_THREADS ? (unsigned)parameters->n_threads",
            "parameters->n_threads > 0 ? (unsigned)parameters->n_threads",
            "a call may ask for any number of threads",
        ),
        ("threads < MOST_THREADS ? threads : MOST_THREADS", "threads", "as before, by setting"),
        (
            "return count < MOST_THREADS ? (unsigned)count : MOST_THREADS;",
            "return (unsigned)count;",
            "as before, by the environment",
        ),
        ("    if (set != 0)\n        return set;\n", "", "a setting is forgotten"),
    ),
    "workspace.c": (
        (
            "(uintptr_t)memory % ALIGNMENT != 0",
            "(uintptr_t)memory % 8 != 0",
            "misaligned memory is used",
        ),
        (
            "    if (failed)\n        return NULL;\n",
            "    (void)failed;\n",
            "memory of an allocator that failed is used",
        ),
        ("else if (parameters->free_memory != NULL)", "else", "a missing deallocator is called"),
        (
            "        bnnspy_workspace_free(parameters, memory);\n        return NULL;",
            "        return NULL;",
            "misaligned memory is not given back",
        ),
        (
            "parameters->alloc_memory(&memory, ALIGNMENT, bytes)",
            "parameters->alloc_memory(&memory, 16, bytes)",
            "another alignment is asked for",
        ),
    ),
    "environment.c": (
        ("*text < '0' || *text > '9'", "*text < '0'", "letters are digits"),
        ("            return 0;\n", "            return number;\n", "8abc is 8"),
        ("number = SIZE_MAX;", "number = 0;", "what is too large counts as not set"),
    ),
    "cpu.c": (
        (
            "const size_t told = given > 0 ? given : bnnspy_system_cache(which);",
            "const size_t told = bnnspy_system_cache(which);",
            "the variables of the caches are not read",
        ),
    ),
    "error.c": (
        ("static _Thread_local struct {", "static struct {", "threads share their errors"),
        (
            "bnnspy_newest_error()->missing = 1;",
            "bnnspy_newest_error()->missing = 0;",
            "a missing tensor is not said to be missing",
        ),
        (
            "errors.newest - number < KEPT &&",
            "errors.newest == number &&",
            "only the newest failure can be told",
        ),
        (
            "        kept->status == status) {",
            "        true) {",
            "a status that nobody returned has a record",
        ),
    ),
    "take/take.c": (
        ("last->step[TAKE_IN] != run ||", "", "runs are longer than input has them"),
        ("        t->run *= last->count;\n", "", "a folded run is short"),
        (
            "            result = TAKE_CHANGED;",
            "            result = TAKE_DONE;",
            "a change is no failure on one thread",
        ),
        (
            "atomic_load(&job->changed) ? TAKE_CHANGED",
            "atomic_load(&job->changed) ? TAKE_DONE",
            "a change is no failure on several threads",
        ),
        ("(part < count % parts ? part : count % parts)", "0", "threads leave out the last turns"),
        (
            "bnnspy_indices_sound(&row, loops[outer].count)",
            "bnnspy_indices_sound(&row, loops[outer].count - 1)",
            "the last index is not checked",
        ),
        (
            "bnnspy_meet(team, part_is_sound(job, part, parts))",
            "bnnspy_meet(team, part_is_sound(job, part, parts) || part > 0)",
            "bad indices of other threads are no reason to stop",
        ),
        ("    release(job, threads);\n", "", "the workspaces of threads leak"),
        ("    release(job, 1);\n", "", "the workspace of a call leaks"),
        (
            "    t.indices.place += (ptrdiff_t)from * loop->step[TAKE_INDEX];\n",
            "",
            "each thread has the indices of the first",
        ),
        (
            "    if (t->n != 1 || swept->count > PLAN_BLOCK",
            "    if (swept->count > PLAN_BLOCK",
            "a few indices are moved once",
        ),
        (
            "    row.step = (ptrdiff_t)swept->step[TAKE_INDEX];\n    if (!bnnspy_narrow",
            "    row.step = (ptrdiff_t)swept->step[TAKE_INDEX];\n    row.bound++;\n    if (!bnnspy_narrow",
            "a few indices may be one too large",
        ),
    ),
    "take/sweep.c": (
        (
            "s->sound &= bnnspy_narrow(&s->row, m->known, s->block);",
            "(void)bnnspy_narrow(&s->row, m->known, s->block);",
            "indices that change are not noticed",
        ),
        (
            "s->sound &= bnnspy_narrow(&s->row, s->move.count, s->block);",
            "(void)bnnspy_narrow(&s->row, s->move.count, s->block);",
            "indices that change are not noticed while columns are packed",
        ),
        ("                s->move.out += rows->step[TAKE_OUT];\n", "", "packed columns go one way"),
        (
            "if (!bnnspy_narrow(&s.row, count, s.block))",
            "if (!bnnspy_narrow(&s.row, count, s.block) && s.take == NULL)",
            "indices that are made private once may be bad",
        ),
        (
            "    s->sound &= bnnspy_move(m);",
            "    (void)bnnspy_move(m);",
            "indices that change where they are used are no failure",
        ),
    ),
    "take/plan.c": (
        (
            "p->indices_once = swept->count <= PLAN_BLOCK &&",
            "p->indices_once = swept->count <= PLAN_BLOCK + 1 &&",
            "the stack is written beyond",
        ),
        (
            "p->workspace = t->indices.bound * p->columns * t->run;",
            "p->workspace = t->indices.bound * p->columns;",
            "the workspace is too small",
        ),
        (
            "swept->count <= WORKSPACE_MOST / index_bytes",
            "swept->count < WORKSPACE_MOST / index_bytes",
            "the largest workspace is not used",
        ),
        ("    return a > b ? a : b;", "    return a > b ? b : a;", "small caches decide"),
        (" || rows->count < t->indices.bound / 2", "", "columns are packed that nobody uses"),
        (
            "places % bytes == 0 && !t->indices.wrap &&",
            "places % bytes == 0 &&",
            "negative indices are used where they are",
        ),
    ),
    "checks.c": (
        (
            "    for (unsigned k = 0; k < n; k++)\n        TRY(bnnspy_tensor_live(&t[k]));",
            "    for (unsigned k = n; k-- > 0;)\n        TRY(bnnspy_tensor_live(&t[k]));",
            "of two dead tensors the last is named",
        ),
        (
            "return t->use == USE_READ && !updates ? writes : !bnnspy_tensor_looks_empty(t);",
            "return !bnnspy_writes(t->use) && !bnnspy_tensor_looks_empty(t);",
            "output may be at NULL",
        ),
        (
            "            TRY(bnnspy_tensor_has_data(&t[k]));",
            "            TRY(bnnspy_tensor_has_data(&t[0]));",
            "only the first tensor needs data",
        ),
        (
            "writes |= bnnspy_writes(t[k].use) && !bnnspy_tensor_looks_empty",
            "writes |= bnnspy_writes(t[k].use) || !bnnspy_tensor_looks_empty",
            "an input without elements needs data",
        ),
    ),
    "checks.h": (
        (
            "if (moves || t[k].use != USE_READ)",
            "if (t[k].use == USE_WRITE)",
            "inputs and indices may lack memory",
        ),
        (
            "if (!bnnspy_writes(t[other].use) && !(in_place",
            "if (t[other].use == USE_READ && !(in_place",
            "output may lie in indices",
        ),
        (
            "        if (bnnspy_writes(t[k].use))\n            TRY(bnnspy_tensor_writable(&t[k]));",
            "        if (bnnspy_writes(t[k].use) && k == 0)\n            TRY(bnnspy_tensor_writable(&t[k]));",
            "an output that is not the first may be read-only",
        ),
    ),
}
PLANTS = tuple(Plant(file, *row) for file, rows in ROWS.items() for row in rows)
