#include "cli/commands/hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/copied_model.h"
#include "app/hub_index.h"
#include "app/model_hubs.h"
#include "base/file.h"
#include "base/text.h"
#include "base/word_names.h"
#include "cli/bring_models.h"
#include "cli/exit_code.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "hub/hf_name.h"
#include "hub/hub_manifest.h"
#include "hub/hub_query.h"
#include "process/interrupt.h"
#include "report/hub_table.h"

namespace culprit {
namespace {

constexpr WordNames<HubAction, 4> action_names{
    {{HubAction::list, "list"}, {HubAction::get, "get"}, {HubAction::check, "check"}, {HubAction::index, "index"}}};

}  // namespace

void add_hub(CommandParser& parser, HubFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "hub",
       .heading = heading_facts,
       .about = "Models of hubs: list, download and verify them, or make a hub of a folder",
       .examples = {"culprit hub list 'ResNet*' --opset 12", "culprit hub get ResNet50 -o models",
                    "culprit hub check --hub owner/models --tag vision", "culprit hub index models",
                    "culprit check hub:ResNet50@12"},
       .paragraphs = {"A hub is a folder, an address, or owner/repository[:branch] of GitHub, with an "
                      "ONNX_HUB_MANIFEST.json. Every command takes hub:NAME in the place of a model, and "
                      "hub:HUB#NAME of another hub (docs/hubs.md)."},
       .exit_codes = "Exit codes: 0 done, 1 of check: a file is not what the manifest says, 2 wrong usage, 3 a file "
                     "cannot be read or the hub does not answer, 4 internal error, 130 interrupted."});
  command
      .word("ACTION", flags.action, "list|get|check|index",
            "list: what a hub has; get: download models; check: is every file what the manifest says; index: write the "
            "manifest of a folder of models")
      .required();
  command.words("NAME", flags.names, "NAME",
                "Names of models, such as ResNet50 or ResNet50@12, or patterns; of index the folder");
  command.value("--hub", flags.hub, "HUB");
  command.values("--tag", flags.tags, "TAG");
  command.value("--opset", flags.opset, "N|N-M");
  command.values("--input-shape", flags.inputs, "SHAPE");
  command.values("--output-shape", flags.outputs, "SHAPE");
  command.toggle("--newest", flags.newest);
  command.value("-o,--output", flags.output, type_folder);
  command.toggle("--no-data", flags.without_data);
  command.toggle("--refresh", flags.refresh);
  command.toggle("--offline", flags.offline);
  command.value("--format", flags.format, "text|json");
}

namespace {

Result<void> expect_fitting(const HubFlags& flags, HubAction action) {
  const bool is_index = action == HubAction::index, is_get = action == HubAction::get;
  if (is_index && flags.names.size() != 1)
    return fail(ErrorKind::usage, "hub index takes one folder", "culprit hub index models");
  if (is_get && flags.names.empty())
    return fail(ErrorKind::usage, "hub get: no model is named", "culprit hub get ResNet50; '*' names all");
  if (!is_get && (!flags.output.empty() || flags.without_data))
    return fail(ErrorKind::usage, "--output and --no-data go with hub get only", "leave them out");
  const bool chooses =
      !flags.tags.empty() || !flags.opset.empty() || !flags.inputs.empty() || !flags.outputs.empty() || flags.newest;
  if (is_index && (chooses || !flags.hub.empty() || flags.offline || flags.refresh))
    return fail(ErrorKind::usage, "hub index takes a folder and nothing else", "culprit hub index models");
  if (flags.offline && flags.refresh)
    return fail(ErrorKind::usage, "--refresh asks the network, and --offline forbids it", "leave out one of them");
  if (action != HubAction::list && !flags.format.empty())
    return fail(ErrorKind::usage, "--format goes with hub list only", "leave it out");
  return {};
}

}  // namespace

