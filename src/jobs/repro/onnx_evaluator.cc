#include "repro/onnx_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/folder.h"
#include "base/text.h"
#include "data/random_structures.h"
#include "model/model.h"
#include "process/shell_commands.h"
#include "repro/script.h"
#include "tensor/pack_file.h"
#include "tensor/read_value_proto.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t longest_reason = 300;  // characters
constexpr double never = 1e9;                // seconds
constexpr const char* script_name = "onnx_reference.py";

/// The last line that a process left.
std::string last_line(const fs::path& file) {
  const auto text = read_file(file, std::uint64_t{1} << 20);
  if (!text) return "";
  const std::string_view said = trim(*text);
  return printable(trim(said.substr(said.rfind('\n') + 1)), longest_reason);
}

std::string ending(int status, double seconds) {
  if (status < 0)
    return fmt::format("it ended by a signal, as at a limit of CPU time, or had not ended after {}",
                       human_seconds(seconds));
  return fmt::format("it ended with exit status {}", status);
}

/// As `-I`: no user's site, no working folder, no PYTHON* variables.
std::string start(const std::string& program, const fs::path& script, const std::string& argument) {
  return fmt::format("exec {} -I -B -W ignore {} {} >said.txt 2>errors.txt", quoted_for_shell(program),
                     quoted_for_shell(script.string()), quoted_for_shell(argument));
}

/// Soft limits. Where the machine allows less already, that stays.
std::string limited(const Limits& limits, const std::string& command) {
  std::string text = "ulimit -c 0; ";
  if (limits.cpu_seconds > 0) {
    const auto seconds = static_cast<std::int64_t>(std::ceil(std::min(limits.cpu_seconds, never)));
    text += fmt::format("ulimit -S -t {} 2>/dev/null; ", seconds);
  }
  if (limits.memory_bytes > 0) text += fmt::format("ulimit -S -v {} 2>/dev/null; ", limits.memory_bytes / 1024);
  return text + command;
}

/// The clock may show four times the CPU time, as for workers (process/watch_limits.h).
double seconds_for(const Limits& limits) { return limits.cpu_seconds > 0 ? 4 * limits.cpu_seconds : never; }

Json form_json(const std::vector<Value::Kind>& form) {
  Json names = Json::array();
  for (const Value::Kind kind : form) names.push_back(name_of(kind));
  return names;
}

/// As the tensors are declared, where they are; a value that nobody declares is what it looks like.
Json form_of_input(const Interface& interface, const std::string& name, const Value& value) {
  for (const auto* values : {&interface.inputs, &interface.optional_inputs}) {
    const auto declared = std::ranges::find(*values, name, &ValueInfo::name);
    if (declared == values->end()) continue;
    if (const auto form = form_of(*declared)) return form_json(*form);
  }
  return Json::array({name_of(value.kind)});
}

/// The value of one input of the model, in file `file`.
Result<Json> put_input(std::span<const NamedTensor> parts, const BoundInput& to, const Interface& interface,
                       const fs::path& folder, const std::string& file) {
  std::vector<NamedTensor> cast_parts(parts.begin(), parts.end());
  for (NamedTensor& part : cast_parts) {
    if (to.cast_to == DType::undefined || to.cast_to == part.value.dtype()) continue;
    auto casted = cast(part.value, to.cast_to);
    if (!casted) return tl::unexpected(casted.error());
    part.value = std::move(*casted);
  }
  const auto value = assemble(cast_parts);
  if (!value) return tl::unexpected(value.error());
  if (auto ok = write_value_proto(folder / file, to.variant, *value); !ok) return tl::unexpected(ok.error());
  return Json{{"name", to.variant}, {"file", file}, {"form", form_of_input(interface, to.variant, *value)}};
}

Result<Json> put_inputs(const EvaluatorJob& job, const Interface& interface) {
  const auto pack = read_pack(job.inputs);
  if (!pack) return tl::unexpected(pack.error());
  Json written = Json::array();
  for (const auto& parts : values_in(*pack)) {
    std::vector<BoundInput> bound;
    std::ranges::copy_if(job.bound, std::back_inserter(bound),
                         [&](const BoundInput& input) { return input.original == parts.front().name; });
    if (job.bound.empty()) bound = {{parts.front().name, parts.front().name}};
    for (const BoundInput& to : bound) {
      auto put = put_input(parts, to, interface, job.folder, fmt::format("input_{}.pb", written.size()));
      if (!put) return put;
      written.push_back(std::move(*put));
    }
  }
  return written;
}

/// A value inside that is read as an output may have no declared type: it is taken for a tensor.
Result<std::vector<Value::Kind>> form_of_output(const ValueInfo& output) {
  if (output.kind == ValueInfo::Kind::unknown) return std::vector{Value::Kind::tensor};
  return form_of(output);
}

Result<Json> outputs_wanted(const Interface& interface) {
  Json wanted = Json::array();
  for (const ValueInfo& output : interface.outputs) {
    const auto form = form_of_output(output);
    if (!form) return tl::unexpected(form.error());
    wanted.push_back({{"file", fmt::format("output_{}.pb", wanted.size())}, {"form", form_json(*form)}});
  }
  return wanted;
}

/// All that the host needs, in the job's folder; the model's interface.
Result<Interface> prepare(const EvaluatorJob& job) {
  if (auto made = make_folder(job.folder); !made) return tl::unexpected(made.error());
  const auto model = load_model(job.model);
  if (!model) return tl::unexpected(model.error());
  const auto fits = fits_one_file(*model);
  if (!fits) return tl::unexpected(fits.error());
  if (!*fits) return fail(ErrorKind::unsupported, "a model of more than 2 GiB is not given to the evaluator");
  if (auto saved = save_whole(*model, job.folder / "model.onnx"); !saved) return tl::unexpected(saved.error());
  auto inputs = put_inputs(job, model->interface);
  if (!inputs) return tl::unexpected(inputs.error());
  auto outputs = outputs_wanted(model->interface);
  if (!outputs) return tl::unexpected(outputs.error());
  const Json text = {{"model", "model.onnx"}, {"inputs", *inputs}, {"outputs", *outputs}, {"float64", job.in_float64}};
  const std::string bytes = text.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (auto ok = write_file_atomic(job.folder / "job.json", bytes); !ok) return tl::unexpected(ok.error());
  return model->interface;
}

