#include "data/sets/array_rows.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "tensor/npy.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array label_names = {"y", "label", "labels", "target", "targets"};
constexpr const char* layout_hint = "a set of samples has an array for each input, with one row for each sample";

bool names_labels(const NamedTensor& array, const Interface& interface) {
  const bool is_named = std::ranges::find(label_names, array.name) != label_names.end();
  return is_named && find_input(interface, array.name) == nullptr;
}

std::int64_t rows_of(const Tensor& array) { return array.shape().empty() ? 0 : array.shape().front(); }

/// The shape of one row as the model declares it; nothing where it does not fit.
std::optional<Shape> shape_of_row(const Tensor& array, const ValueInfo& declared) {
  if (array.shape().empty()) return std::nullopt;
  const Shape row(array.shape().begin() + 1, array.shape().end());
  if (!declared.has_shape) return row;
  const auto fits = [&](const Shape& shape) {
    const auto agrees = [](const Dim& dim, std::int64_t size) { return !dim.value || *dim.value == size; };
    return std::ranges::equal(declared.dims, shape, agrees);
  };
  Shape with_batch = row;
  with_batch.insert(with_batch.begin(), 1);
  if (declared.dims.size() == with_batch.size() && fits(with_batch)) return with_batch;
  if (fits(row)) return row;
  return std::nullopt;
}

struct Column {
  std::string input;
  Tensor array;  // mapped
  Shape shape;   // of a row
};

class ArrayRows : public SampleSource {
 public:
  ArrayRows(std::string name, std::vector<Column> columns, std::optional<Tensor> labels)
      : name_(std::move(name)), columns_(std::move(columns)), labels_(std::move(labels)) {}

  [[nodiscard]] DataFacts facts() const override {
    DataFacts facts;
    facts.source = "file";
    facts.samples = size();
    return facts;
  }
  [[nodiscard]] std::int64_t size() const override { return rows_of(columns_.front().array); }
  [[nodiscard]] std::string name(std::int64_t number) const override { return name_ + " #" + std::to_string(number); }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    Sample sample{name(number), {}};
    for (const Column& column : columns_) {
      auto row = row_of(column, number);
      if (!row) return tl::unexpected(row.error());
      sample.inputs.push_back({column.input, std::move(*row)});
    }
    return sample;
  }
  [[nodiscard]] Truth truth(std::int64_t number) const override {
    Truth truth;
    if (labels_) truth.label = std::to_string(static_cast<std::int64_t>(labels_->number(number)));
    return truth;
  }
  [[nodiscard]] bool has_truth() const override { return labels_.has_value(); }
  [[nodiscard]] std::vector<std::string> description() const override {
    std::vector<std::string> lines = {std::to_string(size()) + " samples, the rows of " + name_};
    for (const Column& column : columns_)
      lines.push_back("'" + column.input + "' gets " + type_text(column.array) + " row by row, as " +
                      to_string(column.shape));
    if (labels_) lines.emplace_back("labels from the array that is no input");
    return lines;
  }

 private:
  static Result<Tensor> row_of(const Column& column, std::int64_t number) {
    const Tensor& array = column.array;
    const auto elements = element_count(column.shape);
    if (!elements) return tl::unexpected(elements.error());
    if (array.dtype() == DType::string) {
      const auto texts =
          array.strings().subspan(static_cast<std::size_t>(number * *elements), static_cast<std::size_t>(*elements));
      return Tensor::from_strings(column.shape, {texts.begin(), texts.end()});
    }
    const std::uint64_t bytes = bytes_for(array.dtype(), *elements);
    const auto part = array.bytes().subspan(static_cast<std::size_t>(number) * bytes, bytes);
    return Tensor::from_bytes(array.dtype(), column.shape, {part.begin(), part.end()});
  }

  std::string name_;
  std::vector<Column> columns_;
  std::optional<Tensor> labels_;
};

