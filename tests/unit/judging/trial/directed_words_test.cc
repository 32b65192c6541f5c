#include "trial/directed_words.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "computer.h"
#include "support/not_numbers.h"

namespace culprit {
namespace {

using testing::HasSubstr;

/// Two samples, the second of them directed.
class Aimed : public ComputerBench {
 protected:
  Aimed() {
    computer.computes = [](const Floats&, const Floats& x) {
      return std::vector<NamedTensor>{{"y", vector_of({std::log(x[0]), x[1]})}};
    };
    reference.directed = 1;
    reference.directions = {{1, "zeros into 'x' (fuse_log)"}};
  }

  Judgement judged(const std::vector<Floats>& outputs) {
    RunOutcome outcome;
    for (const Floats& y : outputs) {
      outcome.outputs.push_back(folder() / ("v" + std::to_string(outcome.outputs.size()) + ".pack"));
      EXPECT_TRUE(write_pack(outcome.outputs.back(), std::vector<NamedTensor>{{"y", vector_of(y)}}));
    }
    KnownRounding known;
    known.first_directed = 1;
    return judge_run(outcome, {{}, {0}, true}, Contract::equivalent, reference, known,
                     std::vector<int>(outcome.outputs.size()));
  }
};

TEST_F(Aimed, WhatIsFiniteWhereTheModelIsNotIsAWarning) {
  feed({{1, 5}, {0, 5}});
  const Judgement judgement = judged({{0, 5}, {-120.3F, 5}});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent);
  EXPECT_EQ(judgement.measurements.at("y").finite_instead, 1);
  EXPECT_EQ(judgement.measurements.at("y").nonfinite_mismatch, 0);
  EXPECT_THAT(judgement.finite_instead,
              HasSubstr("the model itself gives -inf, the variant -120.3 in 1 of 4 elements"));
  EXPECT_THAT(judgement.finite_instead, HasSubstr("sample 1, aimed at zeros into 'x' (fuse_log)"));
}

TEST_F(Aimed, OnAPlainSampleItIsAFault) {
  feed({{0, 5}, {1, 5}});
  const Judgement judgement = judged({{-120.3F, 5}, {0, 5}});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_THAT(judgement.message, HasSubstr("the model itself gives -inf, the variant -120.3"));
  EXPECT_EQ(judgement.message.find("aimed"), std::string::npos);
}

TEST_F(Aimed, WhatIsNotFiniteWhereTheModelIsStaysAFault) {
  feed({{1, 5}, {2, 5}});
  const Judgement judgement = judged({{0, 5}, {-infinity_f, 5}});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_THAT(judgement.message, HasSubstr("the model itself gives 0.6931, the variant -inf"));
  EXPECT_THAT(judgement.message, HasSubstr("on 1 of 2 samples: sample 1, aimed at zeros into 'x' (fuse_log)"));
}

TEST_F(Aimed, AnotherInfinityStaysAFault) {
  feed({{1, 5}, {0, 5}});
  EXPECT_EQ(judged({{0, 5}, {infinity_f, 5}}).verdict, Verdict::diverged);
}

TEST_F(Aimed, WrongValuesBesideItStayAFault) {
  feed({{1, 5}, {0, 5}});
  const Judgement judgement = judged({{0, 5}, {-120.3F, 6}});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_THAT(judgement.message, HasSubstr("differs by 1 "));
}

TEST_F(Aimed, PlainSamplesAmongTheFaultyLeaveItUnsaid) {
  feed({{1, 5}, {2, 5}});
  EXPECT_EQ(judged({{9, 5}, {9, 5}}).message.find("aimed"), std::string::npos);
}

}  // namespace
}  // namespace culprit
