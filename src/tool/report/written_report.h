#pragma once
// Is a file that is there a report of ours, so that a new one may take its place?

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit {

/// Does this text begin as what we print after a check, or a comparison?
bool is_printed_report(std::string_view text);

/// "" for a report of ours (printed, or as JSON) and for an empty file; else what was found, in words.
std::string what_else_than_a_report(const std::filesystem::path& file);

}  // namespace culprit
