#include "profile/graph_numbers.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cost/graph_record.h"
#include "cost/planned_memory.h"
#include "cost/typed_graph.h"
#include "model/external_data.h"
#include "model/model.h"
#include "model/model_format.h"
#include "process/interrupt.h"
#include "process/start_child.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using UnorderedJson = nlohmann::json;

UnorderedJson or_null(const std::optional<double>& value) { return value ? UnorderedJson(*value) : UnorderedJson(); }

/// In the fork.
UnorderedJson worked_out(const std::filesystem::path& file, const std::filesystem::path& data_folder,
                         const std::filesystem::path& sample) {
  const auto model = load_model_apart(file, data_folder);
  if (!model) return {{"error", model.error().text()}};
  const auto pack = read_pack(sample);
  if (!pack) return {{"error", pack.error().text()}};
  const TypedGraph graph = typed_graph(*model->proto, seen_values(*pack));
  const GraphRecord record = graph_record(*model, graph, data_folder);
  const auto planned = planned_memory(graph);
  UnorderedJson told{{"nodes", record.nodes},           {"ops", record.ops},
                     {"parameters", record.parameters}, {"flops", or_null(record.flops)},
                     {"moved", or_null(record.moved)},  {"uncounted", record.nodes_uncounted},
                     {"bytes", record.file_bytes},      {"costs", UnorderedJson::array()}};
  for (const NodeCost& cost : own_costs(graph))
    told["costs"].push_back({cost.output, cost.op, or_null(cost.flops), or_null(cost.moved)});
  if (planned) told["planned"] = planned->values + planned->inputs.value_or(0);
  return told;
}

std::optional<double> number_of(const UnorderedJson& told) {
  if (!told.is_number() || !std::isfinite(told.get<double>())) return std::nullopt;
  return told.get<double>();
}

GraphNumbers understood(const UnorderedJson& told) {
  GraphNumbers numbers;
  GraphRecord& graph = numbers.graph;
  graph.nodes = told.at("nodes").get<std::int64_t>();
  for (const auto& [op, count] : told.at("ops").items()) graph.ops[op] = count.get<std::int64_t>();
  graph.parameters = told.at("parameters").get<std::int64_t>();
  graph.flops = number_of(told.at("flops"));
  graph.moved = number_of(told.at("moved"));
  graph.nodes_uncounted = told.at("uncounted").get<std::int64_t>();
  graph.file_bytes = told.at("bytes").get<std::uint64_t>();
  for (const UnorderedJson& cost : told.at("costs"))
    numbers.nodes.push_back({.name = "",
                             .op = cost.at(1).get<std::string>(),
                             .output = cost.at(0).get<std::string>(),
                             .flops = number_of(cost.at(2)),
                             .moved = number_of(cost.at(3))});
  if (told.contains("planned")) numbers.planned = told["planned"].get<std::uint64_t>();
  return numbers;
}

/// What the fork said, or how it ended.
Result<std::string> answer_of(Child& child) {
  while (true) {
    const bool over = child.over();
    if (auto message = child.channel().next()) return std::move(*message);
    if (interrupt_requested()) return ended_early();
    child.check_limits();
    if (over || child.condemned())
      return fail(ErrorKind::bad_input, "the process that counts its nodes: " + child.bury().message);
    wait_for({&child}, {interrupt_fd()}, child.milliseconds());
  }
}

}  // namespace

Result<GraphNumbers> graph_numbers(const std::filesystem::path& model, const std::filesystem::path& data_folder,
                                   const std::filesystem::path& sample, const std::filesystem::path& scratch,
                                   const Limits& limits) {
  if (format_of(model) != ModelFormat::onnx)
    return fail(ErrorKind::unsupported, "nodes are counted of ONNX models only");
  const auto body = [&](Channel& parent) {
    parent.send_now(
        worked_out(model, data_folder, sample).dump(-1, ' ', false, UnorderedJson::error_handler_t::replace));
  };
  auto child = start_fork(body, scratch, limits);
  if (!child) return tl::unexpected(child.error());
  const auto said = answer_of(*child);
  if (!said) return tl::unexpected(said.error());
  const UnorderedJson told = UnorderedJson::parse(*said, nullptr, /*allow_exceptions=*/false);
  try {
    if (told.contains("error")) return fail(ErrorKind::bad_input, printable(told.at("error").get<std::string>(), 500));
    return understood(told);
  } catch (const UnorderedJson::exception&) {
    return fail(ErrorKind::bad_input, "the process that counts its nodes answered nonsense");
  }
}

}  // namespace culprit
