#pragma once
// Numbers and texts as bytes that another process of the same machine reads back: what has been counted so far, sent
// and merged. No size in them is believed.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace culprit {

class StateWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> StateWriter& add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  StateWriter& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
    return *this;
  }
  /// Numbers of one type, with their count.
  template <class Numbers>
  StateWriter& add_all(const Numbers& numbers) {
    add(static_cast<std::uint64_t>(numbers.size()));
    for (const auto number : numbers) add(number);
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// After the first thing that does not fit, `is_good` is false and all that is read is 0 or empty.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  requires std::is_arithmetic_v<T> T next() {
    T value{};
    if (!has(sizeof value)) return value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const auto size = next<std::uint64_t>();
    if (!has(size)) return {};
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  /// A number that counts something: not below 0, and so small that sums of them do not overflow.
  std::int64_t count() {
    const auto found = next<std::int64_t>();
    if (found < 0 || found > std::int64_t{1} << 48) is_good_ = false;
    return is_good_ ? found : 0;
  }
  /// Appends the numbers to `into`.
  template <class Numbers>
  void all_to(Numbers& into) {
    using T = typename Numbers::value_type;
    const auto count = next<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) is_good_ = false;
    for (std::uint64_t i = 0; i < count && is_good_; ++i) into.push_back(next<T>());
  }
  void refuse() { is_good_ = false; }  ///< what was read makes no sense
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool is_at_end() const { return is_good_ && rest_.empty(); }  ///< read well, and nothing left over

 private:
  bool has(std::uint64_t bytes) {
    is_good_ = is_good_ && bytes <= rest_.size();
    return is_good_;
  }

  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace culprit
