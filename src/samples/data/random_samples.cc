#include "data/random_samples.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/text.h"
#include "data/branch_samples.h"
#include "data/other_samples.h"
#include "data/random_structures.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"
#include "model/input_uses.h"
#include "model/map_keys.h"
#include "model/tree_thresholds.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

constexpr std::size_t most_beginnings = 12;
constexpr std::int64_t most_guessed_elements = 16'000'000;  // of a sample whose sizes were guessed

/// What all samples of a model are drawn from. Proposals share it.
struct Source {
  Interface rest;  ///< the inputs that nobody gave
  Given given;
  std::uint64_t seed = 0;
  std::int64_t count = 1;
  Room room = {};
  Reach reach = {};

  [[nodiscard]] bool draws_nothing() const { return rest.inputs.empty(); }
};

/// The sizes and values of one proposal.
struct Choice {
  SynthesisPlan plan;
  std::optional<Sizes> other = std::nullopt;  ///< of every second sample
  std::uint64_t seeds_on = 0;

  [[nodiscard]] SynthesisPlan plan_of(std::int64_t index) const {
    SynthesisPlan its = plan;
    if (other && index % 2 == 1) its.dims = *other;
    return its;
  }
};

Interface without(const Interface& interface, const std::vector<NamedTensor>& given) {
  Interface rest = interface;
  std::erase_if(rest.inputs, [&](const ValueInfo& input) {
    return std::ranges::find(given, input.name, &NamedTensor::name) != given.end();
  });
  return rest;
}

std::int64_t elements_of(const Interface& rest, const SynthesisPlan& plan) {
  std::int64_t elements = 0;
  for (const ValueInfo& input : rest.inputs) {
    const auto shape = shape_for(input, plan);
    const auto count = shape ? element_count(*shape) : 0;
    elements += std::min(count ? *count : most_guessed_elements + 1, most_guessed_elements + 1);
  }
  return elements;
}

/// Sizes that were guessed must not fill the memory or the disk. What the model itself fixes is not guessed.
Result<void> must_be_small(const Source& source, const SynthesisPlan& plan) {
  if (plan.dims == source.given.dims) return {};
  SynthesisPlan least = plan;
  for (auto& [name, size] : least.dims) {
    if (!source.given.dims.contains(name)) size = std::min<std::int64_t>(size, 1);
  }
  const std::int64_t elements = elements_of(source.rest, plan);
  if (elements <= std::max(most_guessed_elements, elements_of(source.rest, least))) return {};
  return fail(ErrorKind::unsupported,
              "a sample would have more than 16 million elements with " + describe(plan, source.rest),
              "give the sizes with --dim NAME=N");
}

/// Only sizes that are open can be given.
std::string smaller_sizes(const Source& source, const std::string& otherwise) {
  const bool are_fixed = names_of_sizes(source.rest.inputs).empty();
  return (are_fixed ? "the model itself fixes the sizes of its inputs: " : "give smaller sizes with --dim, ") +
         otherwise;
}

/// All samples lie on the disk; one at a time is in the memory, and an input is there three times while it is drawn.
Result<void> must_have_room(const Source& source, const SynthesisPlan& plan) {
  std::uint64_t sample = 0, largest = 0;
  for (const ValueInfo& input : source.rest.inputs) {
    const auto shape = shape_for(input, plan);
    const auto count = shape ? element_count(*shape) : 0;
    const std::uint64_t drawn = bytes_while_drawn(input.dtype, count ? *count : 0);
    // At most 4 GiB: can_synthesize.
    sample += input.dtype == DType::string ? drawn : bytes_for(input.dtype, count ? *count : 0);
    largest = std::max(largest, drawn);
  }
  const auto [memory, disk] = source.room;
  const std::uint64_t needed = sample + 2 * largest;
  if (memory > 0 && needed > memory)
    return fail(ErrorKind::unsupported,
                "a sample would take " + human_bytes(needed) + " of memory while it is made, and there are " +
                    human_bytes(memory),
                smaller_sizes(source, "give the inputs with --input, or take a machine with more memory"));
  const auto count = static_cast<std::uint64_t>(source.count);
  if (disk > 0 && sample > disk / count)
    return fail(ErrorKind::unsupported,
                "the samples (" + std::to_string(source.count) + " of " + human_bytes(sample) +
                    " each) would not fit on the disk, where " + human_bytes(disk) + " are free",
                smaller_sizes(source, "take fewer samples with --samples, or a folder with more room with --run-dir"));
  return {};
}

