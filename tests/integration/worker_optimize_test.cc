// Optimize jobs: one import, a scan, a fork for every recipe; whatever dies in there costs one recipe.
#include <map>

#include "fakes.h"
#include "model/fingerprint.h"
#include "pool_fixture.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(PoolTest, RealOptimizerMakesVariants) {
  auto workers = pool();
  OptimizeJob job = optimize({"", "eliminate_identity", "fuse_bn_into_conv", "fuse_bn_into_conv,eliminate_identity"});
  job.optimizer = "onnx_optimizer";
  const auto variants = variants_of(*workers, job);
  const Model model = load_model(job.model).value();
  for (const auto& variant : variants) EXPECT_FALSE(variant.failure.failed()) << variant.failure.message;
  EXPECT_EQ(variants[0].fingerprint, fingerprint(*model.proto));
  EXPECT_FALSE(variants[0].skipped_by_scan);
  EXPECT_FALSE(variants[1].skipped_by_scan);
  EXPECT_TRUE(variants[2].skipped_by_scan);
  EXPECT_THAT(variants[1].ops_changed, ::testing::ElementsAre(::testing::Pair("Identity", -2)));
  EXPECT_EQ(variants[1].facts.nodes, 1);
  EXPECT_EQ(variants[1].interface.inputs.at(0).name, "x");
  EXPECT_EQ(variants[3].fingerprint, variants[1].fingerprint);
  EXPECT_EQ(variants[3].file, variants[1].file);
  const auto written = load_model(variants[1].file);
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_EQ(fingerprint(*written->proto), variants[1].fingerprint);
  EXPECT_EQ(variants[1].file, job.folder / (variants[1].fingerprint.hex() + ".onnx"));
}

TEST_F(PoolTest, ManyVisitsWithLongNamesComeBack) {
  auto workers = pool();
  OptimizeJob job = optimize({"grow", "visits,grow", "visits,segfault", "grow"});
  job.rewrites = {{}, RewriteLimits{.trace = true}, RewriteLimits{.trace = true}, {}};
  const auto variants = variants_of(*workers, job);
  for (const std::size_t fine : {0, 1, 3})
    EXPECT_FALSE(variants[fine].failure.failed()) << variants[fine].failure.message;
  EXPECT_EQ(variants[2].failure.ending, Ending::crashed);
  for (const std::size_t traced : {1, 2}) {
    const RewriteTrace& trace = variants[traced].rewrites;
    EXPECT_EQ(trace.count, many_visits);
    ASSERT_EQ(trace.visits.size(), many_visits);
    EXPECT_EQ(trace.visits.front(), visit_number(0));
    EXPECT_EQ(trace.visits.back(), visit_number(many_visits - 1));
  }
}

TEST_F(PoolTest, RewritesAreLimitedByRecipe) {
  auto workers = pool();
  OptimizeJob job = optimize(std::vector<std::string>(5, "eliminate_identity"));
  job.optimizer = "onnx_optimizer";
  job.rewrites = {
      RewriteLimits{.budget = 0}, RewriteLimits{.budget = 1, .trace = true}, {}, RewriteLimits{.trace = true}};
  const auto variants = variants_of(*workers, job);
  for (const auto& variant : variants) EXPECT_FALSE(variant.failure.failed()) << variant.failure.message;
  EXPECT_EQ(variants[0].facts.nodes, 3);
  EXPECT_EQ(variants[1].facts.nodes, 2);
  ASSERT_EQ(variants[1].rewrites.visits.size(), 1u);
  EXPECT_EQ(variants[1].rewrites.visits[0].op_type, "Identity");
  EXPECT_EQ(variants[2].facts.nodes, 1);
  EXPECT_EQ(variants[2].rewrites.count, 0u);
  EXPECT_EQ(variants[3].rewrites.count, 2u);
  EXPECT_EQ(variants[3].fingerprint, variants[2].fingerprint);
  EXPECT_EQ(variants[4].fingerprint, variants[2].fingerprint);
  // What cannot be counted says so, and takes nobody with it.
  OptimizeJob uncounted = optimize({"grow", ""});
  uncounted.rewrites = {RewriteLimits{.budget = 1}};
  const auto others = variants_of(*workers, uncounted);
  EXPECT_EQ(others[0].failure.ending, Ending::threw);
  EXPECT_THAT(others[0].failure.message, HasSubstr("cannot be counted"));
  EXPECT_FALSE(others[1].failure.failed());
}

