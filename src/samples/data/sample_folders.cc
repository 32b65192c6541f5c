#include "data/sample_folders.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>

#include "base/parent_folder.h"
#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/structure_files.h"
#include "tensor/npy.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_layout_hint =
    "--data takes a folder of test_data_set_N folders, one such folder (input_0.pb, ...), an .npz or .npy, a folder of "
    ".npz, "
    "or a folder of images";

std::optional<std::uint64_t> number_between(const std::string& name, const std::string& prefix,
                                            const std::string& suffix) {
  if (name.size() <= prefix.size() + suffix.size()) return std::nullopt;
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  const char* last = name.data() + name.size() - suffix.size();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), last, number);
  return error == std::errc{} && end == last ? std::optional(number) : std::nullopt;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<fs::path> archives_in(const fs::path& folder) {
  std::vector<fs::path> archives;
  for (const std::string& name : names_in(folder)) {
    if (name.ends_with(".npz")) archives.push_back(folder / name);
  }
  return archives;
}

using Declarations = std::vector<const ValueInfo*>;

/// The inputs in their order, where that many values are given.
Result<Declarations> by_position(std::size_t values, const Interface& interface, const std::string& where) {
  Declarations placed;
  for (const ValueInfo& input : interface.inputs) placed.push_back(&input);
  if (placed.size() == values) return placed;
  for (const ValueInfo& input : interface.optional_inputs) placed.push_back(&input);
  if (placed.size() == values) return placed;
  return fail(ErrorKind::bad_input, where + " holds " + std::to_string(values) + " inputs, but the model has " +
                                        std::to_string(interface.inputs.size()) + " (and " +
                                        std::to_string(interface.optional_inputs.size()) + " with a default)");
}

/// The declarations in the order in which the values stand: by their names where one is known, and then all must be,
/// each once; else by position. `files`: where each value lies, for messages.
Result<Declarations> declarations_for(const std::vector<NamedTensor>& values, const Interface& interface,
                                      const std::vector<std::string>& files, const std::string& where) {
  Declarations named;
  std::map<std::string, std::string> seen;
  for (const NamedTensor& value : values) named.push_back(find_input(interface, value.name));
  if (std::ranges::count(named, nullptr) == std::ssize(named)) return by_position(values.size(), interface, where);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (named[i] == nullptr)
      return no_such_input(ErrorKind::bad_input, files[i] + " holds '" + printable(values[i].name, 100) + "'",
                           values[i].name, interface);
    const auto [first, is_new] = seen.emplace(values[i].name, files[i]);
    if (!is_new)
      return fail(ErrorKind::bad_input,
                  files[i] + " holds the input '" + printable(values[i].name, 100) + "', as " + first->second + " does",
                  "each input has one value in a sample");
  }
  return named;
}

Result<void> expect_complete(const Sample& sample, const Interface& interface, const std::string& where) {
  for (const ValueInfo& input : interface.inputs) {
    if (std::ranges::find(sample.inputs, input.name, &NamedTensor::name) == sample.inputs.end()) {
      return fail(ErrorKind::bad_input, where + " has no value for input '" + input.name + "'");
    }
  }
  return {};
}

/// Gives values their declared names, once they fit.
Result<Sample> bound_sample(std::string name, std::vector<NamedTensor> values,
                            const std::vector<const ValueInfo*>& declared, const Interface& interface,
                            const std::string& where) {
  Sample sample;
  sample.name = std::move(name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string which = where + ": '" + declared[i]->name + "'";
    if (auto ok = expect_fit(*declared[i], values[i].value, which); !ok) return tl::unexpected(ok.error());
    sample.inputs.push_back({declared[i]->name, std::move(values[i].value)});
  }
  if (auto ok = expect_complete(sample, interface, where); !ok) return tl::unexpected(ok.error());
  return sample;
}

bool are_numpy_positions(const std::vector<NamedTensor>& values) {
  return std::ranges::all_of(values,
                             [](const auto& value) { return number_between(value.name, "arr_", "").has_value(); });
}

/// Files do not say what they hold, so where an input is a sequence, map or optional the order of the inputs decides.
Result<Sample> read_structured_set(const fs::path& folder, const Interface& interface) {
  const auto files = numbered(folder, "input_", ".pb");
  auto declared = by_position(files.size(), interface, folder.string());
  if (!declared) return tl::unexpected(declared.error());
  Sample sample;
  sample.name = folder.filename().string();
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto parts = read_input_file(files[i], *(*declared)[i]);
    if (!parts) return tl::unexpected(parts.error());
    std::ranges::move(*parts, std::back_inserter(sample.inputs));
  }
  if (auto ok = expect_complete(sample, interface, folder.string()); !ok) return tl::unexpected(ok.error());
  return sample;
}

}  // namespace

