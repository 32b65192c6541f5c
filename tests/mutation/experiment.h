#pragma once
// Plants mistakes in a model, sees by a run of its own whether they can be seen at all, and asks the tool to find them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "model/model.h"
#include "mutation/mistakes.h"
#include "runtime/runner.h"

namespace culprit::testing {

struct Experiment {
  std::string model, kind;
  std::uint64_t seed = 0;
  std::string node;         ///< the first output of the node where the mistake was planted
  std::size_t places = 0;   ///< of the kind in the model
  bool observable = false;  ///< by the direct run
  std::string seen;         ///< what the direct run saw: "rejected", "differs by 0.5"
  bool found = false;       ///< one fault, of that pass, one rewrite, that node
  std::string said;         ///< what the tool said, where that is anything else
  std::int64_t asked = 0;   ///< questions that the search for the rewrite took
  double seconds = 0;       ///< of the tool
  /// "light-squeezenet-9 dropped_bias seed 2: 'fire2/..' of 26 places, found, 6 questions, 1.2 s"
  [[nodiscard]] std::string line() const;
};

/// A model in which mistakes are planted. It is loaded, and run once, when it is made.
class Subject {
 public:
  /// Throws std::runtime_error where the model does not load or run.
  Subject(const std::filesystem::path& model, Runner& runner);

  /// Nothing where no node is of that kind.
  std::optional<Experiment> plant(const std::string& kind, std::uint64_t seed, const std::filesystem::path& tool);

 private:
  void measure_floors();
  void look(Experiment& experiment, const Mistake& mistake, int node);
  void ask(Experiment& experiment, const std::filesystem::path& tool);

  Model model_;
  Runner& runner_;
  TemporaryFolder folder_;
  std::vector<NamedTensor> inputs_, outputs_;
  std::vector<double> floors_;  ///< of each output: what rounding alone explains, as docs/judging.md defines it
  std::vector<std::string> input_arguments_;
};

}  // namespace culprit::testing
