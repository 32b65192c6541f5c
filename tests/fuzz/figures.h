#pragma once
// What came of the models.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/mutant.h"

namespace culprit::fuzz {

class Figures {
 public:
  void add(const Mutant& mutant);
  /// `first`: number of the report's first model.
  void add(const nlohmann::json& report, std::size_t first);
  [[nodiscard]] std::string text() const;

 private:
  void add_crashes(const nlohmann::json& model, std::size_t number);
  struct Crash {
    std::int64_t times = 0;
    std::size_t first = 0;  // number of a model
  };

  std::int64_t models_ = 0;
  std::map<std::string, std::int64_t> mutations_, statuses_, verdicts_, faults_, counts_;
  std::map<std::string, Crash> crashes_;  // by signature
};

}  // namespace culprit::fuzz
