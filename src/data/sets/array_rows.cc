#include "data/sets/array_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/random_samples.h"
#include "tensor/array_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array label_names = {"y", "label", "labels", "target", "targets"};
constexpr const char* array_layout_hint = "a set of samples has an array for each input, with one row for each sample";

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

bool names_labels(const ArrayHead& array, const Interface& interface) {
  const bool is_named = std::ranges::find(label_names, array.name) != label_names.end();
  return is_named && find_input(interface, array.name) == nullptr;
}

std::string text_of(const ArrayHead& array) { return type_text(array.dtype, array.shape); }

Result<Tensor> read_whole(ArrayFile& file, std::size_t place, const ArrayRowsOptions& options) {
  const auto array = file.array(place, options.work, options.all_rows);
  return array ? array->all() : Result<Tensor>(tl::unexpected(array.error()));
}

std::int64_t rows_of(const ArrayHead& array) { return array.shape.empty() ? 0 : array.shape.front(); }

/// The shape of one row as the model declares it; nothing where it does not fit.
std::optional<Shape> shape_of_row(const ArrayHead& array, const ValueInfo& declared) {
  if (array.shape.empty()) return std::nullopt;
  const Shape row(array.shape.begin() + 1, array.shape.end());
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

/// An array that feeds an input.
struct Fed {
  std::string input;
  std::size_t array = 0;  // its place in the file
  Shape shape;            // of a row
};

struct Column {
  std::string input;
  StoredArray array;
  Shape shape;  // of a row
};

struct Labels {
  std::string name;  // of the array
  Tensor classes;
};

class ArrayRows : public SampleSource {
 public:
  ArrayRows(std::string name, std::vector<Column> columns, std::optional<Labels> labels, std::vector<NamedTensor> given,
            std::vector<std::string> unused)
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
  [[nodiscard]] std::int64_t size() const override { return rows_of(columns_.front().array.head()); }
  [[nodiscard]] std::string name(std::int64_t number) const override { return name_ + " #" + std::to_string(number); }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    Sample sample{name(number), {}};
    for (const Column& column : columns_) {
      auto row = column.array.row(number, column.shape);
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
        lines.push_back("'" + column.input + "' gets " + text_of(column.array.head()) + " row by row, as " +
                        to_string(column.shape));
    for (const NamedTensor& value : given_) lines.push_back("'" + value.name + "' gets what --input says");
    if (labels_) add_labels(lines);
    lines.insert(lines.end(), unused_.begin(), unused_.end());
    return lines;
  }

 private:
  [[nodiscard]] std::int64_t label_of(std::int64_t number) const {
    return labels_ ? static_cast<std::int64_t>(labels_->classes.number(number)) : -1;
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
  std::optional<Labels> labels_;
  std::vector<NamedTensor> given_;
  std::vector<std::string> unused_;  // lines about arrays that nobody reads
};

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
tl::unexpected<Error> does_not_fit(const ArrayHead& array, const ValueInfo& declared, const Where& where) {
  const std::string takes = where.model + " takes " + declared.text();
  if (shape_of_row(array, declared))
    return fail(ErrorKind::unsupported, where.file + ": '" + array.name + "' is " + text_of(array) + ", and " + takes,
                "save it with .astype('" + std::string(name_of(declared.dtype)) + "')");
  const std::string shape =
      array.shape.empty() ? "a single value" : to_string(Shape(array.shape.begin() + 1, array.shape.end()));
  return fail(ErrorKind::unsupported,
              where.file + ": one row of '" + array.name + "', " + text_of(array) + ", is " + shape + ", and " + takes,
              "one row of the array is one sample: save an array " + wanted_array(declared));
}

/// By its name, or, where no array has the name of an input, by its place. Of `values`, which are places in the file.
std::optional<std::size_t> array_for(std::size_t input, const std::vector<std::size_t>& values,
                                     const std::vector<ArrayHead>& arrays, const Interface& interface) {
  const auto named = [&](const ValueInfo& declared) {
    return std::ranges::find_if(values, [&](std::size_t value) { return arrays[value].name == declared.name; });
  };
  if (const auto found = named(interface.inputs[input]); found != values.end()) return *found;
  const bool is_any_named =
      std::ranges::any_of(interface.inputs, [&](const ValueInfo& one) { return named(one) != values.end(); });
  if (is_any_named || values.size() != interface.inputs.size()) return std::nullopt;
  return values[input];
}

/// The array of each input that has no value yet, or one that the file has, too.
Result<std::vector<Fed>> fed_by(const std::vector<ArrayHead>& arrays, const Interface& interface,
                                const std::vector<NamedTensor>& given, const Where& where) {
  std::vector<std::size_t> values;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (!names_labels(arrays[i], interface)) values.push_back(i);
  std::vector<Fed> fed;
  for (std::size_t i = 0; i < interface.inputs.size(); ++i) {
    const ValueInfo& input = interface.inputs[i];
    const bool is_given = std::ranges::find(given, input.name, &NamedTensor::name) != given.end();
    const auto place = array_for(i, values, arrays, interface);
    if (!place && is_given) continue;
    if (!place)
      return fail(ErrorKind::unsupported, where.file + " has no array for input '" + input.name + "'",
                  array_layout_hint);
    const ArrayHead& array = arrays[*place];
    const auto shape = shape_of_row(array, input);
    const bool is_type = input.dtype == DType::undefined || input.dtype == array.dtype;
    if (!shape || !is_type) return does_not_fit(array, input, where);
    fed.push_back({input.name, *place, *shape});
  }
  if (fed.empty())
    return fail(ErrorKind::usage, "--input gives all inputs, so none is left that " + where.file + " could feed");
  return fed;
}

/// Two inputs whose first sizes have names of their own, [words] and [letters], are no rows of the same samples.
bool are_of_other_sizes(const Interface& interface, const std::vector<ArrayHead>& arrays, const Fed& a, const Fed& b) {
  const auto first_name = [&](const Fed& fed) {
    const ValueInfo* input = find_input(interface, fed.input);
    const bool is_batch = input->has_shape && input->dims.size() == arrays[fed.array].shape.size();
    return is_batch && !input->dims.empty() ? input->dims.front().name : "";
  };
  return !first_name(a).empty() && !first_name(b).empty() && first_name(a) != first_name(b);
}

Result<void> expect_one_length(const std::vector<Fed>& fed, const std::vector<ArrayHead>& arrays,
                               const Interface& interface, const std::string& where) {
  const Fed& first = fed.front();
  const std::int64_t wanted = rows_of(arrays[first.array]);
  for (const Fed& one : fed) {
    const std::int64_t rows = rows_of(arrays[one.array]);
    if (rows == 0) return fail(ErrorKind::unsupported, where + ": '" + one.input + "' has no rows", array_layout_hint);
    if (rows == wanted) continue;
    const auto kind = are_of_other_sizes(interface, arrays, first, one) ? ErrorKind::unsupported : ErrorKind::bad_input;
    return fail(kind,
                where + ": '" + first.input + "' has " + counted(wanted, "row") + ", and '" + one.input + "' has " +
                    counted(rows, "row"),
                std::string(array_layout_hint) + "; for a single sample put the .npz into a folder");
  }
  return {};
}

/// One whole number for each row, or -1.
bool are_classes(const Tensor& values, std::int64_t rows) {
  if (values.count() != rows || values.dtype() == DType::string) return false;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double label = values.number(i);
    if (!(label >= -1 && label < 1e9) || label != static_cast<double>(static_cast<std::int64_t>(label))) return false;
  }
  return true;
}

/// The first array that is called so.
Result<std::optional<Labels>> labels_of(ArrayFile& file, const Interface& interface, std::int64_t rows,
                                        const ArrayRowsOptions& options, const std::string& where) {
  const auto found =
      std::ranges::find_if(file.heads(), [&](const auto& head) { return names_labels(head, interface); });
  if (found == file.heads().end()) return std::nullopt;
  const auto refused = [&] {
    return fail(ErrorKind::bad_input,
                where + ": '" + found->name + "', " + text_of(*found) + ", is no whole number for each of " +
                    std::to_string(rows) + " samples",
                "labels are classes, counted from 0; -1 is none");
  };
  if (element_count(found->shape).value_or(-1) != rows) return refused();
  auto classes = read_whole(file, static_cast<std::size_t>(found - file.heads().begin()), options);
  if (!classes) return tl::unexpected(classes.error());
  if (!are_classes(*classes, rows)) return refused();
  return Labels{found->name, std::move(*classes)};
}

/// In how many rows two arrays of labels say something else; all where they are of other sizes.
std::int64_t contradictions(const Tensor& one, const Tensor& other) {
  if (one.count() != other.count() || other.dtype() == DType::string) return one.count();
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < one.count(); ++i) count += one.number(i) != other.number(i) ? 1 : 0;
  return count;
}

