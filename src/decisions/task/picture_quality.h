#pragma once
// How much one picture is like another.

#include <cstddef>
#include <optional>
#include <span>

namespace culprit {

/// The mean of ((a - b) / range)^2. Where one alone is not finite, or both are and are different, the error is the
/// whole range. 0 of nothing.
double mean_squared_error(std::span<const double> a, std::span<const double> b, double range);
/// 10 log10(1 / error) in dB (skimage.metrics.peak_signal_noise_ratio); infinity for no error.
double decibels(double error);

struct SimilarityOptions {
  bool gaussian = false;  ///< weights of sigma 1.5 over 11 pixels, as Wang et al.; else a square of 7, all alike
  bool sample_covariance = true;  ///< n / (n - 1); Wang et al. have it not
};

/// The mean structural similarity: Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image quality assessment: from error
/// visibility to structural similarity", IEEE TIP 13, 2004, with K1 0.01 and K2 0.03; as
/// skimage.metrics.structural_similarity, of each plane [height, width] alone, and the mean over planes. Windows that
/// reach over the edge are left out; nothing where no window fits. An exact copy has 1, whatever is in it; else NaN and
/// infinities count as 0 in both, and a plane where they stand in different places has 0.
std::optional<double> structural_similarity(std::span<const double> a, std::span<const double> b, std::size_t height,
                                            std::size_t width, double range, const SimilarityOptions& options = {});

}  // namespace culprit
