#include "data/sets/array_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/random_samples.h"
#include "tensor/npy.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array label_names = {"y", "label", "labels", "target", "targets"};
constexpr const char* array_layout_hint = "a set of samples has an array for each input, with one row for each sample";

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

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

/// For messages.
struct Where {
  std::string file, model;
};

struct Column {
  std::string input;
  Tensor array;      // mapped
  Shape shape;       // of a row
  std::string name;  // of the array
};

class ArrayRows : public SampleSource {
 public:
  ArrayRows(std::string name, std::vector<Column> columns, std::optional<NamedTensor> labels,
            std::vector<NamedTensor> given, std::vector<std::string> unused)
      : name_(std::move(name)),
        columns_(std::move(columns)),
        labels_(std::move(labels)),
        given_(std::move(given)),
        unused_(std::move(unused)) {}

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
    put_given(sample, given_);
    return sample;
  }
  [[nodiscard]] Truth truth(std::int64_t number) const override {
    Truth truth;
    if (const std::int64_t label = label_of(number); label >= 0) truth.label = std::to_string(label);
    return truth;
  }
  [[nodiscard]] bool has_truth() const override {
    for (std::int64_t i = 0; labels_ && i < size(); ++i)
      if (label_of(i) >= 0) return true;
    return false;
  }
  [[nodiscard]] std::vector<std::string> description() const override {
    std::vector<std::string> lines = {counted(size(), "sample") + ", the rows of " + name_};
    for (const Column& column : columns_)
      if (!is_given(column.input))
        lines.push_back("'" + column.input + "' gets " + type_text(column.array) + " row by row, as " +
                        to_string(column.shape));
    for (const NamedTensor& value : given_) lines.push_back("'" + value.name + "' gets what --input says");
    if (labels_) add_labels(lines);
    lines.insert(lines.end(), unused_.begin(), unused_.end());
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

  [[nodiscard]] std::int64_t label_of(std::int64_t number) const {
    return labels_ ? static_cast<std::int64_t>(labels_->value.number(number)) : -1;
  }

  [[nodiscard]] bool is_given(const std::string& input) const {
    return std::ranges::find(given_, input, &NamedTensor::name) != given_.end();
  }

  /// "labels from the array 'y': 10 classes"
  void add_labels(std::vector<std::string>& lines) const {
    std::set<std::int64_t> classes;
    std::int64_t none = 0;
    for (std::int64_t i = 0; i < size(); ++i) label_of(i) < 0 ? void(++none) : void(classes.insert(label_of(i)));
    lines.push_back("labels from the array '" + labels_->name + "': " + std::to_string(classes.size()) +
                    (classes.size() == 1 ? " class" : " classes"));
    if (none > 0)
      lines.push_back(counted(none, "sample") + (none == 1 ? " has" : " have") +
                      " the label -1, which is taken as none");
  }

  std::string name_;
  std::vector<Column> columns_;
  std::optional<NamedTensor> labels_;
  std::vector<NamedTensor> given_;
  std::vector<std::string> unused_;  // lines about arrays that nobody reads
};

Result<std::vector<NamedTensor>> read_arrays(const fs::path& file, const Interface& interface) {
  if (file.extension() == ".npz") return read_npz(file);
  auto array = read_npy(file);
  if (!array) return tl::unexpected(array.error());
  const std::string name = interface.inputs.empty() ? "" : interface.inputs.front().name;
  return std::vector<NamedTensor>{{name, std::move(*array)}};
}

/// "[n,3,32,32]": what an array of rows has for an input of [N,3,32,32], [1,3,32,32] or [3,32,32].
std::string wanted_array(const ValueInfo& declared) {
  const bool has_batch = !declared.dims.empty() && declared.dims.front().value.value_or(1) == 1;
  std::vector<std::string> sizes = {"n"};
  for (std::size_t axis = has_batch ? 1 : 0; axis < declared.dims.size(); ++axis) {
    const Dim& dim = declared.dims[axis];
    sizes.push_back(dim.value ? std::to_string(*dim.value) : dim.name.empty() ? "?" : printable(dim.name, 40));
  }
  return "[" + join(sizes, ",") + "]";
}