TEST_F(PoolTest, CountsOneImportAndOneForkForEachRecipeThatIsRun) {
  auto workers = pool();
  const auto variants = variants_of(*workers, optimize({"", "idle", "grow", "idle,idle", "grow,idle"}));
  const Counts counts = workers->counts();
  EXPECT_EQ(counts.imports, 1);
  EXPECT_EQ(counts.processes, 1 + 1 + 3);  // the worker, the scan, three recipes
  EXPECT_EQ(counts.sessions, 0);
  EXPECT_TRUE(variants[1].skipped_by_scan);
  EXPECT_TRUE(variants[3].skipped_by_scan);
  EXPECT_TRUE(variants[1].file.empty());
}

TEST_F(PoolTest, EveryDeathCostsOneRecipe) {
  const std::map<std::string, Ending> deaths{{"full_segfault", Ending::crashed},
                                             {"abort", Ending::crashed},
                                             {"full_overflow", Ending::crashed},
                                             {"exit", Ending::exited},
                                             {"throw", Ending::threw},
                                             {"throw_int", Ending::threw},
                                             {"bad_alloc", Ending::out_of_memory},
                                             {"sigkill", Ending::out_of_memory},
                                             {"children", Ending::crashed},
                                             {"close", Ending::crashed},
                                             {"garbage", Ending::crashed},
                                             {"print", Ending::crashed}};
  std::vector<std::string> recipes{"grow"};
  for (const auto& [pass, ending] : deaths) recipes.push_back(pass);
  recipes.emplace_back("grow");
  auto workers = pool();
  const auto variants = variants_of(*workers, optimize(recipes));
  EXPECT_FALSE(variants.front().failure.failed());
  EXPECT_FALSE(variants.back().failure.failed());
  for (std::size_t i = 1; i + 1 < recipes.size(); ++i) {
    EXPECT_EQ(variants[i].failure.ending, deaths.at(recipes[i])) << recipes[i] << ": " << variants[i].failure.message;
    EXPECT_THAT(variants[i].failure.message, Not(IsEmpty())) << recipes[i];
    EXPECT_FALSE(variants[i].failure.machine) << recipes[i];
  }
}

TEST_F(PoolTest, TellsHowAForkDied) {
  auto workers = pool();
  const auto variants = variants_of(*workers, optimize({"full_segfault", "exit", "throw", "print", "sigkill"}));
  EXPECT_EQ(variants[0].failure.message, "killed by SIGSEGV");
  EXPECT_EQ(variants[1].failure.message, "ended with exit status 0 before it was done");
  EXPECT_EQ(variants[2].failure.message, "an assertion of the optimizer");
  EXPECT_THAT(variants[3].failure.last_words,
              AllOf(HasSubstr("last words on stdout"), HasSubstr("last words on stderr "), HasSubstr("no newline")));
  EXPECT_THAT(variants[4].failure.message, HasSubstr("probably ran out of memory"));
}

TEST_F(PoolTest, AnImportThatFailsIsTheOnlyOutcome) {
  const std::map<std::string, Ending> deaths{
      {"import_segfault", Ending::crashed}, {"import_throw", Ending::threw}, {"import_exit", Ending::exited}};
  auto workers = pool();
  for (const auto& [optimizer, ending] : deaths) {
    OptimizeJob job = optimize({"", "grow"});
    job.optimizer = optimizer;
    const JobId id = workers->submit(job);
    const auto outcomes = drain(*workers);
    ASSERT_EQ(outcomes.size(), 1u) << optimizer;
    const auto& imported = std::get<ImportOutcome>(outcomes[0]);
    EXPECT_EQ(imported.job, id);
    EXPECT_EQ(imported.failure.ending, ending) << imported.failure.message;
  }
  EXPECT_EQ(workers->counts().imports, 3);
}

