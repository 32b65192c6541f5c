// Guesses at what a model takes: sizes and integers together.

#include <fmt/format.h>

#include <algorithm>

#include "base/lower_case.h"
#include "base/text.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"

namespace culprit {
namespace {

bool is_sampling_rate(const ValueInfo& value) {
  if (!is_integer(value.dtype) || value.dims.size() > 1) return false;
  return is_one_of(lower_case(value.name),
                   {"sr", "rate", "sampling_rate", "sample_rate", "samplerate", "samplingrate"});
}

bool is_picture(const ValueInfo& value) {
  return value.dims.size() >= 3 && (value.dtype == DType::u8 || value.dtype == DType::i8);
}

bool has_drawn_integers(const Interface& interface, const SynthesisPlan& given) {
  return std::ranges::any_of(interface.inputs, [&](const ValueInfo& value) {
    return is_integer(value.dtype) && !is_picture(value) && !is_sampling_rate(value) &&
           !given.values.contains(value.name) && !given.rules.contains(value.name);
  });
}

/// Guesses at integers, with the sizes as given.
std::vector<SynthesisPlan> value_plans(const Interface& interface, const SynthesisPlan& given) {
  SynthesisPlan plan = given;
  std::vector<SynthesisPlan> plans;
  for (const std::int64_t rate : {16000, 8000}) {
    for (const ValueInfo& value : interface.inputs) {
      if (is_sampling_rate(value) && !given.values.contains(value.name)) plan.values[value.name] = rate;
    }
    plans.push_back(plan);
    if (plan.values == given.values) break;
  }
  if (!has_drawn_integers(interface, given)) return plans;
  for (const auto& [low, high] : {std::pair{0, 0}, {1, 2}}) {
    plan = plans.front();
    plan.integer_low = low;
    plan.integer_high = high;
    plans.push_back(plan);
  }
  return plans;
}

}  // namespace

std::vector<LikelyPlan> likely_plans(const Interface& interface, const SynthesisPlan& given, std::size_t limit) {
  const auto sizes = guess_sizes(interface.inputs, given.dims);
  const auto values = value_plans(interface, given);
  std::vector<LikelyPlan> plans;
  for (std::size_t unlikely = 0; unlikely < sizes.size() + values.size() - 1; ++unlikely) {  // both guesses, diagonally
    for (std::size_t v = 0; v < values.size() && v <= unlikely; ++v) {
      if (unlikely - v >= sizes.size() || plans.size() == limit) continue;
      plans.push_back({values[v], sizes[unlikely - v].others});
      plans.back().plan.dims = sizes[unlikely - v].first;
    }
  }
  return plans;
}

std::string describe(const SynthesisPlan& plan, const Interface& interface) {
  std::string text;
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
  for (const auto& [key, size] : plan.dims) {
    if (!is_formula(key)) add(key + "=" + std::to_string(size));
  }
  if (plan.float_scale != 1) add(fmt::format("floats x {}", plan.float_scale));
  if (has_drawn_integers(interface, plan)) {
    add("integers " + std::to_string(plan.integer_low) + ".." + std::to_string(plan.integer_high));
  }
  for (const auto& [input, value] : plan.values) add(input + "=" + std::to_string(value));
  if (plan.way > 0) add("nothing empty or absent" + std::string(plan.way > 1 ? ", other lengths" : ""));
  return text;
}

std::vector<std::string> choices_of(const SynthesisPlan& plan, const Interface& interface) {
  std::vector<std::string> choices;
  for (const ValueInfo& input : interface.inputs) {
    const std::string name = printable(input.name, 60) + ": ";
    const auto rule = plan.rules.find(input.name);
    if (const auto fixed = plan.values.find(input.name); fixed != plan.values.end()) {
      choices.push_back(name + std::to_string(fixed->second) + ", by its name");
    } else if (rule != plan.rules.end()) {
      choices.push_back(name + describe(rule->second, plan.dims));
    }
  }
  return choices;
}

}  // namespace culprit
