#include "repro/given_inside.h"

#include <algorithm>

#include "base/folder.h"
#include "compare/compare_models.h"
#include "repro/fault_divergence.h"
#include "repro/repro_contents.h"

namespace culprit {

Result<std::optional<CompareReport>> given_inside(const Reference& reference, const std::filesystem::path& variant,
                                                  Executor& executor, const std::filesystem::path& folder,
                                                  const Stop& is_time_up) {
  const auto other = load_model(variant);
  if (!other || repro_bytes(reference.model) > most_compared_bytes || !make_folder(folder)) return std::nullopt;
  CompareOptions options;
  options.tolerance = reference.options.tolerance;
  options.strict = reference.options.strict;
  options.session = reference.session;
  options.limits = reference.options.limits;
  options.draws = std::min(options.draws, reference.options.draws);
  auto report = compare_models(reference.model, *other, {reference.samples, reference.outputs, {}}, options,
                               {executor, folder, {}, is_time_up});
  remove_folder(folder);
  if (report) return std::optional(std::move(*report));
  if (report.error().kind == ErrorKind::interrupted) return tl::unexpected(report.error());
  return std::nullopt;
}

}  // namespace culprit
