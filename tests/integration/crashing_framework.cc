// A library in the place of a framework's: loading it does what CULPRIT_TEST_FRAMEWORK says.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {

__attribute__((constructor)) void misbehave() {
  const char* deed = std::getenv("CULPRIT_TEST_FRAMEWORK");
  if (deed == nullptr) return;
  if (std::strcmp(deed, "crash") == 0) std::abort();
  while (std::strcmp(deed, "hang") == 0) ::sleep(1);
}

}  // namespace
