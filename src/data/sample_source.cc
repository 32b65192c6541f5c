#include "data/sample_source.h"

#include <utility>

namespace culprit {
namespace {

class ProposedSamples : public SampleSource {
 public:
  explicit ProposedSamples(Proposal proposal) : proposal_(std::move(proposal)) {}

  [[nodiscard]] DataFacts facts() const override { return proposal_.facts; }
  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(proposal_.size()); }
  [[nodiscard]] std::string name(std::int64_t number) const override {
    const auto at = static_cast<std::size_t>(number);
    if (at < proposal_.samples.size()) return proposal_.samples[at].name;
    return "seed " + std::to_string(proposal_.facts.seed) + " #" + std::to_string(number);
  }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& stop) const override {
    return proposal_.sample(static_cast<std::size_t>(number), stop);
  }

 private:
  Proposal proposal_;
};

}  // namespace

std::unique_ptr<SampleSource> source_of(Proposal proposal) {
  return std::make_unique<ProposedSamples>(std::move(proposal));
}

}  // namespace culprit
