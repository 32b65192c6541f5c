// Workers whose messages make no sense, as those of a process with a damaged heap may.
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "fakes.h"
#include "process/channel.h"
#include "worker/protocol.pb.h"

namespace culprit::testing {
namespace {

wire::FromWorker imported() {
  wire::FromWorker message;
  message.mutable_imported();
  return message;
}

wire::FromWorker variant(std::uint64_t recipe, std::uint32_t ending = 0) {
  wire::FromWorker message;
  message.mutable_variant()->set_recipe(recipe);
  message.mutable_variant()->mutable_failure()->set_ending(ending);
  return message;
}

wire::FromWorker optimized() {
  wire::FromWorker message;
  message.mutable_optimized();
  return message;
}

wire::FromWorker ran(std::uint32_t stage) {
  wire::FromWorker message;
  message.mutable_ran()->set_stage(stage);
  return message;
}

wire::FromWorker running(std::uint64_t sample) {
  wire::FromWorker message;
  message.mutable_running()->set_sample(sample);
  message.mutable_running()->add_seconds(0);
  return message;
}

}  // namespace

void lie(int fd, const std::string& how) {
  Channel channel{Fd(fd)};
  while (!channel.next() && channel.wait()) {
  }
  constexpr std::uint32_t stage_done = 3;
  const std::map<std::string, std::vector<wire::FromWorker>> stories{
      {"empty", {wire::FromWorker()}},
      {"variant_first", {variant(0)}},
      {"index", {imported(), variant(1u << 30)}},
      {"ending", {imported(), variant(0, 99)}},
      {"twice", {imported(), variant(0), variant(0)}},
      {"imported_twice", {imported(), imported()}},
      {"optimized_early", {imported(), optimized()}},
      {"ran_first", {ran(stage_done)}},
      {"stage", {ran(77)}},
      {"running_far", {running(1u << 30)}},
  };
  if (how == "quit") ::_exit(0);
  if (how == "garbage") channel.send_now("################");
  if (how == "length") [[maybe_unused]]
    const auto sent = ::write(fd, "\xff\xff\xff\x7f________", 12);
  if (const auto story = stories.find(how); story != stories.end())
    for (const auto& message : story->second) channel.send_now(message.SerializeAsString());
  while (true) ::pause();
}

}  // namespace culprit::testing
