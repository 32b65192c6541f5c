// Data sets of Hugging Face: what Python is asked, what is made of its answers, and what never reaches it.
#include "texts/load_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "texts/prepare_texts.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Datasets : public ::testing::Test {
 protected:
  Datasets() : work_(TemporaryFolder::create(fs::temp_directory_path(), "datasets-test-").value()) {
    tools_.scratch = work_.path() / "scratch";
    fs::create_directories(tools_.scratch);
    put("tokenizer.json", R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
      "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
      "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "bad": 1, "good": 2, "film": 3}}})");
    how_.tokenizer = folder();
  }

  [[nodiscard]] const fs::path& folder() const { return work_.path(); }
  fs::path put(const std::string& name, const std::string& text, bool may_run = false) const {
    const fs::path file = folder() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    if (may_run) fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  /// A program in the place of Python. It keeps what it is asked, and counts how often. It says `told`, and writes
  /// `lines`; each text has one token for the tokenizer's host.
  void answer(const std::string& told, const std::string& lines, int exit = 0) {
    const fs::path given = put("told", told), written = put("lines", lines);
    const std::string kept = (folder() / "asked").string();
    tools_.python =
        put("python",
            "#!/bin/sh\nif [ \"$3\" = tokenize_texts.py ]; then\n  echo '{\"tokenizer\":{},\"pad\":0}' > \"$6\"\n"
            "  while read -r line; do echo '{\"ids\":[[1]],\"mask\":[[1]],\"types\":[[0]]}' >> \"$6\"; done"
            " < \"$5\"\n  exit 0\nfi\necho \"$@\" >> " +
                kept + ".calls\ncp \"$4\" " + kept + "\ncp " + written.string() + " \"$5\"\ncp " + given.string() +
                " \"$6\"\nexit " + std::to_string(exit) + "\n",
            true)
            .string();
  }
  [[nodiscard]] nlohmann::json asked() const {
    return nlohmann::json::parse(read_file(folder() / "asked").value_or("null"));
  }
  [[nodiscard]] std::ptrdiff_t calls() const {
    const std::string text = read_file(folder() / "asked.calls").value_or("");
    return std::count(text.begin(), text.end(), '\n');
  }
  [[nodiscard]] Result<LoadedRows> loaded(const fs::path& texts) const { return load_dataset(texts, how_, tools_); }

  TemporaryFolder work_;
  PrepareTools tools_;
  TextPreparation how_;
};

constexpr const char* two_classes = R"({"split":"test","columns":["text","label","x"],"classes":["world","sports"]})";
constexpr const char* two_lines = "{\"text\":\"a\",\"label\":\"world\"}\n{\"text\":\"b\",\"label\":\"sports\"}\n";

TEST_F(Datasets, ThePackageIsAskedForTheDataSetOfTheHub) {
  answer(two_classes, two_lines);
  how_.split = "test";
  how_.config = "20220301.de";
  const auto rows = loaded("hf:org/texts@v1.0");
  ASSERT_TRUE(rows) << rows.error().text();
  EXPECT_EQ("org/texts", rows->name);
  EXPECT_THAT(rows->columns, ElementsAre("text", "label", "x"));
  EXPECT_EQ(two_lines, rows->lines);
  const auto settings = asked();
  EXPECT_EQ("hub", settings["kind"]);
  EXPECT_EQ("org/texts", settings["name"]);
  EXPECT_EQ("v1.0", settings["revision"]);
  EXPECT_EQ("20220301.de", settings["config"]);
  EXPECT_EQ("test", settings["split"]);
  EXPECT_THAT(settings["columns"], Contains("context"));
  EXPECT_THAT(settings["classes"], Not(Contains("text")));
  EXPECT_EQ("-I -B load_texts.py settings.json lines.jsonl told.json\n", read_file(folder() / "asked.calls").value());
}

TEST_F(Datasets, WhatIsNotNamedIsNotAskedFor) {
  answer(two_classes, two_lines);
  ASSERT_TRUE(loaded("hf:imdb"));
  EXPECT_TRUE(asked()["revision"].is_null());
  EXPECT_TRUE(asked()["config"].is_null());
  EXPECT_EQ("", asked()["split"]);
}

