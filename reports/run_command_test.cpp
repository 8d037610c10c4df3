#include "reports/run_command.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "algorithms/core/exact_sampling.hpp"
#include "algorithms/losses/losses.hpp"
#include "reports/atomic_file.hpp"
#include "reports/envelope.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

// Releases the mean of the labels with Laplace noise of scale 2 (upper - lower)/(n epsilon) and
// predicts with it, one weight for each feature. Not a good algorithm; all that matters here is
// that every number can be worked out by hand.
Algorithm labels_mean() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const double epsilon = options.number("epsilon"), width = options.number("width");
    PreparedRun run;
    run.mechanism = [=](const Dataset& records, Releases& releases) -> VectorXd {
      const double sensitivity = width / static_cast<double>(records.size());
      const VectorXd mean = VectorXd::Constant(1, records.labels.mean());
      const double noisy =
          releases.release(LaplaceNoise{mean, sensitivity, sensitivity / epsilon})[0];
      return VectorXd::Constant(records.dimension(), noisy);
    };
    run.guarantee = {.epsilon = epsilon};
    run.guarantee_source = "test.noisy_mean.privacy.printed";
    run.parameters = {{"width", options.text("width")}, {"records", std::to_string(data.size())}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return empirical_risk(Loss::squared, w, view);
    };
    run.risk_name = "mean squared loss";
    return run;
  };
  return {"test.noisy_mean",
          "mean with noise",
          "a test",
          {{"epsilon", "1", "privacy parameter"}, {"width", "8", "of the labels' range"}},
          prepare,
          {}};
}

class RunCommand : public ::testing::Test {
 protected:
  RunCommand() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "run_command_test_" + test->name() + "/";
    std::filesystem::create_directories(folder_);
    // Labels 3 and 5, both features 1/2: a weight of w each predicts w.
    common_.data = write("data.csv", "a,y,b\n0.5,3,0.5\n0.5,5,0.5\n");
    common_.target = "y";
    common_.seed = 7;
  }
  ~RunCommand() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + name, std::ios::binary) << text;
    return folder_ + name;
  }
  std::string text(const std::map<std::string, std::string>& options = {}) const {
    std::ostringstream out;
    EXPECT_EQ(run_command(labels_mean(), options, common_, out), 0);
    return out.str();
  }
  Json json(const std::map<std::string, std::string>& options = {}) {
    common_.json = true;
    return result(text(options));
  }

  static Json result(const std::string& written) {
    EXPECT_THAT(validate_report(written), IsEmpty());
    return Json::parse(written)["result"];
  }

  std::string folder_;
  RunCommandOptions common_;
};

TEST_F(RunCommand, JsonHoldsTheRun) {
  const Json found = json({{"epsilon", "1e9"}});
  EXPECT_EQ(found["algorithm"], "test.noisy_mean");
  EXPECT_EQ(found["data"]["file"], common_.data);
  EXPECT_EQ(found["data"]["records"], 2);
  EXPECT_EQ(found["data"]["features"], 2);
  EXPECT_EQ(found["data"]["target"], "y");
  EXPECT_EQ(found["data"]["bounds"], nullptr);
  EXPECT_EQ(found["privacy"]["epsilon"], 1e9);
  EXPECT_EQ(found["privacy"]["delta"], 0);
  EXPECT_EQ(found["privacy"]["neighbours"], "replace-one");
  EXPECT_EQ(found["privacy"]["claim"], "test.noisy_mean.privacy.printed");
  EXPECT_EQ(found["parameters"], (Json{{"width", "8"}, {"records", "2"}}));
  // Noise of scale 4e-9, beyond 1.5e-7 with probability 5e-17: w = 4.
  ASSERT_EQ(found["w"].size(), 2u);
  EXPECT_NEAR(found["w"]["a"], 4, 1.5e-7);
  EXPECT_NEAR(found["w"]["b"], 4, 1.5e-7);
  // Predictions 4: ((4-3)^2 + (4-5)^2)/2 = 1. Zero vector: (9 + 25)/2 = 17. Data-free: w = noise.
  EXPECT_EQ(found["not_private"]["risk"], "mean squared loss");
  EXPECT_NEAR(found["not_private"]["w"], 1, 1e-6);
  EXPECT_EQ(found["not_private"]["zero_vector"], 17);
  EXPECT_NEAR(found["not_private"]["data_free"]["mean"], 17, 3e-6);
  EXPECT_EQ(found["not_private"]["data_free"]["runs"], 20);
  EXPECT_LT(found["not_private"]["data_free"]["smallest"],
            found["not_private"]["data_free"]["mean"]);
  EXPECT_GT(found["not_private"]["data_free"]["largest"],
            found["not_private"]["data_free"]["mean"]);
  EXPECT_EQ(found["not_private"]["beats_both"], true);
  EXPECT_THAT(std::string(found["not_private"]["note"]), HasSubstr("without noise"));
}

