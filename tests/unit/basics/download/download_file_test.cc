// A real server on loopback, which stalls, cuts off, lies and wants tokens: nothing bad is kept, and all is said.

#include "download/download_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/files_below.h"
#include "base/hash.h"
#include "support/loopback_server.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

constexpr const char* etag = "ETag: \"one\"\r\n";

class Downloads : public ::testing::Test {
 protected:
  [[nodiscard]] Download from(const LoopbackServer& server, const std::string& path = "/model.onnx") const {
    Download download{server.url(path), file_};
    download.stall_seconds = 2;
    return download;
  }
  /// Names of all that lies in the folder, but the lock.
  [[nodiscard]] std::vector<std::string> kept() const {
    std::vector<std::string> names;
    const std::vector<fs::path> files = files_below(folder_.path()).value();
    for (const fs::path& file : files)
      if (file.extension() != ".lock") names.push_back(file.filename());
    return names;
  }
  void expect_nothing_kept() const { EXPECT_THAT(kept(), ::testing::IsEmpty()); }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-download-").value();
  fs::path file_ = folder_.path() / "model.onnx";
  std::string body_ = std::string(100000, 'a') + "end";
};

TEST_F(Downloads, AreWholeAndToldOnTheWay) {
  LoopbackServer server([&](const AskedOf&) { return answer_of("200 OK", body_, etag); });
  Download download = from(server);
  download.sha256 = sha256_of(body_);
  std::uint64_t done = 0, total = 0;
  const auto answer = download_file(download, [&](std::uint64_t now, std::optional<std::uint64_t> of) {
    done = now;
    total = of.value_or(0);
  });
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(read_file(file_).value(), body_);
  EXPECT_EQ(done, body_.size());
  EXPECT_EQ(total, body_.size());
  EXPECT_EQ(kept().size(), 1U);
  EXPECT_EQ(download_file(download)->status, 200);
  EXPECT_EQ(server.asked().size(), 1U) << "what is there is not asked for";
}

TEST_F(Downloads, AFileWithoutAByteIsOne) {
  LoopbackServer server([&](const AskedOf&) { return answer_of("200 OK", ""); });
  ASSERT_TRUE(download_file(from(server)));
  EXPECT_EQ(read_file(file_).value(), "");
}

TEST_F(Downloads, WrongBytesAreNotKept) {
  LoopbackServer server([&](const AskedOf&) { return answer_of("200 OK", body_, etag); });
  Download download = from(server);
  download.sha256 = sha256_of("other");
  const auto answer = download_file(download);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(answer.error().message, HasSubstr("sent bytes with the sha256 " + sha256_of(body_)));
  expect_nothing_kept();
}

TEST_F(Downloads, GoOnWhereTheConnectionBroke) {
  int times = 0;
  LoopbackServer server([&](const AskedOf& asked) {
    if (++times == 1) {
      RawAnswer whole = answer_of("200 OK", body_, etag);
      whole.bytes.resize(whole.bytes.size() - 50000);
      return whole;
    }
    EXPECT_EQ(asked.headers.at("range"), "bytes=50003-");
    EXPECT_EQ(asked.headers.at("if-range"), "\"one\"");
    return answer_of("206 Partial Content", body_.substr(50003), "Content-Range: bytes 50003-100002/100003\r\n");
  });
  Download download = from(server);
  download.sha256 = sha256_of(body_);
  const auto answer = download_file(download);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(read_file(file_).value(), body_);
  EXPECT_EQ(times, 2);
  EXPECT_EQ(kept().size(), 1U);
}

TEST_F(Downloads, BeginAnewWhereTheServerHasAnotherFile) {
  int times = 0;
  LoopbackServer server([&](const AskedOf&) {
    RawAnswer whole = answer_of("200 OK", ++times == 1 ? body_ : "other", etag);
    if (times == 1) whole.bytes.resize(whole.bytes.size() - 50000);
    return whole;
  });
  ASSERT_TRUE(download_file(from(server)));
  EXPECT_EQ(read_file(file_).value(), "other");
}

