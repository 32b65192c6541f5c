#include <fmt/format.h>

#include <algorithm>

#include "base/shell_words.h"
#include "base/text.h"
#include "record/level_words.h"
#include "report/console_parts.h"

namespace culprit {
namespace {

constexpr int indent = 6;                    // where the text of a fault stands
constexpr int label_width = 12;              // and what stands before it: "signature"
constexpr std::size_t last_words_shown = 5;  // lines; --verbose shows all

/// The variant that shows it best: of the culprits alone, else the first.
const VariantRecord* variant_of(const ModelReport& report, const FaultRecord& fault) {
  for (const VariantRecord& variant : report.variants)
    if (variant.recipe.passes == fault.culprits &&
        std::find(fault.variants.begin(), fault.variants.end(), variant.id) != fault.variants.end())
      return &variant;
  for (const VariantRecord& variant : report.variants)
    if (std::find(fault.variants.begin(), fault.variants.end(), variant.id) != fault.variants.end()) return &variant;
  return nullptr;
}

/// "      signature   ..."
std::string labelled(std::string_view label, std::string_view text, int width) {
  return hanging(std::string(indent, ' ') + pad_right(label, label_width), text, width);
}

/// The command line that shows this fault alone, with all there is to say about it.
std::vector<std::string> command_for(const ModelReport& report, const VariantRecord* variant,
                                     const ConsoleStyle& style) {
  const auto exact = [](const std::string& path) { return (path.starts_with("-") ? "./" : "") + path; };
  const bool is_of_file = is_file_judged(report);
  std::vector<std::string> words{"culprit", is_of_file ? "localize" : "check", exact(report.model.path)};
  if (is_of_file) words.insert(words.end(), {"--variant", exact(report.given->model.path)});
  const bool is_whole = variant == nullptr || variant->is_bundle || is_whole_level(variant->recipe);
  if (!is_whole && !variant->recipe.passes.empty()) {
    const auto& passes = variant->recipe.passes;
    words.insert(words.end(), {passes.size() == 1 ? "--each" : "--passes", join(passes, ",")});
  }
  if (variant != nullptr && variant->recipe.repeat != Repeat::once)
    words.insert(words.end(), {"--repeat", std::string(name_of(variant->recipe.repeat))});
  words.insert(words.end(), style.repeat_flags.begin(), style.repeat_flags.end());
  words.emplace_back("--verbose");
  return words;
}

std::string last_words_of(const VariantRecord& variant, const ConsoleStyle& style) {
  std::vector<std::string> lines;
  for (const std::string& line : split(variant.last_words, '\n'))
    if (!trim(line).empty()) lines.push_back(printable(trim(line)));
  const std::size_t from = style.verbose || lines.size() <= last_words_shown ? 0 : lines.size() - last_words_shown;
  std::string text;
  for (std::size_t i = from; i < lines.size(); ++i)
    text += labelled(i == from ? "last words" : "", lines[i], style.width);
  return text;
}

std::string steps_of(const ModelReport& report) { return report.step_word == "pass" ? "passes" : "steps"; }

std::string sentence_of(FaultKind kind, const ModelReport& report) {
  switch (kind) {
    case FaultKind::single:
      return "one " + report.step_word + " alone";
    case FaultKind::interaction:
      return steps_of(report) + " together";
    case FaultKind::control:
      return "a control, no " + report.step_word;
    case FaultKind::runtime:
      return "the runtime, on what the optimizer leaves";
    case FaultKind::given:
      return "the variant that was given";
  }
  return "";
}

constexpr std::size_t culprits_shown = 4;

/// A long list stands in the message.
std::string culprits_of(const FaultRecord& fault, const std::string& steps) {
  if (fault.culprits.size() <= culprits_shown) return join(fault.culprits, " + ");
  return fmt::format("{} {} together", fault.culprits.size(), steps);
}

/// Gives a long list of culprits in short where --verbose does not ask for it.
std::string signature_of(const FaultRecord& fault, const std::string& steps, const ConsoleStyle& style) {
  const std::string suspects = join(fault.culprits, ",");
  const auto at = fault.signature.find(suspects);
  if (style.verbose || fault.culprits.size() <= culprits_shown || at == std::string::npos) return fault.signature;
  std::string text = fault.signature;
  return text.replace(at, suspects.size(), fmt::format("({} {})", fault.culprits.size(), steps));
}

std::string heading(const FaultRecord& fault, const std::string& steps, const ConsoleStyle& style) {
  const std::string first = "  " + pad_right(printable(fault.id), indent - 4) + "  ";
  const std::string word(reader_word(fault.verdict));
  const int left = style.width - display_width(first) - display_width(word) - 2;
  const std::string culprits = cut_middle(printable(culprits_of(fault, steps)), left);
  return first + painted(word, Ink::bad, style.colour) + "  " + painted(culprits, Ink::strong, style.colour) + "\n";
}

std::string confirmed_of(const ModelReport& report, const VariantRecord* variant) {
  if (variant == nullptr) return "";
  const Deployed* deployed = failing_deployed(report, *variant);
  return deployed != nullptr ? deployed->confirmed : variant->confirmed;
}

constexpr std::size_t longest_name = 200;    // characters; the report has all
constexpr std::size_t diff_lines_shown = 8;  // of a rewrite; --verbose shows all

/// The node that stays is not moved to the left.
std::string diff_line(const std::string& line, int width) {
  const bool stays = line.starts_with("  ");
  return hanging(std::string(indent + label_width + (stays ? 2 : 0), ' '), printable(stays ? line.substr(2) : line),
                 width);
}

std::string diff_text(const std::vector<std::string>& diff, std::int64_t left_out, const ConsoleStyle& style) {
  std::string text;
  const std::size_t shown = style.verbose ? diff.size() : std::min(diff.size(), diff_lines_shown);
  for (std::size_t i = 0; i < shown; ++i) text += diff_line(diff[i], style.width);
  const auto more = static_cast<std::int64_t>(diff.size() - shown) + left_out;
  if (more > 0) text += labelled("", fmt::format("and {} more line{}", more, more == 1 ? "" : "s"), style.width);
  return text;
}

/// What a pass over the full graph did wrong, and of how much.
std::string pieces_text(const RewriteRecord& rewrite, const ConsoleStyle& style) {
  std::string text;
  for (const RewritePiece& piece : rewrite.bad_pieces) {
    const std::string of =
        rewrite.pieces == 1 ? "its only change: " : fmt::format("1 of its {} changes: ", rewrite.pieces);
    const std::string where =
        piece.output.empty() ? "" : fmt::format(", at '{}'", printable(piece.output, longest_name));
    const std::string what = fmt::format("{}{}{}; proven {}", of, piece.what, where, piece.confirmed);
    text += labelled("piece", printable(what), style.width);
    text += diff_text(piece.diff, piece.diff_left_out, style);
  }
  if (!rewrite.pieces_message.empty()) text += labelled("pieces", printable(rewrite.pieces_message), style.width);
  return text;
}

/// "3 of 7: fuse_pad_into_pool at 'y' (MaxPool); proven 2/2", and what it changed. `number`: of those found before it.
std::string rewrite_text(const RewriteRecord& rewrite, std::size_t number, const ConsoleStyle& style) {
  std::string what = fmt::format("{} of {}: {}", rewrite.number, rewrite.of, rewrite.pass);
  if (!rewrite.output.empty()) what += " at '" + printable(rewrite.output, longest_name) + "'";
  if (!rewrite.op_type.empty()) what += " (" + rewrite.op_type + ")";
  if (number > 0) what += number == 1 ? ", with the one above left out" : ", with those above left out";
  std::string text = labelled("rewrite", printable(what + "; proven " + rewrite.confirmed), style.width);
  if (!rewrite.bad_pieces.empty()) return text + pieces_text(rewrite, style);
  return text + diff_text(rewrite.diff, rewrite.diff_left_out, style) + pieces_text(rewrite, style);
}

/// How a user of the program calls it. Never broken, so that it can be pasted.
std::string calling_text(const FaultRecord& fault) {
  if (fault.to_run.empty()) return "";
  std::string line;
  for (const std::string& word : fault.to_run) {
    const std::string plain = word == "{input}" ? "in.onnx" : word == "{output}" ? "out.onnx" : word;
    line += (line.empty() ? "" : " ") + shell_quoted(printable(plain));
  }
  return labelled("call", line, static_cast<int>(line.size()) + 100);
}

/// What a user of the runtime writes to leave these steps out. Never broken, so that it can be pasted.
std::string disabling_text(const FaultRecord& fault) {
  if (fault.to_disable.empty()) return "";
  const std::string entry = fmt::format("\"{}\", \"{}\"", disabling_entry, printable(join(fault.to_disable, ";")));
  const int wide = static_cast<int>(entry.size()) + 100;
  return labelled("in Python", fmt::format("options.add_session_config_entry({})", entry), wide) +
         labelled("in C++", fmt::format("options.AddConfigEntry({});", entry), wide);
}

std::string rewrites_text(const FaultRecord& fault, const ConsoleStyle& style) {
  std::string text;
  for (std::size_t i = 0; i < fault.rewrites.size(); ++i) text += rewrite_text(fault.rewrites[i], i, style);
  if (!fault.rewrites_message.empty() && fault.kind != FaultKind::control)
    text += labelled("rewrites", printable(fault.rewrites_message), style.width);
  return text;
}

/// "repro/F1 (2 nodes of 57, after 131 checks)"
std::string repro_text(const FaultRecord& fault) {
  std::string text = printable(fault.repro);
  if (!fault.reduced) return text;
  const ReductionRecord& reduced = *fault.reduced;
  const std::string& message = reduced.message;
  if (reduced.nodes == 0) return text + (message.empty() ? "" : " (not reduced: " + printable(message) + ")");
  return text + fmt::format(" ({} of {}, after {}{})", counted(reduced.nodes, "node"), reduced.nodes_before,
                            counted(reduced.checks, "check"), message.empty() ? "" : "; " + printable(message));
}

/// "ONNX Runtime 1.22.1", "onnx.reference 1.19.0 in float64"
std::string runner_of(const AttributionCell& cell) {
  const std::string name = cell.runner == "onnxruntime" ? "ONNX Runtime" : cell.runner;
  return fmt::format("{} {}{}", name, cell.version, cell.precision.empty() ? "" : " in " + cell.precision);
}

/// "without ONNX Runtime's optimizations (off): variant differs; with ONNX Runtime's optimizations (all): original
/// agrees, variant differs; ONNX Runtime 1.22.1: original at off agrees, variant at off differs; onnx.reference 1.19.0:
/// variant fails (why)". The original with optimizations off is left out: all are compared with it.
std::string evidence_of(const FaultRecord& fault) {
  std::string text, head;
  for (const AttributionCell& cell : fault.attribution_evidence) {
    const std::string first = runner_of(fault.attribution_evidence.front());
    const bool is_users = runner_of(cell) == first;
    if (head.empty() && cell.model == "original" && is_users) {
      head = first;
      continue;
    }
    const std::string of_cell = is_users && !cell.level.empty() ? words_of_level(cell.level) : runner_of(cell);
    text += of_cell != head ? (text.empty() ? "" : "; ") + of_cell + ": " : ", ";
    head = of_cell;
    text += cell.model + (is_users || cell.level.empty() ? "" : " at " + cell.level) + " " + cell.outcome;
    if (cell.outcome == "fails" && !cell.message.empty()) text += " (" + cell.message + ")";
  }
  return text;
}

/// "at 'y': Conv 'conv' (in the model BatchNormalization 'bn' behind Conv 'conv') ...; 98 % of the original's values
/// have a counterpart"
std::string divergence_text(const FaultRecord& fault, const ConsoleStyle& style) {
  if (!fault.first_divergence)
    return fault.first_divergence_message.empty() || !style.verbose
               ? ""
               : labelled("inside", printable(fault.first_divergence_message), style.width);
  const DivergenceRecord& first = *fault.first_divergence;
  return labelled("inside",
                  fmt::format("{}; {:.4g} % of the original's values have a counterpart in the variant",
                              printable(first.message), first.coverage),
                  style.width);
}

/// What stands in the file around the first divergence, and what stood there in the model.
std::string given_diff_text(const ModelReport& report, const ConsoleStyle& style) {
  const GivenRecord& given = *report.given;
  if (given.diff.empty()) return "";
  const bool is_near = report.faults.front().first_divergence.has_value();
  std::string what = is_near ? "around that value" : "of the two graphs";
  what += ", before (-) and after (+)";
  if (is_near && given.diff_left_out > 0) what += "; " + counted(given.diff_left_out, "line") + " elsewhere";
  return labelled("diff", what, style.width) + diff_text(given.diff, is_near ? 0 : given.diff_left_out, style);
}

/// "ONNX Optimizer 0.4.2"
std::string blamed(Attribution attribution, const ConsoleStyle& style) {
  if (attribution == Attribution::optimizer && !style.optimizer.empty()) return printable(style.optimizer, 60);
  if (attribution == Attribution::runtime && !style.runtime.empty()) return printable(style.runtime, 60);
  return "the " + std::string(name_of(attribution));
}

std::string fault_text(const ModelReport& report, const FaultRecord& fault, const ConsoleStyle& style,
                       const std::string& run_folder) {
  const VariantRecord* variant = variant_of(report, fault);
  std::string text = "\n" + heading(fault, steps_of(report), style) +
                     hanging(std::string(indent, ' '), printable(fault.message), style.width);
  std::string cause = sentence_of(fault.kind, report);
  const bool is_makers = fault.kind == FaultKind::given && fault.attribution == Attribution::optimizer;
  if (is_makers) {
    cause += ": its graph is wrong, not the runtime";
  } else if (fault.kind != FaultKind::runtime) {
    cause += ", attributed to " + blamed(fault.attribution, style);
  }
  const std::string confirmed = confirmed_of(report, variant);
  if (!confirmed.empty()) cause += "; confirmed " + printable(confirmed);
  text += labelled("cause", cause, style.width);
  if (!fault.attribution_evidence.empty()) text += labelled("evidence", printable(evidence_of(fault)), style.width);
  if (fault.known)
    text += labelled("known", printable(fault.known->id + (fault.known->note.empty() ? "" : ": " + fault.known->note)),
                     style.width);
  text += rewrites_text(fault, style) + divergence_text(fault, style);
  if (is_file_judged(report) && &fault == &report.faults.front()) text += given_diff_text(report, style);
  if (!fault.variants.empty()) text += labelled("variants", printable(join(fault.variants, ", ")), style.width);
  text += labelled("signature", printable(signature_of(fault, steps_of(report), style)), style.width);
  if (variant != nullptr) {
    text += last_words_of(*variant, style);
    if (!variant->file.empty()) text += labelled("file", printable(variant->file + " in " + run_folder), style.width);
  }
  if (!fault.repro.empty()) text += labelled("repro", repro_text(fault) + " in " + printable(run_folder), style.width);
  if (!fault.workaround.empty()) text += labelled("workaround", printable(fault.workaround), style.width);
  text += disabling_text(fault) + calling_text(fault);
  return text + std::string(indent, ' ') + "see more with\n" +
         shell_command(command_for(report, variant, style), indent + 2, style.width) + "\n";
}

}  // namespace

std::string faults_part(const ModelReport& report, const ConsoleStyle& style, const std::string& run_folder) {
  std::string text;
  for (const FaultRecord& fault : report.faults) text += fault_text(report, fault, style, run_folder);
  return text;
}

}  // namespace culprit
