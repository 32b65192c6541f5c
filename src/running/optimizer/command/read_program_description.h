#pragma once
// A program's description read from YAML. It may come from anywhere: all of it is checked.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "optimizer/command/program_description.h"
#include "optimizer/command/program_options.h"

namespace culprit {

/// `where` is named in errors: "mine.yaml". "{here}" becomes `folder`. `python` and `environment` are told in the spec
/// as they stand there: whoever calls it looks for them. Errors, ErrorKind::usage: no YAML, an unknown key, a word
/// that is none, a program without input or output.
struct ReadSpec {
  CommandSpec spec;
  KnownOptions known;       ///< what users may choose beside steps
  std::string environment;  ///< of scripts/setup optimizer; "": none is named
};
Result<ReadSpec> read_command_spec(const std::string& text, const std::string& where,
                                   const std::filesystem::path& folder);

}  // namespace culprit
