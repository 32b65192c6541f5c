#include "model/table_lookups.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/input_uses.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// Is the value stored, or made by an operator from stored ones? Whether all of it is, rows_of says.
bool may_be_table(const StoredValues& stored, const std::string& name) {
  if (const auto* tensor = stored.tensor(name)) return tensor->dims_size() > 0;
  const auto* maker = stored.maker(name);
  return maker != nullptr && is_one_of(maker->op_type(), {"Identity", "Cast", "Transpose", "Concat", "DequantizeLinear",
                                                          "Add", "Sub", "Mul", "Div"});
}

/// The tables that a OneHot's result is multiplied with.
std::vector<std::string> multiplied_with(const onnx::ModelProto& model, const std::string& value) {
  std::vector<std::string> tables;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) {
      const bool multiplies = node.op_type() == "MatMul" || (node.op_type() == "Gemm" && !attribute_of(node, "transB"));
      if (multiplies && node.input_size() >= 2 && node.input(0) == value) tables.push_back(node.input(1));
    }
  });
  return tables;
}

/// Nothing where it is no constant of one element.
std::optional<double> element(const StoredValues& stored, const std::string& name, std::size_t place = 0) {
  const auto* tensor = stored.tensor(name);
  if (tensor == nullptr || tensor->dims_size() > 1) return std::nullopt;
  const auto read = from_proto(*tensor);
  if (!read || read->count() <= static_cast<std::int64_t>(place) || !is_integer(read->dtype())) return std::nullopt;
  return read->number(static_cast<std::int64_t>(place));
}

/// One for each axis that a Slice cuts from its start: of a constant "0", by a value that is none.
void add_slice(const onnx::NodeProto& node, const StoredValues& stored, std::vector<TablePrefix>& prefixes) {
  constexpr std::size_t most_axes = 8;
  if (node.input_size() < 3 || !may_be_table(stored, node.input(0)) || stored.tensor(node.input(2)) != nullptr) return;
  const bool has_axes = node.input_size() > 3 && !node.input(3).empty();
  for (std::size_t place = 0; place < most_axes; ++place) {
    const auto start = element(stored, node.input(1), place);
    if (!start) return;
    const auto axis = has_axes ? element(stored, node.input(3), place) : std::optional(static_cast<double>(place));
    if (!axis) return;
    if (*start == 0) prefixes.push_back({node.input(2), node.input(0), static_cast<std::int64_t>(*axis)});
  }
}

void add_range(const onnx::NodeProto& node, const StoredValues& stored, std::vector<TablePrefix>& prefixes) {
  const auto* range = node.input_size() == 2 ? stored.maker(node.input(1)) : nullptr;
  if (range == nullptr || range->op_type() != "Range" || range->input_size() != 3) return;
  const bool is_from_zero = element(stored, range->input(0)) == 0 && element(stored, range->input(2)) == 1;
  if (is_from_zero && may_be_table(stored, node.input(0)))
    prefixes.push_back({range->input(1), node.input(0), integer_of(node, "axis", 0)});
}

}  // namespace

std::vector<TableLookup> table_lookups(const onnx::ModelProto& model, const StoredValues& stored) {
  std::vector<TableLookup> lookups;
  for (const auto& [input, uses] : uses_of_inputs(model)) {
    for (const Use& use : uses) {
      if (use.kind != UseKind::index) continue;
      const bool is_row = use.axis && (use.op == "Gather" || use.op == "GatherND");
      if (is_row && may_be_table(stored, use.data)) lookups.push_back({input, use.offset, use.data, *use.axis});
      if (use.op != "OneHot") continue;
      for (const std::string& table : multiplied_with(model, use.result)) {
        if (may_be_table(stored, table)) lookups.push_back({input, use.offset, table, 0});
      }
    }
  }
  return lookups;
}

std::vector<TablePrefix> table_prefixes(const onnx::ModelProto& model, const StoredValues& stored) {
  std::vector<TablePrefix> prefixes;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) {
      if (!domain_of(node.domain()).empty()) continue;
      if (node.op_type() == "Slice") add_slice(node, stored, prefixes);
      if (node.op_type() == "Gather") add_range(node, stored, prefixes);
    }
  });
  return prefixes;
}

std::optional<TableRows> rows_of(const StoredValues& stored, const std::string& table, std::int64_t axis) {
  auto known = stored.numbers(table);
  if (!known) return std::nullopt;
  const Shape& shape = known->shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  if (along >= shape.size() || shape[along] < 2 || known->numbers.empty()) return std::nullopt;
  TableRows rows{static_cast<std::size_t>(shape[along])};
  rows.width = known->numbers.size() / rows.count;
  std::size_t inner = 1;
  for (std::size_t behind = along + 1; behind < shape.size(); ++behind)
    inner *= static_cast<std::size_t>(shape[behind]);
  if (inner == rows.width) {
    rows.numbers = std::move(known->numbers);
    return rows;
  }
  rows.numbers.resize(known->numbers.size());
  for (std::size_t i = 0; i < rows.numbers.size(); ++i) {
    const std::size_t outer = i / (inner * rows.count), row = i / inner % rows.count;
    rows.numbers[row * rows.width + outer * inner + i % inner] = known->numbers[i];
  }
  return rows;
}

}  // namespace culprit
