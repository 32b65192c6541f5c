#include "cli/commands/list_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/chosen_optimizer.h"
#include "base/file.h"
#include "base/text.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/command/find_command.h"
#include "report/layout.h"

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

struct Asked {
  CommandSpec spec;
  std::optional<bool> refuses_unknown;
};

Result<TemporaryFolder> own_folder() {
  std::error_code error;
  const auto place = std::filesystem::temp_directory_path(error);
  return TemporaryFolder::create(error ? "." : place, "culprit-programs-");
}

Result<Asked> ask(const std::string& name) {
  const auto folder = own_folder();
  if (!folder) return tl::unexpected(folder.error());
  auto spec = asked_command(name, folder->path());
  if (!spec) return tl::unexpected(spec.error());
  const auto refuses = refuses_unknown_steps(*spec, folder->path());
  if (!refuses) return tl::unexpected(refuses.error());
  return Asked{std::move(*spec), *refuses};
}

const char* words_of(const std::optional<bool>& refuses_unknown) {
  if (!refuses_unknown) return "";
  return *refuses_unknown ? "It refuses the name of a step that it does not have."
                          : "It takes the name of a step that it does not have without a word: that a step can be left "
                            "out is shown only by a model that it changes.";
}

}  // namespace

std::string programs_as_text(int width) {
  std::string text;
  const auto folder = own_folder();
  for (const std::string& name : preset_names()) {
    const auto spec = folder ? find_command(name, folder->path()) : tl::unexpected(folder.error());
    const auto version = spec ? version_of(*spec, folder->path()) : tl::unexpected(spec.error());
    const std::string what = version ? spec->about : "not there: " + version.error().text();
    text += hanging(fmt::format("{:<22}  {:<7}  ", name, version ? printable(*version, 20) : "-"), what, width);
  }
  return text;
}

Result<std::string> program_as_text(const std::string& name, int width) {
  const auto asked = ask(name);
  if (!asked) return tl::unexpected(asked.error());
  const CommandSpec& spec = asked->spec;
  std::string text = hanging("",
                             spec.name + (spec.found_version.empty() ? "" : " " + spec.found_version) +
                                 (spec.about.empty() ? "" : ": " + spec.about),
                             width);
  if (spec.groups.empty()) return text + hanging("", "It has one step, which is all that it does.", width);
  if (spec.lists_by_model()) return text + hanging("", "Its steps depend on the model.", width);
  text += "\n";
  for (const PassInfo& step : traits_of(spec).steps)
    text += step.name + (step.in_bundle ? "" : "  (only where it is asked for)") + "\n";
  const std::string note = words_of(asked->refuses_unknown);
  return note.empty() ? text : text + "\n" + hanging("", note, width);
}

Json program_as_json(const std::string& name) {
  const auto asked = ask(name);
  if (!asked) return {{"name", name}, {"found", false}, {"message", asked.error().text()}};
  const CommandSpec& spec = asked->spec;
  Json steps = Json::array();
  if (!spec.lists_by_model())
    for (const PassInfo& step : traits_of(spec).steps) steps.push_back({{"name", step.name}, {"on", step.in_bundle}});
  const auto& refuses = asked->refuses_unknown;
  return {{"name", spec.name},
          {"found", true},
          {"version", spec.found_version},
          {"about", spec.about},
          {"refuses_unknown_steps", refuses ? Json(*refuses) : Json(nullptr)},
          {"steps", std::move(steps)}};
}

}  // namespace culprit
