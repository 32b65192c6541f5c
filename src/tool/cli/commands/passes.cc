#include "cli/commands/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "report/layout.h"

namespace culprit {

void add_passes(CommandParser& parser, PassesFlags& flags) {
  const Flags command = parser.add_command({.name = "passes",
                                            .heading = heading_facts,
                                            .about = "List the optimizer's passes: kind, contract, whether a default",
                                            .examples = {"culprit passes", "culprit passes --format json"},
                                            .exit_codes = exit_codes_of_facts});
  command.value("--format", flags.format, "text|json");
  command.toggle("--names", flags.names);
}

Result<PassesArguments> resolve(const PassesFlags& flags) {
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  const PassesArguments arguments{*format == "json", flags.names};
  if (!arguments.names || !arguments.json) return arguments;
  return fail(ErrorKind::usage, "--names and --format json contradict each other", "give one of them");
}

std::string counts_of_passes(const std::vector<PassInfo>& passes) {
  return fmt::format("{} passes, {} of them default passes", passes.size(),
                     std::ranges::count_if(passes, &PassInfo::in_bundle));
}

std::string passes_as_text(const std::vector<PassInfo>& passes, int width) {
  int name_width = 4;
  for (const PassInfo& pass : passes) name_width = std::max(name_width, display_width(pass.name));
  std::string text = fmt::format("{}  kind       contract    default\n", pad_right("pass", name_width));
  for (const PassInfo& pass : passes) {
    text += fmt::format("{}  {:<9}  {:<10}  {}\n", pad_right(pass.name, name_width), pass.kind, name_of(pass.contract),
                        pass.in_bundle ? "yes" : "no");
    text += hanging("    ", pass.help, width);
  }
  return text + hanging("",
                        counts_of_passes(passes) +
                            ". Contracts: equivalent (same interface, same values), interface "
                            "(may rename or cast inputs and outputs), partition (half a model by design).",
                        width);
}

std::string passes_as_json(const std::vector<PassInfo>& passes) {
  auto array = nlohmann::ordered_json::array();
  for (const PassInfo& pass : passes)
    array.push_back({{"name", pass.name},
                     {"kind", pass.kind},
                     {"contract", name_of(pass.contract)},
                     {"in_bundle", pass.in_bundle},
                     {"help", pass.help}});
  return array.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string passes_as_names(const std::vector<PassInfo>& passes) {
  std::string text;
  for (const PassInfo& pass : passes) text += pass.name + "\n";
  return text;
}

int run_passes(const PassesArguments& arguments, Terminal& terminal) {
  const std::vector<PassInfo> passes = make_onnx_optimizer()->passes();
  const auto printed = terminal.print(arguments.names  ? passes_as_names(passes)
                                      : arguments.json ? passes_as_json(passes)
                                                       : passes_as_text(passes, terminal.look().width));
  if (printed) return exit_code::nothing_wrong;
  terminal.complain(printed.error().text());
  return exit_code_of(printed.error().kind);
}

}  // namespace culprit