TEST_F(PoolTest, AModelThatCannotBeReadFailsTheImport) {
  auto workers = pool();
  OptimizeJob job = optimize({""});
  job.model = folder() / "nothing.onnx";
  workers->submit(job);
  const auto outcomes = drain(*workers);
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(std::get<ImportOutcome>(outcomes[0]).failure.ending, Ending::threw);
  EXPECT_THAT(std::get<ImportOutcome>(outcomes[0]).failure.message, HasSubstr("nothing.onnx"));
  EXPECT_EQ(workers->counts().imports, 0);
}

TEST_F(PoolTest, ADeathInTheScanCountsAsAMatch) {
  auto workers = pool();
  const auto variants = variants_of(*workers, optimize({"scan_segfault", "idle", "scan_throw", "scan_exit",
                                                        "scan_garbage", "grow", "scan_children", "idle"}));
  for (const auto& variant : variants) EXPECT_FALSE(variant.failure.failed()) << variant.failure.message;
  for (std::size_t i = 0; i < variants.size(); ++i) EXPECT_EQ(variants[i].skipped_by_scan, i == 1 || i == 7) << i;
  EXPECT_EQ(workers->counts().processes, 1 + 5 + 6);  // the worker, a fork of the scan for each that died, six recipes
}

TEST_F(PoolTest, AFlickeringPassFailsEveryOtherTime) {
  auto workers = pool(1);
  EXPECT_TRUE(variants_of(*workers, optimize({"flicker"}))[0].failure.failed());
  EXPECT_FALSE(variants_of(*workers, optimize({"flicker"}))[0].failure.failed());
}

TEST_F(PoolTest, VariantsAreWrittenOnce) {
  auto workers = pool();
  const OptimizeJob job = optimize({"grow", "full_grow", "grow,grow"});
  const auto variants = variants_of(*workers, job);
  EXPECT_EQ(variants[0].file, variants[1].file);
  EXPECT_NE(variants[0].file, variants[2].file);
  EXPECT_EQ(std::distance(fs::directory_iterator(job.folder), fs::directory_iterator()), 2);
}

TEST_F(PoolTest, AFullOrMissingFolderIsTheMachinesFault) {
  auto workers = pool();
  OptimizeJob job = optimize({"grow"});
  job.folder = "/proc/no/such/folder";
  const auto variants = variants_of(*workers, job);
  EXPECT_TRUE(variants[0].failure.failed());
  EXPECT_TRUE(variants[0].failure.machine);
}

TEST_F(PoolTest, NeedsNoRuntimeToOptimize) {
  PoolOptions without = options();
  without.runner.library = "/no/such/libonnxruntime.so";
  EXPECT_FALSE(variants_of(*made(without), optimize({"grow"}))[0].failure.failed());
}

TEST_F(PoolTest, ForksTakeThePlacesThatNobodyHolds) {
  auto workers = pool(4);
  workers->submit(optimize({"full_sleep", "full_sleep", "full_sleep", "full_sleep", "full_sleep"}));
  ASSERT_TRUE(std::holds_alternative<ImportOutcome>(workers->next().value()));
  ASSERT_TRUE(wait_for_processes(1 + 4));
  EXPECT_EQ(marked_processes().size(), 5u);
}

TEST_F(PoolTest, SeveralOptimizeJobsAtOnce) {
  auto workers = pool(3);
  for (int i = 0; i < 5; ++i) workers->submit(optimize({"grow", "idle", "abort"}));
  const auto outcomes = drain(*workers);
  EXPECT_EQ(of<ImportOutcome>(outcomes).size(), 5u);
  EXPECT_EQ(of<VariantOutcome>(outcomes).size(), 15u);
}

}  // namespace
}  // namespace culprit::testing
