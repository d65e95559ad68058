/*
 * BNNSGather from C: the two examples of Apple's page, padded rows, and a call that fails.
 *
 * docs/c.md has the line that compiles it with the core, and the one for the shared library. On a
 * Mac the same calls compile against Accelerate; bnnspy.h and what it declares are this library's.
 */
#include <bnns/bnns.h>
#include <bnnspy.h>

#include <stdio.h>

/* A descriptor with default strides: fields that are not named are 0. */
static BNNSNDArrayDescriptor tensor(BNNSDataLayout layout, size_t size0, size_t size1, void *data,
                                    BNNSDataType type)
{
    return (BNNSNDArrayDescriptor){
        .layout = layout,
        .size = {size0, size1},
        .data = data,
        .data_type = type,
        .data_scale = 1,
    };
}

static void print(const char *name, const float *values, size_t count)
{
    printf("%s:", name);
    for (size_t i = 0; i < count; i++)
        printf(" %g", (double)values[i]);
    printf("\n");
}

static int vector(void)
{
    float values[] = {10, 20, 30, 40, 50, 60, 70, 80}, picked[4] = {0};
    int32_t picks[] = {1, 3, 7, 5};
    const BNNSNDArrayDescriptor input =
        tensor(BNNSDataLayoutVector, 8, 0, values, BNNSDataTypeFloat32);
    const BNNSNDArrayDescriptor indices =
        tensor(BNNSDataLayoutVector, 4, 0, picks, BNNSDataTypeInt32);
    BNNSNDArrayDescriptor output = tensor(BNNSDataLayoutVector, 4, 0, picked, BNNSDataTypeFloat32);

    const int status = BNNSGather(0, &input, &indices, &output, NULL);
    print("vector", picked, 4);
    return status;
}

static int matrix(void)
{
    /* size {columns, rows}; axis 1 moves along a row, and indices have output's shape. */
    float values[] = {10, 20, 30, 40, 50, 60, 70, 80, 90}, picked[6] = {0};
    int32_t picks[] = {0, 1, 2, 0, 1, 1};
    const BNNSNDArrayDescriptor input =
        tensor(BNNSDataLayoutRowMajorMatrix, 3, 3, values, BNNSDataTypeFloat32);
    const BNNSNDArrayDescriptor indices =
        tensor(BNNSDataLayoutRowMajorMatrix, 2, 3, picks, BNNSDataTypeInt32);
    BNNSNDArrayDescriptor output =
        tensor(BNNSDataLayoutRowMajorMatrix, 2, 3, picked, BNNSDataTypeFloat32);

    const int status = BNNSGather(1, &input, &indices, &output, NULL);
    print("matrix", picked, 6);
    return status;
}

static int padded(void)
{
    /* Rows of two, four elements apart: stride {1, 4}. What is between them is left alone. */
    float values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    float rows[] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    uint8_t picks[] = {4, 0, 2};
    const BNNSNDArrayDescriptor input =
        tensor(BNNSDataLayoutRowMajorMatrix, 2, 5, values, BNNSDataTypeFloat32);
    const BNNSNDArrayDescriptor indices =
        tensor(BNNSDataLayoutVector, 3, 0, picks, BNNSDataTypeUInt8);
    BNNSNDArrayDescriptor output =
        tensor(BNNSDataLayoutRowMajorMatrix, 2, 3, rows, BNNSDataTypeFloat32);
    output.stride[0] = 1;
    output.stride[1] = 4;

    const int status = BNNSGather(0, &input, &indices, &output, NULL);
    print("padded", rows, 10);
    return status;
}

static int failing(void)
{
    float values[] = {10, 20, 30, 40}, picked[2] = {-1, -1};
    int32_t picks[] = {1, 9};
    const BNNSNDArrayDescriptor input =
        tensor(BNNSDataLayoutVector, 4, 0, values, BNNSDataTypeFloat32);
    const BNNSNDArrayDescriptor indices =
        tensor(BNNSDataLayoutVector, 2, 0, picks, BNNSDataTypeInt32);
    BNNSNDArrayDescriptor output = tensor(BNNSDataLayoutVector, 2, 0, picked, BNNSDataTypeFloat32);

    const int status = BNNSGather(0, &input, &indices, &output, NULL);
    const bnnspy_error *error = bnnspy_last_error();
    printf("status: %d, %s\n", status, error->sentence);
    printf("index: %lld at place %zu of %s, where %lld to %lld would do\n", (long long)error->index,
           error->position[0], error->argument, (long long)error->valid_from,
           (long long)error->valid_to - 1);
    print("as it was", picked, 2);
    return status;
}

int main(void)
{
    if (vector() != 0 || matrix() != 0 || padded() != 0) {
        fprintf(stderr, "%s\n", bnnspy_last_error()->sentence);
        return 1;
    }
    return failing() == -1005 ? 0 : 1;
}
