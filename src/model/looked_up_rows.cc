#include "model/looked_up_rows.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "model/graph_walk.h"
#include "model/input_uses.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr std::size_t most_rows = 16;          // of one input
constexpr std::size_t most_bytes = 512 << 20;  // of a table
constexpr std::int64_t rare_share = 16;        // a kind of row is rare where at most one in so many is of it

using StoredTensors = std::unordered_map<std::string, const onnx::TensorProto*>;

StoredTensors stored_in(const onnx::ModelProto& model) {
  StoredTensors stored;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) stored.emplace(tensor.name(), &tensor);
  });
  return stored;
}

/// A table, and an input that looks up its rows.
struct Lookup {
  std::string input;
  std::int64_t offset = 0;  ///< added to the input on the way
  const onnx::TensorProto* table = nullptr;
};

bool is_table(const onnx::TensorProto& tensor) {
  return tensor.dims_size() > 0 && tensor.dims(0) > 1 && tensor.data_location() != onnx::TensorProto::EXTERNAL &&
         tensor.ByteSizeLong() <= most_bytes;
}

std::vector<Lookup> lookups_of(const onnx::ModelProto& model) {
  const StoredTensors stored = stored_in(model);
  std::vector<Lookup> lookups;
  for (const auto& [input, uses] : uses_of_inputs(model)) {
    for (const Use& use : uses) {
      const auto table = stored.find(use.of);
      const bool is_row = use.kind == UseKind::index && use.op == "Gather" && table != stored.end() &&
                          is_table(*table->second) && use.limit.value == table->second->dims(0);
      if (is_row) lookups.push_back({input, use.offset, table->second});
    }
  }
  return lookups;
}

/// What a lookup is for: the row by number, less what is added to the input.
void add_row(LookedUpRows& rows, const Lookup& lookup, std::int64_t row) {
  auto& its = rows[lookup.input];
  const std::int64_t number = row - lookup.offset;
  if (its.size() < most_rows && std::ranges::find(its, number) == its.end()) its.push_back(number);
}

// --- rows that stand out ------------------------------------------------------------------------------------------

struct RowFacts {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double squares = 0;
  bool is_finite = true;

  void add(double number) {
    is_finite = is_finite && std::isfinite(number);
    low = std::min(low, number);
    high = std::max(high, number);
    squares += number * number;
  }
};

/// Of floats as they are stored, without a copy of the table.
std::vector<RowFacts> facts_of_floats(const std::string& bytes, std::size_t rows, std::size_t columns) {
  std::vector<RowFacts> facts(rows);
  std::vector<float> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(bytes.data() + i * columns * sizeof(float), columns * sizeof(float),
                reinterpret_cast<char*>(row.data()));
    for (const float number : row) facts[i].add(static_cast<double>(number));
  }
  return facts;
}

/// Empty where the table holds no numbers, or not as many as it says.
std::vector<RowFacts> facts_of_rows(const onnx::TensorProto& table) {
  const auto count = element_count(Shape(table.dims().begin(), table.dims().end()));
  if (!count || *count == 0) return {};
  const auto rows = static_cast<std::size_t>(table.dims(0)), columns = static_cast<std::size_t>(*count) / rows;
  const bool is_plain = table.data_type() == onnx::TensorProto::FLOAT &&
                        table.raw_data().size() == static_cast<std::size_t>(*count) * sizeof(float);
  if (is_plain) return facts_of_floats(table.raw_data(), rows, columns);
  const auto tensor = from_proto(table);
  if (!tensor || tensor->count() != *count || !(is_float(tensor->dtype()) || is_integer(tensor->dtype()))) return {};
  std::vector<RowFacts> facts(rows);
  for (std::size_t i = 0; i < rows * columns; ++i) facts[i / columns].add(tensor->number(static_cast<std::int64_t>(i)));
  return facts;
}

/// The row of a kind that shows it most; nothing where there is none, or where it is no rare kind.
template <class Is, class Measure>
std::optional<std::size_t> rarest(const std::vector<RowFacts>& facts, const Is& is, const Measure& measure) {
  std::optional<std::size_t> best;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!is(facts[i])) continue;
    ++count;
    if (!best || measure(facts[i]) > measure(facts[*best])) best = i;
  }
  const auto rows = static_cast<std::int64_t>(facts.size());
  return count <= std::max<std::int64_t>(rows / rare_share, 1) ? best : std::nullopt;
}

