#include "base/error.h"

namespace culprit {

std::string Error::text() const {
  if (hint.empty()) return message;
  return message + (message.ends_with('?') ? " " : ". ") + hint;
}

}  // namespace culprit
