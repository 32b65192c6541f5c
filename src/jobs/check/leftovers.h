#pragma once
// What a check leaves in its folder and nobody wants afterwards.

#include <filesystem>
#include <system_error>
#include <utility>

namespace culprit {

/// Samples and outputs are large and of use to nobody afterwards.
class Leftovers {
 public:
  explicit Leftovers(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;
  ~Leftovers() {
    std::error_code ignored;
    for (const char* name : {"samples", "reference", "outputs"}) std::filesystem::remove_all(folder_ / name, ignored);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace culprit
