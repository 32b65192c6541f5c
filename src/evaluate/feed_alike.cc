#include "evaluate/feed_alike.h"

#include <algorithm>

#include "base/file.h"
#include "picture/read_preprocessing.h"
#include "task/read_task_description.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_description = std::uint64_t{1} << 20;

void loosen(SideLength& side, int net) {
  if (net > 0 && side.pixels > 0) side = {0, static_cast<double>(net) / side.pixels};
}

}  // namespace

bool says_preprocessing(const Model& model) {
  const fs::path file = model.path.parent_path() / "culprit.yaml";
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  const auto text = read_file(file, largest_description);
  return !text || names_preprocessing(*text) || !describes_task(*text);
}

Preprocessing for_any_size(Preprocessing fit) {
  for (PictureStep& step : fit.steps) {
    const bool is_side = step.kind == PictureStepKind::resize && step.to != ResizeTo::size;
    const int shorter = std::min(fit.net_height, fit.net_width), longer = std::max(fit.net_height, fit.net_width);
    const int side = step.to == ResizeTo::longer ? longer : shorter;
    loosen(step.height, is_side ? side : fit.net_height);
    loosen(step.width, is_side ? side : fit.net_width);
  }
  if (fit.dtype && is_float(*fit.dtype)) fit.dtype.reset();
  fit.net_height = fit.net_width = 0;
  fit.rank = 4;
  return fit;
}

bool are_fed_alike(const Preprocessing& one, const Preprocessing& other) {
  Preprocessing here = one;
  if (one.net_height > 0 && other.net_height > 0 && other.net_width > 0) {
    // Lengths are rounded to pixels, so the first one is fitted to the other's size, and not the other way round.
    Preprocessing again = for_any_size(one);
    again.layout = PixelLayout::nchw;
    again.dtype = DType::f32;
    auto refitted = fitted(again, {{1, one.color == ColorOrder::grey ? 1 : 3, other.net_height, other.net_width}});
    if (!refitted) return false;
    here = std::move(*refitted);
  }
  const auto plain = [](Preprocessing fit) {
    fit.about.clear();
    fit.layout.reset();
    fit.dtype.reset();
    fit.net_height = fit.net_width = 0;
    fit.rank = 4;
    return fit;
  };
  return plain(here) == plain(other);
}

}  // namespace culprit
