#include "app/chosen_optimizer.h"

#include <algorithm>

#include "base/folder.h"
#include "base/meant_word.h"
#include "base/text.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/command/find_command.h"
#include "optimizer/onnxruntime/runtime_traits.h"
#include "optimizer/optimizer.h"

namespace culprit {
namespace {

OptimizerTraits linked_optimizer() {
  const auto linked = make_onnx_optimizer();
  OptimizerTraits traits;
  traits.name = linked->name();
  traits.version = linked->version();
  traits.steps = linked->passes();
  return traits;
}

}  // namespace

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names{onnx_optimizer_name, onnxruntime_name};
  const auto programs = preset_names();
  names.insert(names.end(), programs.begin(), programs.end());
  return names;
}

Result<std::string> optimizer_named(const std::string& flag, const std::string& name) {
  const auto names = optimizer_names();
  const std::string plain = name.substr(0, name.find('@'));
  const bool is_linked = plain == onnx_optimizer_name || plain == onnxruntime_name;
  const bool is_known = std::ranges::find(names, plain) != names.end();
  if (names_a_file(name) || (is_known && (!is_linked || plain == name))) return name;
  if (is_known)
    return fail(ErrorKind::usage, flag + ": " + plain + " takes no version after an '@'",
                plain == onnxruntime_name ? "--runtime names another version" : "it is part of this build");
  const std::string near = meant_word(plain, names);
  return fail(ErrorKind::usage, flag + ": there is no optimizer '" + printable(name, 80) + "'",
              near.empty() ? "`culprit optimizers` lists them; a file of your own ends with .yaml"
                           : "did you mean '" + near + "'?");
}

Result<CommandSpec> asked_command(const std::string& name, const std::filesystem::path& hosts,
                                  const GivenOptions& given) {
  if (auto ok = make_folder(hosts); !ok) return tl::unexpected(ok.error());
  auto spec = find_command(name, hosts, given);
  if (!spec) return spec;
  if (spec->name == onnx_optimizer_name || spec->name == onnxruntime_name)
    return fail(ErrorKind::usage,
                printable(name) + ": '" + spec->name + "' is the name of an optimizer that culprit has",
                "take another name, such as my_" + spec->name);
  auto version = version_of(*spec, hosts);
  if (!version) return tl::unexpected(version.error());
  spec->found_version = std::move(*version);
  return spec->lists_by_model() ? std::move(spec) : with_listed_steps(std::move(*spec), {}, hosts);
}

Result<OptimizerTraits> chosen_optimizer(const std::string& name, const UsersRuntime& runtime,
                                         const std::filesystem::path& hosts, const GivenOptions& given) {
  if (name == onnx_optimizer_name) return linked_optimizer();
  if (name != onnxruntime_name)
    return asked_command(name, hosts, given).map([](const CommandSpec& spec) { return traits_of(spec); });
  return runtime.workers.steps_of(runtime.library).and_then([&](const Harvest& harvest) {
    return runtime_traits(harvest, runtime.level);
  });
}

}  // namespace culprit
