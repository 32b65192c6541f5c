#pragma once
// Readings of one device become its record. Nothing here knows a clock: who reads says when it did.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "device/device.h"
#include "record/profile.h"

namespace culprit {

class DeviceTally {
 public:
  /// Shorter than this the rise of a counter of energy tells no power: it is renewed only now and then.
  static constexpr double shortest_rise = 0.1;  // seconds

  /// `seconds`: when it was read, on a clock that only rises. What is lost is not counted.
  void add(const DeviceReading& reading, double seconds);

  /// Mean and most over the readings; power, where the device tells only its energy, from the counter's rise: the mean
  /// of all, the most of any 0.1 s. Energy for one of `runs` inferences is from the first reading to the last, all that
  /// the device took, also for being on: the difference of its counter, else (no counter, or one that did not rise) the
  /// integral of its power, by trapezoids. Absent where there is neither, no run, or the device was lost on the way.
  [[nodiscard]] DeviceRecord record(const Device& device, std::int64_t runs) const;

  [[nodiscard]] std::int64_t readings() const { return readings_; }
  [[nodiscard]] const std::string& lost() const { return lost_; }  ///< why it answered no more; "" while it does
  /// Readings in which its clock was held down, by reason.
  [[nodiscard]] const std::map<std::string, std::int64_t>& slowed() const { return slowed_; }

 private:
  struct Gauge {
    double sum = 0, most = 0;
    std::int64_t readings = 0;
    void add(const std::optional<double>& value);
    [[nodiscard]] std::optional<Sampled> result() const;
  };
  struct At {
    double seconds = 0, value = 0;
  };
  struct Span {
    std::optional<At> first, last;
    [[nodiscard]] double rise() const { return first ? last->value - first->value : 0; }
    [[nodiscard]] double seconds() const { return first ? last->seconds - first->seconds : 0; }
  };
  /// Was it told at both ends? Else it is not known of all of the runs.
  struct Ends {
    bool at_first = false, at_last = false;
    void see(bool is_there, bool is_first) {
      if (is_first) at_first = is_there;
      at_last = is_there;
    }
    [[nodiscard]] bool both() const { return at_first && at_last; }
  };
  void add_energy(double joules, double seconds);
  void add_power(double watts, double seconds);
  [[nodiscard]] std::optional<Sampled> power() const;

  Gauge utilization_, memory_, power_, temperature_, clock_;
  Span energy_;
  std::optional<At> window_;  // where the present rise of at least shortest_rise began
  double most_rise_ = 0;      // watts
  std::optional<At> last_power_;
  double integral_ = 0;         // joules
  bool has_gone_back_ = false;  // the counter
  Ends energy_ends_, power_ends_;
  std::map<std::string, std::int64_t> slowed_;
  std::string lost_;
  std::int64_t readings_ = 0;
};

}  // namespace culprit
