#include "reduce/record_inner_values.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/folder.h"
#include "executor/run_and_wait.h"
#include "model/expose_inside.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_runs = 24;  // of one capture: halving finds a few values that cannot be outputs

/// Writes the case into `folder` and runs it.
Result<RunOutcome> run_case(const Case& a_case, const SessionOptions& session, const Limits& limits,
                            Dispatcher& dispatcher, const fs::path& folder) {
  if (auto ok = make_folder(folder / "outputs"); !ok) return tl::unexpected(ok.error());
  RunJob job;
  job.model = folder / "model.onnx";
  job.session = session;
  job.folder = folder / "outputs";
  job.limits = limits;
  if (auto ok = save_model(*a_case.model, job.model, Durability::buffered); !ok) return tl::unexpected(ok.error());
  for (std::size_t i = 0; i < a_case.samples.size(); ++i) {
    job.samples.push_back(folder / (std::to_string(i) + ".pack"));
    if (auto ok = write_pack(job.samples.back(), a_case.samples[i]); !ok) return tl::unexpected(ok.error());
  }
  return run_and_wait(dispatcher, std::move(job));
}

}  // namespace

RunRecorder::RunRecorder(Executor& executor, SessionOptions session, Limits limits, fs::path folder)
    : dispatcher_(executor), session_(std::move(session)), limits_(limits), folder_(std::move(folder)) {}

Result<Captured> RunRecorder::capture(const Case& a_case, std::span<const std::string> names) {
  Captured captured(a_case.samples.size());
  runs_left_ = most_runs;
  if (auto ok = read(a_case, names, captured); !ok) return tl::unexpected(ok.error());
  return captured;
}

Result<void> RunRecorder::read(const Case& a_case, std::span<const std::string> names, Captured& captured) {
  if (names.empty() || runs_left_ == 0) return {};
  --runs_left_;
  const fs::path folder = folder_ / ("capture-" + std::to_string(runs_++));
  std::vector<std::string> inner;
  const auto& outputs = a_case.model->graph().output();
  std::ranges::copy_if(names, std::back_inserter(inner), [&](const std::string& name) {
    return std::ranges::find(outputs, name, &onnx::ValueInfoProto::name) == outputs.end();
  });
  Exposed exposed = expose_inside(*a_case.model, inner);
  std::map<std::string_view, std::string> wanted;  // by the name of the output
  for (const std::string& name : names) wanted[name] = name;
  for (std::size_t i = 0; i < inner.size(); ++i) wanted[exposed.outputs[i]] = inner[i];
  auto ran = run_case({std::make_shared<onnx::ModelProto>(std::move(exposed.model)), a_case.samples}, session_, limits_,
                      dispatcher_, folder);
  if (!ran) return tl::unexpected(ran.error());
  const bool complete = !ran->failure.failed() && ran->outputs.size() == captured.size();
  for (std::size_t i = 0; complete && i < captured.size(); ++i) {
    const auto values = read_pack(ran->outputs[i]);  // the mapping outlives the file
    if (!values) return tl::unexpected(values.error());
    for (const NamedTensor& value : *values) {
      const auto asked = value.part.empty() ? wanted.find(value.name) : wanted.end();
      if (asked != wanted.end()) captured[i][asked->second] = value.value;
    }
  }
  remove_folder(folder);
  if (complete || names.size() == 1) return {};
  const std::size_t half = names.size() / 2;
  if (auto ok = read(a_case, names.first(half), captured); !ok) return ok;
  return read(a_case, names.subspan(half), captured);
}

Result<std::vector<Inputs>> outputs_of(const Case& a_case, const SessionOptions& session, const Limits& limits,
                                       Executor& executor, const fs::path& folder) {
  Dispatcher dispatcher(executor);
  const auto ran = run_case(a_case, session, limits, dispatcher, folder);
  if (!ran) return tl::unexpected(ran.error());
  if (ran->failure.failed()) return fail(ErrorKind::bad_input, ran->failure.message);
  std::vector<Inputs> outputs;
  for (const fs::path& pack : ran->outputs) {
    auto values = read_pack(pack);
    if (!values) return tl::unexpected(values.error());
    outputs.push_back(std::move(*values));
  }
  remove_folder(folder);
  return outputs;
}

}  // namespace culprit
