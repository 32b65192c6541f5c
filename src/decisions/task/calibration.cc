#include "task/calibration.h"

#include <algorithm>
#include <cmath>

#include "task/task_comparator.h"

namespace culprit {
namespace {

/// As numpy.searchsorted of numpy.linspace(0, 1, 16) without its ends.
std::size_t bin_of(double confidence) {
  std::size_t bin = 0;
  while (bin + 1 < Calibration::bins && static_cast<double>(bin + 1) * (1.0 / Calibration::bins) < confidence) ++bin;
  return bin;
}

}  // namespace

void Calibration::add(double confidence, bool is_right) {
  Bin& bin = bins_[bin_of(confidence)];
  ++bin.count;
  bin.right += is_right ? 1 : 0;
  bin.confidence.add(confidence);
}

void Calibration::add_brier(double variant, std::optional<double> reference) {
  brier_.add(variant);
  if (reference) brier_change_.add(variant - *reference);
}

void Calibration::merge(const Calibration& later) {
  for (std::size_t i = 0; i < bins; ++i) {
    bins_[i].count += later.bins_[i].count;
    bins_[i].right += later.bins_[i].right;
    bins_[i].confidence.merge(later.bins_[i].confidence);
  }
  brier_.merge(later.brier_);
  brier_change_.merge(later.brier_change_);
}

void Calibration::write(StateWriter& state) const {
  for (const Bin& bin : bins_) {
    state.add(bin.count).add(bin.right);
    bin.confidence.write(state);
  }
  brier_.write(state);
  brier_change_.write(state);
}

Calibration Calibration::read(StateReader& state) {
  Calibration read;
  for (Bin& bin : read.bins_) {
    bin.count = state.count();
    bin.right = state.count();
    bin.confidence = ExactSum::read(state);
  }
  read.brier_ = SampleValues::read(state);
  read.brier_change_ = SampleValues::read(state);
  return read;
}

std::int64_t Calibration::predictions() const {
  std::int64_t sum = 0;
  for (const Bin& bin : bins_) sum += bin.count;
  return sum;
}

CalibrationRecord Calibration::record(double most, std::uint64_t seed) const {
  CalibrationRecord record;
  record.predictions = predictions();
  record.bins.reserve(bins);
  for (const Bin& bin : bins_) {
    CalibrationBin& one = record.bins.emplace_back();
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    one = {bin.count, bin.confidence.value() / count, static_cast<double>(bin.right) / count};
    const double gap = std::abs(one.confidence - one.right);
    record.ece += gap * count / static_cast<double>(record.predictions);
    record.mce = std::max(record.mce, gap);
  }
  record.brier = record_of(brier_.mean_within(0, most, seed));
  if (brier_change_.size() > 0) record.brier_change = record_of(brier_change_.mean_within(-most, most, seed));
  return record;
}

}  // namespace culprit
