#include "evaluate/several_sources.h"

#include <iterator>
#include <optional>
#include <utility>

namespace culprit {
namespace {

class SeveralSources : public SampleSource {
 public:
  explicit SeveralSources(std::vector<SourcePtr> sources) : sources_(std::move(sources)) {}

  [[nodiscard]] DataFacts facts() const override { return first().facts(); }
  [[nodiscard]] std::int64_t size() const override { return first().size(); }
  [[nodiscard]] std::string name(std::int64_t number) const override { return first().name(number); }
  [[nodiscard]] Truth truth(std::int64_t number) const override { return first().truth(number); }
  [[nodiscard]] bool has_truth() const override { return first().has_truth(); }
  [[nodiscard]] std::optional<SampleText> text(std::int64_t number) const override { return first().text(number); }
  [[nodiscard]] std::vector<Warning> warnings(const std::vector<std::int64_t>& numbers) const override {
    return first().warnings(numbers);
  }
  [[nodiscard]] std::vector<std::string> description() const override { return first().description(); }

  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& stop) const override {
    Sample all{name(number), {}};
    for (std::size_t model = 0; model < sources_.size(); ++model) {
      if (sources_[model] == nullptr) continue;
      auto sample = sources_[model]->at(number, stop);
      if (!sample) return sample;
      for (NamedTensor& input : sample->inputs) input.name = input_of_model(model, input.name);
      std::ranges::move(sample->inputs, std::back_inserter(all.inputs));
    }
    return all;
  }

 private:
  [[nodiscard]] const SampleSource& first() const { return *sources_.front(); }
  std::vector<SourcePtr> sources_;
};

}  // namespace

SourcePtr several_sources(std::vector<SourcePtr> sources) {
  return std::make_unique<SeveralSources>(std::move(sources));
}

std::string input_of_model(std::size_t model, const std::string& input) { return std::to_string(model) + "/" + input; }

}  // namespace culprit
