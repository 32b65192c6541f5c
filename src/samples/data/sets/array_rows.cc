#include "data/sets/array_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/given_inputs.h"
#include "data/random_samples.h"
#include "data/sets/array_truth.h"
#include "data/sets/one_or_many.h"
#include "tensor/array_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* array_layout_hint = "a set of samples has an array for each input, with one row for each sample";

std::string text_of(const ArrayHead& array) { return type_text(array.dtype, array.shape); }

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

class ArrayRows : public SampleSource {
 public:
  ArrayRows(std::string name, std::vector<Column> columns, std::optional<ArrayTruth> truth,
            std::vector<NamedTensor> given, std::vector<std::string> unused)
      : name_(std::move(name)),
        columns_(std::move(columns)),
        truth_(std::move(truth)),
        given_(std::move(given)),
        unused_(std::move(unused)) {}

  [[nodiscard]] DataFacts facts() const override {
    DataFacts facts;
    facts.source = DataSource::file;
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
  [[nodiscard]] bool gives_the_same_as(const SampleSource& other) const override {
    const auto* rows = dynamic_cast<const ArrayRows*>(&other);
    const auto is_same = [](const Column& a, const Column& b) {
      return a.input == b.input && a.shape == b.shape && a.array.is_same(b.array);
    };
    return rows != nullptr && std::ranges::equal(columns_, rows->columns_, is_same) &&
           are_identical(given_, rows->given_);
  }
  [[nodiscard]] Truth truth(std::int64_t number) const override { return truth_ ? truth_->of(number) : Truth{}; }
  [[nodiscard]] bool has_truth() const override { return truth_ && truth_->has_any(); }
  [[nodiscard]] std::vector<std::string> description() const override {
    std::vector<std::string> lines = {one_or_many(size(), "sample", "samples") + ", the rows of " + name_};
    for (const Column& column : columns_)
      if (!is_given(column.input))
        lines.push_back("'" + column.input + "' gets " + text_of(column.array.head()) + " row by row, as " +
                        to_string(column.shape));
    for (const NamedTensor& value : given_) lines.push_back("'" + value.name + "' gets what --input says");
    if (truth_) std::ranges::copy(truth_->description(), std::back_inserter(lines));
    lines.insert(lines.end(), unused_.begin(), unused_.end());
    return lines;
  }

 private:
  [[nodiscard]] bool is_given(const std::string& input) const {
    return std::ranges::find(given_, input, &NamedTensor::name) != given_.end();
  }

  std::string name_;
  std::vector<Column> columns_;
  std::optional<ArrayTruth> truth_;
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
    return std::ranges::find_if(values, [&](std::size_t value) { return is_name_of(declared, arrays[value].name); });
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
    if (!names_truth(arrays[i], interface)) values.push_back(i);
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
                where + ": '" + first.input + "' has " + one_or_many(wanted, "row", "rows") + ", and '" + one.input +
                    "' has " + one_or_many(rows, "row", "rows"),
                std::string(array_layout_hint) + "; for a single sample put the .npz into a folder");
  }
  return {};
}

/// In how many rows two arrays of labels say something else; all where they are of other sizes.
std::int64_t contradictions(const Tensor& one, const Tensor& other) {
  if (one.count() != other.count() || other.dtype() == DType::string) return one.count();
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < one.count(); ++i) count += one.number(i) != other.number(i) ? 1 : 0;
  return count;
}

/// In how many rows an array of the file says something else; 0 where the first has more than a number for each row.
std::int64_t contradictions(const ArrayTruth& truth, ArrayFile& file, std::size_t place,
                            const ArrayRowsOptions& options) {
  const ArrayHead &one = truth.array().head(), &other = file.heads()[place];
  if (element_count(one.shape).value_or(0) != rows_of(one)) return 0;
  if (element_count(other.shape).value_or(0) != rows_of(one)) return rows_of(one);
  const auto array = file.array(place, options.work, options.all_rows);
  const auto values = array ? array->all() : Result<Tensor>(tl::unexpected(array.error()));
  const auto right = truth.array().all();
  return values && right ? contradictions(*right, *values) : 0;
}

/// "the array 'Y' int64[20] is not used": a name that was misspelt, or a second array of labels.
std::vector<std::string> told_of_unused(ArrayFile& file, const Interface& interface, const std::vector<Fed>& fed,
                                        const std::optional<ArrayTruth>& truth, const ArrayRowsOptions& options) {
  std::vector<std::string> lines;
  for (std::size_t place = 0; place < file.heads().size(); ++place) {
    const ArrayHead& array = file.heads()[place];
    const bool is_fed = std::ranges::find(fed, place, &Fed::array) != fed.end();
    if (is_fed || (truth && truth->name() == array.name)) continue;
    std::string& line =
        lines.emplace_back(fmt::format("the array '{}' {} is not used", printable(array.name, 60), text_of(array)));
    if (!truth) line.append("; labels are an array 'y', 'label', 'labels', 'target' or 'targets'");
    if (!truth || !names_truth(array, interface)) continue;
    line.append(fmt::format(", for labels come from '{}'", truth->name()));
    const std::int64_t differing = contradictions(*truth, file, place, options);
    if (differing > 0) line.append("; they differ in ").append(one_or_many(differing, "row", "rows"));
  }
  return lines;
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_array_rows(const fs::path& file, const Model& model,
                                                      const ArrayRowsOptions& options) {
  const Interface& interface = model.interface;
  // A SavedModel is read as a graph in the cache, which nobody named.
  const fs::path named = model.facts.path.empty() ? model.path : fs::path(model.facts.path);
  const fs::path last = named.has_filename() ? named.filename() : named.parent_path().filename();
  const Where where{printable(file.string()), printable(last.string(), 100)};
  if (interface.inputs.empty())
    return fail(ErrorKind::bad_input, "the model has no inputs that " + where.file + " could feed");
  auto arrays = ArrayFile::open(file, interface.inputs.front().name);
  if (!arrays) return tl::unexpected(arrays.error());
  const auto fed = fed_by(arrays->heads(), interface, options.given, where);
  if (!fed) return tl::unexpected(fed.error());
  if (auto ok = expect_one_length(*fed, arrays->heads(), interface, where.file); !ok) return tl::unexpected(ok.error());
  auto truth = ArrayTruth::open(*arrays, interface, rows_of(arrays->heads()[fed->front().array]), options, where.file);
  if (!truth) return tl::unexpected(truth.error());
  std::vector<Column> columns;
  for (const Fed& one : *fed) {
    auto array = arrays->array(one.array, options.work, options.all_rows);
    if (!array) return tl::unexpected(array.error());
    columns.push_back({one.input, std::move(*array), one.shape});
  }
  auto unused = told_of_unused(*arrays, interface, *fed, *truth, options);
  return std::make_unique<ArrayRows>(file.filename().string(), std::move(columns), std::move(*truth), options.given,
                                     std::move(unused));
}

bool may_be_one_sample(const fs::path& file, const Interface& interface) {
  const auto arrays = ArrayFile::open(file, "");
  return arrays && std::ranges::all_of(arrays->heads(), [&](const ArrayHead& head) {
           const ValueInfo* input = find_input(interface, head.name);
           return input == nullptr || may_fit(*input, head.dtype, head.shape);
         });
}

}  // namespace culprit