Result<void> can_draw(const Source& source, const SynthesisPlan& plan) {
  if (auto ok = can_synthesize(source.rest, plan); !ok) return ok;
  if (auto ok = must_have_room(source, plan); !ok) return ok;
  return must_be_small(source, plan);
}

std::string described(const Source& source, const Choice& choice, const std::string& name) {
  std::string how = describe(choice.plan, source.rest);
  if (choice.other) {
    SynthesisPlan sizes_only;
    for (const auto& [key, size] : *choice.other) {
      if (choice.plan.dims.at(key) != size) sizes_only.dims[key] = size;
    }
    how += " and " + describe(sizes_only, Interface{});
  }
  if (choice.seeds_on > 0) how += (how.empty() ? "" : ", ") + ("seed " + std::to_string(source.seed + choice.seeds_on));
  return name + (how.empty() ? "" : ", " + how);
}

/// What lies on the other sides of what the graph compares with, as far as it can be drawn.
std::vector<Further> further_of(const Source& source, const Choice& choice) {
  const bool is_drawn_again = choice.seeds_on > 0 && !source.reach.is_of_two;
  if (source.count < 2 || is_drawn_again || has_structured_inputs(source.rest)) return {};
  auto further = further_samples(source.rest, choice.plan, choice.other, source.reach, source.given.dims,
                                 static_cast<std::size_t>(source.count));
  std::erase_if(further, [&](const Further& one) {
    SynthesisPlan its = choice.plan;
    its.dims = one.dims;
    return !can_draw(source, its);
  });
  return further;
}

Result<Sample> draw(const Source& source, const Choice& choice, const std::vector<Further>& further, std::int64_t index,
                    const Stop& stop) {
  SynthesisPlan plan = choice.plan_of(index);
  const std::uint64_t seed = source.seed + choice.seeds_on;
  const bool is_further = index >= source.count;
  const auto which = static_cast<std::size_t>(index - std::min(index, source.count));
  if (is_further) plan.dims = further.at(which).dims;
  auto sample = synthesize(source.rest, plan, seed, index, stop);
  if (sample && is_further) reach_out(*sample, source.rest, plan, source.reach, which, seed);
  if (sample) put_given(*sample, source.given.inputs);
  return sample;
}

Proposal proposal_of(const std::shared_ptr<const Source>& source, const Choice& choice) {
  const bool is_given = source->draws_nothing() && !source->given.inputs.empty();
  Proposal proposal;
  proposal.facts = {is_given ? DataSource::input : DataSource::synthesized, source->count,
                    source->seed + choice.seeds_on, choice.plan.dims};
  if (choice.other) proposal.facts.other_dims = *choice.other;
  proposal.facts.choices = choices_of(choice.plan, source->rest);
  proposal.description = described(*source, choice, std::string(reader_word(proposal.facts.source)));
  proposal.drawn = source->count;
  const auto further = further_of(*source, choice);
  proposal.further = static_cast<std::int64_t>(further.size());
  for (const Further& one : further) proposal.further_words.push_back(join(one.what, ", "));
  proposal.draw = [source, choice, further](std::int64_t index, const Stop& stop) {
    return draw(*source, choice, further, index, stop);
  };
  const bool has_floats =
      std::ranges::any_of(source->rest.inputs, [](const auto& input) { return is_float(input.dtype); });
  if (choice.plan.is_varied && has_floats && source->count > 1) {
    proposal.plain = [source, choice] {
      Choice plain = choice;
      plain.plan.is_varied = false;
      return proposal_of(source, plain);
    };
  }
  return proposal;
}