/// What is wrong with an array whose rows do not fit.
tl::unexpected<Error> does_not_fit(const NamedTensor& array, const ValueInfo& declared, const Where& where) {
  const Tensor& value = array.value;
  const std::string takes = where.model + " takes " + declared.text();
  if (shape_of_row(value, declared))
    return fail(ErrorKind::unsupported, where.file + ": '" + array.name + "' is " + type_text(value) + ", and " + takes,
                "save it with .astype('" + std::string(name_of(declared.dtype)) + "')");
  const std::string shape =
      value.shape().empty() ? "a single value" : to_string(Shape(value.shape().begin() + 1, value.shape().end()));
  return fail(
      ErrorKind::unsupported,
      where.file + ": one row of '" + array.name + "', " + type_text(value) + ", is " + shape + ", and " + takes,
      "one row of the array is one sample: save an array " + wanted_array(declared));
}

/// By its name, or, where no array has the name of an input, by its place.
const NamedTensor* array_for(std::size_t input, const std::vector<const NamedTensor*>& values,
                             const Interface& interface) {
  const auto names = [&](const ValueInfo& declared) {
    return std::ranges::find_if(values, [&](const auto* value) { return value->name == declared.name; });
  };
  const auto named = names(interface.inputs[input]);
  if (named != values.end()) return *named;
  const bool is_any_named =
      std::ranges::any_of(interface.inputs, [&](const ValueInfo& one) { return names(one) != values.end(); });
  return is_any_named || values.size() != interface.inputs.size() ? nullptr : values[input];
}

/// The array of each input that has no value yet, or one that the file has, too.
Result<std::vector<Column>> columns_of(const std::vector<NamedTensor>& arrays, const Interface& interface,
                                       const std::vector<NamedTensor>& given, const Where& where) {
  std::vector<const NamedTensor*> values;
  for (const NamedTensor& array : arrays)
    if (!names_labels(array, interface)) values.push_back(&array);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < interface.inputs.size(); ++i) {
    const ValueInfo& input = interface.inputs[i];
    const bool is_given = std::ranges::find(given, input.name, &NamedTensor::name) != given.end();
    const NamedTensor* array = array_for(i, values, interface);
    if (array == nullptr && is_given) continue;
    if (array == nullptr)
      return fail(ErrorKind::unsupported, where.file + " has no array for input '" + input.name + "'",
                  array_layout_hint);
    const auto shape = shape_of_row(array->value, input);
    const bool is_type = input.dtype == DType::undefined || input.dtype == array->value.dtype();
    if (!shape || !is_type) return does_not_fit(*array, input, where);
    columns.push_back({input.name, array->value, *shape, array->name});
  }
  if (columns.empty())
    return fail(ErrorKind::usage, "--input gives all inputs, so none is left that " + where.file + " could feed");
  return columns;
}

/// Two inputs whose first sizes have names of their own, [words] and [letters], are no rows of the same samples.
bool are_of_other_sizes(const Interface& interface, const Column& a, const Column& b) {
  const auto first_name = [&](const Column& column) {
    const ValueInfo* input = find_input(interface, column.input);
    const bool is_batch = input->has_shape && input->dims.size() == column.array.shape().size();
    return is_batch && !input->dims.empty() ? input->dims.front().name : "";
  };
  return !first_name(a).empty() && !first_name(b).empty() && first_name(a) != first_name(b);
}

Result<void> expect_one_length(const std::vector<Column>& columns, const Interface& interface,
                               const std::string& where) {
  for (const Column& column : columns) {
    const std::int64_t rows = rows_of(column.array);
    const Column& first = columns.front();
    if (rows == 0)
      return fail(ErrorKind::unsupported, where + ": '" + column.input + "' has no rows", array_layout_hint);
    if (rows == rows_of(first.array)) continue;
    const auto kind = are_of_other_sizes(interface, first, column) ? ErrorKind::unsupported : ErrorKind::bad_input;
    return fail(kind,
                where + ": '" + first.input + "' has " + counted(rows_of(first.array), "row") + ", and '" +
                    column.input + "' has " + counted(rows, "row"),
                std::string(array_layout_hint) + "; for a single sample put the .npz into a folder");
  }
  return {};
}

