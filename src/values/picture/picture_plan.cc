#include "picture/picture_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr std::int64_t most_pixels = 100'000'000;  // of a result

int half_to_even(double value) { return static_cast<int>(std::nearbyint(value)); }  // Python's round()

std::int64_t to_multiple(double length, int multiple) {
  if (multiple <= 1) return std::max<std::int64_t>(1, static_cast<std::int64_t>(length));
  return std::max<std::int64_t>(1, std::llrint(length / multiple)) * multiple;
}

/// Sizes of a step, before it is known that they are small enough to be allocated.
struct WantedSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// torchvision's Resize and MLPerf's resize_with_aspectratio: the other side is rounded down.
WantedSize resize_target(PictureSize from, const PictureStep& step) {
  if (step.to == ResizeTo::size)
    return {to_multiple(step.width.pixels, step.multiple), to_multiple(step.height.pixels, step.multiple)};
  const bool is_width = (from.width <= from.height) == (step.to == ResizeTo::shorter);
  const double now = is_width ? from.width : from.height;
  const double wanted = step.height.pixels;
  const double length = step.only == ResizeOnly::enlarge  ? std::max(wanted, now)
                        : step.only == ResizeOnly::shrink ? std::min(wanted, now)
                                                          : wanted;
  const double width = is_width ? length : std::floor(length * from.width / from.height);
  const double height = is_width ? std::floor(length * from.height / from.width) : length;
  return {to_multiple(width, step.multiple), to_multiple(height, step.multiple)};
}

/// The window of a crop: in the middle, as torchvision's CenterCrop rounds it, or as all others do.
int crop_begin(int from, int to, Backend backend) {
  if (to > from) return -((to - from) / 2);
  const bool rounds = backend != Backend::opencv && backend != Backend::tf;
  return rounds ? half_to_even((from - to) / 2.0) : (from - to) / 2;
}

class Planner {
 public:
  Planner(PictureSize picture, const Preprocessing& preprocessing) : preprocessing_(preprocessing) {
    plan_.size = picture;
  }

  Result<void> add(const PictureStep& step) {
    if (step.kind != PictureStepKind::pad && (step.height.pixels < 1 || step.width.pixels < 1))
      return fail(ErrorKind::usage, "the preprocessing is not fitted to an input");
    switch (step.kind) {
      case PictureStepKind::resize:
        return resize(step, resize_target(plan_.size, step));
      case PictureStepKind::crop:
        return window(crop_begin(plan_.size.width, step.width.pixels, preprocessing_.backend),
                      crop_begin(plan_.size.height, step.height.pixels, preprocessing_.backend),
                      {step.width.pixels, step.height.pixels}, step.color);
      case PictureStepKind::letterbox:
        return letterbox(step);
      case PictureStepKind::pad:
        return pad(step);
    }
    return {};
  }
  [[nodiscard]] const PicturePlan& plan() const { return plan_; }

 private:
  static Result<void> check(WantedSize size) {
    if (size.width >= 1 && size.height >= 1 && size.width <= most_pixels && size.height <= most_pixels &&
        size.width * size.height <= most_pixels)
      return {};
    return fail(ErrorKind::bad_input,
                fmt::format("a step would make an image of {} x {} pixels of it, and the limit is "
                            "{} million",
                            size.width, size.height, most_pixels / 1'000'000));
  }

  Result<void> resize(const PictureStep& step, WantedSize wanted) {
    if (auto checked = check(wanted); !checked) return checked;
    const PictureSize size{static_cast<int>(wanted.width), static_cast<int>(wanted.height)};
    const double x = static_cast<double>(size.width) / plan_.size.width;
    const double y = static_cast<double>(size.height) / plan_.size.height;
    Placement& placement = plan_.placement;
    placement = {placement.scale_x * x, placement.scale_y * y, placement.offset_x * x, placement.offset_y * y};
    if (size != plan_.size)
      plan_.steps.push_back({true, size, 0, 0, {preprocessing_.backend, step.filter, step.antialias}, {}});
    plan_.size = size;
    return {};
  }

  Result<void> window(int left, int top, PictureSize size, Colour color) {
    if (auto checked = check({size.width, size.height}); !checked) return checked;
    plan_.placement.offset_x -= left;
    plan_.placement.offset_y -= top;
    if (size != plan_.size) plan_.steps.push_back({false, size, left, top, {}, color});
    plan_.size = size;
    return {};
  }

  /// As YOLOv5's letterbox() (utils/augmentations.py) rounds.
  Result<void> letterbox(const PictureStep& step) {
    const PictureSize to{step.width.pixels, step.height.pixels};
    const double ratio =
        std::min(static_cast<double>(to.height) / plan_.size.height, static_cast<double>(to.width) / plan_.size.width);
    const WantedSize inner{std::clamp(half_to_even(plan_.size.width * ratio), 1, to.width),
                           std::clamp(half_to_even(plan_.size.height * ratio), 1, to.height)};
    if (auto resized = resize(step, inner); !resized) return resized;
    const auto before = [&](int outer, int held) {
      return step.in_corner ? 0 : -half_to_even((outer - held) / 2.0 - 0.1);
    };
    return window(before(to.width, plan_.size.width), before(to.height, plan_.size.height), to, step.color);
  }

  Result<void> pad(const PictureStep& step) {
    const auto padded = [&](int from, const SideLength& to) {
      const std::int64_t length = std::max(from, to.pixels);
      return (length + step.multiple - 1) / step.multiple * step.multiple;
    };
    const WantedSize size{padded(plan_.size.width, step.width), padded(plan_.size.height, step.height)};
    if (auto checked = check(size); !checked) return checked;
    const auto before = [&](std::int64_t outer, int held) {
      return step.in_corner ? 0 : -static_cast<int>((outer - held) / 2);
    };
    return window(before(size.width, plan_.size.width), before(size.height, plan_.size.height),
                  {static_cast<int>(size.width), static_cast<int>(size.height)}, step.color);
  }

  const Preprocessing& preprocessing_;
  PicturePlan plan_;
};

}  // namespace

Result<PicturePlan> plan_steps(PictureSize picture, const Preprocessing& preprocessing) {
  Planner planner(picture, preprocessing);
  for (const PictureStep& step : preprocessing.steps)
    if (auto added = planner.add(step); !added) return tl::unexpected(added.error());
  const PictureSize size = planner.plan().size;
  if ((preprocessing.net_width > 0 && size.width != preprocessing.net_width) ||
      (preprocessing.net_height > 0 && size.height != preprocessing.net_height)) {
    const auto side = [](int length) { return length > 0 ? std::to_string(length) : "any"; };
    return fail(
        ErrorKind::usage,
        fmt::format("the preprocessing makes {} x {} pixels (width x height) of an image of {} x {}, and the net "
                    "takes {} x {}",
                    size.width, size.height, picture.width, picture.height, side(preprocessing.net_width),
                    side(preprocessing.net_height)),
        "resize, crop or letterbox it to `input`");
  }
  return planner.plan();
}

}  // namespace culprit