TEST_F(Datasets, NamesThatLeadElsewhereNeverReachThePackage) {
  answer(two_classes, two_lines);
  for (const char* word : {"hf:", "hf:/etc/texts", "hf:../texts", "hf:a/../b", "hf:a/b/c", "hf:.", "hf:..", "hf:~/a",
                           "hf:a b", "hf:a/b@../x", "hf:a/b@", "hf:a/b:file.py", "hf:s3://a/b", "hf:a\\b"}) {
    const auto rows = loaded(word);
    ASSERT_FALSE(rows) << word;
    EXPECT_EQ(ErrorKind::usage, rows.error().kind) << word;
    EXPECT_THAT(rows.error().hint, HasSubstr("hf:stanfordnlp/imdb")) << word;
  }
  for (const char* config : {"../x", "a/b", "..", "a\nb", "*"}) {
    how_.config = config;
    const auto rows = loaded("hf:org/texts");
    ASSERT_FALSE(rows) << config;
    EXPECT_THAT(rows.error().message, HasSubstr("--config")) << config;
  }
  EXPECT_EQ(0, calls());
}

TEST_F(Datasets, ALackingPackageIsNamedWithWhatBringsIt) {
  answer(R"({"lacks":"datasets"})", "", 1);
  const auto rows = loaded("hf:imdb");
  ASSERT_FALSE(rows);
  EXPECT_EQ(ErrorKind::unsupported, rows.error().kind);
  EXPECT_THAT(rows.error().message, HasSubstr("lacks the package datasets"));
  EXPECT_THAT(rows.error().hint, HasSubstr("scripts/setup text"));
  tools_.python = "there-is-no-such-python";
  EXPECT_THAT(loaded("hf:imdb").error().message, HasSubstr("there is no program"));
}

TEST_F(Datasets, AFailureSaysWhatWasAskedAndWhyItFailed) {
  answer(R"({"cannot":"Couldn't reach it: no address"})", "", 1);
  how_.split = "dev";
  const auto rows = loaded("hf:org/texts@v2");
  ASSERT_FALSE(rows);
  EXPECT_EQ(ErrorKind::bad_input, rows.error().kind);
  EXPECT_THAT(rows.error().message, HasSubstr("hf:org/texts@v2, split dev cannot be loaded: Couldn't reach it"));
  EXPECT_THAT(rows.error().hint, HasSubstr("HF_ENDPOINT"));
  answer("", "", 3);
  EXPECT_EQ(ErrorKind::bad_input, loaded("hf:org/texts").error().kind) << "nothing is told";
  answer("no JSON", two_lines);
  EXPECT_THAT(loaded("hf:org/texts").error().message, HasSubstr("is it Python?"));
}

TEST_F(Datasets, ASplitThatHasToBeChosenIsWrongUsage) {
  answer(R"({"refused":"its split has to be chosen: a, b"})", "", 1);
  const auto rows = loaded("hf:org/texts");
  ASSERT_FALSE(rows);
  EXPECT_EQ(ErrorKind::usage, rows.error().kind);
  EXPECT_THAT(rows.error().text(), HasSubstr("a, b"));
  EXPECT_THAT(rows.error().hint, HasSubstr("--split"));
  answer(R"({"refused":"its configuration has to be chosen: de, fr","flag":"config"})", "", 1);
  EXPECT_THAT(loaded("hf:org/texts").error().hint, HasSubstr("--config"));
}

TEST_F(Datasets, ClassesAreNumberedAsTheDataSay) {
  answer(two_classes, two_lines);
  const fs::path to = folder() / "out.jsonl";
  const auto made = prepare_texts("hf:org/texts", how_, to, tools_);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ("Hugging Face dataset, split test", made->facts.kind);
  EXPECT_EQ("org/texts", made->facts.from);
  EXPECT_THAT(made->facts.labels, ElementsAre("world", "sports")) << "the order of their names is another one";
  const auto texts = PreparedTexts::open(to);
  ASSERT_TRUE(texts) << texts.error().text();
  EXPECT_EQ("0", texts->at(0)->label);
  EXPECT_EQ("1", texts->at(1)->label);
}

/// What labels became: "none 1 0", and the names of the classes behind it.
std::string classes_made(const Result<PreparedOnce>& made, const fs::path& to) {
  if (!made) return made.error().message;
  std::string all;
  const auto texts = PreparedTexts::open(to);
  for (std::int64_t i = 0; i < made->facts.samples; ++i)
    all += (all.empty() ? "" : " ") + (texts->at(i)->label.empty() ? "none" : texts->at(i)->label);
  for (const std::string& name : made->facts.labels) all += " " + name;
  return all;
}

TEST_F(Datasets, LabelsOfTextsAreNumberedLikeThoseOfImages) {
  answer("", "");
  const fs::path to = folder() / "out.jsonl";
  const auto made_of = [&](const std::string& labels) {
    return classes_made(prepare_texts(put("t.csv", "text,label\n" + labels), how_, to, tools_), to);
  };
  EXPECT_EQ("none 1 0", made_of("a,-1\nb,1\nc,0\n")) << "-1 is no class";
  EXPECT_EQ("1 2 none", made_of("a,1.0\nb,2.0\nc,\n")) << "as pandas writes numbers beside an empty place";
  EXPECT_EQ("1 0 none neg pos", made_of("a,pos\nb,neg\nc,-1\n"));
  EXPECT_EQ("t.csv:3: the label 'x' is no number, as 2 of 3 labels are", made_of("a,0\nb,x\nc,1\n"));
  EXPECT_EQ("t.csv:2: the label '0.5' is no class: classes are whole numbers from 0 to 999999",
            made_of("a,0.5\nb,1\n"));
}

TEST_F(Datasets, FoldersAreNumberedLikeThoseOfImages) {
  answer("", "");
  const fs::path to = folder() / "out.jsonl";
  for (const char* file : {"t/1/a.txt", "t/2/b.txt", "t/10/c.txt"}) put(file, "good");
  EXPECT_EQ("1 10 2", classes_made(prepare_texts(folder() / "t", how_, to, tools_), to));
  put("t/other/d.txt", "bad");
  EXPECT_EQ("0 1 2 3 1 10 2 other", classes_made(prepare_texts(folder() / "t", how_, to, tools_), to));
}

TEST_F(Datasets, ColumnsThatDoNotFitAreAnError) {
  answer(R"({"split":"","columns":["premise","hypothesis"],"classes":[]})", "{}\n{}\n");
  const auto made = prepare_texts("hf:org/texts", how_, folder() / "out.jsonl", tools_);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("none of the 2 texts is of use"));
  EXPECT_THAT(made.error().message, HasSubstr("none of its fields is called text, sentence"));
  EXPECT_EQ("its columns: premise, hypothesis", made.error().hint);
}

