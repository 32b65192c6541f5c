// Whatever the bytes are, they give a file or an Error. A sanitizer sees a read outside of them.
#include "base/random.h"
#include "tflite_samples.h"

namespace culprit {
namespace {

/// Reads, and where that is possible changes and reads again.
bool survives(std::string bytes) {
  auto file = TfliteFile::parse(std::move(bytes), "bytes");
  if (!file) return !file.error().message.empty();
  auto edit = TfliteEdit::start(*file);
  if (!edit) return true;
  (void)edit->set_option({0, 0}, "dilation_h_factor", std::int64_t{2});
  (void)edit->set_data({0, 4}, std::string(40, 'x'));
  const auto made = edit->finish();
  return made || !made.error().message.empty();
}

TEST(TfliteHostileGolden, EveryTruncation) {
  const std::string bytes(small_tflite().bytes());
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    refused += TfliteFile::parse(bytes.substr(0, size), "bytes") ? 0 : 1;
    EXPECT_TRUE(survives(bytes.substr(0, size)));
  }
  EXPECT_GE(refused, bytes.size() - 32);  // the last object may end before the file does
}

TEST(TfliteHostileGolden, EveryByteInSeveralWays) {
  const std::string bytes(small_tflite().bytes());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char change : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      auto other = bytes;
      other[at] = static_cast<char>(other[at] ^ (change == 0 ? 0x04 : change));
      EXPECT_TRUE(survives(std::move(other)));
    }
  }
}

TEST(TfliteHostileGolden, SeveralWordsAtOnce) {
  const std::string bytes(small_tflite().bytes());
  Random random(18);
  for (int round = 0; round < 3000; ++round) {
    auto other = bytes;
    for (auto changes = random.between(1, 6); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(bytes.size() / 4) - 1)) * 4;
      const auto word = static_cast<std::uint32_t>(random.between(0, static_cast<std::int64_t>(bytes.size()) * 2));
      std::memcpy(other.data() + at, &word, 4);
    }
    EXPECT_TRUE(survives(std::move(other)));
  }
}

TEST(TfliteHostileGolden, NotTheFormatIsSaid) {
  EXPECT_THAT(TfliteFile::parse("onnx, or nothing", "x.tflite").error().text(),
              testing::HasSubstr("is no TFLite file"));
}

}  // namespace
}  // namespace culprit
