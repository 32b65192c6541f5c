#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "repro/markdown.h"
#include "repro/pair/pair_facts.h"

namespace culprit {
namespace {

std::string plain_name(const std::string& format) {
  if (format == "onnx") return "ONNX";
  if (format == "tflite") return "TFLite";
  return format == "tensorflow" ? "TensorFlow" : "Keras";
}

std::string what_goes_wrong(FaultClass kind) {
  switch (kind) {
    case FaultClass::parameter:
      return "numbers of a weight are changed";
    case FaultClass::layout:
      return "numbers are put in a wrong order";
    case FaultClass::precision:
      return "numbers of a weight are rounded";
    case FaultClass::hyperparameter:
      return "an attribute is changed";
    case FaultClass::graph:
      return "an operator or an edge is changed";
    case FaultClass::quantization:
      return "a scale or a zero point is wrong";
    case FaultClass::preprocessing:
      break;
  }
  return "the inputs are changed";
}

constexpr std::size_t longest_name = 80;  // converters join the names of all layers that one took in

std::string name_as_code(const std::string& name) { return code_span(printable(name, longest_name)); }

std::string layer_as_code(const LayerRef& layer) {
  return name_as_code(layer.name.empty() ? layer.type : layer.type + " " + layer.name);
}

std::string heading(const PairFacts& facts) {
  const LayerRef& layer = facts.fault.source.number >= 0 ? facts.fault.source : facts.fault.target.node;
  return fmt::format("# Conversion of {}: {}\n\n", code_span(layer.type), what_goes_wrong(facts.fault.kind));
}

std::string layers_of_pair(const PairFacts& facts) {
  const ConversionFault& fault = facts.fault;
  std::string text = fault.source.number >= 0 ? layer_as_code(fault.source) : "nothing";
  text += fault.target.node.number >= 0 ? " became " + layer_as_code(fault.target.node) : " became nothing";
  if (!fault.target.attribute.empty()) text += ", attribute " + code_span(fault.target.attribute);
  if (!fault.target.tensor.empty()) text += ", tensor " + name_as_code(fault.target.tensor);
  text += ".\n";
  if (!fault.evidence.message.empty()) text += "\n" + code_block(fault.evidence.message);
  if (!fault.repair.edit.empty() && fault.confirmed)
    text += "\nThis mends it (tried on a copy):\n\n" + code_block(fault.repair.edit);
  return text;
}

std::string numbers_of_pair(const PairFacts& facts) {
  std::string text = code_block(what_differs(facts));
  if (!facts.furthest) return text;
  return text + fmt::format("\nThe element that is furthest off, [{}]: {:.9g}, should be {:.9g}.\n",
                            fmt::join(facts.furthest->at, ","), facts.furthest->wrong, facts.furthest->right);
}

std::string file_in_words(const std::optional<CutFile>& cut, const std::string& file) {
  std::vector<std::string> layers;
  for (const std::string& layer : cut->layers) layers.push_back(name_as_code(layer));
  std::string text = fmt::format("- {} ({}): {} node{}: {}.", code_span(file), plain_name(cut->format), cut->nodes,
                                 cut->nodes == 1 ? "" : "s", join(layers, ", "));
  if (cut->nodes > most_pair_nodes) text += " It could not be cut smaller: no value between is known to be right.";
  return text + "\n";
}

std::string files_of_pair(const PairFacts& facts) {
  const CutPair& cut = *facts.cut;
  std::string text = "Both files are cut out of larger ones, " + code_span(facts.source_model) + " and " +
                     code_span(facts.target_model) + ".\n\n";
  text += cut.source ? file_in_words(cut.source, facts.source_file)
                     : "- The layers of the source are not here: " + printable(cut.no_source) +
                           ". `expected.npz` has what they give.\n";
  text += cut.target ? file_in_words(cut.target, facts.target_file)
                     : "- The target has no layer there: it hands on what it gets.\n";
  text +=
      "- `inputs_source.npz` and `inputs_target.npz` are the same numbers for each of the two, `expected.npz` what "
      "comes of them, as the source gives it.\n";
  for (const CutBorder& border : cut.borders)
    if (!border.order.empty())
      text += fmt::format("- {} is {} in the target: {}.\n", name_as_code(border.source), name_as_code(border.target),
                          printable(border.order));
  if (!cut.output.order.empty())
    text += fmt::format("- The output {} is {} in the target: {}.\n", name_as_code(cut.output.source),
                        name_as_code(cut.output.target), printable(cut.output.order));
  return text;
}

std::string package_of(const std::string& format) {
  if (format == "onnx") return "onnxruntime";
  return format == "tflite" ? "ai-edge-litert" : "tensorflow";
}

std::string how_to_run_pair(const PairFacts& facts) {
  std::string packages = "numpy";
  for (const auto* cut : {&facts.cut->source, &facts.cut->target})
    if (*cut && packages.find(package_of((*cut)->format)) == std::string::npos)
      packages += " " + package_of((*cut)->format);
  std::string text = "```\npython3 -m pip install " + packages + R"md(
python3 repro.py
```

exits 1 while the fault is there, 0 when it is gone, and 2 when it cannot tell.
)md";
  if (facts.cut->source)
    text += "To try another version of the converter, convert " + code_span(facts.source_file) +
            " with it, and run `python3 repro.py --target FILE`.\n";
  return text;
}

}  // namespace

std::string what_differs(const PairFacts& facts) {
  const Measurement& m = facts.cut->measurement;
  const std::string name = printable(facts.cut->output.target, longest_name);
  if (!facts.cut->found) return "the target does not run: " + printable(facts.cut->fails);
  if (is_structural(m)) return fmt::format("'{}': {}", name, m.note);
  const std::string limit = facts.limit.is_strict
                                ? fmt::format("rounding: {:.2g}", facts.limit.floor)
                                : fmt::format("tolerance {:.2g} + {:.2g} x value", facts.limit.atol, facts.limit.rtol);
  return fmt::format("'{}' differs by {:.3g} in {} of {} elements ({})", name, m.max_abs,
                     facts.limit.is_strict ? m.mismatched : m.beyond_tolerance, m.elements, limit);
}

std::string issue_text(const PairFacts& facts) {
  return heading(facts) + layers_of_pair(facts) + "\n## What happens\n\nOn the inputs that are here:\n\n" +
         numbers_of_pair(facts) + "\n## The files\n\n" + files_of_pair(facts) + "\n## How to see it\n\n" +
         how_to_run_pair(facts) + "\nFound with culprit " + code_span(facts.tool_version) + ".\n";
}

}  // namespace culprit
