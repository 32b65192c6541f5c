#include "check/explain/localize_pieces.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <numeric>

#include "base/folder.h"
#include "base/text.h"
#include "check/explain/file_trial.h"
#include "localize/graph_pieces.h"
#include "localize/piece_search.h"
#include "model/node_diff.h"

namespace culprit {
namespace {

std::string what_of(const GraphPieces& pieces, const Subset& bad) {
  std::vector<std::string> words;
  for (const std::size_t piece : bad) words.push_back(pieces.pieces()[piece].what);
  return join(words, ", and ");
}

RewritePiece record_of(const GraphPieces& pieces, const BadPieces& bad, const onnx::ModelProto& before) {
  RewritePiece record;
  record.what = what_of(pieces, bad.pieces);
  record.output = printable(pieces.pieces()[bad.pieces.front()].output);
  record.confirmed = std::to_string(bad.held) + "/" + std::to_string(bad.asked);
  NodeDiff diff = node_diff(before, pieces.with(bad.pieces));
  record.diff = std::move(diff.lines);
  record.diff_left_out = static_cast<std::int64_t>(diff.more);
  return record;
}

Subset all_of(const GraphPieces& pieces) {
  Subset all(pieces.pieces().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

/// The same verdict at the same level. What the checker refuses is refused by the runtime in other words.
bool PieceLocalization::is_alike(const RecipeAnswer& shown) const {
  return shown.state == RecipeAnswer::State::fails && shown.verdict == sought_.verdict;
}

Result<RecipeAnswer> PieceLocalization::show(const onnx::ModelProto& model) {
  // Beside the variants, for large weights lie below that folder.
  const auto file = reference_.folder / "variants" / fmt::format("pieces-{}.onnx", files_++);
  if (auto saved = save_model(model, file, Durability::buffered); !saved) return tl::unexpected(saved.error());
  auto shown = show_file(variants_, reference_, failing_, file);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return shown;
}

Result<void> PieceLocalization::explain(const onnx::ModelProto& before, const onnx::ModelProto& after,
                                        RewriteRecord& record) {
  const auto pieces = GraphPieces::split(before, after);
  if (!pieces) {
    record.pieces_message = "not told apart: " + pieces.error().message;
    return {};
  }
  const std::size_t count = pieces->pieces().size();
  record.pieces = static_cast<std::int64_t>(count);
  if (count == 0) return {};
  const auto whole = show(pieces->with(all_of(*pieces)));
  if (!whole) return tl::unexpected(whole.error());
  if (!is_alike(*whole)) {
    record.pieces_message = "not told apart: put together from its pieces the model does not fail as it did";
    return {};
  }
  bool is_known = true;  // that all of them fail
  const PieceOracle fails = [&](const Subset& some) -> Result<bool> {
    if (some.size() == count && std::exchange(is_known, false)) return true;
    ran_out_of_time_ = ran_out_of_time_ || dispatcher_.spent();
    if (ran_out_of_time_) return false;
    return show(pieces->with(some)).map([&](const RecipeAnswer& shown) { return shown == *whole; });
  };
  const auto search = find_bad_pieces(count, fails);
  if (!search) return tl::unexpected(search.error());
  record.pieces_message = search->message;
  if (ran_out_of_time_) {
    record.pieces_message = "the time of --budget is spent";
    return {};
  }
  for (const BadPieces& bad : search->found) record.bad_pieces.push_back(record_of(*pieces, bad, before));
  return {};
}

}  // namespace culprit
