#include "support/twin.h"

#include <sstream>
#include <stdexcept>
#include <string_view>

#include "support/tool.h"

namespace culprit::testing {

fs::path make_twin(const fs::path& model, const fs::path& folder, const std::vector<std::string>& more) {
  fs::path twin = folder / model.filename();
  std::vector<std::string> words{"twin", model, "-o", twin};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = culprit(words);
  if (ran.exit != 0) throw std::runtime_error(ran.out + ran.err);
  return twin;
}

std::pair<double, double> variances_said(const std::string& out) {
  constexpr std::string_view word = "variance ";
  const auto place = out.find(word);
  if (place == std::string::npos) return {0, 0};
  std::istringstream text(out.substr(place + word.size()));
  std::pair<double, double> said;
  std::string to;
  text >> said.first >> to >> said.second;
  return said;
}

}  // namespace culprit::testing
