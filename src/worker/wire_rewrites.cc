// Limits and traces of rewrites on the wire.
#include "worker/wire.h"

namespace culprit::wire {
namespace {

void encode_site(const culprit::RewriteSite& site, RewriteSite* wire) {
  wire->set_pass(site.pass);
  wire->set_output(site.output);
}

culprit::RewriteSite decode_site(const RewriteSite& wire) { return {wire.pass(), wire.output()}; }

}  // namespace

RewriteLimits encode(const culprit::RewriteLimits& limits) {
  RewriteLimits wire;
  wire.set_has_budget(limits.budget.has_value());
  wire.set_budget(limits.budget.value_or(0));
  for (const culprit::RewriteSite& site : limits.skip) encode_site(site, wire.add_skip());
  wire.set_trace(limits.trace);
  return wire;
}

culprit::RewriteLimits decode(const RewriteLimits& wire) {
  culprit::RewriteLimits limits;
  if (wire.has_budget()) limits.budget = wire.budget();
  for (const RewriteSite& site : wire.skip()) limits.skip.push_back(decode_site(site));
  limits.trace = wire.trace();
  return limits;
}

RewriteTrace encode(const culprit::RewriteTrace& trace) {
  RewriteTrace wire;
  wire.set_count(trace.count);
  for (const culprit::RewriteVisit& visit : trace.visits) {
    RewriteVisit* added = wire.add_visits();
    encode_site(visit.site, added->mutable_site());
    added->set_op_type(visit.op_type);
    for (const std::string& input : visit.inputs) added->add_inputs(input);
  }
  return wire;
}

std::optional<culprit::RewriteTrace> decode(const RewriteTrace& wire) {
  const auto visits = static_cast<std::size_t>(wire.visits_size());
  if (visits > culprit::RewriteTrace::most_traced || visits > wire.count()) return std::nullopt;
  culprit::RewriteTrace trace;
  trace.count = wire.count();
  for (const RewriteVisit& visit : wire.visits()) {
    trace.visits.push_back(
        {decode_site(visit.site()), visit.op_type(), {visit.inputs().begin(), visit.inputs().end()}});
  }
  return trace;
}

}  // namespace culprit::wire
