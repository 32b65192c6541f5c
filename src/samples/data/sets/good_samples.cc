#include "data/sets/good_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t bad_ones_named = 3;

/// Which are the samples. Each is read here once, for a bad one must not end the check.
class Choosing {
 public:
  Choosing(const SampleSource& source, const SampleWords& words) : source_(source), words_(words) {}

  /// The first good one of each part of them; where a part has none, the first good ones of all others.
  Result<void> choose(std::int64_t parts) {
    const std::int64_t size = source_.size();
    for (std::int64_t part = 0; part < parts; ++part)
      if (auto ok = take_one(size * part / parts, size * (part + 1) / parts); !ok) return ok;
    while (static_cast<std::int64_t>(chosen_.size()) < parts) {
      const std::size_t before = chosen_.size();
      if (auto ok = take_one(0, size); !ok) return ok;
      if (chosen_.size() == before) break;
    }
    if (chosen_.empty())
      return fail(ErrorKind::bad_input,
                  fmt::format("none of the {} {} can be read; the first: {}", size, words_.many, why_));
    return {};
  }

  [[nodiscard]] std::vector<std::int64_t> numbers() const { return {chosen_.begin(), chosen_.end()}; }

  /// Nothing where all that were tried are good.
  [[nodiscard]] std::string passed_over() const {
    if (bad_.empty()) return "";
    if (bad_.size() == 1) return fmt::format("1 {} is passed over: {}", words_.one, why_);
    std::vector<std::string> names;
    for (const std::int64_t number : bad_)
      if (names.size() < bad_ones_named) names.push_back(printable(source_.name(number), 80));
    if (bad_.size() > names.size()) names.push_back(fmt::format("{} more", bad_.size() - names.size()));
    return fmt::format("{} {} are passed over: {}; the first: {}", bad_.size(), words_.many, join(names, ", "), why_);
  }

 private:
  Result<void> take_one(std::int64_t begin, std::int64_t end) {
    for (std::int64_t number = begin; number < end; ++number) {
      if (chosen_.contains(number) || bad_.contains(number)) continue;
      const auto sample = source_.at(number, {});
      if (sample) {
        chosen_.insert(number);
        return {};
      }
      if (sample.error().kind != ErrorKind::bad_input) return tl::unexpected(sample.error());
      if (bad_.empty()) why_ = sample.error().message;
      bad_.insert(number);
    }
    return {};
  }

  const SampleSource& source_;
  const SampleWords& words_;
  std::set<std::int64_t> chosen_, bad_;
  std::string why_;  ///< the first bad one is bad
};

}  // namespace

Result<Proposal> propose_good_samples(std::shared_ptr<const SampleSource> source, std::int64_t samples,
                                      std::string description, const SampleWords& words) {
  Choosing choosing(*source, words);
  if (auto ok = choosing.choose(std::min(samples > 0 ? samples : samples_of_a_check, source->size())); !ok)
    return tl::unexpected(ok.error());
  Proposal proposal;
  proposal.facts = source->facts();
  proposal.description = std::move(description);
  proposal.drawn = proposal.facts.samples = static_cast<std::int64_t>(choosing.numbers().size());
  if (std::string bad = choosing.passed_over(); !bad.empty())
    proposal.warnings.push_back({words.warning, std::move(bad)});
  for (Warning& warning : source->warnings(choosing.numbers())) proposal.warnings.push_back(std::move(warning));
  proposal.draw = [source = std::move(source), numbers = choosing.numbers()](std::int64_t index,
                                                                             const Stop& stop) -> Result<Sample> {
    if (is_stopped(stop)) return ended_early();
    return source->at(numbers[static_cast<std::size_t>(index)], stop);
  };
  return proposal;
}

}  // namespace culprit
