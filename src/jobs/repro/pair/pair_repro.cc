#include "repro/pair/pair_repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "network/tflite/tflite_edit.h"
#include "repro/pair/cut_pair.h"
#include "repro/pair/pair_facts.h"
#include "repro/put_folder.h"
#include "repro/put_model.h"
#include "repro/repro_contents.h"
#include "repro/script.h"
#include "tensor/npy.h"

namespace culprit {
namespace {

tl::unexpected<Error> shows_nothing(const std::string& why) {
  return fail(ErrorKind::unsupported, "no repro of this fault: " + why);
}

/// Says why a fault has no region of its own.
std::string why_no_region(const ConversionFault& fault) {
  if (fault.kind == FaultClass::preprocessing) return "no layer is wrong, only what the target is fed";
  if (fault.kind == FaultClass::quantization) return "steps of quantized values have no region of their own";
  if (fault.kind == FaultClass::precision) return "all weights of the network are rounded";
  return "it has no region of its own";
}

std::string extension_of(const std::string& format) {
  if (format == "onnx") return ".onnx";
  return format == "tflite" ? ".tflite" : ".pb";
}

double largest_size(const Tensor& tensor) {
  double largest = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i)
    if (const double size = std::abs(tensor.number(i)); std::isfinite(size)) largest = std::max(largest, size);
  return largest;
}

/// A difference within the tolerance is judged by the error that was left when the fault was mended.
PairLimit limit_of(const ConversionFault& fault, const CutPair& cut) {
  constexpr double rounding = 1e-6, times_left = 3;
  const Measurement& m = cut.measurement;
  PairLimit limit{cut.found && !is_structural(m) && m.beyond_tolerance == 0, m.atol, m.rtol, 0};
  limit.floor = rounding * largest_size(cut.output.in_source);
  if (fault.confirmed && fault.repair.of == RepairRecord::Of::region)
    limit.floor = std::max(limit.floor, times_left * fault.repair.error_after);
  return limit;
}

std::vector<std::int64_t> place_in(const Shape& shape, std::int64_t element) {
  std::vector<std::int64_t> at(shape.size(), 0);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return at;
}

std::optional<PairElement> furthest_off(const CutPair& cut) {
  if (!cut.found || cut.found->count() != cut.output.in_target.count()) return std::nullopt;
  std::optional<PairElement> furthest;
  double most = 0;
  for (std::int64_t i = 0; i < cut.found->count(); ++i) {
    const double right = cut.output.in_target.number(i), wrong = cut.found->number(i);
    if (!(std::abs(right - wrong) > most)) continue;
    most = std::abs(right - wrong);
    furthest = PairElement{place_in(cut.found->shape(), i), right, wrong};
  }
  return furthest;
}

/// input_0, input_1, ...: names of models need not be names of files.
Result<void> put_inputs(const std::optional<CutFile>& cut, const fs::path& file) {
  if (!cut || cut->inputs.empty()) return {};
  std::vector<NamedTensor> arrays;
  for (const NamedTensor& input : cut->inputs) arrays.push_back({fmt::format("input_{}", arrays.size()), input.value});
  return write_npz(file, arrays);
}

/// Leaves out the inputs and the weights of layers that are not there.
Result<void> put_tflite(const fs::path& from, const fs::path& to) {
  const auto file = TfliteFile::open(from);
  if (!file) return tl::unexpected(file.error());
  auto edit = TfliteEdit::start(*file);
  if (!edit) return tl::unexpected(edit.error());
  if (auto ok = edit->drop_unused(); !ok) return ok;
  const auto small = edit->finish_without_gaps();
  return small ? small->write(to) : Result<void>(tl::unexpected(small.error()));
}

Result<void> put_cut(const std::optional<CutFile>& cut, const fs::path& file) {
  if (!cut) return {};
  if (cut->format == "onnx") return put_model(cut->model, file).map([](const auto&) {});
  if (cut->format == "tflite") return put_tflite(cut->model, file);
  std::error_code error;
  fs::copy_file(cut->model, file, fs::copy_options::overwrite_existing, error);
  if (error) return cannot_put("copy the model to", file, error);
  return {};
}

Result<void> fill_pair(const PairFacts& facts, const fs::path& folder) {
  const CutPair& cut = *facts.cut;
  std::vector<NamedTensor> expected{{"source", cut.output.in_source}, {"target", cut.output.in_target}};
  if (!cut.target && cut.found) expected.push_back({"handed_on", *cut.found});
  if (auto ok = put_cut(cut.source, folder / facts.source_file); !ok) return ok;
  if (auto ok = put_cut(cut.target, folder / facts.target_file); !ok) return ok;
  if (auto ok = put_inputs(cut.source, folder / "inputs_source.npz"); !ok) return ok;
  if (auto ok = put_inputs(cut.target, folder / "inputs_target.npz"); !ok) return ok;
  if (auto ok = write_npz(folder / "expected.npz", expected); !ok) return ok;
  if (auto ok = write_file_atomic(folder / "repro.json", to_json(facts)); !ok) return ok;
  if (auto ok = write_file_atomic(folder / "README.md", issue_text(facts)); !ok) return ok;
  return put_script(folder / "repro.py", pair_repro_script());
}

Result<void> expect_small(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  if (bytes <= most_repro_bytes) return {};
  return shows_nothing(fmt::format("it would take {} MiB, and {} are the most", bytes >> 20U, most_repro_bytes >> 20U));
}

PairFacts facts_of_pair(const ConversionFault& fault, const CutPair& cut) {
  PairFacts facts;
  facts.fault = fault;
  facts.cut = &cut;
  facts.limit = limit_of(fault, cut);
  facts.furthest = furthest_off(cut);
  if (cut.source) facts.source_file = "source" + extension_of(cut.source->format);
  if (cut.target) facts.target_file = "target" + extension_of(cut.target->format);
  return facts;
}

}  // namespace

bool is_file_of_pair_repro(const std::string& name) {
  constexpr std::array names{"repro.json",        "repro.py",     "README.md",   "inputs_source.npz",
                             "inputs_target.npz", "expected.npz", "source.onnx", "source.onnx.data",
                             "source.tflite",     "source.pb",    "target.onnx", "target.onnx.data",
                             "target.tflite",     "target.pb"};
  return std::ranges::find(names, name) != names.end();
}

Result<PairRepro> write_pair_repro(const MendableFault& fault, const PairSide& source, const PairSide& target,
                                   const PairReproTools& tools, const fs::path& folder) {
  if (!fault.region) return shows_nothing(why_no_region(fault.fault));
  if (!fault.fault.is_reached) return shows_nothing("no sample reaches it");
  const auto cut = cut_pair(*fault.region, source, target, tools);
  if (!cut) return tl::unexpected(cut.error());
  PairFacts facts = facts_of_pair(fault.fault, *cut);
  if (facts.limit.is_strict && !(cut->measurement.max_abs > facts.limit.floor))
    return shows_nothing("no sample shows it in its region alone");
  facts.source_model = source.file;
  facts.target_model = target.file;
  facts.tool_version = tools.tool_version;
  const auto written = put_folder(folder, [&](const fs::path& fresh) {
    return fill_pair(facts, fresh).and_then([&] { return expect_small(fresh); });
  });
  for (const auto* file : {&cut->source, &cut->target})
    if (*file) remove_folder((*file)->model);
  if (!written) return tl::unexpected(written.error());
  PairRepro made{folder, cut->source ? cut->source->nodes : 0, cut->target ? cut->target->nodes : 0, cut->no_source,
                 cut->found ? cut->measurement.max_abs : HUGE_VAL};
  return made;
}

}  // namespace culprit
