#include "repro/issue_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "record/level_words.h"
#include "repro/markdown.h"

namespace culprit {
namespace {

constexpr std::size_t longest_list = 8;

std::string spans(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  all.reserve(words.size());
  for (const std::string& word : words) all.push_back(code_span(word));
  if (all.size() > longest_list) {
    const std::size_t more = all.size() - longest_list;
    all.resize(longest_list);
    all.push_back(fmt::format("and {} more", more));
  }
  return join(all, ", ");
}

std::string who(const ReproFacts& facts) {
  if (facts.recipe.passes.empty()) return "Import and export alone";
  return spans(facts.recipe.passes);
}

std::string what(const ReproFacts& facts) {
  switch (facts.verdict) {
    case Verdict::interface_changed:
      return "changes the inputs or outputs of a model";
    case Verdict::optimizer_crashed:
      return "fails on a valid model";
    case Verdict::rejected:
      return runs_in_session(facts.recipe) ? "keeps a valid model from loading"
                                           : "makes an invalid model out of a valid one";
    case Verdict::run_failed:
      return runs_in_session(facts.recipe) ? "keeps a model from running" : "makes a model that does not run";
    case Verdict::timed_out:
      return "does not come to an end";
    case Verdict::out_of_memory:
      return "runs out of memory";
    default:
      return "changes what a model computes";
  }
}

/// A fault that takes the runtime's optimizations to happen is the runtime's, on what the passes leave.
std::string title(const ReproFacts& facts) {
  const std::string where =
      facts.kind == FaultKind::runtime ? fmt::format(" at ONNX Runtime's level {}", facts.level) : "";
  const auto& passes = facts.recipe.passes;
  const std::string name = passes.size() == 2 ? code_span(passes[0]) + " with " + code_span(passes[1]) : who(facts);
  return fmt::format("# {} {}{}\n", name, what(facts), where);
}

std::string line(std::string_view name, const std::string& version) {
  return version.empty() ? "" : fmt::format("| {} | {} |\n", name, code_span(version));
}

/// Who optimizes, as people call it; "" where it is the runtime.
std::string optimizer_of(const ReproFacts& facts) {
  if (runs_in_session(facts.recipe)) return "";
  return is_of_program(facts.recipe) ? printable(facts.recipe.optimizer) : "ONNX Optimizer";
}

std::string versions(const ReproFacts& facts) {
  const std::string& version = is_of_program(facts.recipe) ? facts.versions.program : facts.versions.onnx_optimizer;
  return "| package | version |\n|---|---|\n" +
         (runs_in_session(facts.recipe) ? "" : line(optimizer_of(facts), version)) + line("ONNX", facts.versions.onnx) +
         line("ONNX Runtime", facts.versions.onnxruntime) + line("found with culprit", facts.versions.culprit);
}

std::string expected(const ReproFacts& facts) {
  const std::string once = facts.recipe.repeat == Repeat::once      ? "once"
                           : facts.recipe.repeat == Repeat::library ? "to the library's own fixpoint"
                                                                    : "until nothing changes any more";
  if (runs_in_session(facts.recipe))
    return "In a session at level `" + facts.recipe.level +
           "` the model computes what it does with all optimizations off.\n";
  if (is_of_program(facts.recipe)) {
    const std::string steps =
        facts.recipe.passes.empty() ? "all of its steps left out" : who(facts) + " alone of its steps";
    return optimizer_of(facts) + " with " + steps + " gives a model that computes the same as `model.onnx`.\n";
  }
  const std::string applied = facts.recipe.passes.empty()
                                  ? "Importing `model.onnx` into the optimizer and exporting it"
                                  : "Applying " + who(facts) + " to `model.onnx`, " + once + ",";
  if (facts.contract == Contract::partition) return applied + " gives a part of the model that is valid and loads.\n";
  return applied + " gives a valid model that computes the same.\n";
}

std::string limit_text(const ReproLimit& limit) {
  if (limit.atol == 0 && limit.rtol == 0 && limit.floor == 0) return "must be equal";
  return fmt::format("{:.2g} + {:.2g} x value; rounding: {:.2g}", limit.atol, limit.rtol, limit.floor);
}

std::string measured(const ReproFacts& facts) {
  std::string rows;
  for (const auto& [label, m] : facts.measurements) {
    if (m.beyond_floor == 0 && m.note.empty()) continue;
    const auto limit = facts.limits.find(label);
    const std::string note = m.note.empty() ? "" : code_span(m.note);
    // A bar ends a cell even in a code span.
    std::string name = code_span(label);
    for (auto at = name.find('|'); at != std::string::npos; at = name.find('|', at + 2)) name.replace(at, 1, "\\|");
    rows += fmt::format("| {} | {:.3g} | {} of {} | {} | {} |\n", name, m.max_abs, m.beyond_tolerance, m.elements,
                        limit == facts.limits.end() ? "" : limit_text(limit->second), note);
  }
  if (rows.empty()) return "";
  return "\n| output | largest difference | elements beyond the tolerance | tolerance | note "
         "|\n|---|---|---|---|---|\n" +
         rows;
}

std::string happens(const ReproFacts& facts) {
  std::string text = code_block(facts.message) + measured(facts);
  text +=
      fmt::format("\nIt was seen {}", words_of_level(runs_in_session(facts.recipe) ? facts.recipe.level : facts.level));
  if (!facts.recipe.disabled.empty()) text += fmt::format(", with all steps but {} left out", who(facts));
  if (!facts.confirmed.empty()) text += fmt::format(", and again in {} fresh processes", facts.confirmed);
  return text + ". To search for the same fault in other reports:\n\n" + code_block(facts.signature);
}

/// Names are those of the model it was found in, which the reduced one need not have.
std::string parting(const ReproFacts& facts, const std::string& first_divergence) {
  if (first_divergence.empty()) return "";
  return "\nIn " + std::string(facts.is_reduced ? "the model it was found in" : "`model.onnx`") + ":\n\n" +
         code_block(first_divergence);
}

std::string model_text(const ReproFacts& facts) {
  std::string text = fmt::format("`model.onnx` has {} node{}", facts.model.nodes, facts.model.nodes == 1 ? "" : "s");
  if (facts.is_reduced) text += ", and is the smallest model that was found to fail in the same way";
  if (!facts.variant.fingerprint.empty())
    text += "; `variant.onnx` is what " +
            std::string(runs_in_session(facts.recipe) ? "the runtime"
                        : is_of_program(facts.recipe) ? optimizer_of(facts)
                                                      : "the passes") +
            " made of it";
  return text + ". `test_data_set_0` holds the inputs and the model's own outputs.\n";
}

std::string how_to_run(const ReproFacts& facts) {
  std::string optimizer = runs_in_session(facts.recipe) || is_of_program(facts.recipe) ? "" : " onnxoptimizer";
  for (const std::string& package : facts.packages) optimizer += " " + quoted_for_shell(package);
  return "```\npython3 -m pip install numpy onnx" + optimizer + R"md( onnxruntime
python3 repro.py
```

exits 1 while the fault is there, 0 when it is gone, and 2 when it cannot tell. The optimizing alone, for a debugger:
`python3 repro.py --optimize out.onnx`.

Culprit, which wrote this text, finds the optimizer pass that breaks a model. Who has it runs `culprit replay .)md" +
         std::string(is_of_program(facts.recipe) && facts.packages.empty() ? " --optimizer FILE.yaml" : "") + "`.\n";
}

}  // namespace

std::string issue_text(const ReproFacts& facts, const std::vector<std::string>& diff,
                       const std::string& first_divergence) {
  std::string text = title(facts) + "\n" + versions(facts) + "\n## Expected\n\n" + expected(facts) +
                     "\n## What happens\n\n" + happens(facts) + parting(facts, first_divergence) +
                     "\n## The model\n\n" + model_text(facts);
  if (!facts.custom_ops.empty())
    text += "\nIt needs operators of " + spans(facts.custom_ops) + "; put them into this folder first.\n";
  if (!diff.empty()) text += "\n## The rewrite\n\n" + code_block(join(diff, "\n"), "diff");
  return text + "\n## How to see it\n\n" + how_to_run(facts);
}

}  // namespace culprit
