#include "optimizer/command/ask_command.h"

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "model/external_data.h"
#include "optimizer/command/exception_line.h"
#include "process/run_program.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::uint64_t largest_answer = std::uint64_t{1} << 20;
constexpr std::size_t most_steps = 20000;
constexpr double patience = 120;  // seconds
constexpr const char* no_step = "culprit_no_such_step";

std::string probe_model() {
  onnx::ModelProto model;
  const char* text = R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) { y = Relu(x) })";
  return onnx::OnnxParser::Parse(model, text).IsOK() ? model.SerializeAsString() : "";
}

std::string last_line(const std::string& text, std::size_t longest) {
  const std::string_view said = trim(text);
  return printable(trim(said.substr(said.rfind('\n') + 1)), longest);
}

Error about(const CommandSpec& spec, const Words& words, const std::string& what, const std::string& last_words) {
  const std::string raised = exception_line(last_words);
  const std::string said = raised.empty() ? last_line(last_words, 400) : raised;
  return {
      ErrorKind::bad_input,
      spec.name + ": `" + printable(join(words, " "), 300) + "` " + what + (said.empty() ? "" : "; it said: " + said),
      ""};
}

Result<void> expect_step(const CommandSpec& spec, const std::string& name) {
  if (can_name_a_step(name)) return {};
  return fail(
      ErrorKind::bad_input,
      spec.name + ": its list names a step '" + printable(name, 80) + "', which cannot be a word of a command line",
      "a step's name has no '{', does not begin with '-', and can be printed");
}

/// A list that does not depend on the model, and names nothing, is a mistake; of a model there may be nothing to do in.
Result<std::string> answer_with_words(const CommandSpec& spec, const Words& words, const fs::path& scratch) {
  auto text = answer_of(spec, words, scratch);
  if (text && trim(*text).empty())
    return tl::unexpected(about(spec, filled_in(words, "python", spec.python), "printed nothing", ""));
  return text;
}

/// It is given a copy of the model: it may write what it likes.
Result<std::string> listed(const CommandSpec& spec, const StepGroup& group, const fs::path& model,
                           const fs::path& scratch) {
  if (!spec.lists_by_model()) return answer_with_words(spec, group.list, scratch);
  const auto place = TemporaryFolder::create(scratch, "list-");
  if (!place) return tl::unexpected(place.error());
  const fs::path copy = place->path() / "model.onnx";
  if (auto ok = copy_with_data(model, copy); !ok) return tl::unexpected(ok.error());
  return answer_of(spec, filled_in(group.list, "input", copy.string()), scratch);
}

Result<void> add_steps(const CommandSpec& spec, StepGroup& group, const std::string& printed) {
  std::set<std::string> seen(group.names.begin(), group.names.end());
  for (const std::string& line : split(printed, '\n')) {
    std::string name(trim(line));
    if (name.empty()) continue;
    const bool is_off = name.ends_with(" off");
    if (is_off) name = std::string(trim(std::string_view(name).substr(0, name.size() - 4)));
    if (auto ok = expect_step(spec, name); !ok) return ok;
    if (!seen.insert(name).second) continue;
    group.names.push_back(name);
    if (is_off) group.off.push_back(name);
    if (group.names.size() > most_steps)
      return fail(ErrorKind::bad_input, spec.name + ": its list has more than 20,000 steps");
  }
  return {};
}

}  // namespace

Result<std::string> answer_of(const CommandSpec& spec, Words words, const fs::path& scratch) {
  words = filled_in(std::move(words), "python", spec.python);
  auto place = TemporaryFolder::create(scratch, "ask-");
  if (!place) return tl::unexpected(place.error());
  auto work = TemporaryFolder::create(scratch, "work-");
  if (!work) return tl::unexpected(work.error());
  const ProgramCall call{words, work->path(), place->path() / "answer", spec.may_use_network};
  const auto end = end_of_program(call, place->path(), {patience, 0});
  if (!end) return tl::unexpected(end.error());
  if (end->ending == Ending::exited) return tl::unexpected(about(spec, words, end->message, end->last_words));
  if (end->failed()) return tl::unexpected(about(spec, words, "failed: " + end->message, end->last_words));
  const auto text = read_file(call.output, largest_answer);
  if (!text) return tl::unexpected(about(spec, words, "gave no answer: " + text.error().message, ""));
  return *text;
}

Result<std::string> version_of(const CommandSpec& spec, const fs::path& scratch) {
  if (spec.version.empty()) return std::string();
  return answer_with_words(spec, spec.version, scratch).map([](const std::string& text) {
    return last_line(text, 100);
  });
}

Result<CommandSpec> with_listed_steps(CommandSpec spec, const fs::path& model, const fs::path& scratch) {
  for (StepGroup& group : spec.groups) {
    if (group.list.empty()) continue;
    const auto printed = listed(spec, group, model, scratch);
    if (!printed) return tl::unexpected(printed.error());
    if (auto ok = add_steps(spec, group, *printed); !ok) return tl::unexpected(ok.error());
  }
  return spec;
}

Result<std::optional<bool>> refuses_unknown_steps(const CommandSpec& spec, const fs::path& scratch) {
  if (spec.groups.empty() || spec.lists_by_model()) return std::nullopt;
  auto place = TemporaryFolder::create(scratch, "probe-");
  if (!place) return tl::unexpected(place.error());
  const auto model = probe_model();
  const auto input = place->path() / "model.onnx", output = place->path() / "made.onnx";
  if (auto ok = write_file_atomic(input, model); !ok) return tl::unexpected(ok.error());
  Words known;
  CommandSpec with_unknown = spec;
  for (StepGroup& group : with_unknown.groups) {
    known.insert(known.end(), group.names.begin(), group.names.end());
    group.names.emplace_back(no_step);
  }
  Words asked = known;
  asked.emplace_back(no_step);
  const auto works = [&](const CommandSpec& with, const Words& steps) {
    Words words = filled_in(words_for(with, steps), "input", input.string());
    const ProgramCall call{
        filled_in(std::move(words), "output", output.string()), place->path(), {}, with.may_use_network};
    return end_of_program(call, place->path(), {patience, 0}).map([](const Failure& end) { return !end.failed(); });
  };
  const auto as_it_is = works(spec, known);
  if (!as_it_is) return tl::unexpected(as_it_is.error());
  if (!*as_it_is) return std::nullopt;
  const bool skips = std::ranges::any_of(spec.groups, [](const StepGroup& group) { return !group.skip.empty(); });
  return works(with_unknown, skips ? known : asked).map([](bool works_too) { return std::optional(!works_too); });
}

OptimizerTraits traits_of(const CommandSpec& spec) {
  OptimizerTraits traits;
  traits.name = spec.name;
  traits.version = spec.found_version;
  traits.step_word = "step";
  traits.ordered = spec.ordered;
  traits.limits_rewrites = false;
  traits.command = std::make_shared<const CommandSpec>(spec);
  const auto add = [&](const std::string& name, bool is_on) {
    PassInfo& step = traits.steps.emplace_back();
    step.name = name;
    step.kind = "step";
    step.in_bundle = is_on;
    step.help = is_on ? "done by default" : "done only where it is asked for";
  };
  if (spec.groups.empty()) add(spec.name, true);
  for (const StepGroup& group : spec.groups)
    for (const std::string& name : group.names) add(name, std::ranges::find(group.off, name) == group.off.end());
  return traits;
}

}  // namespace culprit
