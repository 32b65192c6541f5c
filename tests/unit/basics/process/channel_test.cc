#include "process/channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

namespace culprit {
namespace {

class ChannelTest : public ::testing::Test {
 protected:
  ChannelTest() {
    auto pair = make_channel().value();
    ours_ = std::move(pair.ours);
    theirs_ = Channel(std::move(pair.theirs));
  }

  void raw(std::string_view bytes) {
    ASSERT_EQ(::send(theirs_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }

  Channel ours_;
  Channel theirs_;
};

TEST_F(ChannelTest, MessagesKeepTheirBounds) {
  for (const char* message : {"one", "", "three"}) EXPECT_TRUE(theirs_.send_now(message));
  ours_.receive();
  EXPECT_EQ(ours_.next(), "one");
  EXPECT_EQ(ours_.next(), "");
  EXPECT_EQ(ours_.next(), "three");
  EXPECT_EQ(ours_.next(), std::nullopt);
  EXPECT_FALSE(ours_.ended());
}

TEST_F(ChannelTest, HalfAMessageIsNone) {
  raw(std::string_view("\x05\0\0\0ab", 6));
  ours_.receive();
  EXPECT_EQ(ours_.next(), std::nullopt);
  raw("cde");
  ours_.receive();
  EXPECT_EQ(ours_.next(), "abcde");
}

TEST_F(ChannelTest, AnEndComesAfterWhatWasSaid) {
  EXPECT_TRUE(theirs_.send_now("last"));
  theirs_.close();
  ours_.receive();
  EXPECT_TRUE(ours_.ended());
  EXPECT_FALSE(ours_.broken());
  EXPECT_EQ(ours_.next(), "last");
  EXPECT_FALSE(ours_.wait());
}

TEST_F(ChannelTest, ALengthOverTheCapBreaksIt) {
  raw("\xff\xff\xff\xff");
  ours_.receive();
  EXPECT_EQ(ours_.next(), std::nullopt);
  EXPECT_TRUE(ours_.broken());
  EXPECT_TRUE(ours_.ended());
}

TEST_F(ChannelTest, OneThatIsTooLargeIsNotSent) {
  theirs_.send(std::string(Channel::largest_message + 1, 'x'));
  EXPECT_TRUE(theirs_.broken());
}

TEST_F(ChannelTest, SendingNeverWaits) {
  const std::string large(Channel::largest_message, 'x');
  ours_.send(large);
  EXPECT_TRUE(ours_.unsent());
  std::optional<std::string> got;
  while (!got) {
    ours_.flush();
    theirs_.receive();
    got = theirs_.next();
  }
  EXPECT_FALSE(ours_.unsent());
  EXPECT_EQ(*got, large);
}

TEST_F(ChannelTest, SendingToNobodyLosesNothingOfWhatTheySaid) {
  EXPECT_TRUE(theirs_.send_now("last words"));
  theirs_.close();
  EXPECT_FALSE(ours_.send_now("hello?"));
  EXPECT_FALSE(ours_.unsent());
  EXPECT_FALSE(ours_.ended());
  ours_.receive();
  EXPECT_EQ(ours_.next(), "last words");
  EXPECT_TRUE(ours_.ended());
}

}  // namespace
}  // namespace culprit