Result<std::vector<NamedTensor>> read_arrays(const fs::path& file, const Interface& interface) {
  if (file.extension() == ".npz") return read_npz(file);
  auto array = read_npy(file);
  if (!array) return tl::unexpected(array.error());
  const std::string name = interface.inputs.empty() ? "" : interface.inputs.front().name;
  return std::vector<NamedTensor>{{name, std::move(*array)}};
}

/// The array of each input.
Result<std::vector<Column>> columns_of(const std::vector<NamedTensor>& arrays, const Interface& interface,
                                       const std::string& where) {
  std::vector<const NamedTensor*> values;
  for (const NamedTensor& array : arrays)
    if (!names_labels(array, interface)) values.push_back(&array);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < interface.inputs.size(); ++i) {
    const ValueInfo& input = interface.inputs[i];
    const auto named = std::ranges::find_if(values, [&](const auto* value) { return value->name == input.name; });
    const bool by_place = named == values.end() && values.size() == interface.inputs.size();
    if (named == values.end() && !by_place)
      return fail(ErrorKind::bad_input, where + " has no array for input '" + input.name + "'", layout_hint);
    const NamedTensor& array = by_place ? *values[i] : **named;
    const auto shape = shape_of_row(array.value, input);
    const bool is_type = input.dtype == DType::undefined || input.dtype == array.value.dtype();
    if (!shape || !is_type)
      return fail(ErrorKind::bad_input,
                  where + ": the rows of '" + array.name + "', " + type_text(array.value) + ", do not fit the input " +
                      input.text(),
                  layout_hint);
    columns.push_back({input.name, array.value, *shape});
  }
  return columns;
}

Result<void> expect_one_length(const std::vector<Column>& columns, const std::string& where) {
  for (const Column& column : columns) {
    const std::int64_t rows = rows_of(column.array);
    if (rows == 0) return fail(ErrorKind::bad_input, where + ": '" + column.input + "' has no rows", layout_hint);
    if (rows == rows_of(columns.front().array)) continue;
    return fail(ErrorKind::bad_input,
                where + ": '" + column.input + "' has " + std::to_string(rows) + " rows, and '" +
                    columns.front().input + "' has " + std::to_string(rows_of(columns.front().array)),
                layout_hint);
  }
  return {};
}

/// One whole number for each row.
Result<std::optional<Tensor>> labels_of(const std::vector<NamedTensor>& arrays, const Interface& interface,
                                        std::int64_t rows, const std::string& where) {
  for (const NamedTensor& array : arrays) {
    if (!names_labels(array, interface)) continue;
    bool are_whole = array.value.count() == rows;
    for (std::int64_t i = 0; are_whole && i < rows; ++i) {
      const double label = array.value.number(i);
      are_whole = label >= 0 && label < 1e9 && label == static_cast<double>(static_cast<std::int64_t>(label));
    }
    if (!are_whole)
      return fail(ErrorKind::bad_input,
                  where + ": '" + array.name + "', " + type_text(array.value) + ", is no whole number for each of " +
                      std::to_string(rows) + " samples",
                  "labels are classes, counted from 0");
    return array.value;
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_array_rows(const fs::path& file, const Interface& interface,
                                                      const fs::path& work) {
  const std::string where = printable(file.string());
  if (interface.inputs.empty())
    return fail(ErrorKind::bad_input, "the model has no inputs that " + where + " could feed");
  const fs::path pack = work / "arrays.pack";
  {
    const auto arrays = read_arrays(file, interface);
    if (!arrays) return tl::unexpected(arrays.error());
    if (auto ok = write_pack(pack, *arrays); !ok) return tl::unexpected(ok.error());
  }
  const auto arrays = read_pack(pack);
  if (!arrays) return tl::unexpected(arrays.error());
  auto columns = columns_of(*arrays, interface, where);
  if (!columns) return tl::unexpected(columns.error());
  if (auto ok = expect_one_length(*columns, where); !ok) return tl::unexpected(ok.error());
  auto labels = labels_of(*arrays, interface, rows_of(columns->front().array), where);
  if (!labels) return tl::unexpected(labels.error());
  return std::make_unique<ArrayRows>(file.filename().string(), std::move(*columns), std::move(*labels));
}

}  // namespace culprit
