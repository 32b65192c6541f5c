#include "support/twin.h"

#include <stdexcept>

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

}  // namespace culprit::testing
