#include "check/explain/file_trial.h"

namespace culprit {

Result<RecipeAnswer> show_file(ConfirmedVariants& variants, const Reference& reference, std::size_t variant,
                               const std::filesystem::path& file) {
  RecipeAnswer here{RecipeAnswer::State::unclear, "it was not run"};  // at the reference's level
  RecipeAnswer there{RecipeAnswer::State::clean};                     // at the deploy level, if there is one
  const std::string deployed = variants.deploy_level().judges() ? variants.deploy_level().level() : "";
  const auto verified = variants.verify(variant, file, [&](const Judgement& judgement, const std::string& level) {
    const bool is_there = level == deployed;
    if (is_fault(judgement.verdict, reference.options.strict)) {
      (is_there ? there : here) = answer_of(judgement, is_there ? level : "");
    } else if (!is_there && judgement.verdict == Verdict::inconclusive) {
      here = {RecipeAnswer::State::unclear, judgement.message};
    } else if (!is_there) {
      here = {RecipeAnswer::State::clean};
    }
  });
  if (!verified) return tl::unexpected(verified.error());
  return here.state == RecipeAnswer::State::clean ? there : here;
}

std::filesystem::path file_of(const JudgedVariants& variants, const Reference& reference, const Variant& variant) {
  if (variant.same_as == SameAs::original) return reference.model.path;
  return variant.same_as == SameAs::round_trip ? variants.round_trip().outcome.file : variant.outcome.file;
}

}  // namespace culprit