TEST_F(RunCommand, DefaultsFillInTheOptionsThatAreNotGiven) {
  EXPECT_EQ(json()["privacy"]["epsilon"], 1);
  EXPECT_EQ(json()["parameters"]["width"], "8");
  EXPECT_EQ(json({{"width", "2"}})["parameters"]["width"], "2");
}

TEST_F(RunCommand, UselessRunIsCalledUseless) {
  // The wrong sign: predictions -4 for labels 3 and 5, worse than 0 and than noise around 0.
  Algorithm algorithm = labels_mean();
  const auto prepare = algorithm.prepare;
  algorithm.prepare = [prepare](const Dataset& data, const RunOptions& options) {
    PreparedRun run = prepare(data, options);
    const Mechanism mean = run.mechanism;
    run.mechanism = [mean](const Dataset& records, Releases& releases) {
      return VectorXd(-mean(records, releases));
    };
    return run;
  };
  std::ostringstream out;
  run_command(algorithm, {{"epsilon", "1e9"}}, common_, out);
  EXPECT_THAT(out.str(), HasSubstr("w beats neither the data-free run nor the zero vector"));
  out.str("");
  common_.json = true;
  run_command(algorithm, {{"epsilon", "1e9"}}, common_, out);
  const Json found = result(out.str());
  EXPECT_EQ(found["not_private"]["beats_data_free"], false);
  EXPECT_EQ(found["not_private"]["beats_zero_vector"], false);
  EXPECT_EQ(found["not_private"]["beats_both"], false);
}

TEST_F(RunCommand, RunThatBeatsOneControlOnlySaysSo) {
  // Labels with mean 0: nothing constant beats the zero vector. With noise of scale 8/(2 epsilon),
  // E w^2 = 2 * 8^2 at epsilon 0.5; the data-free runs are as bad.
  common_.data = write("zero.csv", "a,y\n1,-1\n1,1\n");
  int beaten = 0, between = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    common_.seed = seed;
    const Json found = json({{"epsilon", "0.5"}})["not_private"];
    EXPECT_EQ(found["beats_zero_vector"], false);
    EXPECT_EQ(found["beats_both"], false);
    const bool beats = found["w"] < found["data_free"]["mean"];
    EXPECT_EQ(found["beats_data_free"], beats);
    beaten += beats ? 1 : 0;
    between += !beats && found["w"] < found["data_free"]["largest"] ? 1 : 0;
    common_.json = false;
    EXPECT_THAT(text({{"epsilon", "0.5"}}),
                HasSubstr(beats ? "w beats the data-free run, but not the zero vector"
                                : "w beats neither the data-free run nor the zero vector"));
  }
  // Better than the mean of the data-free runs, and than the worst of them only.
  EXPECT_GT(beaten, 0);
  EXPECT_GT(between, 0);
}

TEST_F(RunCommand, TheZeroVectorDoesNotBeatItself) {
  Algorithm algorithm = labels_mean();
  algorithm.prepare = [prepare = algorithm.prepare](const Dataset& data,
                                                    const RunOptions& options) {
    PreparedRun run = prepare(data, options);
    run.mechanism = [](const Dataset& records, Releases&) {
      return VectorXd(VectorXd::Zero(records.dimension()));
    };
    return run;
  };
  common_.json = true;
  std::ostringstream out;
  run_command(algorithm, {}, common_, out);
  EXPECT_EQ(result(out.str())["not_private"]["beats_zero_vector"], false);
  EXPECT_EQ(result(out.str())["not_private"]["beats_data_free"], false);
}

