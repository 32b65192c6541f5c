// An example of a task (docs/comparators.md): models that give one number, such as a price. It becomes a part of
// Culprit where this file lies in src/decisions/task/tasks and TASK(number) stands in tasks.h. The unit tests compile
// and run it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

constexpr double largest_difference = 0.01;  // of the larger one: beyond it the price is another one

struct NumberDecision : Decision {
  double number = 0;
};

double number_in(const Decision& decision) { return dynamic_cast<const NumberDecision&>(decision).number; }

/// Between 0 and 1; NaN and infinities are as far as can be from everything but themselves.
double difference_of(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b) / std::max(std::abs(a), std::abs(b));
  return std::isfinite(difference) ? std::min(difference, 1.0) : 1;
}

class NumberComparator : public TaskComparator {
 public:
  using TaskComparator::TaskComparator;

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& /*sample*/) override {
    differences_.add(difference_of(number_in(reference), number_in(variant)));
    return {};
  }
  Result<void> write(StateWriter& state) const override {
    differences_.write(state);
    return {};
  }
  Result<void> read_and_merge(StateReader& state) override {
    differences_.merge(SampleValues::read(state));
    return {};
  }
  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["difference"] = record_of(differences_.share(seed()));
    return {};
  }

 private:
  SampleValues differences_;  // 4 bytes a sample
};

class NumberTask : public DecisionTask {
 public:
  [[nodiscard]] std::string name() const override { return "number"; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    const auto has_one = [](const OutputFacts& output) {
      return is_float(output.type) && std::ranges::all_of(output.shape, [](auto size) { return may_be(size, 1); });
    };
    if (outputs.size() == 1 && has_one(outputs[0])) return std::nullopt;
    return fmt::format("number wants one output of one number; there are: {}", text_of(outputs));
  }
  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs, std::span<const NamedTensor>) const override {
    return {0.7, fmt::format("'{}' is one number", outputs[0].name)};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    if (const auto reason = refuses(facts_of(outputs))) return fail(ErrorKind::unsupported, *reason);
    auto decision = std::make_unique<NumberDecision>();
    decision->number = outputs[0].value.number(0);
    return decision;
  }
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const double a = number_in(reference), b = number_in(variant), difference = difference_of(a, b);
    return DecisionChange{difference > largest_difference, difference, fmt::format("{:.4g}", a),
                          fmt::format("{:.4g}", b)};
  }
  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<NumberComparator>(*this, options.seed);
  }
};

}  // namespace

std::unique_ptr<DecisionTask> make_number_task(const TaskSettings& /*settings*/, std::span<const OutputFacts>) {
  return std::make_unique<NumberTask>();
}

}  // namespace culprit
