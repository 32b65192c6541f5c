#include "cli/check_flags.h"

#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "model/model_folder.h"

namespace culprit {

std::vector<std::string> words_to_repeat(const SampleFlags& samples, const JudgeFlags& judge, const RunFlags& run) {
  std::vector<std::string> words;
  const auto one = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  const auto each = [&](const char* flag, const std::vector<std::string>& values) {
    for (const std::string& value : values) one(flag, value);
  };
  one("--data", samples.data);
  one("--preprocess", samples.preprocess);
  one("--generate", samples.generate);
  one("--labels", samples.labels);
  one("--task", samples.task);
  one("--samples", samples.samples);
  one("--seed", samples.seed);
  each("--input", samples.inputs);
  each("--dim", samples.dims);
  one("--atol", judge.atol);
  one("--rtol", judge.rtol);
  if (judge.strict) words.emplace_back("--strict");
  if (samples.undirected) words.emplace_back("--undirected");
  one("--runtime", run.runtime);
  one("--second-runtime", run.second_runtime);
  one("--python", run.python);
  if (run.trust_runtime) words.emplace_back("--trust-runtime");
  if (run.trust) words.emplace_back("--trust");
  each("--custom-ops", run.custom_ops);
  one("--timeout", run.timeout);
  one("--memory", run.memory);
  one("--threads", run.threads);
  one("--deploy-level", run.deploy_level);
  return words;
}

std::vector<std::string> words_of_optimizer(const PlanFlags& plan) {
  std::vector<std::string> words;
  if (!plan.optimizer.empty()) words = {"--optimizer", plan.optimizer};
  for (const std::string& option : plan.options) words.insert(words.end(), {"--option", option});
  return words;
}

Result<std::vector<std::filesystem::path>> read_models(const std::vector<std::string>& typed) {
  std::vector<std::filesystem::path> models;
  for (const std::string& model : typed) {
    if (model.empty()) return fail(ErrorKind::usage, "the name of a model is empty", "give the path of an ONNX file");
    models.push_back(model_file(model));
  }
  return models;
}

void add_answer_flags(const Flags& command, CheckFlags& flags) {
  add_output_flags(command, flags.output);
  const Flags output = command.group(output_group);
  output.value("--known", flags.known, type_file);
  output.value("--fail-on", flags.fail_on, "fault|weak|any");
  output.value("-o,--output", flags.output.output, type_file);
}

Result<CheckArguments> resolve(const CheckFlags& flags) {
  CheckArguments arguments;
  CheckRequest& request = arguments.request;
  FlagReader reader;
  reader.set(request.optimizer, read_plan(flags.plan, flags.samples.data, flags.run.deploy_level));
  reader.set(arguments.printing, read_printing(flags.output));
  reader.set(request.witnesses, read_witnesses(flags.run));
  reader.set(request.models, read_models(flags.models));
  reader.set(request.data, read_samples(flags.samples));
  reader.set(request.judging, read_judging(flags.judge));
  reader.set(request.running, read_running(flags.run));
  request.folder = read_folder(flags.output);
  request.known = flags.known;
  std::string fail_on = "fault";
  reader.read(fail_on, choice, "--fail-on", flags.fail_on, fail_on_names());
  arguments.fail_on = fail_on_named(fail_on).value_or(FailOn::fault);
  request.localize = !flags.no_localize;
  request.directed = !flags.samples.undirected;
  request.quoted.repeat_flags = words_to_repeat(flags.samples, flags.judge, flags.run);
  request.quoted.optimizer_flags = words_of_optimizer(flags.plan);
  return reader.result(std::move(arguments));
}

}  // namespace culprit