double median_squares(const std::vector<RowFacts>& facts) {
  std::vector<double> all;
  for (const RowFacts& row : facts) {
    if (row.is_finite) all.push_back(row.squares);
  }
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

std::vector<std::size_t> standing_out(const std::vector<RowFacts>& facts) {
  constexpr double far = 16;  // in squares: four times the median's RMS
  const double middle = median_squares(facts);
  const auto first = [](const RowFacts&) { return 0.0; };
  const auto lowest = [](const RowFacts& row) { return -row.low; };
  const auto highest = [](const RowFacts& row) { return row.high; };
  const auto by_size = [](const RowFacts& row) { return row.squares; };
  const auto finite = [](const auto& is) { return [is](const RowFacts& row) { return row.is_finite && is(row); }; };
  const std::array<std::optional<std::size_t>, 8> found = {
      rarest(
          facts, [](const RowFacts& row) { return !row.is_finite; }, first),
      rarest(facts, finite([](const RowFacts& row) { return row.high <= 0 && row.low < 0; }), lowest),
      rarest(facts, finite([](const RowFacts& row) { return row.low >= 0 && row.high > 0; }), highest),
      rarest(facts, finite([](const RowFacts& row) { return row.low < 0; }), lowest),
      rarest(facts, finite([](const RowFacts& row) { return row.high > 0; }), highest),
      rarest(facts, finite([](const RowFacts& row) { return row.low == 0 && row.high == 0; }), first),
      rarest(facts, finite([=](const RowFacts& row) { return row.squares > far * middle; }), by_size),
      rarest(facts, finite([=](const RowFacts& row) { return row.squares > 0 && row.squares < middle / far; }),
             [](const RowFacts& row) { return -row.squares; }),
  };
  std::vector<std::size_t> rows;
  for (const auto& row : found) {
    if (row && std::ranges::find(rows, *row) == rows.end()) rows.push_back(*row);
  }
  return rows;
}

// --- rows that differ ---------------------------------------------------------------------------------------------

std::size_t row_size(const onnx::TensorProto& table) {
  std::size_t size = 1;
  for (int axis = 1; axis < table.dims_size(); ++axis) size *= static_cast<std::size_t>(table.dims(axis));
  return size;
}

const onnx::TensorProto* counterpart(const onnx::TensorProto& table, const std::vector<Lookup>& others) {
  const onnx::TensorProto* found = nullptr;
  for (const Lookup& other : others) {
    const bool fits = other.table->data_type() == table.data_type() && row_size(*other.table) == row_size(table);
    if (fits && (found == nullptr || other.table->name() == table.name())) found = other.table;
  }
  return found;
}

/// In the order of the table.
std::vector<std::int64_t> differing(const Tensor& one, const Tensor& other) {
  std::vector<std::int64_t> rows;
  const std::size_t shared = static_cast<std::size_t>(std::min(one.shape()[0], other.shape()[0]));
  const std::size_t bytes = one.bytes().size() / static_cast<std::size_t>(one.shape()[0]);
  for (std::size_t row = 0; row < shared; ++row) {
    if (!std::ranges::equal(one.bytes().subspan(row * bytes, bytes), other.bytes().subspan(row * bytes, bytes)))
      rows.push_back(static_cast<std::int64_t>(row));
  }
  if (one.shape()[0] > other.shape()[0]) rows.push_back(one.shape()[0] - 1);
  return rows;
}

}  // namespace

LookedUpRows rows_that_stand_out(const onnx::ModelProto& model) {
  LookedUpRows rows;
  std::unordered_map<const onnx::TensorProto*, std::vector<std::size_t>> known;
  for (const Lookup& lookup : lookups_of(model)) {
    const auto [at, is_new] = known.try_emplace(lookup.table);
    if (is_new) at->second = standing_out(facts_of_rows(*lookup.table));
    for (const std::size_t row : at->second) add_row(rows, lookup, static_cast<std::int64_t>(row));
  }
  return rows;
}

LookedUpRows rows_that_differ(const onnx::ModelProto& model, const onnx::ModelProto& other) {
  LookedUpRows rows;
  const auto others = lookups_of(other);
  for (const Lookup& lookup : lookups_of(model)) {
    const onnx::TensorProto* its = counterpart(*lookup.table, others);
    if (its == nullptr) continue;
    const auto one = from_proto(*lookup.table), two = from_proto(*its);
    if (!one || !two || bits_of(one->dtype()) < 8) continue;
    const auto found = differing(*one, *two);
    if (found.size() > static_cast<std::size_t>(one->shape()[0]) / 2) continue;
    for (const std::int64_t row : found) add_row(rows, lookup, row);
  }
  return rows;
}

}  // namespace culprit
