#pragma once
// Samples on which a variant must decide as the original does - the same label, the same boxes -, because no draw of
// rounding changes what is decided on them (check/decisions). A variant whose numbers stay within the tolerance, and
// that decides otherwise there, has diverged.

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "task/sample_text.h"

namespace culprit {

class DecisionTask;  // task/task.h

struct DecisiveSamples {
  std::shared_ptr<const DecisionTask> task;  ///< null: there are none
  std::set<std::size_t> samples;             ///< by number in the reference
  /// Names of samples for people, by number in the reference; a sample may have none.
  std::map<std::size_t, std::string> names;
  std::map<std::size_t, SampleText> texts;  ///< of those that were made of text, by number in the reference
  /// Other decisions count also where rounding explains every number: over all samples the users' variant decides
  /// otherwise significantly more often than rounding does.
  bool within_rounding = false;
};

}  // namespace culprit
