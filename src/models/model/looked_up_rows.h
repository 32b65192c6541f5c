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

/// What each input has to hold to look that row up, each once, the most telling first, at most 16.
using LookedUpRows = std::map<std::string, std::vector<std::int64_t>>;

/// One row of each kind that at most one row in 16 is of: NaN or infinities; nothing above zero; nothing below; all
/// zero; the least and the largest number where few rows have one of that sign; four times as large or small as the
/// median row (by RMS). It looks at all tables that model/table_lookups.h finds, of up to 512 MB.
LookedUpRows rows_that_stand_out(const onnx::ModelProto& model);

/// Rows that a table has otherwise in the other model, by the inputs of `model`; and the last row where the other table
/// is shorter. Tables of one type and row size stand for each other by name, or else any two; nothing of those of which
/// more than half of the rows differ, for any sample shows that. Where the tables are stored in two ways (a factor was
/// multiplied in, transposed, in 8 bits), rows that do not go together as the others do (model/rows_unlike.h).
LookedUpRows rows_that_differ(const onnx::ModelProto& model, const onnx::ModelProto& other);

/// How long something must be so that a row counts.
struct TellingLength {
  std::string end;           ///< the value that says how many rows are read
  std::vector<double> rows;  ///< numbers of rows; a length beyond them reads them
};

/// Some tables are read from their first row on, as far as an input is long (positions). For these: the lengths of
/// `model` at which a row counts that the other model has otherwise.
std::vector<TellingLength> lengths_that_differ(const onnx::ModelProto& model, const onnx::ModelProto& other);

}  // namespace culprit
