#include "base/text.h"
#include "report/console_parts.h"

namespace culprit {
namespace {

/// "the bundle", "the recipe": what the safe recipe was looked for in.
std::string whole_of(const ModelReport& report) {
  for (const VariantRecord& variant : report.variants)
    if (variant.is_bundle) return kind_of(variant.recipe, true);
  return "the recipe";
}

}  // namespace

std::string safe_recipe_text(const ModelReport& report) {
  if (!report.safe_recipe) return "";
  const SafeRecipe& safe = *report.safe_recipe;
  if (!safe.verified) return "none" + (safe.message.empty() ? "" : ": " + printable(safe.message));
  const std::string without = safe.left_out.empty() ? "" : " without " + names_of(safe.left_out);
  return printable(whole_of(report) + without) + "; verified on " + counted(safe.samples, "sample") + " at " +
         printable(join(safe.levels, " and "));
}

std::string safe_recipe_part(const ModelReport& report, const ConsoleStyle& style) {
  const bool is_news = report.safe_recipe && (!report.safe_recipe->left_out.empty() || !report.faults.empty());
  if (!report.safe_recipe || !(is_news || style.verbose)) return "";
  return "\n" + hanging("  safe recipe: ", safe_recipe_text(report), style.width);
}

}  // namespace culprit
