// The serialized form, without a look at what it means.
#include <algorithm>

#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

std::size_t place(const std::string& bytes, Random& random) {
  return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(bytes.size()) - 1));
}

void flip(std::string& bytes, Random& random) {
  for (std::int64_t i = random.between(1, 8); i > 0; --i)
    bytes[place(bytes, random)] ^= static_cast<char>(1 << random.between(0, 7));
}

/// Lengths and numbers are varints: a byte 0xff makes them far larger, a zero ends them.
void set_bytes(std::string& bytes, Random& random) {
  for (std::int64_t i = random.between(1, 10), at = static_cast<std::int64_t>(place(bytes, random)); i > 0; --i, ++at)
    if (static_cast<std::size_t>(at) < bytes.size())
      bytes[static_cast<std::size_t>(at)] = random.uniform() < 0.7 ? '\xff' : '\0';
}

void cut(std::string& bytes, Random& random) { bytes.resize(std::max<std::size_t>(1, place(bytes, random))); }

void repeat(std::string& bytes, Random& random) {
  const std::size_t from = place(bytes, random), to = place(bytes, random);
  bytes.insert(to, bytes.substr(from, static_cast<std::size_t>(random.between(1, 400))));
}

void lose(std::string& bytes, Random& random) {
  if (bytes.size() < 2) return;
  const std::size_t from = place(bytes, random);
  bytes.erase(from, static_cast<std::size_t>(random.between(1, 400)));
  if (bytes.empty()) bytes = "x";
}

}  // namespace

std::vector<ByteMutation> byte_mutations() {
  return {{"bits flipped", flip},
          {"bytes set", set_bytes},
          {"cut off", cut},
          {"bytes repeated", repeat},
          {"bytes lost", lose}};
}

}  // namespace culprit::fuzz
