#include "orders/make_orders.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/random.h"

namespace culprit {
namespace {

using Places = std::vector<std::size_t>;  // of the steps, in an order

/// So few orders can all be written down; of more, those that are drawn are hardly ever drawn twice.
constexpr std::size_t most_written_down = 5040;

/// Fisher and Yates.
template <class Item>
void shuffle(std::vector<Item>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1));
    std::swap(items[i - 1], items[other]);
  }
}

class OrderMaker {
 public:
  OrderMaker(std::size_t steps, std::size_t count) : first_(steps), count_(count) {
    std::iota(first_.begin(), first_.end(), std::size_t{0});
  }

  std::vector<Places> make(std::uint64_t seed) {
    take(first_);
    for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
      Places swapped = first_;
      std::swap(swapped[i], swapped[i + 1]);
      take(swapped);
    }
    for (std::size_t i = 0; i < first_.size(); ++i) {
      take(moved(i, first_.size() - 1));
      take(moved(i, 0));
    }
    Random random(seed, "orders");
    number_of_orders(first_.size(), most_written_down + 1) > most_written_down ? draw(random) : write_down(random);
    return std::move(orders_);
  }

 private:
  void take(const Places& order) {
    if (orders_.size() < count_ && seen_.insert(order).second) orders_.push_back(order);
  }

  [[nodiscard]] Places moved(std::size_t from, std::size_t to) const {
    Places order = first_;
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), first_[from]);
    return order;
  }

  void draw(Random& random) {
    Places order = first_;
    while (orders_.size() < count_) {
      shuffle(order, random);
      take(order);
    }
  }

  void write_down(Random& random) {
    std::vector<Places> all;
    Places order = first_;
    do all.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    shuffle(all, random);
    for (const Places& one : all) take(one);
  }

  Places first_;
  std::size_t count_;
  std::vector<Places> orders_;
  std::set<Places> seen_;
};

}  // namespace

std::size_t number_of_orders(std::size_t steps, std::size_t most) {
  std::size_t number = 1;
  for (std::size_t i = 2; i <= steps; ++i) {
    if (number > most / i) return most;
    number *= i;
  }
  return std::min(number, most);
}

std::vector<StepOrder> make_orders(const StepOrder& steps, const WantedOrders& wanted) {
  const std::size_t all = number_of_orders(steps.size(), std::size_t{1} << 40U);
  const std::size_t by_default = steps.size() <= few_steps ? all : default_orders;
  const std::size_t count = std::min(wanted.count == 0 ? by_default : wanted.count, all);
  std::vector<StepOrder> orders;
  for (const Places& places : OrderMaker(steps.size(), count).make(wanted.seed)) {
    StepOrder& order = orders.emplace_back();
    for (const std::size_t place : places) order.push_back(steps[place]);
  }
  return orders;
}

std::int64_t inversions(const StepOrder& order, const StepOrder& first) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < first.size(); ++i) place.emplace(first[i], i);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) count += place.at(order[i]) > place.at(order[j]) ? 1 : 0;
  return count;
}

}  // namespace culprit
