#include "worker/run_recipe.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <iterator>

#include "base/memory.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "model/external_data.h"
#include "model/fingerprint.h"
#include "model/lost_types.h"
#include "model/model_diff.h"
#include "model/order_by_use.h"
#include "model/placed_weights.h"
#include "process/how_it_ended.h"
#include "worker/wire.h"

namespace culprit {
namespace {

std::string too_large_text(const onnx::ModelProto& variant) {
  return "the variant holds " + human_bytes(variant.ByteSizeLong()) +
         " inside its nodes, and a model file cannot be larger than 2 GiB: only initializers can lie beside it. " +
         "extract_constant_to_initializer makes initializers of constants";
}

class VariantMaker {
 public:
  VariantMaker(const RecipeContext& context, std::size_t recipe, Channel& channel)
      : context_(context), channel_(channel) {
    outcome_.recipe = recipe;
  }

  VariantOutcome make(OptimizerSession& session) {
    const Stopwatch watch;
    try {
      onnx::ModelProto variant = apply(session);
      if (is_by_program() && context_.is_sorted) sort(variant);
      if (context_.loses_types) outcome_.lost_types = put_back_types(context_.model, variant);
      if (whole_bytes(variant) >= placed_model_bytes) place_weights(variant, Stored::in_fields, context_.weights);
      look_at(variant);
      keep(variant);
    } catch (...) {
      outcome_.failure = failure_of_exception();
      outcome_.failure.message = with_doing(outcome_.failure.message, doing_);
    }
    outcome_.touched = session.touched();
    outcome_.seconds_total = watch.seconds();
    outcome_.peak_bytes = peak_resident_bytes();
    return outcome_;
  }

 private:
  onnx::ModelProto apply(OptimizerSession& session) {
    const Stopwatch watch;
    const Recipe& recipe = context_.job.recipes[outcome_.recipe];
    const bool is_limited =
        outcome_.recipe < context_.job.rewrites.size() && !context_.job.rewrites[outcome_.recipe].limits_nothing();
    auto variant = is_limited ? apply_within(session, recipe) : session.apply(recipe);
    outcome_.seconds = watch.seconds();
    return variant;
  }

  onnx::ModelProto apply_within(OptimizerSession& session, const Recipe& recipe) {
    const RewriteLimits& limits = context_.job.rewrites[outcome_.recipe];
    return session.apply_within(recipe, limits, outcome_.rewrites.count, [this](const RewriteVisit& visit) {
      wire::FromFork message;
      *message.mutable_visit() = wire::encode(visit);
      channel_.send_now(message.SerializeAsString());
    });
  }

  [[nodiscard]] bool is_by_program() const { return !context_.job.recipes[outcome_.recipe].command.empty(); }

  /// Converters rely on the runtime for the order of nodes: float16's leaves the Cast of an input behind its reader.
  void sort(onnx::ModelProto& variant) {
    const int too_early = nodes_too_early(variant.graph());
    if (too_early == 0) return;
    sort_by_use(*variant.mutable_graph());
    outcome_.warnings.push_back(not_sorted_warning(too_early));
  }

  void look_at(const onnx::ModelProto& variant) {
    doing("taking the fingerprint of the variant");
    outcome_.fingerprint = fingerprint(variant);
    doing("checking the variant");
    outcome_.checker_complaint = context_.is_sorted ? checker_complaint(variant) : complaint_but_for_order(variant);
    doing("comparing the variant with the model");
    outcome_.interface = interface_of(variant);
    outcome_.facts = facts_of(variant);
    outcome_.facts.bytes = whole_bytes(variant);
    outcome_.ops_changed = ops_changed(context_.model, variant);
    warn_of(variant);
    if (!outcome_.lost_types.empty()) outcome_.warnings.push_back(types_lost_warning(outcome_.lost_types));
  }

  /// What a session makes is seen by nobody unless it is saved: then it matters where it can be loaded.
  void warn_of(const onnx::ModelProto& variant) {
    if (!runs_in_session(context_.job.recipes[outcome_.recipe])) {
      std::ranges::move(structural_warnings(context_.model, variant), std::back_inserter(outcome_.warnings));
    } else if (auto tied = tied_warning(outcome_.ops_changed)) {
      outcome_.warnings.push_back(std::move(*tied));
    }
  }

  void keep(const onnx::ModelProto& variant) {
    if (context_.job.folder.empty()) return;
    doing("writing the variant");
    const auto file = context_.job.folder / (outcome_.fingerprint.hex() + ".onnx");
    if (std::filesystem::exists(file)) return;
    auto saved = write_weights(context_.weights, context_.job.folder).and_then([&] {
      return save_model(variant, file, Durability::buffered);
    });
    if (saved) return;
    const bool too_large = saved.error().kind == ErrorKind::unsupported;
    outcome_.failure = failure_of_machine(too_large ? too_large_text(variant) : saved.error().text());
  }

  void doing(const std::string& what) {
    doing_ = what;
    wire::FromFork message;
    message.mutable_doing()->set_what(what);
    channel_.send_now(message.SerializeAsString());
  }

  const RecipeContext& context_;
  Channel& channel_;
  VariantOutcome outcome_;
  std::string doing_;
};

}  // namespace

void make_variant(OptimizerSession& session, const RecipeContext& context, std::size_t recipe, Channel& channel) {
  wire::FromFork message;
  *message.mutable_variant() = wire::encode(VariantMaker(context, recipe, channel).make(session));
  channel.send_now(message.SerializeAsString());
}

}  // namespace culprit
