#pragma once
// Rows of stored tables that whole numbers of an input look up: those that are unlike the other rows, and those that
// two models have otherwise. A sample drawn blindly meets one row of 50,000 hardly ever.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// By input: what it has to hold to look that row up, each once, the most telling first, at most 16.
using LookedUpRows = std::map<std::string, std::vector<std::int64_t>>;

/// Of each kind that at most one row in 16 is of, one row: NaN or infinities; nothing above zero; nothing below; all
/// zero; the least and the largest number where few rows have one of that sign; four times as large or small as the
/// median row (by RMS). Tables of Gather only, whose rows are along the first axis, of up to 512 MB.
LookedUpRows rows_that_stand_out(const onnx::ModelProto& model);

/// Rows that a table has otherwise in the other model, by the inputs of `model`; and the last row where the other table
/// is shorter. Tables stand for each other by name, or else where type and row size are the same. Nothing of tables of
/// which more than half of the rows differ: any sample shows that.
LookedUpRows rows_that_differ(const onnx::ModelProto& model, const onnx::ModelProto& other);

}  // namespace culprit
