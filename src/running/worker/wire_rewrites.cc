// Limits and traces of rewrites on the wire.
#include "worker/wire.h"

namespace culprit::wire {
namespace {

void encode_site(const culprit::RewriteSite& site, RewriteSite* wire) {
  wire->set_pass(site.pass);
  wire->set_output(site.output);
}

/// Far below Channel::largest_message.
constexpr std::size_t part_bytes = std::size_t{1} << 20;

culprit::RewriteSite decode_site(const RewriteSite& wire) { return {wire.pass(), wire.output()}; }

}  // namespace

RewriteLimits encode(const culprit::RewriteLimits& limits) {
  RewriteLimits wire;
  wire.set_has_budget(limits.budget.has_value());
  wire.set_budget(limits.budget.value_or(0));
  for (const culprit::RewriteSite& site : limits.skip) encode_site(site, wire.add_skip());
  wire.set_trace(limits.trace);
  wire.set_trace_predicates(limits.trace_predicates);
  return wire;
}

culprit::RewriteLimits decode(const RewriteLimits& wire) {
  culprit::RewriteLimits limits;
  if (wire.has_budget()) limits.budget = wire.budget();
  for (const RewriteSite& site : wire.skip()) limits.skip.push_back(decode_site(site));
  limits.trace = wire.trace();
  limits.trace_predicates = wire.trace_predicates();
  return limits;
}

RewriteVisit encode(const culprit::RewriteVisit& visit) {
  RewriteVisit wire;
  encode_site(visit.site, wire.mutable_site());
  wire.set_op_type(visit.op_type);
  for (const std::string& input : visit.inputs) wire.add_inputs(input);
  wire.set_only_asked(visit.only_asked);
  return wire;
}

std::vector<Traced> encode_visits(std::size_t recipe, const std::vector<culprit::RewriteVisit>& visits) {
  std::vector<Traced> parts;
  std::uint64_t bytes = part_bytes;
  for (const culprit::RewriteVisit& visit : visits) {
    if (bytes >= part_bytes) {
      parts.emplace_back().set_recipe(recipe);
      bytes = 0;
    }
    *parts.back().add_visits() = encode(visit);
    bytes += bytes_of(visit);
  }
  return parts;
}

std::uint64_t bytes_of(const culprit::RewriteVisit& visit) {
  constexpr std::uint64_t around = 16;  // what the wire adds to a text, and a visit to its texts
  std::uint64_t bytes = visit.site.pass.size() + visit.site.output.size() + visit.op_type.size() + 4 * around;
  for (const std::string& input : visit.inputs) bytes += input.size() + around;
  return bytes;
}

culprit::RewriteVisit decode(const RewriteVisit& wire) {
  return {decode_site(wire.site()), wire.op_type(), {wire.inputs().begin(), wire.inputs().end()}, wire.only_asked()};
}

RewriteTrace encode(const culprit::RewriteTrace& trace) {
  RewriteTrace wire;
  wire.set_count(trace.count);
  for (const culprit::RewriteVisit& visit : trace.visits) *wire.add_visits() = encode(visit);
  if (trace.asking) *wire.mutable_asking() = encode(*trace.asking);
  return wire;
}

std::optional<culprit::RewriteTrace> decode(const RewriteTrace& wire) {
  const auto visits = static_cast<std::size_t>(wire.visits_size());
  if (visits > culprit::RewriteTrace::most_traced || visits > wire.count()) return std::nullopt;
  culprit::RewriteTrace trace;
  trace.count = wire.count();
  for (const RewriteVisit& visit : wire.visits()) trace.visits.push_back(decode(visit));
  if (wire.has_asking()) trace.asking = decode(wire.asking());
  return trace;
}

}  // namespace culprit::wire
