#include <algorithm>

#include "base/shell_words.h"
#include "base/text.h"
#include "record/level_words.h"
#include "report/console_parts.h"

namespace culprit {
namespace {

/// "the default pass list", "the pass list": what the safe list was looked for in.
std::string whole_of(const ModelReport& report) {
  for (const VariantRecord& variant : report.variants)
    if (variant.is_bundle) return kind_of(variant.recipe, true);
  return "the pass list";
}

}  // namespace

ConsoleStyle with_products(ConsoleStyle style, const Environment& environment) {
  const auto called = [](const std::string& name, const std::string& version) {
    const std::string plain = name == "onnx_optimizer" ? "ONNX Optimizer"
                              : name == "onnxruntime"  ? "ONNX Runtime"
                                                       : name;
    return plain.empty() || version.empty() ? plain : plain + " " + version;
  };
  style.optimizer = called(environment.optimizer.name, environment.optimizer.version);
  if (!environment.onnxruntime.empty()) style.runtime = called("onnxruntime", environment.onnxruntime);
  return style;
}

std::optional<RuntimeCaution> runtime_caution(const ModelReport& report, const ConsoleStyle& style) {
  const bool changes = std::ranges::any_of(
      report.warnings, [](const Warning& warning) { return warning.code == "runtime_changes_values"; });
  if (!changes) return std::nullopt;
  return RuntimeCaution{
      (style.runtime.empty() ? "the runtime" : style.runtime) +
          " itself changes what this model gives when it optimizes",
      "which of its steps does it: culprit localize " + shell_quoted(report.model.path) + " --optimizer onnxruntime"};
}

std::string safe_recipe_text(const ModelReport& report) {
  if (!report.safe_recipe) return "";
  const SafeRecipe& safe = *report.safe_recipe;
  if (!safe.verified) return "none" + (safe.message.empty() ? "" : ": " + printable(safe.message));
  const std::string without = safe.left_out.empty() ? "" : " without " + names_of(safe.left_out);
  return printable(whole_of(report) + without) + "; verified on " + counted(safe.samples, "sample") + " " +
         printable(words_of_level(safe.levels));
}

std::string safe_recipe_part(const ModelReport& report, const ConsoleStyle& style) {
  const bool is_news = report.safe_recipe && (!report.safe_recipe->left_out.empty() || !report.faults.empty());
  if (!report.safe_recipe || !(is_news || style.verbose)) return "";
  const bool is_verified = report.safe_recipe->verified;
  std::string caution;
  if (const auto found = runtime_caution(report, style); found && is_verified)
    caution = printable(", though " + found->what + "; " + found->which_step);
  return "\n" + hanging("  safe list: ", safe_recipe_text(report) + caution, style.width);
}

}  // namespace culprit
