#include "task/segmentation.h"

#include <algorithm>
#include <limits>

namespace culprit {
namespace {

constexpr std::int32_t any_other = std::numeric_limits<std::int32_t>::max();

}  // namespace

PixelCounts::Count& PixelCounts::of(std::int32_t label) {
  const auto known = classes_.find(label);
  if (known != classes_.end()) return known->second;
  return classes_[classes_.size() < most_classes ? label : any_other];
}

void PixelCounts::add(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  const std::size_t count = std::min(a.size(), b.size());
  // Neighbours are alike: a run of one pair is counted at once.
  for (std::size_t i = 0, end = 0; i < count; i = end) {
    while (end < count && a[end] == a[i] && b[end] == b[i]) ++end;
    const auto run = static_cast<std::int64_t>(end - i);
    of(a[i]).a += run;
    of(b[i]).b += run;
    if (a[i] == b[i]) {
      of(a[i]).both += run;
      same_ += run;
    }
    pixels_ += run;
  }
}

void PixelCounts::merge(const PixelCounts& other, std::int64_t times) {
  for (const auto& [label, count] : other.classes_) {
    Count& own = of(label);
    own.a += times * count.a;
    own.b += times * count.b;
    own.both += times * count.both;
  }
  pixels_ += times * other.pixels_;
  same_ += times * other.same_;
}

void PixelCounts::write(StateWriter& state) const {
  state.add(pixels_).add(same_).add(static_cast<std::uint64_t>(classes_.size()));
  for (const auto& [label, count] : classes_) state.add(label).add(count.a).add(count.b).add(count.both);
}

PixelCounts PixelCounts::read(StateReader& state) {
  PixelCounts counts;
  counts.pixels_ = state.count();
  counts.same_ = state.count();
  const auto classes = state.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < classes && state.is_good(); ++i) {
    const auto label = state.next<std::int32_t>();
    const std::int64_t a = state.count(), b = state.count(), both = state.count();
    counts.of(label) = {a, b, both};
  }
  return counts;
}

double PixelCounts::agreement() const {
  return pixels_ == 0 ? 1 : static_cast<double>(same_) / static_cast<double>(pixels_);
}

std::map<std::int32_t, double> PixelCounts::iou() const {
  std::map<std::int32_t, double> shares;
  for (const auto& [label, count] : classes_)
    if (const std::int64_t either = count.a + count.b - count.both; either > 0 && label >= 0)
      shares[label] = static_cast<double>(count.both) / static_cast<double>(either);
  return shares;
}

std::map<std::int32_t, std::int64_t> PixelCounts::there() const {
  std::map<std::int32_t, std::int64_t> pixels;
  for (const auto& [label, share] : iou()) pixels[label] = classes_.at(label).b;
  return pixels;
}

double PixelCounts::mean_iou() const {
  const auto shares = iou();
  if (shares.empty()) return 1;
  double sum = 0;
  for (const auto& [label, share] : shares) sum += share;
  return sum / static_cast<double>(shares.size());
}

}  // namespace culprit
