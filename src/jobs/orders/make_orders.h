#pragma once
// Which orders of an optimizer's steps are tried. Pure: the same on every machine.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

using StepOrder = std::vector<std::string>;

/// If no count is given: all orders of so few steps, else so many orders.
inline constexpr std::size_t few_steps = 5;
inline constexpr std::size_t default_orders = 200;

struct WantedOrders {
  std::size_t count = 0;   ///< in all; 0: the default
  std::uint64_t seed = 0;  ///< of those that are drawn
};

/// These steps as they stand, then with two neighbours swapped, each two once, then with one step moved to the end or
/// to the front, then others that are drawn; no order twice, and at most `count`. `steps` names no step twice.
std::vector<StepOrder> make_orders(const StepOrder& steps, const WantedOrders& wanted);

/// How many orders there are of so many steps, or `most` if there are more.
std::size_t number_of_orders(std::size_t steps, std::size_t most);

/// Pairs of steps that stand the other way round in `order` than in `first`, which has the same steps.
std::int64_t inversions(const StepOrder& order, const StepOrder& first);

}  // namespace culprit
