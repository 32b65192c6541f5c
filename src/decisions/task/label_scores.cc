#include "task/label_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace culprit {
namespace {

const std::vector<std::string> names_of_scores{"prob", "softmax", "logit", "class", "label", "score"};

bool is_map_part(const OutputFacts& output, std::string_view part) { return output.name.ends_with(part); }

/// -1: not known. Nothing for shapes that have no axis of classes.
std::optional<std::int64_t> last_axis_of(const Shape& shape) {
  if (shape.size() == 1 || shape.size() == 2) return shape.back();
  if (shape.size() == 4 && shape[2] == 1 && shape[3] == 1) return shape[1];
  if (shape.size() == 4 && shape[1] == 1 && shape[2] == 1 && shape[3] != 1) return shape[3];
  return std::nullopt;
}

bool may_hold_labels(DType type) { return type == DType::i64 || type == DType::i32; }

std::optional<ScoresOutput> read_as(const OutputFacts& output, std::size_t at) {
  if (is_map_part(output, ".keys") || is_map_part(output, ".length") || output.type == DType::boolean ||
      !(is_float(output.type) || is_integer(output.type)))
    return std::nullopt;
  const auto classes = last_axis_of(output.shape);
  const bool is_row = output.shape.size() <= 1;
  if (may_hold_labels(output.type) && (is_row || classes == 1)) return ScoresOutput{at, ScoreForm::labels, -1, {}};
  if (!classes) return std::nullopt;
  if (*classes == 1 && is_float(output.type)) return ScoresOutput{at, ScoreForm::chance, 2, {}};
  if (*classes < 0 || *classes >= 2) return ScoresOutput{at, ScoreForm::scores, *classes, {}};
  return std::nullopt;
}

/// The keys of a map stand beside its values.
std::optional<std::size_t> keys_of(std::span<const OutputFacts> outputs, std::size_t at) {
  constexpr std::string_view values = ".values";
  if (!is_map_part(outputs[at], values)) return std::nullopt;
  const std::string name = outputs[at].name.substr(0, outputs[at].name.size() - values.size()) + ".keys";
  const auto keys = std::ranges::find(outputs, name, &OutputFacts::name);
  if (keys == outputs.end()) return std::nullopt;
  return static_cast<std::size_t>(keys - outputs.begin());
}

/// The smaller, the rather: floats before whole numbers, and what is called as scores before what is not.
int rank_of(const ScoresOutput& scores, const OutputFacts& output) {
  const int form = scores.form == ScoreForm::scores && !is_float(output.type) ? 1 : 2 * static_cast<int>(scores.form);
  return 2 * form + (is_called_as_scores(output) ? 0 : 1);
}

std::vector<std::string> texts_of(const Tensor& keys) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < keys.count(); ++i)
    texts.push_back(keys.dtype() == DType::string ? keys.strings()[static_cast<std::size_t>(i)]
                                                  : fmt::format("{}", keys.number(i)));
  return texts;
}

Result<std::vector<double>> chances(double yes, const std::string& output, bool is_logit) {
  if (is_logit) yes = 1 / (1 + std::exp(-yes));
  if (yes < 0 || yes > 1)
    return fail(ErrorKind::unsupported,
                fmt::format("'{}' gives {}, which is no chance between 0 and 1", printable(output, 60), yes),
                "--softmax says that it is a logit; --task tensor compares plain numbers");
  return std::vector<double>{1 - yes, yes};
}

}  // namespace

bool is_called_as_scores(const OutputFacts& output) { return names_one_of(output.name, names_of_scores); }

std::optional<ScoresOutput> scores_among(std::span<const OutputFacts> outputs, const std::string& wanted) {
  std::optional<ScoresOutput> best;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto scores = read_as(outputs[i], i);
    if (!scores || (!wanted.empty() && outputs[i].name != wanted)) continue;
    if (!best || rank_of(*scores, outputs[i]) < rank_of(*best, outputs[best->at])) best = scores;
  }
  if (best) best->keys = keys_of(outputs, best->at);
  return best;
}

Result<ClassRows> read_class_rows(const ScoresOutput& scores, std::span<const NamedTensor> outputs, bool are_logits) {
  const NamedTensor& output = outputs[scores.at];
  const std::vector<double> numbers = numbers_of(output.value);
  ClassRows read;
  if (scores.keys) read.keys = texts_of(outputs[*scores.keys].value);
  if (scores.form == ScoreForm::labels) {
    for (const double number : numbers) read.labels.push_back(static_cast<std::int64_t>(number));
    return read;
  }
  if (scores.form == ScoreForm::chance) {
    for (const double number : numbers) {
      auto row = chances(number, output.name, are_logits);
      if (!row) return tl::unexpected(row.error());
      read.rows.push_back(std::move(*row));
    }
    return read;
  }
  const auto classes = static_cast<std::ptrdiff_t>(scores.classes);
  for (auto at = numbers.begin(); classes > 0 && numbers.end() - at >= classes; at += classes)
    read.rows.emplace_back(at, at + classes);
  return read;
}

}  // namespace culprit