/// One whole number for each row, or -1.
Result<std::optional<NamedTensor>> labels_of(const std::vector<NamedTensor>& arrays, const Interface& interface,
                                             std::int64_t rows, const std::string& where) {
  for (const NamedTensor& array : arrays) {
    if (!names_labels(array, interface)) continue;
    bool are_whole = array.value.count() == rows && array.value.dtype() != DType::string;
    for (std::int64_t i = 0; are_whole && i < rows; ++i) {
      const double label = array.value.number(i);
      are_whole = label >= -1 && label < 1e9 && label == static_cast<double>(static_cast<std::int64_t>(label));
    }
    if (!are_whole)
      return fail(ErrorKind::bad_input,
                  where + ": '" + array.name + "', " + type_text(array.value) + ", is no whole number for each of " +
                      std::to_string(rows) + " samples",
                  "labels are classes, counted from 0; -1 is none");
    return array;
  }
  return std::nullopt;
}

/// In how many rows two arrays of labels say something else; all where they are of other sizes.
std::int64_t contradictions(const Tensor& one, const Tensor& other) {
  if (one.count() != other.count() || other.dtype() == DType::string) return one.count();
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < one.count(); ++i) count += one.number(i) != other.number(i) ? 1 : 0;
  return count;
}

/// "the array 'Y' int64[20] is not used": a name that was misspelt, or a second array of labels.
std::vector<std::string> told_of_unused(const std::vector<NamedTensor>& arrays, const Interface& interface,
                                        const std::vector<Column>& columns, const std::optional<NamedTensor>& labels) {
  std::vector<std::string> lines;
  for (const NamedTensor& array : arrays) {
    const bool is_fed = std::ranges::find(columns, array.name, &Column::name) != columns.end();
    if (is_fed || (labels && labels->name == array.name)) continue;
    std::string& line = lines.emplace_back(
        fmt::format("the array '{}' {} is not used", printable(array.name, 60), type_text(array.value)));
    if (!labels) line.append("; labels are an array 'y', 'label', 'labels', 'target' or 'targets'");
    if (!labels || !names_labels(array, interface)) continue;
    line.append(fmt::format(", for labels come from '{}'", labels->name));
    const std::int64_t other = contradictions(labels->value, array.value);
    if (other > 0) line.append("; they differ in ").append(counted(other, "row"));
  }
  return lines;
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_array_rows(const fs::path& file, const Model& model,
                                                      const ArrayRowsOptions& options) {
  const Interface& interface = model.interface;
  const Where where{printable(file.string()), printable(model.path.filename().string(), 100)};
  if (interface.inputs.empty())
    return fail(ErrorKind::bad_input, "the model has no inputs that " + where.file + " could feed");
  const fs::path pack = options.work / "arrays.pack";
  {
    const auto arrays = read_arrays(file, interface);
    if (!arrays) return tl::unexpected(arrays.error());
    if (auto ok = write_pack(pack, *arrays); !ok) return tl::unexpected(ok.error());
  }
  const auto arrays = read_pack(pack);
  if (!arrays) return tl::unexpected(arrays.error());
  auto columns = columns_of(*arrays, interface, options.given, where);
  if (!columns) return tl::unexpected(columns.error());
  if (auto ok = expect_one_length(*columns, interface, where.file); !ok) return tl::unexpected(ok.error());
  auto labels = labels_of(*arrays, interface, rows_of(columns->front().array), where.file);
  if (!labels) return tl::unexpected(labels.error());
  auto unused = told_of_unused(*arrays, interface, *columns, *labels);
  return std::make_unique<ArrayRows>(file.filename().string(), std::move(*columns), std::move(*labels), options.given,
                                     std::move(unused));
}

}  // namespace culprit