TEST_F(Datasets, TheSameRowsOfTheHubArePreparedOnce) {
  answer(two_classes, two_lines);
  const fs::path to = folder() / "out.jsonl";
  const auto is_new = [&] { return prepare_texts("hf:org/texts", how_, to, tools_).value().is_new; };
  EXPECT_TRUE(is_new());
  EXPECT_FALSE(is_new());
  answer(two_classes, std::string(two_lines) + "{\"text\":\"c\"}\n");
  EXPECT_TRUE(is_new());
  how_.split = "test";
  EXPECT_TRUE(is_new()) << "it was asked for otherwise";
}

TEST_F(Datasets, FilesThatAreTheSameNeedNoPythonAgain) {
  answer(two_classes, two_lines);
  const fs::path texts = put("data.parquet", "PAR1"), to = folder() / "out.jsonl";
  const auto is_new = [&] { return prepare_texts(texts, how_, to, tools_).value().is_new; };
  EXPECT_TRUE(is_new());
  EXPECT_EQ("parquet", asked()["kind"]);
  EXPECT_TRUE(asked()["offline"].get<bool>());
  EXPECT_FALSE(is_new());
  EXPECT_EQ(1, calls());
  std::ofstream(texts) << "PAR2";
  EXPECT_TRUE(is_new());
  how_.split = "train";
  EXPECT_TRUE(is_new());
  how_.config = "de";
  EXPECT_EQ(ErrorKind::usage, prepare_texts(texts, how_, to, tools_).error().kind) << "a file has none";
}

TEST_F(Datasets, FoldersAreToldByTheFilesInThem) {
  answer(two_classes, two_lines);
  put("saved/state.json", "{}");
  EXPECT_FALSE(is_saved_dataset(folder() / "saved"));
  put("saved/dataset_info.json", "{}");
  put("splits/dataset_dict.json", "{}");
  put("many/test-00000-of-00001.parquet", "PAR1");
  put("rows.arrow", "");
  for (const auto& [name, kind] : {std::pair<const char*, const char*>{"saved", "saved"},
                                   {"splits", "saved"},
                                   {"many", "parquet"},
                                   {"rows.arrow", "arrow"}}) {
    EXPECT_TRUE(is_saved_dataset(folder() / name)) << name;
    EXPECT_TRUE(may_be_texts(folder() / name)) << name;
    ASSERT_TRUE(loaded(folder() / name)) << name;
    EXPECT_EQ(kind, asked()["kind"]) << name;
    EXPECT_EQ((folder() / name).string(), asked()["path"]) << name;
  }
}

TEST_F(Datasets, WordsOfTheHubAreTextsUnlessThereIsSuchAFile) {
  EXPECT_TRUE(is_hub_dataset("hf:org/texts"));
  EXPECT_FALSE(is_hub_dataset("texts"));
  EXPECT_FALSE(is_hub_dataset(put("hf:org", "")));
}

