#include "base/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include <array>
#include <memory>
#include <new>
#include <vector>

#include "base/open_file.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

XXH3_state_t* state_of(void* state) { return static_cast<XXH3_state_t*>(state); }

Hash128 from_xxh(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }

std::array<unsigned char, 8> little_endian(std::uint64_t value) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
  return bytes;
}

void update(void* state, std::uint64_t value) {
  const auto bytes = little_endian(value);
  XXH3_128bits_update(state_of(state), bytes.data(), bytes.size());
}

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
  }
  void add(const char* data, std::size_t size) { EVP_DigestUpdate(context_.get(), data, size); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
      text += digits[digest[i] >> 4];
      text += digits[digest[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string Hash128::hex() const {
  std::string text(32, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    text[i] = digits[(high >> (60 - 4 * i)) & 15];
    text[16 + i] = digits[(low >> (60 - 4 * i)) & 15];
  }
  return text;
}

Result<Hash128> Hash128::from_hex(std::string_view hex) {
  Hash128 hash;
  for (std::size_t i = 0; i < hex.size() && hex.size() == 32; ++i) {
    const int value = digit_value(hex[i]);
    if (value < 0) break;
    std::uint64_t& half = i < 16 ? hash.high : hash.low;
    half = half << 4 | static_cast<std::uint64_t>(value);
    if (i == 31) return hash;
  }
  return fail(ErrorKind::bad_input, "\"" + printable(hex, 60) + "\" is not a hash of 32 hexadecimal digits");
}

Hasher::Hasher() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_of(state_));
}

Hasher::~Hasher() { XXH3_freeState(state_of(state_)); }

Hasher& Hasher::add(std::string_view text) {
  update(state_, text.size());
  XXH3_128bits_update(state_of(state_), text.data(), text.size());
  return *this;
}

Hasher& Hasher::add(std::span<const std::byte> bytes) {
  return add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Hasher& Hasher::add(std::int64_t value) {
  update(state_, static_cast<std::uint64_t>(value));
  return *this;
}

Hasher& Hasher::add(const Hash128& value) {
  update(state_, value.high);
  update(state_, value.low);
  return *this;
}

Hash128 Hasher::finish() const { return from_xxh(XXH3_128bits_digest(state_of(state_))); }

Hash128 hash128(std::string_view bytes) { return from_xxh(XXH3_128bits(bytes.data(), bytes.size())); }

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  auto file = OpenFile::open(path);
  if (!file) return tl::unexpected(file.error());
  Sha256 hash;
  std::vector<char> buffer(std::size_t{1} << 18);
  while (true) {
    auto got = file->read(buffer.data(), buffer.size());
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return hash.hex();
    hash.add(buffer.data(), *got);
  }
}

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

}  // namespace culprit
