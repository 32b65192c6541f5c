#pragma once
// Many short texts without an object for each: a hundred thousand file names take their characters and eight bytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

class NameTable {
 public:
  void add(std::string_view name) {
    text_ += name;
    ends_.push_back(text_.size());
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t at) const {
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(text_).substr(begin, ends_[at] - begin);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

}  // namespace culprit
