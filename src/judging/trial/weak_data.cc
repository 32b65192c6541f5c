#include "trial/weak_data.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr std::size_t outputs_shown = 3;

/// "'y' is 2.5 in all elements, 'boxes' is empty in all samples and 2 more"
std::string listed(const std::vector<WeakOutput>& weak) {
  std::vector<std::string> shown;
  for (const WeakOutput& output : weak) {
    if (shown.size() == outputs_shown) break;
    shown.push_back("'" + printable(output.output, 60) + "' is " + output.reason);
  }
  const std::size_t rest = weak.size() - shown.size();
  return join(shown, ", ") + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

std::string advice(const Proposal& proposal, const Interface& interface) {
  if (interface.inputs.empty()) return "it takes no inputs, so other data cannot help";
  const std::string input = "--input " + printable(interface.inputs.front().name, 60) + "=FILE.npy";
  if (proposal.facts.source == DataSource::synthesized) return "give it real data with --data FOLDER or " + input;
  return "give it other data with --data FOLDER or " + input;
}

}  // namespace

Result<Weakness> weakness_of(std::span<const fs::path> samples, std::span<const fs::path> outputs,
                             const Stop& is_interrupted) {
  WeaknessWatch watch;
  for (std::size_t i = 0; i < std::min(samples.size(), outputs.size()); ++i) {
    if (is_stopped(is_interrupted)) return ended_early();
    const auto inputs = read_pack(samples[i]);
    if (!inputs) return tl::unexpected(inputs.error());
    const auto values = read_pack(outputs[i]);
    if (!values) return tl::unexpected(values.error());
    watch.add(*inputs, *values);
  }
  return Weakness{watch.weak(), watch.says_nothing(), watch.partly_nan()};
}

Result<std::vector<double>> shares_not_finite(std::span<const fs::path> outputs, const Stop& is_interrupted) {
  std::vector<double> shares;
  for (const fs::path& pack : outputs) {
    if (is_stopped(is_interrupted)) return ended_early();
    const auto values = read_pack(pack);
    if (!values) return tl::unexpected(values.error());
    std::int64_t elements = 0, found = 0;
    for (const NamedTensor& output : *values) {
      if (!is_float(output.value.dtype())) continue;
      elements += output.value.count();
      for (std::int64_t i = 0; i < output.value.count(); ++i) found += std::isfinite(output.value.number(i)) ? 0 : 1;
    }
    shares.push_back(elements > 0 ? static_cast<double>(found) / static_cast<double>(elements) : 0);
  }
  return shares;
}

std::string weak_data_message(const Weakness& weakness, const Proposal& proposal, const Interface& interface,
                              std::size_t redrawn) {
  std::string message = "its outputs say nothing about its values: " + listed(weakness.weak);
  if (redrawn > 0) message += ", also with " + std::to_string(redrawn) + " other draws";
  return message + "; " + advice(proposal, interface);
}

Warning weak_output_warning(const std::vector<WeakOutput>& weak) {
  const std::string verb = weak.size() == 1 ? "says" : "say";
  return {"weak_output", listed(weak) + ", and so " + verb + " nothing about a model that is held against this one"};
}

Warning partly_nan_warning(const std::vector<WeakOutput>& partly_nan) {
  return {"nan_in_reference", listed(partly_nan) + " of the original; there a variant is right if it gives NaN, too"};
}

Warning redrawn_warning(const Weakness& first, const Proposal& taken) {
  return {"samples_redrawn",
          "on the first samples " + listed(first.weak) + "; these were drawn instead: " + printable(taken.description)};
}

}  // namespace culprit