TEST_F(RunCommand, TextKeepsThePrivatePartApart) {
  const std::string found = text({{"epsilon", "1e9"}});
  const std::size_t wall = found.find("Not private:");
  ASSERT_NE(wall, std::string::npos);
  const std::string before = found.substr(0, wall), after = found.substr(wall);
  EXPECT_THAT(before, HasSubstr("epsilon     1000000000"));
  EXPECT_THAT(before, HasSubstr("test.noisy_mean.privacy.printed"));
  EXPECT_THAT(before, HasSubstr("replace-one"));
  EXPECT_THAT(before, HasSubstr("  a   4\n  b   4\n"));
  EXPECT_THAT(before, Not(HasSubstr("loss")));
  EXPECT_THAT(after, HasSubstr("computed from the data without noise"));
  EXPECT_THAT(after, HasSubstr("mean squared loss of w"));
  EXPECT_THAT(after, HasSubstr("of the zero vector      17\n"));
  EXPECT_THAT(after, HasSubstr("mean of 20 runs"));
  EXPECT_THAT(after, HasSubstr("In this run w beats both the data-free run and the zero vector."));
}

TEST_F(RunCommand, FixedSeedRepeatsAndWarns) {
  EXPECT_EQ(text(), text());
  EXPECT_THAT(text(), HasSubstr("Warning: the seed was given"));
  EXPECT_THAT(text(), HasSubstr("not private"));
  const Json first = json();
  EXPECT_EQ(first["seed"], 7);
  EXPECT_THAT(first["warnings"].dump(), HasSubstr("the seed was given"));
  common_.seed = 8;
  EXPECT_NE(json()["w"], first["w"]);
}

TEST_F(RunCommand, WithoutASeedTheNoiseIsFreshAndTheSeedUntold) {
  common_.seed.reset();
  const Json first = json(), second = json();
  EXPECT_NE(first["w"], second["w"]);  // equal with probability below 2^-50
  EXPECT_EQ(first["seed"], nullptr);
  EXPECT_THAT(first["warnings"].dump(), Not(HasSubstr("seed")));
  EXPECT_THAT(first["warnings"].dump(), HasSubstr("drawn exactly"));
  EXPECT_THAT(first["warnings"].dump(), HasSubstr("wider by a factor of 1 + "));
  EXPECT_THAT(first["warnings"].dump(), Not(HasSubstr("floating-point attacks")));
  // The controls have noise of their own, which is no secret.
  EXPECT_EQ(first["not_private"]["data_free"], second["not_private"]["data_free"]);
}

// Low bits of a sum of doubles would tell which value the noise was added to.
TEST_F(RunCommand, TheOutputIsOnAGridThatTheScaleDecides) {
  common_.seed.reset();
  for (const char* epsilon : {"1", "0.3"}) {
    const double scale = 8 / 2.0 / std::strtod(epsilon, nullptr);
    for (int k = 0; k < 20; ++k) {
      const double w = json({{"epsilon", epsilon}})["w"]["a"];
      EXPECT_EQ(std::fmod(w, noise_grid(scale)), 0) << w;
    }
  }
}

TEST_F(RunCommand, ALawThatIsDrawnInFloatingPointIsNamed) {
  Algorithm algorithm = labels_mean();
  algorithm.prepare = [prepare = algorithm.prepare](const Dataset& data,
                                                    const RunOptions& options) {
    PreparedRun run = prepare(data, options);
    run.mechanism = [](const Dataset& records, Releases& releases) {
      return releases.release(GeneralisedGaussianNoise{.value = VectorXd::Zero(records.dimension()),
                                                       .sensitivity = 1,
                                                       .norm = 3,
                                                       .change_norm = 1.5,
                                                       .scale = 1});
    };
    return run;
  };
  std::ostringstream out;
  EXPECT_EQ(run_command(algorithm, {}, common_, out), 0);
  EXPECT_THAT(out.str(), HasSubstr("Warning: drawn in double precision, not hardened against "
                                   "floating-point attacks: generalised Gaussian noise."));
}

TEST_F(RunCommand, BoundsAreApplied) {
  common_.bounds = write("bounds.csv", "column,lower,upper\ny,3,5\n");
  const Json found = json({{"epsilon", "1e9"}});
  EXPECT_EQ(found["data"]["bounds"], *common_.bounds);
  EXPECT_EQ(found["not_private"]["zero_vector"], 1);  // labels -1 and 1
  EXPECT_NEAR(found["w"]["a"], 0, 1.5e-7);
}

TEST_F(RunCommand, OutWritesTheJson) {
  common_.out = folder_ + "run.json";
  const std::string shown = text();
  const Json found = result(read_file(*common_.out));
  EXPECT_THAT(shown, HasSubstr("Private output w"));
  EXPECT_EQ(found, json());
}