/// Other values are drawn only if somebody asks for them.
Proposal with_redraws(const std::shared_ptr<const Source>& source, const Choice& choice) {
  Proposal proposal = proposal_of(source, choice);
  auto ways = redraws_of(source->rest, choice.plan);
  proposal.redraws = ways.size();
  if (ways.empty()) return proposal;
  proposal.redraw = [source, choice, ways = std::move(ways)](std::size_t way) -> Result<Proposal> {
    Choice again{ways.at(way).plan, choice.other, ways.at(way).seeds_on};
    again.plan.is_varied = false;  // other ranges are variety enough, and 16 x 32 is too much of it
    return proposal_of(source, again);
  };
  return proposal;
}

/// A beginning, and what begins like it: other sizes, then none; each with varied values, at last with plain ones.
void add_beginning(std::vector<Proposal>& proposals, const std::shared_ptr<const Source>& source,
                   const LikelyPlan& likely) {
  const std::size_t first = proposals.size();
  const bool is_alone = source->count < 2;
  for (const Sizes& other : likely.other_sizes) {
    Choice choice{likely.plan, other};
    if (!is_alone && can_draw(*source, choice.plan_of(1))) proposals.push_back(with_redraws(source, choice));
  }
  Choice last{likely.plan};
  proposals.push_back(with_redraws(source, last));
  last.plan.is_varied = false;
  if (!is_alone && !source->draws_nothing()) proposals.push_back(with_redraws(source, last));
  for (std::size_t i = first + 1; i < proposals.size(); ++i) proposals[i].begins_as_before = true;
}

/// A model of another framework tells only the types of its inputs: bytes are taken for quantized numbers.
std::map<std::string, std::vector<Use>> uses_without_graph(const std::vector<ValueInfo>& inputs) {
  std::map<std::string, std::vector<Use>> uses;
  for (const ValueInfo& input : inputs) {
    if (input.dtype == DType::i8 || input.dtype == DType::u8) uses[input.name].push_back({UseKind::quantized});
  }
  return uses;
}

/// Adds the dimensions of the inputs that nobody gave.
void add_needed(Sizes& dims, const Interface& rest, const Sizes& needed) {
  for (const std::string& name : names_of_sizes(rest.inputs)) {
    const auto size = needed.find(name);
    if (size != needed.end() && !is_formula(name)) dims.insert(*size);
  }
}

}  // namespace

void put_given(Sample& sample, const std::vector<NamedTensor>& inputs) {
  for (const auto& parts : values_in(inputs)) {
    auto at = std::ranges::find(sample.inputs, parts.front().name, &NamedTensor::name);
    const auto end = std::find_if(at, sample.inputs.end(),
                                  [&](const NamedTensor& other) { return other.name != parts.front().name; });
    at = sample.inputs.erase(at, end);
    sample.inputs.insert(at, parts.begin(), parts.end());
  }
}

Result<std::vector<Proposal>> drawn_proposals(const Model& model, const DataOptions& options, const Given& given) {
  auto source = std::make_shared<Source>(Source{without(model.interface, given.inputs), given, options.seed});
  source->room = options.room;
  source->count = options.samples > 0 ? options.samples : options.made_up;
  if (source->draws_nothing()) source->count = 1;  // more would all be the same
  SynthesisPlan fixed{.dims = given.dims};
  if (model.proto) {
    fixed.rules = rules_for(source->rest.inputs, uses_of_inputs(*model.proto), thresholds_of_inputs(*model.proto));
    add_needed(fixed.dims, source->rest, sizes_needed(*model.proto));
    fixed.map_keys = map_keys(*model.proto);
    source->reach = reach_of(model, options.held_against);
  } else {
    fixed.rules = rules_for(source->rest.inputs, uses_without_graph(source->rest.inputs));
  }
  std::vector<Proposal> proposals;
  std::optional<Error> first_error;
  const auto plans = likely_plans(source->rest, fixed, most_beginnings);
  for (const LikelyPlan& likely : in_all_ways(plans, source->rest, most_beginnings)) {
    if (auto ok = can_draw(*source, likely.plan); ok) {
      add_beginning(proposals, source, likely);
    } else if (!first_error) {
      first_error = ok.error();  // one guess may be too large where another is not
    }
  }
  if (proposals.empty()) return tl::unexpected(*first_error);
  return proposals;
}

}  // namespace culprit
