#pragma once
// The model that the safe recipe makes, as it lies on the disk: is it right?

#include <cstddef>
#include <filesystem>

#include "check/check.h"
#include "check/variants/confirmed_variants.h"

namespace culprit {

struct DeliveredFile {
  ConfirmedVariants& variants;
  const Reference& reference;
  std::size_t variant = 0;  ///< that the safe recipe makes
  const SafeRecipe& safe;

  /// Runs the file at both levels, in fresh processes, and fills in what came of it.
  Result<void> verify(const std::filesystem::path& file, Delivery& delivery) const;

 private:
  Result<void> verify_saved(const std::filesystem::path& file, Delivery& delivery) const;
};

/// What a variant that is a file has to keep to at both levels, to be delivered.
SafeRecipe right_everywhere(const Variant& variant, const JudgedVariants& variants, const Reference& reference);

/// The safe recipe is a session that is right, of which the runtime could not write what it runs.
Delivery without_file(ModelReport report, const Variant& safe);

}  // namespace culprit