Result<HubArguments> resolve(const HubFlags& flags) {
  HubArguments arguments;
  const auto action = choice("hub", flags.action, {"list", "get", "check", "index"});
  if (!action) return tl::unexpected(action.error());
  arguments.action = word_in(action_names, *action).value_or(HubAction::list);
  if (auto ok = expect_fitting(flags, arguments.action); !ok) return tl::unexpected(ok.error());
  if (!flags.opset.empty())
    if (auto ok = read_opsets("--opset", flags.opset, arguments.filter); !ok) return tl::unexpected(ok.error());
  FlagReader reader;
  for (const std::string& shape : flags.inputs)
    reader.set(arguments.filter.inputs.emplace_back(), shape_pattern_of("--input-shape", shape));
  for (const std::string& shape : flags.outputs)
    reader.set(arguments.filter.outputs.emplace_back(), shape_pattern_of("--output-shape", shape));
  arguments.filter.tags = flags.tags;
  arguments.filter.newest_only = flags.newest;
  arguments.hub = flags.hub;
  arguments.names = flags.names;
  arguments.output = flags.output;
  arguments.without_data = flags.without_data;
  arguments.offline = flags.offline;
  arguments.refresh = flags.refresh;
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  arguments.format = *format == "json" ? Format::json : Format::text;
  return reader.result(std::move(arguments));
}

namespace {

/// Everything of one `culprit hub list|get|check`.
class HubRun {
 public:
  HubRun(const HubArguments& arguments, ModelHubs& hubs, Terminal& terminal)
      : arguments_(arguments), hubs_(hubs), terminal_(terminal) {}

  Result<int> run() {
    auto chosen = chosen_models();
    terminal_.clear_progress();
    for (const std::string& note : hubs_.notes()) terminal_.complain(note);
    if (!chosen) return tl::unexpected(chosen.error());
    if (arguments_.action == HubAction::get) return get(*chosen);
    if (arguments_.action == HubAction::check) return check(*chosen);
    const std::string text =
        arguments_.format == Format::json ? as_hub_manifest(*chosen) : hub_as_text(*chosen, terminal_.look().width);
    return terminal_.print(text).map([] { return exit_code::nothing_wrong; });
  }

 private:
  /// The names, with the conditions of the flags.
  Result<std::vector<HubQuery>> queries() const {
    std::vector<HubQuery> all;
    for (const std::string& name : arguments_.names) {
      if (is_hf_word(name))
        return fail(
            ErrorKind::usage, "'" + printable(name, 200) + "' stands in no hub with a manifest",
            "give it to a command in the place of a model, such as `culprit check " + printable(name, 200) + "`");
      auto query = hub_query_of(name);
      if (!query) return tl::unexpected(query.error());
      if (!query->hub.empty())
        return fail(ErrorKind::usage, "'" + printable(name, 200) + "' names a hub",
                    "name it with --hub; a # in the name of a model is written %23");
      HubFilter filter = arguments_.filter;
      filter.name = query->filter.name;
      if (query->filter.least_opset > 0) {
        filter.least_opset = query->filter.least_opset;
        filter.most_opset = query->filter.most_opset;
      }
      query->filter = filter;
      all.push_back(std::move(*query));
    }
    return all;
  }

  /// For `get` each name has to be there; a model that two names mean counts once.
  Result<std::vector<HubModel>> chosen_models() {
    const auto asked = queries();
    if (!asked) return tl::unexpected(asked.error());
    const auto known = hubs_.models_of(arguments_.hub);
    if (!known) return tl::unexpected(known.error());
    const std::vector<HubModel>& all = **known;
    if (asked->empty()) return filtered(all, arguments_.filter);
    std::vector<HubModel> chosen;
    for (const HubQuery& query : *asked) {
      auto meant = arguments_.action == HubAction::get ? models_meant(all, query) : listed(all, query);
      if (!meant) return meant;
      for (const HubModel& model : *meant)
        if (std::ranges::none_of(chosen, [&](const HubModel& one) { return one.file.path == model.file.path; }))
          chosen.push_back(model);
    }
    return chosen;
  }

  /// A name means all of its opsets here; for `get` it means the highest.
  static Result<std::vector<HubModel>> listed(const std::vector<HubModel>& all, const HubQuery& query) {
    auto found = filtered(all, query.filter);
    if (!found.empty()) return found;
    return models_meant(all, query);  // which says why
  }

