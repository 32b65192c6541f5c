#include "comparator/comparator_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "comparator/conversation.h"
#include "comparator/metric_means.h"
#include "task/choose_task.h"
#include "task/task_comparator.h"

namespace culprit {
namespace {

struct Outputs : Decision {
  std::vector<NamedTensor> outputs;  // they share their elements
};

const std::vector<NamedTensor>& outputs_in(const Decision& decision) {
  return dynamic_cast<const Outputs&>(decision).outputs;
}

/// Starts the program when the first sample comes: what only merges needs none.
class ProgramComparator : public TallyingComparator {
 public:
  ProgramComparator(const DecisionTask& task, const ComparatorProgram& program, std::uint64_t seed)
      : TallyingComparator(task, seed), program_(program) {}

 protected:
  Result<DecisionChange> look_at(const SampleOutputs& sample) override {
    if (!conversation_) {
      auto started = Conversation::start(program_);
      if (!started) return tl::unexpected(started.error());
      conversation_.emplace(std::move(*started));
    }
    auto answer = conversation_->ask(sample);
    if (!answer) return tl::unexpected(answer.error());
    metrics_.add(answer->metrics);
    against_truth_.add(answer->against_truth);
    labelled_ += answer->against_truth.empty() ? 0 : 1;
    if (auto few = expect_few(); !few) return tl::unexpected(few.error());
    return std::move(answer->change);
  }

  Result<void> write(StateWriter& state) const override {
    metrics_.write(state);
    against_truth_.write(state);
    state.add(labelled_);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    metrics_.merge(MetricMeans::read(state));
    against_truth_.merge(MetricMeans::read(state));
    labelled_ += state.count();
    return expect_few();
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics = metrics_.records(seed());
    record.labelled = labelled_;
    record.variant_against_labels = against_truth_.records(seed());
    return {};
  }

 private:
  /// Each takes 4 bytes of each sample.
  [[nodiscard]] Result<void> expect_few() const {
    const std::size_t count = metrics_.size() + against_truth_.size();
    if (count <= most_metrics) return {};
    return fail(ErrorKind::bad_input, fmt::format("{} names {} metrics", task().name(), count),
                fmt::format("'metrics' and 'against_truth' may name {} together", most_metrics));
  }

  const ComparatorProgram& program_;
  std::optional<Conversation> conversation_;
  MetricMeans metrics_, against_truth_;
  std::int64_t labelled_ = 0;
};

class ProgramTask : public DecisionTask {
 public:
  ProgramTask(ComparatorProgram program, std::string name) : program_(std::move(program)), name_(std::move(name)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts>) const override { return {}; }
  [[nodiscard]] TaskFit fits(std::span<const OutputFacts>, std::span<const NamedTensor>) const override {
    return {1, "a program says what they mean"};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    auto decision = std::make_unique<Outputs>();
    decision->outputs.assign(outputs.begin(), outputs.end());
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    auto conversation = Conversation::start(program_);
    if (!conversation) return tl::unexpected(conversation.error());
    auto answer = conversation->ask({0, nullptr, outputs_in(reference), outputs_in(variant)});
    if (!answer) return tl::unexpected(answer.error());
    return std::move(answer->change);
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<ProgramComparator>(*this, program_, options.seed);
  }

 private:
  ComparatorProgram program_;
  std::string name_;
};

}  // namespace

Result<std::unique_ptr<DecisionTask>> open_comparator(const ComparatorProgram& program, const SampleOutputs& example) {
  auto conversation = Conversation::start(program);
  if (!conversation) return tl::unexpected(conversation.error());
  auto answer = conversation->ask(example);
  if (!answer && !example.name.empty())
    answer.error().message = "sample " + printable(example.name, 200) + ": " + answer.error().message;
  if (!answer) return tl::unexpected(answer.error());
  const std::string file = printable(program.path.filename().string(), longest_name);
  if (answer->change.changed)
    return fail(ErrorKind::bad_input,
                fmt::format("--comparator {}: the same outputs as reference and as variant are another decision for it "
                            "('{}' became '{}')",
                            file, answer->change.reference, answer->change.variant),
                "then it would find changes where there are none");
  std::string name = conversation->name().empty() ? file : conversation->name();
  const auto tasks = task_names();
  if (std::ranges::find(tasks, name) != tasks.end())
    return fail(ErrorKind::bad_input, fmt::format("--comparator {}: '{}' is a task that culprit has", file, name),
                "print another name in its first line, {\"name\": \"...\"}");
  return std::make_unique<ProgramTask>(program, std::move(name));
}

}  // namespace culprit
