#pragma once
// A model looks up rows of tables that it stores: which tables, by which of its inputs, or up to which of its sizes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/rows_unlike.h"
#include "model/stored_numbers.h"

namespace culprit {

/// A table, and an input that says which rows are read: Gather, GatherND with tuples of one number, OneHot before a
/// MatMul.
struct TableLookup {
  std::string input;
  std::int64_t offset = 0;  ///< added to the input on the way
  std::string table;        ///< a value of the model
  std::int64_t axis = 0;    ///< along which the rows lie
};

std::vector<TableLookup> table_lookups(const onnx::ModelProto& model, const StoredValues& stored);

/// A table of which the first rows are read, as many as something is long: a Slice from 0, or a Gather of a Range
/// from 0.
struct TablePrefix {
  std::string end;        ///< the value that says how many
  std::string table;      ///< a value of the model
  std::int64_t axis = 0;  ///< along which the rows lie
};

std::vector<TablePrefix> table_prefixes(const onnx::ModelProto& model, const StoredValues& stored);

/// The rows of a table along an axis, each with its numbers in order; nothing where it is no table of two rows or more.
std::optional<TableRows> rows_of(const StoredValues& stored, const std::string& table, std::int64_t axis);

}  // namespace culprit