bool holds_test_data(const fs::path& folder) {
  return !numbered(folder, "test_data_set_", "").empty() || !numbered(folder, "input_", ".pb").empty();
}

fs::path test_data_of(const fs::path& model) { return model.string() + ".data_sets"; }

std::vector<fs::path> test_data_beside(const fs::path& model) {
  auto folders = numbered(test_data_of(model), "test_data_set_", "");
  if (folders.empty()) folders = numbered(parent_folder(model), "test_data_set_", "");
  return folders;
}

std::vector<fs::path> numbered(const fs::path& folder, const std::string& prefix, const std::string& suffix) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (std::string& name : names_in(folder)) {
    if (const auto number = number_between(name, prefix, suffix)) found.emplace_back(*number, std::move(name));
  }
  std::ranges::sort(found);
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (const auto& [number, name] : found) paths.push_back(folder / name);
  return paths;
}

Result<Sample> read_test_data_set(const fs::path& folder, const Interface& interface) {
  if (has_structured_inputs(interface)) return read_structured_set(folder, interface);
  std::vector<NamedTensor> values;
  std::vector<std::string> files;
  for (const fs::path& file : numbered(folder, "input_", ".pb")) {
    auto value = read_tensor_proto(file);
    if (!value) return tl::unexpected(value.error());
    files.push_back(printable(file.string()));
    values.push_back(std::move(*value));
  }
  if (values.empty() && !interface.inputs.empty()) {
    return fail(ErrorKind::bad_input, folder.string() + " holds no input_0.pb", folder_layout_hint);
  }
  auto declared = declarations_for(values, interface, files, folder.string());
  if (!declared) return tl::unexpected(declared.error());
  return bound_sample(folder.filename().string(), std::move(values), *declared, interface, folder.string());
}

Result<std::vector<NamedTensor>> read_expected_outputs(const fs::path& folder, const Interface& interface) {
  const auto files = numbered(folder, "output_", ".pb");
  if (files.size() > interface.outputs.size())
    return fail(ErrorKind::bad_input, folder.string() + " holds " + std::to_string(files.size()) +
                                          " outputs, but the model has " + std::to_string(interface.outputs.size()));
  std::vector<NamedTensor> outputs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const ValueInfo& declared = interface.outputs[i];
    if (is_structured(declared)) {
      auto parts = read_input_file(files[i], declared);
      if (!parts) return tl::unexpected(parts.error());
      std::ranges::move(*parts, std::back_inserter(outputs));
      continue;
    }
    auto value = read_tensor_proto(files[i]);
    if (!value) return tl::unexpected(value.error());
    if (value->name.empty()) value->name = declared.name;
    outputs.push_back(std::move(*value));
  }
  return outputs;
}

Result<Sample> read_npz_sample(const fs::path& path, const Interface& interface) {
  auto values = read_npz(path);
  if (!values) return tl::unexpected(values.error());
  if (!are_numpy_positions(*values)) {
    for (const NamedTensor& value : *values) {
      if (find_input(interface, value.name) == nullptr) {
        return no_such_input(ErrorKind::bad_input, path.string(), value.name, interface);
      }
    }
  }
  const std::vector<std::string> files(values->size(), printable(path.string()));
  auto declared = declarations_for(*values, interface, files, path.string());
  if (!declared) return tl::unexpected(declared.error());
  return bound_sample(path.filename().string(), std::move(*values), *declared, interface, path.string());
}

Result<SamplePaths> find_samples(const fs::path& data) {
  std::error_code ignored;
  const std::string flag = "--data " + data.string();
  if (!fs::exists(data, ignored)) return fail(ErrorKind::usage, flag + ": there is no such file or folder");
  if (!fs::is_directory(data, ignored)) {
    if (data.extension() == ".npz") return SamplePaths{{data}, true};
    return fail(ErrorKind::bad_input, flag + " is no .npz and no folder", folder_layout_hint);
  }
  if (auto folders = numbered(data, "test_data_set_", ""); !folders.empty()) return SamplePaths{std::move(folders)};
  if (!numbered(data, "input_", ".pb").empty()) return SamplePaths{{data}};
  if (auto archives = archives_in(data); !archives.empty()) return SamplePaths{std::move(archives), true};
  return fail(ErrorKind::bad_input, flag + " holds no samples", folder_layout_hint);
}

Result<Sample> read_sample(const SamplePaths& paths, std::size_t number, const Interface& interface) {
  const fs::path& path = paths.paths[number];
  return paths.are_archives ? read_npz_sample(path, interface) : read_test_data_set(path, interface);
}

}  // namespace culprit
