#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "data/given_inputs.h"
#include "data/random_samples.h"
#include "data/sample.h"
#include "data/sample_folders.h"
#include "data/sets/picture_source.h"
#include "data/sets/sample_sets.h"
#include "data/synthesize.h"

namespace culprit {
namespace {

Result<Proposal> from_pictures(const Model& model, const DataOptions& options, const Given& given) {
  const PictureSetOptions set{options.data, {}, options.preprocess, given.inputs};
  auto proposal = propose_pictures(model, set, options.samples);
  if (proposal) warn_of_few(*proposal, options, proposal->drawn);
  return proposal;
}

Result<Proposal> from_data_option(const Model& model, const DataOptions& options, const Given& given) {
  const Interface& interface = model.interface;
  if (is_picture_folder(options.data)) return from_pictures(model, options, given);
  if (!options.preprocess.empty())
    return fail(ErrorKind::usage,
                "--preprocess is for images, and " + printable(options.data.string()) + " holds none");
  auto paths = find_samples(options.data);
  if (!paths) return tl::unexpected(paths.error());
  const std::string where = options.data.string();
  const std::shared_ptr<const SampleSource> sets = sample_sets(std::move(*paths), interface, given.inputs, where);
  auto proposal = propose_sets(sets, options.samples, where);
  if (proposal) warn_of_few(*proposal, options, sets->size());
  return proposal;
}

/// The first size of the samples that is another one than --dim (or a model that is compared) asks for: "N is 3, and
/// N=5 is asked for"; "" where all fit.
std::string other_size(const SampleSource& sets, std::int64_t samples, const Interface& interface,
                       const Sizes& asked_for) {
  for (std::int64_t number = 0; number < samples && !asked_for.empty(); ++number) {
    const auto sample = sets.at(number, {});
    if (!sample) return sample.error().message;
    Sizes seen;
    add_seen_dims(interface, sample->inputs, seen);
    for (const auto& [name, size] : asked_for) {
      const auto there = seen.find(name);
      if (there != seen.end() && there->second != size)
        return fmt::format("in {} {} is {}, and {}={} is asked for", sample->name, printable(name, 100), there->second,
                           printable(name, 100), size);
    }
  }
  return "";
}

/// test_data_set_N in the folder that is named by the model, else beside the model. What does not fit is left alone,
/// with a word in `warnings`.
std::optional<Proposal> from_beside(const Model& model, const DataOptions& options, const Given& given,
                                    std::vector<Warning>& warnings) {
  auto folders = test_data_beside(model.path);
  if (folders.empty()) return std::nullopt;
  const std::string where = "test data beside the model";
  const std::shared_ptr<const SampleSource> sets =
      sample_sets({std::move(folders)}, model.interface, given.inputs, where);
  auto proposal = propose_sets(sets, options.samples, where);
  const std::string why_not =
      proposal ? other_size(*sets, proposal->drawn, model.interface, options.dims) : proposal.error().message;
  if (!why_not.empty()) {
    warnings.push_back({"test_data_ignored", "test data beside the model is not used: " + why_not});
    return std::nullopt;
  }
  warn_of_few(*proposal, options, sets->size());
  return std::move(*proposal);
}

}  // namespace

Result<Sample> Proposal::sample(std::size_t number, const Stop& stop) const {
  if (number < samples.size()) return samples[number];
  return draw(static_cast<std::int64_t>(number - samples.size()), stop);
}

Result<std::vector<Proposal>> propose(const Model& model, const DataOptions& options) {
  if (options.samples < 0)
    return fail(ErrorKind::usage, "--samples " + std::to_string(options.samples) + ": give 1 or more");
  if (options.data.empty() && !options.preprocess.empty())
    return fail(ErrorKind::usage, "--preprocess is for images and sounds, and there is no --data");
  auto given = read_given(model.interface, options);
  if (!given) return tl::unexpected(given.error());
  if (!options.data.empty()) {
    auto proposal = from_data_option(model, options, *given);
    if (!proposal) return tl::unexpected(proposal.error());
    return std::vector{std::move(*proposal)};
  }
  std::vector<Warning> warnings;
  if (auto proposal = from_beside(model, options, *given, warnings)) return std::vector{std::move(*proposal)};
  auto proposals = drawn_proposals(model, options, *given);
  if (proposals) {
    for (Proposal& proposal : *proposals) proposal.warnings = warnings;
  }
  return proposals;
}

}  // namespace culprit
