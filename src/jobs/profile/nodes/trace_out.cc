#include "profile/nodes/trace_out.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

constexpr int process = 1;

Json named(const char* what, int thread, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", printable(name)}}}};
}

Json call_of(const TracedCall& call, int thread, const TracedNode& node, const MappedNode& mapped) {
  Json args = {{"operator", printable(mapped.op)}, {"provider", printable(node.provider)}};
  args[mapped.is_inserted ? "inserted for" : "does the work of"] = Json::array();
  for (const std::string& original : mapped.originals)
    args[mapped.is_inserted ? "inserted for" : "does the work of"].push_back(printable(original));
  return {{"ph", "X"},        {"name", printable(mapped.name)}, {"cat", printable(mapped.op)},
          {"ts", call.start}, {"dur", call.duration},           {"pid", process},
          {"tid", thread},    {"args", std::move(args)}};
}

/// One event a line, so that no more than one is held as JSON.
void add(const Json& event, std::string& text) {
  text += text.back() == '[' ? "\n" : ",\n";
  text += event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<void> write_trace(const std::filesystem::path& file, const std::vector<TraceThread>& threads) {
  std::string text = R"({"displayTimeUnit": "ms", "traceEvents": [)";
  add(named("process_name", 0, "culprit profile"), text);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const TraceThread& thread = threads[i];
    const int number = static_cast<int>(i) + 1;
    add(named("thread_name", number, thread.name), text);
    for (const TracedCall& call : thread.trace.calls) {
      const auto node = static_cast<std::size_t>(call.node);
      if (node < thread.trace.nodes.size() && node < thread.nodes.size())
        add(call_of(call, number, thread.trace.nodes[node], thread.nodes[node]), text);
    }
  }
  return write_file_atomic(file, text + "\n]}\n");
}

}  // namespace culprit
