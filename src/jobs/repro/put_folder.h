#pragma once
// How the folder of any repro comes to its place.

#include <functional>
#include <string_view>

#include "base/file.h"

namespace culprit {

/// Makes a folder beside `folder`, has it filled, and moves it there; what was there goes only then.
Result<void> put_folder(const fs::path& folder, const std::function<Result<void>(const fs::path& fresh)>& fill);

/// Writes a script that people can start.
Result<void> put_script(const fs::path& file, std::string_view text);

/// io: "cannot WHAT PATH: the reason"
tl::unexpected<Error> cannot_put(const std::string& what, const fs::path& path, const std::error_code& error);

}  // namespace culprit
