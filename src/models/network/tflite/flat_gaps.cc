#include "network/tflite/flat_gaps.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

constexpr std::size_t gap_step = 64;     // what moves, moves by a multiple of this: all alignments stay as they are
constexpr std::size_t begin_of_all = 8;  // the offset of the root and the identifier

using Piece = std::pair<std::size_t, std::size_t>;  // begin and end

/// What stays, in order.
std::vector<Piece> kept_pieces(std::size_t size, const FlatIndex& index) {
  std::vector<Piece> used{{0, begin_of_all}};
  for (const FlatObject& object : index.objects) used.emplace_back(object.begin, object.end);
  std::ranges::sort(used);
  std::vector<Piece> kept{{0, begin_of_all}};
  for (const auto& [begin, end] : used) {
    const std::size_t gap = begin > kept.back().second ? begin - kept.back().second : 0;
    if (gap >= gap_step) {
      kept.emplace_back(begin - gap % gap_step, end);
    } else {
      kept.back().second = std::max(kept.back().second, end);
    }
  }
  kept.back().second = std::min(kept.back().second, size);
  return kept;
}

}  // namespace

std::string without_gaps(const std::string& bytes, const FlatIndex& index) {
  const auto kept = kept_pieces(bytes.size(), index);
  std::string made;
  std::vector<std::size_t> places;  // of the pieces, in what is made
  for (const auto& [begin, end] : kept) {
    places.push_back(made.size());
    made.append(bytes, begin, end - begin);
  }
  made.append((4 - made.size() % 4) % 4, '\0');
  const auto moved = [&](std::size_t at) {
    const auto behind = std::ranges::upper_bound(kept, at, std::less(), &Piece::first);
    const auto piece = static_cast<std::size_t>(behind - kept.begin()) - 1;
    return places[piece] + (at - kept[piece].first);
  };
  for (const FlatReference& reference : index.references) {
    const std::size_t at = moved(reference.at), target = moved(reference.target);
    flat_put(std::as_writable_bytes(std::span(made)), at,
             static_cast<std::uint32_t>(reference.to_vtable ? at - target : target - at));
  }
  return made;
}

}  // namespace culprit
