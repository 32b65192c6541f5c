#include "baseline/refusal_message.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "data/random_structures.h"
#include "data/synthesize.h"
#include "executor/missing_operator.h"
#include "trial/plain_reason.h"

namespace culprit {
namespace {

constexpr std::size_t descriptions_shown = 3;

/// What is in the words of the runtime about this model's inputs.
std::vector<std::string> named_inputs(const std::string& reason, const Interface& interface) {
  std::vector<std::string> named;
  for (const ValueInfo& input : interface.inputs) {
    for (const std::string& form : {"input: " + input.name + " ", "'" + input.name + "'", "\"" + input.name + "\""}) {
      if ((reason + " ").find(form) != std::string::npos) {
        named.push_back(input.name);
        break;
      }
    }
  }
  return named;
}

/// The flags that would let a user say what the model takes, for these inputs (all if none are named).
std::string helpful_flags(const Interface& interface, const std::vector<std::string>& named) {
  std::vector<std::string> flags;
  std::set<std::string> keys;
  for (const ValueInfo& input : interface.inputs) {
    if (!named.empty() && std::ranges::find(named, input.name) == named.end()) continue;
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
      if (!is_open(input.dims[axis])) continue;
      for (const std::string& name : names_in(dim_key(input, axis))) {
        if (keys.insert(name).second) flags.push_back("--dim " + name + "=N");
      }
    }
    if (is_integer(input.dtype) && !is_structured(input)) flags.push_back("--input " + input.name + "=VALUE");
  }
  if (flags.empty() && !interface.inputs.empty()) {
    const ValueInfo* input = &interface.inputs.front();
    for (const ValueInfo& other : interface.inputs) {
      if (!named.empty() && other.name == named.front()) input = &other;
    }
    flags.push_back("--input " + input->name + (is_structured(*input) ? "=FILE.pb" : "=FILE.npy"));
  }
  constexpr std::size_t shown = 6;
  if (flags.size() > shown) flags.resize(shown);
  flags.push_back("--data FOLDER");
  return printable(join(flags, ", "), 600);
}

std::string descriptions(std::span<const Proposal* const> tried) {
  std::vector<std::string> shown;
  for (const Proposal* proposal : tried.first(std::min(tried.size(), descriptions_shown))) {
    shown.push_back(printable(proposal->description, 160));
  }
  const std::size_t rest = tried.size() - shown.size();
  return join(shown, "; ") + (rest > 0 ? "; and " + std::to_string(rest) + " more" : "");
}

std::string advice_on(const Failure& failure) {
  if (failure.ending == Ending::timed_out) return "; give it more with --timeout";
  if (failure.ending == Ending::out_of_memory) return "; give it more with --memory";
  return "";
}

/// What else can judge a model that this runtime has no kernel for.
std::string advice_without_kernel(const Refusal& refusal) {
  const auto is_narrow = [](DType type) { return is_float(type) && type != DType::f32; };
  const bool tells_types = refusal.node && !refusal.node->types.empty();
  const bool is_of_type = !tells_types || std::ranges::any_of(refusal.node->types, is_narrow);
  return std::string("onnx.reference may run it as it is (--python FILE says whether it does), and passes can be ") +
         "judged on a copy " + (is_of_type ? "in float32" : "that says the same without what is not implemented");
}

std::string about_node(const Refusal& refusal) {
  const bool no_kernel = refusal.failure.cause == FailureCause::no_kernel;
  if (!refusal.node && !no_kernel) return "";
  const std::string node = refusal.node ? text_of(*refusal.node) : "a node of it";
  if (no_kernel) return "; the runtime has no kernel for " + node + "; " + advice_without_kernel(refusal);
  return "; it stops loading with " + node + "; if ONNX allows that node, " + advice_without_kernel(refusal);
}

}  // namespace

std::string load_message(const Refusal& refusal) {
  const Failure& failure = refusal.failure;
  if (const auto missing = missing_operator(failure.message)) return advice_on(*missing, refusal.proto);
  return "the model does not load: " + failure_text(failure, refusal.limits) + advice_on(failure) + about_node(refusal);
}

std::string run_message(const Refusal& refusal, std::span<const Proposal* const> tried) {
  const Failure& failure = refusal.failure;
  const std::string reason = failure.failed() ? failure_text(failure, refusal.limits) : "it gave no outputs";
  const auto named = named_inputs(reason, refusal.interface);
  std::string message = "the model does not run";
  if (!named.empty()) message += " with what was fed to '" + printable(named.front(), 100) + "'";
  message += ": " + reason + "; tried: " + descriptions(tried) + advice_on(failure);
  const bool limited = failure.ending == Ending::timed_out || failure.ending == Ending::out_of_memory;
  if (!limited) message += "; say what it takes with " + helpful_flags(refusal.interface, named);
  return message;
}

}  // namespace culprit
