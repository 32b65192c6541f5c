#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/random_samples.h"
#include "data/sample.h"
#include "data/sample_folders.h"
#include "data/sets/picture_source.h"
#include "data/sets/sample_sets.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

Result<void> check_dims(const Interface& interface, const Sizes& dims) {
  std::vector<ValueInfo> all = interface.inputs;
  all.insert(all.end(), interface.optional_inputs.begin(), interface.optional_inputs.end());
  const auto keys = names_of_sizes(all);
  for (const auto& [name, size] : dims) {
    const std::string given = fmt::format("--dim {}={}", name, size);
    if (size < 0) return fail(ErrorKind::usage, given + ": a size cannot be negative");
    if (std::ranges::find(keys, name) != keys.end()) continue;
    const std::string near = closest(name, keys);
    std::string hint = keys.empty() ? "all sizes of its inputs are fixed" : "it has: " + join(keys, ", ");
    if (!near.empty()) hint = fmt::format("did you mean '{}'?", near);
    return fail(ErrorKind::usage, fmt::format("{}: the model has no open dimension '{}'", given, name),
                std::move(hint));
  }
  return {};
}

Result<Given> read_given(const Interface& interface, const DataOptions& options) {
  if (auto ok = check_dims(interface, options.dims); !ok) return tl::unexpected(ok.error());
  Given given{{}, options.dims};
  for (const std::string& argument : options.inputs) {
    auto parts = parse_input_parts(argument, interface, options.dims);
    if (!parts) return tl::unexpected(parts.error());
    const std::string& name = parts->front().name;
    const auto same = std::ranges::find(given.inputs, name, &NamedTensor::name);
    if (same != given.inputs.end()) return fail(ErrorKind::usage, "--input " + name + " is given twice");
    std::ranges::move(*parts, std::back_inserter(given.inputs));
  }
  add_seen_dims(interface, given.inputs, given.dims);
  return given;
}

void warn_of_few(Proposal& proposal, const DataOptions& options, std::int64_t found) {
  if (options.samples <= found) return;
  proposal.warnings.push_back({"fewer_samples", "--samples " + std::to_string(options.samples) +
                                                    " were asked for, but only " + std::to_string(found) +
                                                    " are there"});
}

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
