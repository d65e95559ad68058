/* The one table of data types. The types met most often stand first: the look-up is linear. */
#include "data_type.h"

const struct data_type bnnspy_data_types[DATA_TYPE_COUNT] = {
    {BNNSDataTypeFloat32, 32, KIND_FLOAT, "Float32"},
    {BNNSDataTypeInt32, 32, KIND_SIGNED, "Int32"},
    {BNNSDataTypeInt64, 64, KIND_SIGNED, "Int64"},
    {BNNSDataTypeFloat16, 16, KIND_FLOAT, "Float16"},
    {BNNSDataTypeBFloat16, 16, KIND_FLOAT, "BFloat16"},
    {BNNSDataTypeInt8, 8, KIND_SIGNED, "Int8"},
    {BNNSDataTypeInt16, 16, KIND_SIGNED, "Int16"},
    {BNNSDataTypeUInt8, 8, KIND_UNSIGNED, "UInt8"},
    {BNNSDataTypeUInt16, 16, KIND_UNSIGNED, "UInt16"},
    {BNNSDataTypeUInt32, 32, KIND_UNSIGNED, "UInt32"},
    {BNNSDataTypeUInt64, 64, KIND_UNSIGNED, "UInt64"},
    {BNNSDataTypeBoolean, 8, KIND_BOOLEAN, "Boolean"},
    {BNNSDataTypeIndexed8, 8, KIND_INDEXED, "Indexed8"},
    {BNNSDataTypeInt1, 1, KIND_SIGNED, "Int1"},
    {BNNSDataTypeInt2, 2, KIND_SIGNED, "Int2"},
    {BNNSDataTypeInt4, 4, KIND_SIGNED, "Int4"},
    {BNNSDataTypeUInt1, 1, KIND_UNSIGNED, "UInt1"},
    {BNNSDataTypeUInt2, 2, KIND_UNSIGNED, "UInt2"},
    {BNNSDataTypeUInt3, 3, KIND_UNSIGNED, "UInt3"},
    {BNNSDataTypeUInt4, 4, KIND_UNSIGNED, "UInt4"},
    {BNNSDataTypeUInt6, 6, KIND_UNSIGNED, "UInt6"},
    {BNNSDataTypeIndexed1, 1, KIND_INDEXED, "Indexed1"},
    {BNNSDataTypeIndexed2, 2, KIND_INDEXED, "Indexed2"},
    {BNNSDataTypeIndexed4, 4, KIND_INDEXED, "Indexed4"},
};
