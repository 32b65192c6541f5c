#include "localize/piece_search.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace culprit {
namespace {

class PieceSearcher {
 public:
  PieceSearcher(const PieceOracle& fails, std::size_t most) : fails_(fails), most_(most) {}

  Result<PieceSearch> run(std::size_t count) {
    Subset rest(count);
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    while (ask(rest)) {
      const Subset bad = minimal_of(rest);
      if (error_ || bad.empty()) break;
      take(bad);
      Subset left;
      std::ranges::set_difference(rest, bad, std::back_inserter(left));
      rest = std::move(left);
    }
    if (error_) return tl::unexpected(*error_);
    result_.asked = asked_;
    result_.complete = !result_.found.empty() && asked_ < most_;
    if (asked_ >= most_) {
      result_.message = std::to_string(most_) + " questions are all that may be asked; there may be more";
    } else if (result_.found.empty()) {
      result_.message = "all of them together, put back one by one, do not show the failure";
    }
    return std::move(result_);
  }

 private:
  bool ask(const Subset& pieces) {
    if (error_ || asked_ >= most_ || pieces.empty()) return false;
    ++asked_;
    const auto answer = fails_(pieces);
    if (!answer) error_ = answer.error();
    return answer && *answer;
  }

  Subset minimal_of(const Subset& failing) {
    const auto among = [&](const Subset& places) {
      Subset pieces;
      for (const std::size_t place : places) pieces.push_back(failing[place]);
      return pieces;
    };
    const DdminResult least = ddmin(failing.size(), [&](const Subset& places) {
      return places.size() == failing.size() || ask(among(places));  // of all it is known
    });
    return among(least.minimal);
  }

  void take(const Subset& bad) {
    BadPieces found{bad, 1, 1};
    if (asked_ < most_) {
      ++found.asked;
      if (ask(bad)) ++found.held;
    }
    result_.found.push_back(std::move(found));
  }

  const PieceOracle& fails_;
  std::size_t most_;
  std::size_t asked_ = 0;
  std::optional<Error> error_;
  PieceSearch result_;
};

}  // namespace

Result<PieceSearch> find_bad_pieces(std::size_t count, const PieceOracle& fails, std::size_t most_asked) {
  return PieceSearcher(fails, most_asked).run(count);
}

}  // namespace culprit