TEST_F(RunCommand, NothingIsReleasedIfTheFileCannotBeWritten) {
  common_.out = "/nowhere/run.json";
  std::ostringstream out;
  EXPECT_ANY_THROW(run_command(labels_mean(), {}, common_, out));
  EXPECT_EQ(out.str(), "");
}

class RunCommandOut : public RunCommand {
 protected:
  // What `run --out file` complains of; nothing may have been drawn, printed or changed.
  std::string refusal(const std::string& file) {
    int draws = 0;
    Algorithm algorithm = labels_mean();
    algorithm.prepare = [&draws, prepare = algorithm.prepare](const Dataset& data,
                                                              const RunOptions& options) {
      PreparedRun run = prepare(data, options);
      run.mechanism = [&draws, mean = run.mechanism](const Dataset& records, Releases& releases) {
        ++draws;
        return mean(records, releases);
      };
      return run;
    };
    common_.out = file;
    std::ostringstream out;
    std::string message = "no FileError";
    try {
      run_command(algorithm, {}, common_, out);
    } catch (const FileError& error) {
      message = error.what();
    }
    EXPECT_EQ(draws, 0);
    EXPECT_EQ(out.str(), "");
    return message;
  }
};

TEST_F(RunCommandOut, IsNeverWhatTheRunReads) {
  namespace fs = std::filesystem;
  common_.bounds = write("bounds.csv", "column,lower,upper\ny,3,5\n");
  const std::string data = read_file(common_.data), bounds = read_file(*common_.bounds);
  fs::create_symlink(common_.data, folder_ + "link");
  fs::create_hard_link(*common_.bounds, folder_ + "hard");
  for (const std::string& file :
       {common_.data, *common_.bounds, folder_ + "link", folder_ + "hard", folder_ + "./data.csv"})
    EXPECT_THAT(refusal(file), HasSubstr("this command reads it")) << file;
  EXPECT_EQ(read_file(common_.data), data);
  EXPECT_EQ(read_file(*common_.bounds), bounds);
  EXPECT_TRUE(fs::is_symlink(folder_ + "link"));
}

TEST(IsRunResult, AsksForTheKindAndTheResult) {
  EXPECT_TRUE(is_run_result(R"({"kind": "run", "result": {}})"));
  for (const char* other : {R"({"kind": "verify", "result": {}})", R"({"result": {}})",
                            R"({"kind": "run"})", R"(["run", "result"])", "run", ""})
    EXPECT_FALSE(is_run_result(other)) << other;
}