  Result<int> get(const std::vector<HubModel>& models) {
    for (const HubModel& model : models) {
      auto file = hubs_.bring(arguments_.hub, model, !arguments_.without_data);
      terminal_.clear_progress();
      if (file && !arguments_.output.empty()) file = copied_model(*file, arguments_.output);
      if (!file) return tl::unexpected(file.error());
      if (auto ok = terminal_.print(file->string() + "\n"); !ok) return tl::unexpected(ok.error());
    }
    return exit_code::nothing_wrong;
  }

  /// A file that is wrong does not end it; a hub that does not answer does.
  Result<int> check(const std::vector<HubModel>& models) {
    if (models.empty()) return fail(ErrorKind::usage, "no model of the hub is chosen, so nothing was checked");
    std::size_t wrong = 0;
    for (const HubModel& model : models) {
      const auto fine = check_one(model);
      terminal_.clear_progress();
      const bool ends = !fine && (fine.error().kind == ErrorKind::io || fine.error().kind == ErrorKind::interrupted);
      if (ends) return tl::unexpected(fine.error());
      wrong += fine ? 0 : 1;
      const std::string name = fmt::format("{}@{}", printable(model.name, 100), model.opset);
      const std::string line =
          fine ? fmt::format("ok     {}\n", name) : fmt::format("wrong  {}: {}\n", name, fine.error().text());
      if (auto ok = terminal_.print(line); !ok) return tl::unexpected(ok.error());
    }
    const std::string end =
        fmt::format("{} wrong of {}\n", wrong, counted(static_cast<std::int64_t>(models.size()), "model"));
    if (auto ok = terminal_.print(end); !ok) return tl::unexpected(ok.error());
    return wrong > 0 ? exit_code::fault : exit_code::nothing_wrong;
  }

  Result<void> check_one(const HubModel& model) {
    const auto file = hubs_.bring(arguments_.hub, model, false);
    if (!file) return tl::unexpected(file.error());
    if (auto ok = expect_as_promised(model, *file); !ok || !model.with_data) return ok;
    const auto unpacked = hubs_.bring(arguments_.hub, model, true);
    if (!unpacked) return tl::unexpected(unpacked.error());
    return {};
  }

  const HubArguments& arguments_;
  ModelHubs& hubs_;
  Terminal& terminal_;
};

/// Names and tags that people wrote into it stay.
Result<std::vector<HubModel>> older_manifest(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::vector<HubModel>();
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  return hub_manifest_of(*text, file.string());
}

Result<int> index(const fs::path& folder, Terminal& terminal) {
  const fs::path file = folder / hub_manifest_name;
  const auto before = older_manifest(file);
  if (!before) return tl::unexpected(before.error());
  const auto progress = [&](std::size_t done, std::size_t total, const std::string& path) {
    terminal.progress(done, total, printable(path, 200));
  };
  const auto made = index_of_models(folder, *before, progress, interrupt_requested);
  terminal.clear_progress();
  if (!made) return tl::unexpected(made.error());
  for (const std::string& skipped : made->skipped) terminal.complain("left out: " + skipped);
  if (made->models.empty())
    return fail(ErrorKind::bad_input, printable(folder.string(), 300) + " has no model that can be in a hub");
  if (auto ok = write_file_atomic(file, as_hub_manifest(made->models)); !ok) return tl::unexpected(ok.error());
  const std::string said = fmt::format("{}: {}\n", printable(file.string(), 300),
                                       counted(static_cast<std::int64_t>(made->models.size()), "model"));
  return terminal.print(said).map([] { return exit_code::nothing_wrong; });
}

Result<int> answer(const HubArguments& arguments, Terminal& terminal) {
  watch_interrupts();
  if (arguments.action == HubAction::index) return index(arguments.names.front(), terminal);
  auto settings = hub_settings_here();
  if (!settings) return tl::unexpected(settings.error());
  if (arguments.offline) settings->network = NetworkUse::offline;
  settings->refresh = arguments.refresh;
  ModelHubs hubs(std::move(*settings), progress_on(terminal), interrupt_requested);
  return HubRun(arguments, hubs, terminal).run();
}

}  // namespace

int run_hub(const HubArguments& arguments, Terminal& terminal) {
  const auto code = answer(arguments, terminal);
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