TEST_F(Datasets, OtherTextsHaveNoSplits) {
  how_.split = "test";
  const auto made = prepare_texts(put("a.csv", "text\na\n"), how_, folder() / "out.jsonl", tools_);
  ASSERT_FALSE(made);
  EXPECT_EQ(ErrorKind::usage, made.error().kind);
  EXPECT_THAT(made.error().message, HasSubstr("--split says nothing here"));
}

/// The package itself, on what it saved.
class RealDatasets : public Datasets {
 protected:
  void SetUp() override {
    tools_.python = python_with_tokenizers();
    if (std::system((tools_.python + " -I -c 'import datasets, tokenizers' 2>/dev/null").c_str()) != 0)
      GTEST_SKIP() << "no Python with datasets and tokenizers: scripts/setup text";
    put("make.py", R"(
import datasets
names = datasets.ClassLabel(names=["world", "sports", "business"])
features = datasets.Features({"text": datasets.Value("string"), "label": names, "when": datasets.Value("int64")})
rows = {"text": ["good film", "bad film", "film bad é", "good"], "label": [0, 2, 1, -1], "when": [1, 2, 3, 4]}
labelled = datasets.Dataset.from_dict(rows, features=features)
labelled.to_parquet("labelled.parquet")
datasets.DatasetDict({"train": labelled.select([1]), "test": labelled}).save_to_disk("labelled")
answers = datasets.Sequence({"text": datasets.Value("string"), "answer_start": datasets.Value("int32")})
texts = {name: datasets.Value("string") for name in ("id", "context", "question")}
rows = {"id": ["q1", "q2"], "context": ["the good film", "bad film"], "question": ["what film", "good what"],
        "answers": [{"text": ["good film"], "answer_start": [4]}, {"text": [], "answer_start": []}]}
datasets.Dataset.from_dict(rows, features=datasets.Features({**texts, "answers": answers})).save_to_disk("asked_for")
)");
    const std::string make = "cd " + folder().string() + " && " + tools_.python + " -I make.py >made.txt 2>&1";
    ASSERT_EQ(0, std::system(make.c_str())) << read_file(folder() / "made.txt").value_or("");
  }
  /// The prepared file without the line that tells of the data set, and without names that tell of lines.
  [[nodiscard]] std::vector<std::string> samples_of(const fs::path& texts) const {
    const fs::path to = folder() / "out.jsonl";
    const auto made = prepare_texts(texts, how_, to, tools_);
    EXPECT_TRUE(made) << made.error().text();
    const auto prepared = PreparedTexts::open(to);
    EXPECT_TRUE(prepared) << prepared.error().text();
    std::vector<std::string> lines;
    for (std::size_t i = 0; prepared && made && i < static_cast<std::size_t>(made->facts.samples); ++i) {
      PreparedSample sample = prepared->at(i).value();
      if (sample.name.find(':') != std::string::npos) sample.name.clear();
      lines.push_back(line_of(sample));
    }
    return lines;
  }
};

TEST_F(RealDatasets, SamplesAreThoseOfTheSameLinesOfJson) {
  const auto labelled = samples_of(put("labelled.jsonl", R"({"text": "good film", "label": 0}
{"text": "bad film", "label": 2}
{"text": "film bad é", "label": 1}
{"text": "good"}
)"));
  ASSERT_EQ(4U, labelled.size());
  EXPECT_EQ(labelled, samples_of(folder() / "labelled.parquet"));
  EXPECT_EQ(labelled, samples_of(folder() / "labelled")) << "the test split";
  const auto questions = samples_of(
      put("asked_for.jsonl",
          R"({"id": "q1", "context": "the good film", "question": "what film", "answers": {"text": ["good film"]}}
{"id": "q2", "context": "bad film", "question": "good what", "answers": {"text": []}}
)"));
  EXPECT_EQ(questions, samples_of(folder() / "asked_for"));
  how_.split = "none";
  const auto made = prepare_texts(folder() / "labelled", how_, folder() / "out.jsonl", tools_);
  EXPECT_THAT(made.error().message, HasSubstr("there is no split 'none'; it has train, test"));
}

TEST_F(RealDatasets, ASavedFolderNamesNoFileElsewhere) {
  put("labelled/test/state.json", R"({"_data_files": [{"filename": "../train/data-00000-of-00001.arrow"}]})");
  const auto rows = loaded(folder() / "labelled");
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("names a file outside its folder"));
}

}  // namespace
}  // namespace culprit
