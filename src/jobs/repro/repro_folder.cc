#include "repro/repro_folder.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "data/random_structures.h"
#include "repro/issue_text.h"
#include "repro/pair/pair_repro.h"
#include "repro/put_folder.h"
#include "repro/put_model.h"
#include "repro/script.h"
#include "tensor/read_value_proto.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

std::vector<std::string> form_names(const Interface& interface, const std::string& name, const Value& value) {
  for (const auto* values : {&interface.inputs, &interface.optional_inputs, &interface.outputs}) {
    const auto declared = std::ranges::find(*values, name, &ValueInfo::name);
    if (declared == values->end()) continue;
    if (const auto form = form_of(*declared)) {
      std::vector<std::string> names;
      for (const Value::Kind kind : *form) names.emplace_back(name_of(kind));
      return names;
    }
  }
  return {std::string(name_of(value.kind))};
}

/// input_0.pb, input_1.pb, ..., one for each value.
Result<std::vector<ReproValue>> put_values(std::span<const NamedTensor> tensors, const std::string& prefix,
                                           const Interface& interface, const fs::path& folder) {
  std::vector<ReproValue> written;
  for (const auto& parts : values_in(tensors)) {
    const auto value = assemble(parts);
    if (!value) return tl::unexpected(value.error());
    const std::string name = parts.front().name;
    const std::string file = prefix + std::to_string(written.size()) + ".pb";
    if (auto ok = write_value_proto(folder / file, name, *value); !ok) return tl::unexpected(ok.error());
    written.push_back({name, file, form_names(interface, name, *value)});
  }
  return written;
}

/// What "{here}" stands for in the program's call.
Result<void> put_scripts(const std::vector<fs::path>& scripts, const fs::path& folder) {
  std::error_code error;
  if (!scripts.empty()) fs::create_directory(folder, error);
  if (error) return cannot_put("make the folder", folder, error);
  for (const fs::path& script : scripts) {
    fs::copy_file(script, folder / script.filename(), fs::copy_options::overwrite_existing, error);
    if (error) return cannot_put("copy the program's script to", folder / script.filename(), error);
  }
  return {};
}

Result<void> put_texts(const ReproFacts& facts, const ReproContents& contents, const fs::path& folder) {
  if (auto ok = write_file_atomic(folder / "repro.json", to_json(facts)); !ok) return ok;
  if (auto ok = write_file_atomic(folder / "README.md", issue_text(facts, contents.diff, contents.first_divergence));
      !ok)
    return ok;
  if (auto ok = put_script(folder / "repro.py", repro_script()); !ok) return ok;
  return put_scripts(contents.scripts, folder / "program");
}

Result<void> fill(const ReproContents& contents, const fs::path& folder) {
  ReproFacts facts = contents.facts;
  const auto model = load_model(contents.model);
  if (!model) return tl::unexpected(model.error());
  auto put = put_model(contents.model, folder / "model.onnx");
  if (!put) return tl::unexpected(put.error());
  facts.model = std::move(*put);
  if (!contents.variant.empty()) {
    auto variant = put_model(contents.variant, folder / "variant.onnx");
    if (!variant) return tl::unexpected(variant.error());
    facts.variant = std::move(*variant);
  }
  const fs::path data = folder / "test_data_set_0";
  std::error_code error;
  fs::create_directory(data, error);
  if (error) return cannot_put("make the folder", data, error);
  auto inputs = put_values(contents.inputs, "input_", model->interface, data);
  if (!inputs) return tl::unexpected(inputs.error());
  facts.inputs = std::move(*inputs);
  auto outputs = put_values(contents.outputs, "output_", model->interface, data);
  if (!outputs) return tl::unexpected(outputs.error());
  facts.outputs = std::move(*outputs);
  return put_texts(facts, contents, folder);
}

/// "input_0.pb"
bool is_numbered(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(".pb") || name.size() <= prefix.size() + 3) return false;
  const std::string_view number = name.substr(prefix.size(), name.size() - prefix.size() - 3);
  return number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Result<void> write_bundle(const ReproContents& contents, const fs::path& folder) {
  return put_folder(folder, [&](const fs::path& fresh) { return fill(contents, fresh); });
}

bool is_file_of_bundle(const fs::path& file) {
  const std::string name = file.filename(), folder = file.parent_path().filename();
  const bool is_below = folder == "test_data_set_0" || folder == "weights" || folder == "program";
  const fs::path bundle = is_below ? file.parent_path().parent_path() : file.parent_path();
  std::error_code error;
  if (!fs::is_regular_file(bundle / "repro.json", error)) return false;
  if (folder == "program") return true;
  if (folder == "weights") return name.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (folder == "test_data_set_0") return is_numbered(name, "input_") || is_numbered(name, "output_");
  constexpr std::array names{"repro.json",      "repro.py",     "README.md",        "model.onnx",
                             "model.onnx.data", "variant.onnx", "variant.onnx.data"};
  return std::ranges::find(names, name) != names.end() || is_file_of_pair_repro(name);
}

Result<fs::path> repro_folder(const fs::path& path) {
  constexpr const char* hint = "give a folder such as run/repro/F1, which culprit check wrote";
  std::error_code error;
  fs::path folder = path.filename() == "repro.json" ? path.parent_path() : path;
  if (folder.empty()) folder = ".";
  if (fs::is_directory(folder, error)) return folder;
  if (fs::exists(folder, error))
    return fail(ErrorKind::bad_input, printable(path.string()) + " is a file, and no repro", hint);
  return fail(ErrorKind::not_found, printable(path.string()) + ": there is no such folder", hint);
}

Result<Bundle> read_bundle(const fs::path& path) {
  const auto found = repro_folder(path);
  if (!found) return tl::unexpected(found.error());
  const fs::path& folder = *found;
  const auto text = read_file(folder / "repro.json");
  if (!text)
    return fail(ErrorKind::bad_input, printable(path.string()) + " is no repro: " + text.error().message,
                "give a folder that culprit check wrote below repro/");
  auto facts = parse_facts(*text, (folder / "repro.json").string());
  if (!facts) return tl::unexpected(facts.error());
  auto model = load_model(folder / "model.onnx");
  if (!model) return tl::unexpected(model.error());
  return Bundle{folder, std::move(*facts), std::move(*model)};
}

}  // namespace culprit
