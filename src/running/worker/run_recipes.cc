#include "worker/run_recipes.h"

#include <algorithm>

#include "base/text.h"
#include "process/how_it_ended.h"
#include "worker/wire.h"

namespace culprit {
namespace {

bool has_predicate(const std::string& pass, const std::vector<PassInfo>& passes) {
  const auto found = std::ranges::find(passes, pass, &PassInfo::name);
  return found != passes.end() && found->by_predicate;
}

}  // namespace

std::vector<std::string> scannable(const OptimizeJob& job, const std::vector<PassInfo>& passes) {
  std::vector<std::string> distinct;
  for (const Recipe& recipe : job.recipes)
    for (const std::string& pass : recipe.passes)
      if (has_predicate(pass, passes) && std::ranges::find(distinct, pass) == distinct.end()) distinct.push_back(pass);
  return distinct;
}

std::vector<bool> to_do(const OptimizeJob& job, const std::vector<PassInfo>& passes,
                        const std::set<std::string>& matching) {
  std::vector<bool> result;
  for (const Recipe& recipe : job.recipes) {
    const auto may_act = [&](const std::string& pass) {
      return !has_predicate(pass, passes) || matching.contains(pass);
    };
    result.push_back(recipe.passes.empty() || std::ranges::any_of(recipe.passes, may_act));
  }
  return result;
}

void Recipes::run(const std::vector<bool>& to_do) {
  for (std::size_t recipe = 0; recipe < to_do.size(); ++recipe) {
    if (to_do[recipe]) {
      waiting_.push_back(recipe);
    } else {
      VariantOutcome skipped;
      skipped.recipe = recipe;
      skipped.skipped_by_scan = true;
      send(skipped);
    }
  }
  while (!supervisor_.parent_gone() && (!waiting_.empty() || !running_.empty())) {
    while (running_.size() < most_at_once() && !waiting_.empty() && start(waiting_.front())) waiting_.pop_front();
    std::vector<Child*> children;
    for (Running& running : running_) children.push_back(&running.child);
    if (!children.empty()) supervisor_.wait(children);
    running_.remove_if([this](Running& running) { return finished(running); });
  }
  running_.clear();
}

/// One program answers one question at a time.
std::size_t Recipes::most_at_once() const {
  return context_.job.staying_program.empty() || context_.job.fresh_process ? supervisor_.share() : 1;
}

bool Recipes::start(std::size_t recipe) {
  LineProgram* program =
      context_.job.recipes[recipe].command.empty() ? nullptr : staying_.of(context_.job, supervisor_.scratch());
  session_.ask(program);
  auto child = supervisor_.fork([&](Channel& channel) { make_variant(session_, context_, recipe, channel); },
                                program == nullptr ? 0 : program->pid());
  if (child) {
    running_.push_back({std::move(*child), recipe, "", {}});
    return true;
  }
  if (!running_.empty()) return false;
  VariantOutcome failed;
  failed.recipe = recipe;
  failed.failure = failure_of_machine(child.error().text());
  send(failed);
  return true;
}

/// What a fork says of itself is bounded, whatever it says.
void Recipes::hear(Running& running, RewriteVisit visit) {
  RewriteTrace& heard = running.heard;
  heard.asking.reset();
  if (visit.only_asked) {
    if (!visit.site.pass.empty()) heard.asking = std::move(visit);
    return;
  }
  ++heard.count;
  running.heard_bytes += wire::bytes_of(visit);
  const bool is_kept =
      heard.visits.size() < RewriteTrace::most_traced && running.heard_bytes <= wire::most_traced_bytes;
  if (is_kept) heard.visits.push_back(std::move(visit));
}

bool Recipes::finished(Running& running) {
  const bool over = running.child.over();
  VariantOutcome outcome;
  outcome.recipe = running.recipe;
  while (const auto bytes = running.child.channel().next()) {
    const auto message = wire::parse<wire::FromFork>(*bytes);
    if (message && message->has_doing()) {
      running.doing = printable(message->doing().what(), 100);
      continue;
    }
    if (message && message->has_visit()) {
      hear(running, wire::decode(message->visit()));
      continue;
    }
    auto made = message && message->has_variant() ? wire::decode(message->variant(), context_.job) : std::nullopt;
    if (made && made->recipe == running.recipe) {
      const std::string last_words = running.child.bury().last_words;
      if (made->failure.failed()) made->failure.last_words = last_words;
      made->rewrites.visits = std::move(running.heard.visits);
      made->rewrites.asking = std::move(running.heard.asking);
      send(std::move(*made));
      return true;
    }
    running.child.condemn({Ending::crashed, "sent something that makes no sense", ""});
    break;
  }
  if (!over && !running.child.condemned()) return false;
  staying_.drop();
  const pid_t pid = running.child.pid();
  outcome.failure = running.child.bury();
  supervisor_.clear_after(pid);
  outcome.failure.message = with_doing(outcome.failure.message, running.doing);
  outcome.rewrites = std::move(running.heard);
  send(std::move(outcome));
  return true;
}

void Recipes::send(VariantOutcome outcome) {
  wire::FromWorker message;
  for (wire::Traced& part : wire::encode_visits(outcome.recipe, outcome.rewrites.visits)) {
    *message.mutable_traced() = std::move(part);
    supervisor_.say(message);
  }
  outcome.rewrites.visits.clear();
  *message.mutable_variant() = wire::encode(outcome);
  supervisor_.say(message);
}

}  // namespace culprit
