#include "model/looked_up_rows.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "model/table_lookups.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr std::size_t most_rows = 16;          // of one input
constexpr std::size_t most_bytes = 512 << 20;  // of a table
constexpr std::int64_t rare_share = 16;        // a kind of row is rare where at most one in so many is of it

/// A tensor that is stored as it is looked up, along its first axis; nullptr for others.
const onnx::TensorProto* plain_table(const StoredValues& stored, const std::string& name, std::int64_t axis) {
  const auto* tensor = stored.tensor(name);
  const bool is_table = tensor != nullptr && axis == 0 && tensor->dims_size() > 0 && tensor->dims(0) > 1 &&
                        tensor->ByteSizeLong() <= most_bytes;
  return is_table ? tensor : nullptr;
}

/// What a lookup is for: the row by number, less what is added to the input.
void add_row(LookedUpRows& rows, const TableLookup& lookup, std::int64_t row) {
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

/// Takes the facts of floats as they are stored, without a copy of the table.
std::vector<RowFacts> facts_of_floats(const char* bytes, std::size_t rows, std::size_t columns) {
  std::vector<RowFacts> facts(rows);
  std::vector<float> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(bytes + i * columns * sizeof(float), columns * sizeof(float), reinterpret_cast<char*>(row.data()));
    for (const float number : row) facts[i].add(static_cast<double>(number));
  }
  return facts;
}

/// What each row of a stored table holds. Empty where it holds no numbers, or not as many as it says.
std::vector<RowFacts> facts_of_stored(const onnx::TensorProto& table) {
  const auto count = element_count(Shape(table.dims().begin(), table.dims().end()));
  if (!count || *count == 0) return {};
  const auto rows = static_cast<std::size_t>(table.dims(0)), columns = static_cast<std::size_t>(*count) / rows;
  const bool is_plain = table.data_type() == onnx::TensorProto::FLOAT &&
                        table.raw_data().size() == static_cast<std::size_t>(*count) * sizeof(float);
  if (is_plain) return facts_of_floats(table.raw_data().data(), rows, columns);
  const auto tensor = from_proto(table);
  if (!tensor || tensor->count() != *count || !(is_float(tensor->dtype()) || is_integer(tensor->dtype()))) return {};
  std::vector<RowFacts> facts(rows);
  for (std::size_t i = 0; i < rows * columns; ++i) facts[i / columns].add(tensor->number(static_cast<std::int64_t>(i)));
  return facts;
}

