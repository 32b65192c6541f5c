#include "repro/markdown.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

std::size_t longest_run(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string code_span(std::string_view text) {
  const std::string plain = printable(text);
  const std::string fence(longest_run(plain) + 1, '`');
  const bool pads = plain.empty() || plain.front() == '`' || plain.back() == '`';  // a space is taken off again
  return fence + (pads ? " " : "") + plain + (pads ? " " : "") + fence;
}

std::string code_block(std::string_view text, std::string_view language) {
  std::string plain = printable(text, 100'000, /*one_line=*/false);
  if (!plain.ends_with('\n')) plain += '\n';
  const std::string fence(std::max<std::size_t>(3, longest_run(plain) + 1), '`');
  return fence + std::string(language) + "\n" + plain + fence + "\n";
}

}  // namespace culprit