/// "the array 'Y' int64[20] is not used": a name that was misspelt, or a second array of labels.
std::vector<std::string> told_of_unused(ArrayFile& file, const Interface& interface, const std::vector<Fed>& fed,
                                        const std::optional<Labels>& labels, const ArrayRowsOptions& options) {
  std::vector<std::string> lines;
  for (std::size_t place = 0; place < file.heads().size(); ++place) {
    const ArrayHead& array = file.heads()[place];
    const bool is_fed = std::ranges::find(fed, place, &Fed::array) != fed.end();
    if (is_fed || (labels && labels->name == array.name)) continue;
    std::string& line =
        lines.emplace_back(fmt::format("the array '{}' {} is not used", printable(array.name, 60), text_of(array)));
    if (!labels) line.append("; labels are an array 'y', 'label', 'labels', 'target' or 'targets'");
    if (!labels || !names_labels(array, interface)) continue;
    line.append(fmt::format(", for labels come from '{}'", labels->name));
    const auto other = read_whole(file, place, options);
    const std::int64_t differing = other ? contradictions(labels->classes, *other) : 0;
    if (differing > 0) line.append("; they differ in ").append(counted(differing, "row"));
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
  auto arrays = ArrayFile::open(file, interface.inputs.front().name);
  if (!arrays) return tl::unexpected(arrays.error());
  const auto fed = fed_by(arrays->heads(), interface, options.given, where);
  if (!fed) return tl::unexpected(fed.error());
  if (auto ok = expect_one_length(*fed, arrays->heads(), interface, where.file); !ok) return tl::unexpected(ok.error());
  auto labels = labels_of(*arrays, interface, rows_of(arrays->heads()[fed->front().array]), options, where.file);
  if (!labels) return tl::unexpected(labels.error());
  std::vector<Column> columns;
  for (const Fed& one : *fed) {
    auto array = arrays->array(one.array, options.work, options.all_rows);
    if (!array) return tl::unexpected(array.error());
    columns.push_back({one.input, std::move(*array), one.shape});
  }
  auto unused = told_of_unused(*arrays, interface, *fed, *labels, options);
  return std::make_unique<ArrayRows>(file.filename().string(), std::move(columns), std::move(*labels), options.given,
                                     std::move(unused));
}

}  // namespace culprit
