#pragma once
// Which program is meant by --optimizer: one that culprit knows, or a YAML file of the user's; and the Python that has
// its packages.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "optimizer/command/program_description.h"
#include "optimizer/command/program_options.h"

namespace culprit {

/// The names of the programs that culprit knows, sorted.
std::vector<std::string> preset_names();

/// Is this the name of a file, and not of an optimizer? It ends with ".yaml" or ".yml", or has a '/'.
bool names_a_file(const std::string& optimizer);

/// `wanted`: "onnxsim", "onnxsim@0.4.36", "mine.yaml", "./mine.yaml@1.2". Behind the '@' stands the version of its
/// environment (scripts/setup optimizer). The scripts of a known program are written into the cache, or where that is
/// not possible into `hosts`, a folder that stays as long as it is used. Errors, ErrorKind::usage: no such program or
/// file, a file that makes no sense, packages that were not set up; each says what to do.
/// `given` is what the user chose beside: errors as of choose_options.
Result<CommandSpec> find_command(const std::string& wanted, const std::filesystem::path& hosts,
                                 const GivenOptions& given = {});

}  // namespace culprit
