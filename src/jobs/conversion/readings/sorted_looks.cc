#include "conversion/readings/sorted_looks.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace culprit {
namespace {

constexpr std::size_t worth_counting = 20'000;  // numbers; of fewer the counts cost more than they save

/// Looks `first` to `last` lie at these places, which are sorted, among `numbers`, which begin at `begins`.
template <class Number>
void select_places(std::span<Number> numbers, std::size_t begins, std::span<const std::size_t> places) {
  if (places.empty() || numbers.size() < 2) return;
  const std::size_t middle = places.size() / 2, at = places[middle] - begins;
  std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(at), numbers.end());
  const auto is_at = [&](std::size_t place) { return place == places[middle]; };
  const auto left = places.first(static_cast<std::size_t>(std::ranges::find_if(places, is_at) - places.begin()));
  std::size_t behind = middle;
  while (behind < places.size() && is_at(places[behind])) ++behind;
  select_places(numbers.first(at), begins, left);
  select_places(numbers.subspan(at + 1), begins + at + 1, places.subspan(behind));
}

std::vector<std::size_t> places_of_looks(std::size_t count, std::size_t looks) {
  std::vector<std::size_t> places(looks);
  for (std::size_t i = 0; i < looks; ++i) places[i] = i * (count - 1) / (looks - 1);
  return places;
}

template <class Number>
std::vector<Number> selected(std::span<Number> numbers, const std::vector<std::size_t>& places) {
  select_places<Number>(numbers, 0, places);
  std::vector<Number> found(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) found[i] = numbers[places[i]];
  return found;
}

/// The upper half of its bits, in the order of the numbers.
std::uint16_t coarse_key(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return static_cast<std::uint16_t>(((bits >> 31U) != 0 ? ~bits : bits | 0x80000000U) >> 16U);
}

/// Numbers with the same upper bits, and where looks lie among them.
struct LooksBin {
  std::size_t begins = 0;
  std::vector<float> numbers;
  std::vector<std::size_t> places;
};

/// Numbers are counted by their upper bits; only those that share them with a look are selected from.
std::vector<float> counted_looks(std::span<const float> numbers, const std::vector<std::size_t>& places) {
  std::vector<std::uint32_t> counts(1U << 16U, 0);
  for (const float number : numbers) ++counts[coarse_key(number)];
  std::vector<LooksBin> bins;
  std::vector<std::int16_t> bin_of(counts.size(), -1);
  std::size_t next = 0, behind = 0;
  for (std::size_t key = 0; key < counts.size() && next < places.size(); ++key) {
    const std::size_t begins = behind;
    behind += counts[key];
    if (places[next] >= behind) continue;
    bin_of[key] = static_cast<std::int16_t>(bins.size());
    LooksBin& bin = bins.emplace_back(LooksBin{begins, {}, {}});
    bin.numbers.reserve(counts[key]);
    for (; next < places.size() && places[next] < behind; ++next) bin.places.push_back(places[next] - begins);
  }
  for (const float number : numbers)
    if (const auto bin = bin_of[coarse_key(number)]; bin >= 0)
      bins[static_cast<std::size_t>(bin)].numbers.push_back(number);
  std::vector<float> found;
  found.reserve(places.size());
  for (LooksBin& bin : bins) {
    const auto looks = selected<float>(bin.numbers, bin.places);
    found.insert(found.end(), looks.begin(), looks.end());
  }
  return found;
}

}  // namespace

std::vector<float> sorted_looks(std::span<float> numbers, std::size_t looks) {
  if (numbers.empty()) return {};
  const auto places = places_of_looks(numbers.size(), looks);
  return numbers.size() < worth_counting ? selected(numbers, places) : counted_looks(numbers, places);
}

std::vector<double> sorted_looks(std::span<double> numbers, std::size_t looks) {
  if (numbers.empty()) return {};
  return selected(numbers, places_of_looks(numbers.size(), looks));
}

}  // namespace culprit
