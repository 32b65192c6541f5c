#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "data/fit.h"
#include "data/folders.h"
#include "data/redraw.h"
#include "data/sample.h"
#include "data/structures.h"
#include "data/synthesize.h"
#include "model/map_keys.h"
#include "tensor/value.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_proposals = 12;
constexpr std::int64_t default_samples = 3;

using Dims = std::map<std::string, std::int64_t>;

/// What the command line fixed: values of inputs, and sizes that were given or follow from those values.
struct Given {
  std::vector<NamedTensor> inputs;
  Dims dims;
};

std::vector<std::string> open_keys(const Interface& interface) {
  std::vector<std::string> keys;
  for (const auto* values : {&interface.inputs, &interface.optional_inputs}) {
    for (const ValueInfo& value : *values) {
      for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
        if (is_open(value.dims[axis])) keys.push_back(dim_key(value, axis));
      }
    }
  }
  return keys;
}

Result<void> check_dims(const Interface& interface, const Dims& dims) {
  const auto keys = open_keys(interface);
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

/// Sizes of open dimensions, as the values show them; the first value of a dimension counts.
void add_seen_dims(const Interface& interface, const std::vector<NamedTensor>& values, Dims& dims) {
  for (const NamedTensor& value : values) {
    const ValueInfo* declared = find_input(interface, value.name);
    if (is_form(value.part) || value.value.shape().size() != declared->dims.size()) continue;
    for (std::size_t axis = 0; axis < declared->dims.size(); ++axis) {
      if (is_open(declared->dims[axis])) dims.emplace(dim_key(*declared, axis), value.value.shape()[axis]);
    }
  }
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

void put_given(Sample& sample, const std::vector<NamedTensor>& inputs) {
  for (const auto& parts : values_in(inputs)) {
    auto at = std::ranges::find(sample.inputs, parts.front().name, &NamedTensor::name);
    const auto end = std::find_if(at, sample.inputs.end(),
                                  [&](const NamedTensor& other) { return other.name != parts.front().name; });
    at = sample.inputs.erase(at, end);
    sample.inputs.insert(at, parts.begin(), parts.end());
  }
}

/// The inputs that nobody gave, which the synthesizer has to make up.
Interface without(const Interface& interface, const std::vector<NamedTensor>& given) {
  Interface rest = interface;
  std::erase_if(rest.inputs, [&](const ValueInfo& input) {
    return std::ranges::find(given, input.name, &NamedTensor::name) != given.end();
  });
  return rest;
}

Proposal from_files(std::string source, const std::string& where, std::vector<Sample> samples, const Given& given,
                    const Interface& interface) {
  Proposal proposal;
  for (Sample& sample : samples) put_given(sample, given.inputs);
  proposal.facts.source = std::move(source);
  proposal.facts.samples = static_cast<std::int64_t>(samples.size());
  if (!samples.empty()) add_seen_dims(interface, samples.front().inputs, proposal.facts.dims);
  proposal.samples = std::move(samples);
  proposal.description = where;
  return proposal;
}

void warn_of_few(Proposal& proposal, const DataOptions& options, std::int64_t found) {
  if (options.samples <= found) return;
  proposal.warnings.push_back({"fewer_samples", "--samples " + std::to_string(options.samples) +
                                                    " were asked for, but only " + std::to_string(found) +
                                                    " are there"});
}

Result<Proposal> from_data_option(const Interface& interface, const DataOptions& options, const Given& given) {
  std::int64_t found = 0;
  auto samples = read_samples(options.data, interface, options.samples, found);
  if (!samples) return tl::unexpected(samples.error());
  const bool archive = options.data.extension() == ".npz" || samples->front().name.ends_with(".npz");
  Proposal proposal =
      from_files(archive ? "file" : "test_data_set", options.data.string(), std::move(*samples), given, interface);
  warn_of_few(proposal, options, found);
  return proposal;
}

/// test_data_set_N beside the model. What does not fit is left alone, with a word in `warnings`.
std::optional<Proposal> from_beside(const Model& model, const DataOptions& options, const Given& given,
                                    std::vector<Warning>& warnings) {
  const fs::path folder = model.path.has_parent_path() ? model.path.parent_path() : fs::path(".");
  const auto folders = numbered(folder, "test_data_set_", "");
  if (folders.empty()) return std::nullopt;
  auto samples = read_test_data_sets(folders, model.interface, options.samples);
  if (!samples) {
    warnings.push_back({"test_data_ignored", "test data beside the model is not used: " + samples.error().message});
    return std::nullopt;
  }
  Proposal proposal =
      from_files("test_data_set", "test data beside the model", std::move(*samples), given, model.interface);
  warn_of_few(proposal, options, static_cast<std::int64_t>(folders.size()));
  return proposal;
}

Result<Proposal> synthesized(const Interface& rest, const SynthesisPlan& plan, const Given& given,
                             const DataOptions& options) {
  const bool nothing_drawn = rest.inputs.empty();
  const std::int64_t wanted = options.samples > 0 ? options.samples : default_samples;
  const std::int64_t count = nothing_drawn ? 1 : wanted;  // more would all be the same
  Proposal proposal;
  for (std::int64_t i = 0; i < count; ++i) {
    auto sample = synthesize(rest, plan, options.seed, i);
    if (!sample) return tl::unexpected(sample.error());
    put_given(*sample, given.inputs);
    proposal.samples.push_back(std::move(*sample));
  }
  const std::string how = describe(plan, rest);
  proposal.facts = {nothing_drawn && !given.inputs.empty() ? "input" : "synthesized", count, options.seed, plan.dims};
  proposal.description = proposal.facts.source + (how.empty() ? "" : ", " + how);
  return proposal;
}

/// Other values are drawn only if somebody asks for them.
void add_redraws(Proposal& proposal, const Interface& rest, const SynthesisPlan& plan, const Given& given,
                 const DataOptions& options) {
  auto ways = redraws_of(rest, plan);
  proposal.redraws = ways.size();
  if (ways.empty()) return;
  proposal.redraw = [=, ways = std::move(ways)](std::size_t way) -> Result<Proposal> {
    DataOptions again = options;
    again.seed += ways.at(way).seeds_on;
    auto redrawn = synthesized(rest, ways.at(way).plan, given, again);
    if (redrawn) redrawn->description += ", seed " + std::to_string(again.seed);
    return redrawn;
  };
}

/// Sizes that were guessed must not fill the memory: several guesses, with all their samples, are held at once.
Result<void> must_be_small(const Interface& rest, const SynthesisPlan& plan, const Given& given) {
  constexpr std::int64_t most = 8'000'000;  // elements of one sample
  if (plan.dims == given.dims) return {};
  std::int64_t elements = 0;
  for (const ValueInfo& input : rest.inputs) {
    const auto shape = shape_for(input, plan);
    std::int64_t count = shape ? 1 : 0;
    for (std::size_t axis = 0; shape && axis < shape->size() && count <= most; ++axis) count *= (*shape)[axis];
    elements += count;
    if (elements > most) {
      return fail(ErrorKind::unsupported,
                  "'" + printable(input.name, 100) + "' has more than 8 million elements with " + describe(plan, rest),
                  "give the sizes with --dim NAME=N");
    }
  }
  return {};
}

Result<std::vector<Proposal>> from_synthesizer(const Model& model, const DataOptions& options, const Given& given) {
  const Interface& interface = model.interface;
  const auto keys = model.proto == nullptr ? std::map<std::string, Tensor>() : map_keys(*model.proto);
  const Interface rest = without(interface, given.inputs);
  std::vector<Proposal> proposals;
  std::optional<Error> first_error;
  const auto plans = likely_plans(rest, SynthesisPlan{.dims = given.dims, .map_keys = keys}, max_proposals);
  for (const SynthesisPlan& plan : in_all_ways(plans, rest, max_proposals)) {
    const auto small = must_be_small(rest, plan, given);
    auto proposal = small ? synthesized(rest, plan, given, options) : tl::unexpected(small.error());
    if (proposal) {
      add_redraws(*proposal, rest, plan, given, options);
      proposals.push_back(std::move(*proposal));
    } else if (!first_error) {
      first_error = proposal.error();  // one guess may be too large where another is not
    }
  }
  if (proposals.empty()) return tl::unexpected(*first_error);
  return proposals;
}

}  // namespace

Result<std::vector<Proposal>> propose(const Model& model, const DataOptions& options) {
  if (options.samples < 0)
    return fail(ErrorKind::usage, "--samples " + std::to_string(options.samples) + ": give 1 or more");
  auto given = read_given(model.interface, options);
  if (!given) return tl::unexpected(given.error());
  if (!options.data.empty()) {
    auto proposal = from_data_option(model.interface, options, *given);
    if (!proposal) return tl::unexpected(proposal.error());
    return std::vector{std::move(*proposal)};
  }
  std::vector<Warning> warnings;
  if (auto proposal = from_beside(model, options, *given, warnings)) return std::vector{std::move(*proposal)};
  auto proposals = from_synthesizer(model, options, *given);
  if (proposals) {
    for (Proposal& proposal : *proposals) proposal.warnings = warnings;
  }
  return proposals;
}

}  // namespace culprit
