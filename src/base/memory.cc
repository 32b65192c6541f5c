#include "base/memory.h"

#include <fstream>
#include <string>

namespace culprit {

std::uint64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "VmHWM:") return status >> kilobytes ? kilobytes * 1024 : 0;
  }
  return 0;
}

}  // namespace culprit
