#pragma once
// Words as one types them into a shell.

#include <string>
#include <string_view>

namespace culprit {

/// Must this word stand in quotes?
bool needs_quotes(std::string_view word);
/// The word, in quotes where it needs them. What it prints cannot steer a terminal.
std::string shell_quoted(std::string_view word);

}  // namespace culprit