/// What the host wrote, as one pack.
Result<EvaluatorOutcome> collect(const fs::path& folder, const Interface& interface) {
  const auto text = read_file(folder / "result.json", std::uint64_t{1} << 20);
  if (!text) return tl::unexpected(text.error());
  const Json result = Json::parse(*text, nullptr, false);
  if (!result.is_object() || !result.contains("precision") || !result.contains("why"))
    return fail(ErrorKind::bad_input, "its result.json is none");
  std::vector<NamedTensor> outputs;
  for (std::size_t i = 0; i < interface.outputs.size(); ++i) {
    const auto form = form_of_output(interface.outputs[i]);
    if (!form) return tl::unexpected(form.error());
    const auto value = read_value_proto(folder / fmt::format("output_{}.pb", i), *form);
    if (!value) return tl::unexpected(value.error());
    auto parts = flatten(interface.outputs[i].name, *value);
    if (!parts) return tl::unexpected(parts.error());
    std::ranges::move(*parts, std::back_inserter(outputs));
  }
  EvaluatorOutcome outcome;
  outcome.outputs = folder / "outputs.pack";
  if (auto ok = write_pack(outcome.outputs, outputs); !ok) return tl::unexpected(ok.error());
  outcome.in_float64 = result["precision"] == "float64";
  if (result["why"].is_string()) outcome.why = printable(result["why"].get<std::string>(), longest_reason);
  return outcome;
}

class PythonEvaluator : public Evaluator {
 public:
  PythonEvaluator(PythonOptions options, std::string version)
      : options_(std::move(options)), version_(std::move(version)) {}

  [[nodiscard]] std::string version() const override { return version_; }
  [[nodiscard]] Counts counts() const override { return counts_; }

  Result<std::vector<EvaluatorOutcome>> run(std::span<const EvaluatorJob> jobs) override {
    std::vector<EvaluatorOutcome> outcomes(jobs.size());
    std::vector<Result<Interface>> prepared;
    ShellLimits limits{0, options_.jobs, options_.is_interrupted};
    std::vector<ShellRun> runs;
    for (const EvaluatorJob& job : jobs) {
      prepared.push_back(prepare(job));
      if (!prepared.back() && prepared.back().error().kind == ErrorKind::io)
        return tl::unexpected(prepared.back().error());
      if (!prepared.back()) continue;
      const fs::path script = options_.folder / script_name;
      runs.push_back({limited(job.limits, start(options_.program, script, job.folder.string())), job.folder});
      limits.seconds = std::max(limits.seconds, seconds_for(job.limits));
    }
    counts_.processes += static_cast<std::int64_t>(runs.size());
    const auto statuses = run_in_shell(runs, limits);
    if (!statuses) return tl::unexpected(statuses.error());
    for (std::size_t i = 0, asked = 0; i < jobs.size(); ++i) {
      if (!prepared[i])
        outcomes[i].failure = printable(prepared[i].error().message, longest_reason);
      else
        outcomes[i] = outcome_of((*statuses)[asked++], jobs[i], *prepared[i], limits.seconds);
    }
    return outcomes;
  }

 private:
  static EvaluatorOutcome outcome_of(int status, const EvaluatorJob& job, const Interface& interface, double seconds) {
    EvaluatorOutcome failed;
    if (status != 0) {
      const std::string said = status < 0 ? "" : last_line(job.folder / "errors.txt");
      failed.failure = said.empty() ? ending(status, seconds) : said;
      return failed;
    }
    auto outcome = collect(job.folder, interface);
    if (outcome) return std::move(*outcome);
    failed.failure = printable(outcome.error().message, longest_reason);
    return failed;
  }

  PythonOptions options_;
  std::string version_;
  Counts counts_;
};

/// ONNX's version in this Python.
Result<std::string> probe(const PythonOptions& options) {
  constexpr double patience = 60;  // seconds, to import onnx from a cold disk
  const std::string command = start(options.program, options.folder / script_name, "--probe");
  const auto statuses = run_in_shell({{command, options.folder}}, {patience, 1, options.is_interrupted});
  if (!statuses) return tl::unexpected(statuses.error());
  const std::string version = last_line(options.folder / "said.txt");
  const bool is_version = !version.empty() && std::isdigit(static_cast<unsigned char>(version[0])) != 0;
  if (statuses->front() == 0 && is_version) return version;
  const std::string said = last_line(options.folder / "errors.txt");
  if (statuses->front() == 0) return fail(ErrorKind::bad_input, "it does not behave like a Python");
  return fail(ErrorKind::bad_input, said.empty() ? ending(statuses->front(), patience) : said);
}

}  // namespace

Result<std::unique_ptr<Evaluator>> make_onnx_evaluator(PythonOptions options) {
  if (options.program.find('/') != std::string::npos) options.program = fs::absolute(options.program).string();
  options.folder = fs::absolute(options.folder);
  if (auto ok = write_file_atomic(options.folder / script_name, evaluator_script()); !ok)
    return tl::unexpected(ok.error());
  auto version = probe(options);
  if (!version) return tl::unexpected(version.error());
  return std::make_unique<PythonEvaluator>(std::move(options), std::move(*version));
}

}  // namespace culprit
