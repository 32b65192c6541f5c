#pragma once
// Tells where among the outputs of a classifier its scores stand, and what they are: a row of numbers with one for each
// class, a map of scikit-learn with one for each key, one chance for yes, or the label itself.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "task/outputs.h"

namespace culprit {

enum class ScoreForm : std::uint8_t {
  scores,  ///< [C], [N,C], [N,C,1,1] or [N,1,1,C] of two classes or more, floats or whole numbers (a quantized net)
  chance,  ///< [N,1]: the chance of class 1, of floats
  labels,  ///< [N] or [N,1] of int64 or int32: the class itself, as ArgMax gives it
};

struct ScoresOutput {
  std::size_t at = 0;  ///< among the outputs
  ScoreForm form = ScoreForm::scores;
  std::int64_t classes = 0;         ///< -1: not known beforehand
  std::optional<std::size_t> keys;  ///< of a map: the output that holds its keys, which are the names of the classes
};

/// The first that is called as scores are, else the first of scores, else of a chance, else of labels. `wanted`: only
/// the output of this name, if it is not "".
std::optional<ScoresOutput> scores_among(std::span<const OutputFacts> outputs, const std::string& wanted);

/// Is an output called as scores are: "prob", "logits"?
bool is_called_as_scores(const OutputFacts& output);

struct ClassRows {
  std::vector<std::vector<double>> rows;  ///< of scores: one for each class; of a chance: of no and of yes
  std::vector<std::int64_t> labels;       ///< of labels: one for each row, and no rows
  std::vector<std::string> keys;          ///< of a map: the class at each place
};

/// `are_logits`: a chance is the sigmoid of what stands there. ErrorKind::unsupported where a chance is none: it lies
/// beyond 0 and 1.
Result<ClassRows> read_class_rows(const ScoresOutput& scores, std::span<const NamedTensor> outputs, bool are_logits);

}  // namespace culprit
