#include "campaign/case_processes.h"

#include <charconv>
#include <string>

#include "base/folder.h"
#include "process/interrupt.h"
#include "process/start_child.h"

namespace culprit {
namespace fs = std::filesystem;
namespace {

std::optional<int> exit_code_in(Channel& channel) {
  const auto message = channel.next();
  const std::string_view mark = case_exit_mark;
  if (!message || !message->starts_with(mark)) return std::nullopt;
  int code = 0;
  const char* end = message->data() + message->size();
  const auto read = std::from_chars(message->data() + mark.size(), end, code);
  return read.ec == std::errc() && read.ptr == end ? std::optional(code) : std::nullopt;
}

}  // namespace

fs::path folder_of_case(const fs::path& cases, const CaseKey& key) { return cases / key.hex(); }

Result<void> CaseProcesses::start(const CaseKey& key, const CaseOrder& order) {
  const fs::path folder = folder_of_case(fs::absolute(places_.cases), key);
  remove_folder(folder);  // what an attempt left that was killed
  std::vector<std::string> arguments{"case", fs::absolute(places_.campaign_folder), folder};
  for (std::string& word : words_of(order)) arguments.push_back(std::move(word));
  auto child = start_program(places_.program, std::move(arguments), places_.cases);
  if (!child) return tl::unexpected(child.error());
  running_.insert_or_assign(key, Running{std::move(*child), Stopwatch()});
  return {};
}

Result<std::vector<CaseEnd>> CaseProcesses::wait() {
  constexpr int look_again = 250;  // milliseconds
  std::vector<Child*> children;
  children.reserve(running_.size());
  for (auto& [key, running] : running_) children.push_back(&running.child);
  wait_for(children, {interrupt_fd()}, look_again);
  std::vector<CaseEnd> ended;
  for (auto at = running_.begin(); at != running_.end();) {
    Running& running = at->second;
    running.child.check_limits();
    if (!running.child.over()) {
      ++at;
      continue;
    }
    CaseEnd end{at->first, running.watch.seconds()};
    end.exit_code = exit_code_in(running.child.channel());
    end.death = running.child.bury();
    ended.push_back(std::move(end));
    at = running_.erase(at);
  }
  return ended;
}

}  // namespace culprit
