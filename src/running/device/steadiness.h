#pragma once
// Was the machine quiet enough to measure times on it?

#include <vector>

#include "device/machine_state.h"
#include "record/warning.h"

namespace culprit {

/// From where on what disturbs is said. Smaller things are met by measuring in turns.
namespace steadiness {
constexpr double others_share = 0.05;     ///< of the time of the CPUs that we may use, with programs of others
constexpr double stolen_share = 0.02;     ///< taken away by the host
constexpr double clock_change = 0.10;     ///< between both moments, of the most that the clock can be
constexpr double shortest_seconds = 0.5;  ///< of the clock: in less, counters of 10 ms tell nothing
}  // namespace steadiness

/// What went on between the two moments, each with numbers and what to do about it:
/// - machine_busy: others used the CPUs
/// - steal: the host of this virtual machine did
/// - quota_throttled: the container's quota of CPU time was spent
/// - cpu_throttled: heat slowed down CPUs
/// - clock_changes: the clock follows the load (any governor but "performance"), or changed
/// What one of the two does not tell is passed over.
std::vector<Warning> unsteadiness(const MachineState& before, const MachineState& after);

}  // namespace culprit
