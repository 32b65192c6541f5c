#pragma once
// Lists of names as people type them: "a,b" and "c".

#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// ErrorKind::usage: "--flag text: why".
tl::unexpected<Error> refuse_value(const std::string& flag, const std::string& text, const std::string& why,
                                   const std::string& hint);

/// "a,b" "c" -> a, b, c. An empty name is an error, for it is a typing mistake.
/// `listing` says where names are listed, for that error.
Result<std::vector<std::string>> name_list(const std::string& flag, const std::vector<std::string>& typed,
                                           const std::string& listing = "`culprit passes` lists them");
/// ErrorKind::usage where a name stands twice: of what is measured each for itself, that is a typing mistake.
Result<void> each_once(const std::string& flag, const std::vector<std::string>& names);

}  // namespace culprit