TEST_F(RunCommandOut, ReplacesNothingButAnEarlierResult) {
  const std::string notes = write("notes.json", "{\"algorithm\": \"mine\"}");
  for (const std::string& file :
       {notes, write("text", "my notes"), write("deep", std::string(1000, '['))}) {
    const std::string before = read_file(file);
    EXPECT_THAT(refusal(file), HasSubstr("not an earlier result of run"));
    EXPECT_EQ(read_file(file), before);
  }
  ASSERT_EQ(mkfifo((folder_ + "pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal(folder_ + "pipe"), HasSubstr("a pipe"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ + "pipe"));
  EXPECT_THAT(refusal(folder_), HasSubstr("Is a directory"));

  common_.out = folder_ + "result.json";
  text();
  const std::string first = read_file(*common_.out);
  common_.seed = 8;
  text();
  EXPECT_NE(read_file(*common_.out), first);
  common_.out = write("empty", "");
  text();
  EXPECT_TRUE(is_run_result(read_file(*common_.out)));
}

TEST_F(RunCommandOut, IsForItsOwnerAlone) {
  namespace fs = std::filesystem;
  common_.out = folder_ + "result.json";
  text();
  EXPECT_EQ(fs::status(*common_.out).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  // Whoever has opened it to others once has chosen so.
  fs::permissions(*common_.out, fs::perms::group_read, fs::perm_options::add);
  text();
  EXPECT_EQ(fs::status(*common_.out).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(RunCommand, FiguresThatAreNotFiniteAreNoResult) {
  common_.data = write("huge.csv", "a,y\n1,1e200\n1,1e200\n");
  common_.out = folder_ + "result.json";
  std::ostringstream out;
  EXPECT_THAT([&] { run_command(labels_mean(), {}, common_, out); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("mean squared loss of the zero vector is inf, but must be finite")));
  EXPECT_EQ(out.str(), "");
  EXPECT_FALSE(std::filesystem::exists(*common_.out));
}

TEST_F(RunCommand, ColumnNameThatIsNotUtf8) {
  common_.data = write("latin.csv", "pr\xE9,y\n1,3\n1,5\n");
  EXPECT_EQ(json()["w"].size(), 1u);
}

TEST_F(RunCommand, MillionsOfIterationsAreTakenOnlyFromWhoAsksForThem) {
  Algorithm algorithm = labels_mean();
  algorithm.options.push_back({"iterations", "auto", "T"});
  algorithm.prepare = [prepare = algorithm.prepare](const Dataset& data,
                                                    const RunOptions& options) {
    PreparedRun run = prepare(data, options);
    run.parameters.emplace_back(
        "iterations", options.is_auto("iterations") ? "4500000" : options.text("iterations"));
    return run;
  };
  std::ostringstream out;
  EXPECT_THAT([&] { run_command(algorithm, {}, common_, out); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("--iterations auto is 4500000, but must be at most 1000000")));
  EXPECT_EQ(run_command(algorithm, {{"iterations", "4500000"}}, common_, out), 0);
}

// A name may hold anything, and is what the user sees first.
TEST_F(RunCommand, ColumnNamesThatATerminalWouldObey) {
  common_.data = write("red.csv", "\"a\x1b[31m\n  epsilon  9\",y\n1,3\n1,5\n");
  EXPECT_THAT(text(), AllOf(HasSubstr("  a\\x1b[31m\\n  epsilon  9  "), Not(HasSubstr("\x1b"))));
  EXPECT_EQ(json()["w"].size(), 1u);
}

TEST_F(RunCommand, BadInput) {
  std::ostringstream out;
  const auto run = [&](const std::map<std::string, std::string>& options) {
    return [&, options] { run_command(labels_mean(), options, common_, out); };
  };
  EXPECT_THAT(run({{"epsilonn", "1"}}),
              ThrowsMessage<std::invalid_argument>("option of test.noisy_mean is --epsilonn, but "
                                                   "must be one of --epsilon, --width"));
  EXPECT_THAT(run({{"epsilon", "one"}}),
              ThrowsMessage<std::invalid_argument>("--epsilon is 'one', but must be a number"));
  common_.target = "z";
  EXPECT_THAT(run({}), ThrowsMessage<std::invalid_argument>(HasSubstr("target is 'z'")));
  common_.target = "y";
  common_.bounds = write("bounds.csv", "column,lower,upper\nz,3,5\n");
  EXPECT_THAT(run({}), ThrowsMessage<std::invalid_argument>(HasSubstr("column is 'z'")));
  common_.data = folder_ + "missing.csv";
  EXPECT_THAT(run({}), ThrowsMessage<std::invalid_argument>(HasSubstr("unreadable")));
  EXPECT_EQ(out.str(), "");
}

TEST_F(RunCommand, WhatDoublesCannotDoIsBadInput) {
  Algorithm algorithm = labels_mean();
  algorithm.prepare = [prepare = algorithm.prepare](const Dataset& data,
                                                    const RunOptions& options) {
    PreparedRun run = prepare(data, options);
    run.mechanism = [](const Dataset&, Releases&) -> VectorXd {
      throw std::runtime_error("a minimum is not finite");
    };
    return run;
  };
  std::ostringstream out;
  EXPECT_THAT([&] { run_command(algorithm, {}, common_, out); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("a minimum is not finite")));
}

TEST_F(RunCommand, AlgorithmThatReturnsTheWrongLengthIsAnInternalError) {
  Algorithm algorithm = labels_mean();
  const auto prepare = algorithm.prepare;
  algorithm.prepare = [prepare](const Dataset& data, const RunOptions& options) {
    PreparedRun run = prepare(data, options);
    run.mechanism = [](const Dataset&, Releases&) { return VectorXd(VectorXd::Zero(1)); };
    return run;
  };
  std::ostringstream out;
  try {
    run_command(algorithm, {}, common_, out);
    FAIL() << "no exception";
  } catch (const std::invalid_argument&) {
    FAIL() << "the user is blamed";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "test.noisy_mean returned 1 numbers for 2 features");
  }
}

}  // namespace
}  // namespace dpverify
