#include "data/sets/sample_sets.h"

#include <algorithm>
#include <utility>

#include "data/fits_declaration.h"
#include "data/given_inputs.h"
#include "data/random_samples.h"
#include "data/synthesize.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

class SampleSets final : public SampleSource {
 public:
  SampleSets(SamplePaths paths, Interface interface, std::vector<NamedTensor> given, std::string where)
      : paths_(std::move(paths)),
        interface_(std::move(interface)),
        given_(std::move(given)),
        where_(std::move(where)),
        facts_(found_facts()) {}

  [[nodiscard]] DataFacts facts() const override { return facts_; }
  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(paths_.paths.size()); }
  [[nodiscard]] std::string name(std::int64_t number) const override {
    return paths_.paths[static_cast<std::size_t>(number)].filename().string();
  }
  /// Whatever is wrong with a file is wrong with this sample alone.
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& stop) const override {
    if (is_stopped(stop)) return ended_early();
    auto sample = read_sample(paths_, static_cast<std::size_t>(number), interface_);
    if (!sample) {
      sample.error().kind = ErrorKind::bad_input;
      return sample;
    }
    put_given(*sample, given_);
    return sample;
  }
  [[nodiscard]] std::vector<std::string> description() const override {
    return {std::to_string(size()) + (size() == 1 ? " sample: " : " samples: ") + where_};
  }

 private:
  [[nodiscard]] DataFacts found_facts() const {
    DataFacts facts;
    facts.source = paths_.are_archives ? DataSource::file : DataSource::test_data_set;
    facts.samples = size();
    if (const auto first = at(0, {})) add_seen_dims(interface_, first->inputs, facts.dims);
    return facts;
  }

  SamplePaths paths_;
  Interface interface_;
  std::vector<NamedTensor> given_;
  std::string where_;
  DataFacts facts_;
};

}  // namespace

std::unique_ptr<SampleSource> sample_sets(SamplePaths paths, Interface interface, std::vector<NamedTensor> given,
                                          std::string where) {
  return std::make_unique<SampleSets>(std::move(paths), std::move(interface), std::move(given), std::move(where));
}

Result<Proposal> propose_sets(std::shared_ptr<const SampleSource> source, std::int64_t samples,
                              std::string description) {
  Proposal proposal;
  proposal.drawn = samples > 0 ? std::min(samples, source->size()) : source->size();
  for (std::int64_t number = 0; number < proposal.drawn; ++number) {
    const auto sample = source->at(number, {});
    if (!sample) return tl::unexpected(sample.error());
  }
  proposal.facts = source->facts();
  proposal.facts.samples = proposal.drawn;
  proposal.description = std::move(description);
  proposal.draw = [source = std::move(source)](std::int64_t index, const Stop& stop) {
    return source->at(index, stop);
  };
  return proposal;
}

}  // namespace culprit