TEST_F(Downloads, AnotherPartThanWasAskedForIsRefused) {
  int times = 0;
  LoopbackServer server([&](const AskedOf&) {
    if (++times > 1) return answer_of("206 Partial Content", "xx", "Content-Range: bytes 7-8/9\r\n");
    RawAnswer whole = answer_of("200 OK", body_, etag);
    whole.bytes.resize(whole.bytes.size() - 50000);
    return whole;
  });
  const auto answer = download_file(from(server));
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("sends another part"));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(Downloads, SayWhereTheyBreakOffAgainAndAgain) {
  LoopbackServer server([&](const AskedOf&) {
    RawAnswer whole = answer_of("200 OK", body_);
    whole.bytes.resize(whole.bytes.size() - 50000);
    return whole;
  });
  const auto answer = download_file(from(server));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::io);
  EXPECT_THAT(answer.error().message, HasSubstr("broke off after 50.0 KB of 100.0 KB: the connection was closed"));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(Downloads, AServerThatStallsIsLeft) {
  LoopbackServer server([&](const AskedOf&) {
    RawAnswer half = answer_of("200 OK", body_);
    half.bytes.resize(half.bytes.size() - body_.size() + 1);
    half.stalls = true;
    return half;
  });
  const auto answer = download_file(from(server));
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("nothing came for 2 seconds"));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(Downloads, SizesAreNotBelieved) {
  LoopbackServer huge(
      [&](const AskedOf&) { return RawAnswer{"HTTP/1.1 200 OK\r\nContent-Length: 4000000000000000\r\n\r\nabc"}; });
  EXPECT_THAT(download_file(from(huge)).error().message, HasSubstr("announces 4.0 PB, and 1.1 TB are the most"));
  expect_nothing_kept();
  LoopbackServer endless([&](const AskedOf&) { return RawAnswer{"HTTP/1.1 200 OK\r\n\r\n" + body_}; });
  Download download = from(endless);
  download.most_bytes = 1000;
  EXPECT_THAT(download_file(download).error().message, HasSubstr("sends more than 1.0 KB"));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(Downloads, ATokenGoesToItsHostAndToNoOther) {
  LoopbackServer other([&](const AskedOf&) { return answer_of("200 OK", body_); });
  LoopbackServer server([&](const AskedOf& asked) {
    if (asked.path == "/here") return answer_of("302 Found", "", "Location: /there\r\n");
    return answer_of("302 Found", "", "Location: " + other.url("/elsewhere") + "\r\n");
  });
  Download download = from(server, "/here");
  download.token = "secret";
  ASSERT_TRUE(download_file(download));
  ASSERT_EQ(server.asked().size(), 2U);
  for (const AskedOf& asked : server.asked()) EXPECT_EQ(asked.headers.at("authorization"), "Bearer secret");
  ASSERT_EQ(other.asked().size(), 1U);
  EXPECT_FALSE(other.asked()[0].headers.contains("authorization"));
}

TEST_F(Downloads, RedirectsEnd) {
  LoopbackServer server([&](const AskedOf& asked) {
    return asked.path == "/file" ? answer_of("302 Found", "", "Location: file:///etc/passwd\r\n")
                                 : answer_of("302 Found", "", "Location: /again\r\n");
  });
  EXPECT_THAT(download_file(from(server)).error().message, HasSubstr("more than 10 times"));
  EXPECT_FALSE(download_file(from(server, "/file")));
  expect_nothing_kept();
}

TEST_F(Downloads, OtherStatusesAreAnswersAndWriteNothing) {
  LoopbackServer server([&](const AskedOf&) { return answer_of("401 Unauthorized", "who are you"); });
  const auto answer = download_file(from(server));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
  expect_nothing_kept();
}

TEST_F(Downloads, NoServerIsAClearLine) {
  Download download{"http://127.0.0.1:1/model.onnx", file_};
  const auto answer = download_file(download);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::io);
  EXPECT_THAT(answer.error().message, HasSubstr("no answer from http://127.0.0.1:1/model.onnx"));
  EXPECT_THAT(answer.error().hint, HasSubstr("is there a network?"));
  download.url = "ftp://127.0.0.1/model.onnx";
  EXPECT_THAT(download_file(download).error().message, HasSubstr("is no address"));
}

TEST_F(Downloads, AreStoppedAndGoOnLater) {
  LoopbackServer server([&](const AskedOf&) {
    RawAnswer half = answer_of("200 OK", body_, etag);
    half.bytes.resize(half.bytes.size() - 50000);
    half.stalls = true;
    return half;
  });
  Download download = from(server);
  download.stall_seconds = 60;
  const auto answer = download_file(download, {}, [&] { return fs::exists(file_.native() + ".part.etag"); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::interrupted);
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(Downloads, OfSeveralProcessesOneDownloads) {
  LoopbackServer server([&](const AskedOf&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return answer_of("200 OK", body_, etag);
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto answer = download_file(from(server));
      EXPECT_TRUE(answer && answer->status == 200);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.asked().size(), 1U);
  EXPECT_EQ(read_file(file_).value(), body_);
}

}  // namespace
}  // namespace culprit
