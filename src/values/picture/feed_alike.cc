#include "picture/feed_alike.h"

#include <algorithm>

namespace culprit {
namespace {

void loosen(SideLength& side, int net) {
  if (net > 0 && side.pixels > 0) side = {0, static_cast<double>(net) / side.pixels};
}

}  // namespace

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
