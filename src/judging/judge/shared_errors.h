#pragma once
// Errors that many elements share: all in one ratio to their values, or all to one side. Single elements may be off as
// far without a fault, many of them alike may not (docs/judging.md, "Errors that many share").

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/measurement.h"
#include "tensor/tensor.h"

namespace culprit {

/// The numbers of an output in groups, in which errors are added up, in up to three ways: by size (256 times each), and
/// by their place along the second axis and along the last (channels), where at least 64 numbers share a place. Groups
/// of all ways are numbered through.
class ErrorGroups {
 public:
  ErrorGroups() = default;
  /// None where there are fewer than 64 numbers, and of floats of 8 bits, which are stored in only.
  explicit ErrorGroups(const Tensor& reference);

  [[nodiscard]] std::size_t count() const { return starts_.empty() ? 0 : starts_.back(); }
  /// The number of each way's first group, and behind them the number of all groups.
  [[nodiscard]] const std::vector<std::size_t>& starts() const { return starts_; }
  /// Calls `visit(group)` once a way, for element `i`, which is `r`.
  template <class Visit>
  void each(std::size_t i, double r, const Visit& visit) const {
    visit(size_group(r));
    for (std::size_t a = 0; a < axes_.size(); ++a) visit(starts_[a + 1] + i / axes_[a].inner % axes_[a].length);
  }

 private:
  struct Axis {
    std::size_t inner = 1, length = 1;
  };
  static std::size_t size_group(double r);

  std::vector<Axis> axes_;
  std::vector<std::size_t> starts_;
};

/// What draws did to many elements alike: by group the largest of all draws.
struct SharedByDraws {
  ErrorGroups groups;
  std::vector<double> products, errors;  ///< |sum of error x value|, |sum of errors|
};

/// Adds up the errors of one draw.
class SumsOfDraw {
 public:
  explicit SumsOfDraw(SharedByDraws& known)
      : known_(known), products_(known.groups.count()), errors_(known.groups.count()) {}

  /// Element `i`, which is `r`, is off by `error`.
  void add(std::size_t i, double r, double error) {
    if (products_.empty()) return;
    known_.groups.each(i, r, [&](std::size_t group) {
      products_[group] += error * r;
      errors_[group] += error;
    });
  }
  /// `parts`: the draw counts one of so many.
  void finish(double parts);

 private:
  SharedByDraws& known_;
  std::vector<double> products_, errors_;
};

/// A group of elements, and how far rounding moves them alike.
struct SharedLimit {
  std::int64_t elements = 0;
  double squares = 0, fourths = 0;  ///< sums over the values of the reference
  double reach = 0;                 ///< the sum of how far draws carried each
  double ratio = 0, offset = 0;     ///< as shares of the values; as the mean error

  [[nodiscard]] double rms() const;
};

/// Adds up those errors of a variant that are within what rounding does to single elements.
class SharedErrors {
 public:
  /// An element with such an error.
  struct Element {
    double r = 0, error = 0, atol = 0;
    bool is_beyond_tolerance = false;
  };
  /// What is beyond rounding, in a group.
  struct Found {
    SharedError what;
    double times = 0;  ///< off / explained
    double rms = 0;    ///< of the values of the group
    std::int64_t beyond_tolerance = 0;
    Element furthest;
  };

  SharedErrors() = default;
  /// `limits`: by group. Both stay.
  SharedErrors(const ErrorGroups& groups, const std::vector<SharedLimit>& limits)
      : groups_(&groups), limits_(&limits) {}

  void add(std::size_t i, const Element& element);
  /// What the first way finds that finds anything: no element is in two of these.
  [[nodiscard]] std::vector<Found> beyond_rounding() const;

 private:
  /// Elements that are off to one side.
  struct Side {
    std::int64_t elements = 0, beyond_tolerance = 0;
  };
  static constexpr std::size_t least_values = 16;
  struct Sums {
    double products = 0, errors = 0;                    // as of draws
    double squares = 0, of_products = 0, of_cubes = 0;  // e^2, (e r)^2, e r^3
    Side up, down, outward, inward;
    Element furthest;
    std::array<double, least_values> values{};  // that are different
    std::size_t different = 0;

    void add_value(double r);
  };

  [[nodiscard]] Found of_ratio(const Sums& sums, const SharedLimit& limit) const;
  [[nodiscard]] Found of_offset(const Sums& sums, const SharedLimit& limit) const;
  [[nodiscard]] Found of_group(std::size_t group) const;

  const ErrorGroups* groups_ = nullptr;
  const std::vector<SharedLimit>* limits_ = nullptr;
  std::vector<Sums> sums_;  // by group
};

}  // namespace culprit
