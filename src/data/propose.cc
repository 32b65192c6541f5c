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

namespace fs = std::filesystem;

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
                "--preprocess is for pictures, and " + printable(options.data.string()) + " holds none");
  auto paths = find_samples(options.data);
  if (!paths) return tl::unexpected(paths.error());
  const std::string where = options.data.string();
  const std::shared_ptr<const SampleSource> sets = sample_sets(std::move(*paths), interface, given.inputs, where);
  auto proposal = propose_sets(sets, options.samples, where);
  if (proposal) warn_of_few(*proposal, options, sets->size());
  return proposal;
}

/// test_data_set_N in the folder that is named by the model, else beside the model. What does not fit is left alone,
/// with a word in `warnings`.
std::optional<Proposal> from_beside(const Model& model, const DataOptions& options, const Given& given,
                                    std::vector<Warning>& warnings) {
  const fs::path folder = model.path.has_parent_path() ? model.path.parent_path() : fs::path(".");
  auto folders = numbered(test_data_of(model.path), "test_data_set_", "");
  if (folders.empty()) folders = numbered(folder, "test_data_set_", "");
  if (folders.empty()) return std::nullopt;
  const std::string where = "test data beside the model";
  const std::shared_ptr<const SampleSource> sets =
      sample_sets({std::move(folders)}, model.interface, given.inputs, where);
  auto proposal = propose_sets(sets, options.samples, where);
  if (!proposal) {
    warnings.push_back({"test_data_ignored", "test data beside the model is not used: " + proposal.error().message});
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
    return fail(ErrorKind::usage, "--preprocess is for pictures, and there is no --data");
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
