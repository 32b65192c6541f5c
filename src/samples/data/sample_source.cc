#include "data/sample_source.h"

#include <fmt/format.h>

#include <algorithm>
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
  [[nodiscard]] std::vector<std::string> description() const override {
    std::vector<std::string> lines;
    if (!proposal_.description.empty())
      lines.push_back(std::to_string(size()) + (size() == 1 ? " sample: " : " samples: ") + proposal_.description);
    for (const Warning& warning : proposal_.warnings) lines.push_back(warning.message);
    return lines;
  }

 private:
  Proposal proposal_;
};

}  // namespace

Proposal spread_over(std::shared_ptr<const SampleSource> source, std::int64_t samples, std::string description) {
  Proposal proposal;
  proposal.drawn = std::min(samples > 0 ? samples : samples_of_a_check, source->size());
  proposal.facts = source->facts();
  proposal.facts.samples = proposal.drawn;
  proposal.description = std::move(description);
  if (samples == 0 && proposal.drawn < source->size())
    proposal.warnings.push_back({"samples_left_out", fmt::format("{0} of {1} samples are compared number by number; "
                                                                 "--samples {1} takes all",
                                                                 proposal.drawn, source->size())});
  proposal.draw = [source = std::move(source), parts = proposal.drawn](std::int64_t part, const Stop& stop) {
    return source->at(source->size() * part / parts, stop);
  };
  return proposal;
}

std::unique_ptr<SampleSource> source_of(Proposal proposal) {
  return std::make_unique<ProposedSamples>(std::move(proposal));
}

}  // namespace culprit