std::vector<RowFacts> facts_of_rows(const StoredValues& stored, const TableLookup& lookup) {
  if (const auto* plain = plain_table(stored, lookup.table, lookup.axis)) return facts_of_stored(*plain);
  const auto rows = rows_of(stored, lookup.table, lookup.axis);
  if (!rows) return {};
  return facts_of_floats(reinterpret_cast<const char*>(rows->numbers.data()), rows->count, rows->width);
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

/// The tables of one model, as rows; each is worked out once.
class Tables {
 public:
  explicit Tables(const onnx::ModelProto& model) : stored(model) {}

  /// nullptr for what is no table.
  const TableRows* rows(const std::string& table, std::int64_t axis) {
    const auto [at, is_new] = known_.try_emplace({table, axis});
    if (is_new) at->second = rows_of(stored, table, axis);
    return at->second ? &*at->second : nullptr;
  }

  StoredValues stored;

 private:
  std::map<std::pair<std::string, std::int64_t>, std::optional<TableRows>> known_;
};

/// Rows of the first of two tables, as numbers of rows.
using RowNumbers = std::vector<std::int64_t>;

/// In the order of the table.
RowNumbers differing(const Tensor& one, const Tensor& other) {
  RowNumbers rows;
  const std::size_t shared = static_cast<std::size_t>(std::min(one.shape()[0], other.shape()[0]));
  const std::size_t bytes = one.bytes().size() / static_cast<std::size_t>(one.shape()[0]);
  for (std::size_t row = 0; row < shared; ++row) {
    if (!std::ranges::equal(one.bytes().subspan(row * bytes, bytes), other.bytes().subspan(row * bytes, bytes)))
      rows.push_back(static_cast<std::int64_t>(row));
  }
  if (one.shape()[0] > other.shape()[0]) rows.push_back(one.shape()[0] - 1);
  return rows;
}

std::size_t row_size(const onnx::TensorProto& table) {
  std::size_t size = 1;
  for (int axis = 1; axis < table.dims_size(); ++axis) size *= static_cast<std::size_t>(table.dims(axis));
  return size;
}

/// Tables that are stored in one way are compared bit by bit. Nothing where they are stored in two.
std::optional<RowNumbers> differing_bits(const onnx::TensorProto* one, const onnx::TensorProto* other) {
  const bool are_alike = one != nullptr && other != nullptr && one->data_type() == other->data_type() &&
                         row_size(*one) == row_size(*other);
  if (!are_alike) return std::nullopt;
  const auto mine = from_proto(*one), its = from_proto(*other);
  if (!mine || !its || bits_of(mine->dtype()) < 8) return std::nullopt;
  auto rows = differing(*mine, *its);
  if (rows.size() > static_cast<std::size_t>(mine->shape()[0]) / 2) return std::nullopt;
  return rows;
}

/// Tables that are stored in two ways are compared as numbers.
RowNumbers differing_numbers(const TableRows* one, const TableRows* other) {
  if (one == nullptr || other == nullptr) return {};
  if (one->count > other->count) return {static_cast<std::int64_t>(other->count)};
  const auto rows = rows_unlike(*one, *other);
  return {rows.begin(), rows.end()};
}

/// Rows of 8 bits and a scale for each row are looked up in two tables: their product is the table.
std::vector<TableRows> scaled_tables(Tables& tables, const std::vector<TableLookup>& lookups) {
  std::vector<TableRows> scaled;
  for (const TableLookup& wide : lookups) {
    for (const TableLookup& narrow : lookups) {
      if (wide.input != narrow.input || wide.offset != narrow.offset) continue;
      const auto *rows = tables.rows(wide.table, wide.axis), *scales = tables.rows(narrow.table, narrow.axis);
      if (rows == nullptr || scales == nullptr || rows->count != scales->count || scales->width != 1 ||
          rows->width == 1)
        continue;
      TableRows& made = scaled.emplace_back(*rows);
      for (std::size_t i = 0; i < made.numbers.size(); ++i) made.numbers[i] *= scales->numbers[i / made.width];
    }
  }
  return scaled;
}

/// Puts those first that may stand for the table of that name: of one name, then any.
template <class Place>
std::vector<Place> likeliest_first(std::vector<Place> places, const std::string& name) {
  constexpr std::size_t most_pairs = 8;
  std::stable_partition(places.begin(), places.end(), [&](const Place& place) { return place.table == name; });
  places.resize(std::min(places.size(), most_pairs));
  return places;
}

/// What two places read otherwise. `is_settled`: both tables are stored in one way, and no other pair is to be asked.
struct Difference {
  RowNumbers rows = {};
  bool is_settled = false;
};

template <class Place>
Difference difference(Tables& mine, const Place& place, Tables& others, const Place& other) {
  const auto bits = differing_bits(plain_table(mine.stored, place.table, place.axis),
                                   plain_table(others.stored, other.table, other.axis));
  if (bits) return {*bits, true};
  return {differing_numbers(mine.rows(place.table, place.axis), others.rows(other.table, other.axis))};
}

}  // namespace

LookedUpRows rows_that_stand_out(const onnx::ModelProto& model) {
  LookedUpRows rows;
  const StoredValues stored(model);
  std::map<std::pair<std::string, std::int64_t>, std::vector<std::size_t>> known;
  for (const TableLookup& lookup : table_lookups(model, stored)) {
    const auto [at, is_new] = known.try_emplace({lookup.table, lookup.axis});
    if (is_new) at->second = standing_out(facts_of_rows(stored, lookup));
    for (const std::size_t row : at->second) add_row(rows, lookup, static_cast<std::int64_t>(row));
  }
  return rows;
}

LookedUpRows rows_that_differ(const onnx::ModelProto& model, const onnx::ModelProto& other) {
  LookedUpRows rows;
  Tables mine(model), others(other);
  const auto its_lookups = table_lookups(other, others.stored);
  const auto scaled = scaled_tables(others, its_lookups);
  for (const TableLookup& lookup : table_lookups(model, mine.stored)) {
    for (const TableLookup& its : likeliest_first(its_lookups, lookup.table)) {
      const Difference found = difference(mine, lookup, others, its);
      for (const std::int64_t row : found.rows) add_row(rows, lookup, row);
      if (found.is_settled) break;
    }
    for (const TableRows& table : scaled) {
      const auto* its = mine.rows(lookup.table, lookup.axis);
      for (const std::int64_t row : differing_numbers(its, &table)) add_row(rows, lookup, row);
    }
  }
  return rows;
}

std::vector<TellingLength> lengths_that_differ(const onnx::ModelProto& model, const onnx::ModelProto& other) {
  std::vector<TellingLength> lengths;
  Tables mine(model), others(other);
  const auto its_prefixes = table_prefixes(other, others.stored);
  for (const TablePrefix& prefix : table_prefixes(model, mine.stored)) {
    for (const TablePrefix& its : likeliest_first(its_prefixes, prefix.table)) {
      const Difference found = difference(mine, prefix, others, its);
      if (!found.rows.empty()) lengths.push_back({prefix.end, {found.rows.begin(), found.rows.end()}});
      if (found.is_settled) break;
    }
  }
  return lengths;
}

}  // namespace culprit
