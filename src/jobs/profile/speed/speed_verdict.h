#pragma once
// Slower, faster or the same? Said of a ratio of two times only where its whole interval says so.

#include <cstdint>
#include <optional>
#include <span>

#include "record/profile.h"

namespace culprit {

/// `same`: the interval lies within `same_within` of 1, both ends included; `slower`, `faster`: wholly beyond; else
/// `ambiguous`.
SpeedVerdict speed_verdict(const RatioRecord& ratio);

/// The centre of these ratios with its interval at this confidence (statistics/signed_rank.h, on their logarithms).
/// Ratios must be positive. Without any: 1, from 0 to infinity.
RatioRecord ratio_of(std::span<const double> block_ratios, double confidence);

/// So many blocks in all make the interval narrow enough for a verdict, about, for its width goes with the root of
/// their number; never fewer than a first look needs (statistics/looks.h). Absent where more than a thousand times as
/// many are needed: the ratio lies at the edge of what is the same.
std::optional<std::int64_t> blocks_to_be_sure(const RatioRecord& ratio, std::int64_t blocks);

/// Median and percentiles as numpy takes them by default. Of no seconds: 0 in all.
TimeRecord time_record(std::span<const double> seconds);

/// Records the seconds of single runs, with the tail. Nothing where there are none.
std::optional<LatencyRecord> latency_record(std::span<const double> seconds);

}  // namespace culprit
