#pragma once
// Do the reference's outputs say anything on these samples, and what is said to the user where they do not?

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "data/sample.h"
#include "judge/weak_outputs.h"

namespace culprit {

struct Weakness {
  std::vector<WeakOutput> weak;
  bool says_nothing = false;  ///< every output is weak
  std::vector<WeakOutput> partly_nan = {};
};

/// Reads packs of samples and of the reference's outputs, one after the other. ErrorKind::interrupted in between.
Result<Weakness> weakness_of(std::span<const std::filesystem::path> samples,
                             std::span<const std::filesystem::path> outputs, const Stop& is_interrupted = {});

/// The share of NaN and infinities among a sample's outputs, for each sample. Reads packs one after the other.
Result<std::vector<double>> shares_not_finite(std::span<const std::filesystem::path> outputs,
                                              const Stop& is_interrupted = {});

/// Why nothing can be said, and what helps: "its outputs say nothing of its values: 'y' is 0.001 in all elements of all
/// samples; ...". `redrawn`: other values that were tried.
std::string weak_data_message(const Weakness& weakness, const Proposal& proposal, const Interface& interface,
                              std::size_t redrawn);

/// The one warning, `weak_output`, on outputs that say nothing beside others that do.
Warning weak_output_warning(const std::vector<WeakOutput>& weak);

/// `nan_in_reference`: where a variant need only give NaN, too, because NaN equals NaN.
Warning partly_nan_warning(const std::vector<WeakOutput>& partly_nan);

/// `samples_redrawn`: what the first samples gave, and what was taken instead.
Warning redrawn_warning(const Weakness& first, const Proposal& taken);

}  // namespace culprit
