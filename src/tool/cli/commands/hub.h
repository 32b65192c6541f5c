#pragma once
// culprit hub list|get|check|index: models of hubs.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/output_file.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "hub/hub_filter.h"

namespace culprit {

enum class HubAction { list, get, check, index };

struct HubArguments {
  HubAction action = HubAction::list;
  std::string hub;                 ///< "": $CULPRIT_HUB, else that of ONNX
  std::vector<std::string> names;  ///< models or patterns; of `index` the folder
  HubFilter filter = {};           ///< without a name
  std::filesystem::path output;    ///< of `get` a folder; "": models stay in the cache
  bool without_data = false;
  bool offline = false, refresh = false;
  Format format = Format::text;
};

/// As typed; "" where not given.
struct HubFlags {
  std::string action, hub, opset, output, format;
  std::vector<std::string> names, tags, inputs, outputs;
  bool newest = false, without_data = false, offline = false, refresh = false;
};

void add_hub(CommandParser& parser, HubFlags& flags);

/// ErrorKind::usage where a value makes no sense, or flags do not go with the action.
Result<HubArguments> resolve(const HubFlags& flags);

/// Returns the exit code: of `check` 1 where a file is not what the manifest says.
int run_hub(const HubArguments& arguments, Terminal& terminal);

}  // namespace culprit
