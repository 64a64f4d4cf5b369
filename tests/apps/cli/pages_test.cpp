// Manual pages and completions say what --help says, and the tools that read them agree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "file_text.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::pages_test {
namespace {

namespace fs = std::filesystem;
using testing::run_command;
using testing::run_program;
using Names = std::set<std::string>;

bool there_is(const std::string& program) {
  return run_command("command -v " + program + " >/dev/null").status == 0;
}

// What a help text lists: options ("--from", "-o") and verbs. The verbs of the program stand below
// headings of their own, those of a verb below "Subcommands:".
struct Help {
  Names options, verbs;
};

Help help_of(const std::string& program, const std::string& verb) {
  Help found;
  std::istringstream lines(run_command(program + " " + verb + " --help 2>&1").out);
  const std::regex option("^  (?:(-\\w),)?(--[a-z0-9-]+).*"), word("^  ([a-z]+)  .*");
  bool below = false;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!line.starts_with("  ")) {
      below = line == "Subcommands:" || (verb.empty() && line.find(": ") != std::string::npos) ||
              (verb.empty() &&
               (line == "Queries:" || line == "Files:" || line == "Checks and benchmarks:"));
    }
    if (below && std::regex_match(line, match, word)) found.verbs.insert(match[1]);
    if (std::regex_match(line, match, option)) {
      found.options.insert(match[2]);
      if (match[1].matched) found.options.insert(match[1]);
    }
  }
  return found;
}

class Pages : public ::testing::Test {
 protected:
  // Every program that was built, with the verbs it answers itself.
  void SetUp() override {
    const fs::path built = fs::path(LODESTAR_BINARY).parent_path();
    programs_ = {LODESTAR_BINARY};
    if (fs::exists(built / "lodestar-learn")) programs_.push_back(built / "lodestar-learn");
    for (const std::string& program : programs_) {
      ASSERT_EQ(run_command(program + " pages " + (folder_ / "")).status, 0) << program;
      const bool main = program == programs_.front();
      std::vector<std::string> open = {""};
      while (!open.empty()) {
        const std::string verb = open.back();
        open.pop_back();
        if (main && (verb == "train" || verb == "tune")) continue;  // the other program's
        const Help help = help_of(program, verb);
        for (const std::string& inner : help.verbs) {
          open.push_back(verb.empty() ? inner : verb + " " + inner);
        }
        help_[program][verb] = help;
      }
      ASSERT_FALSE(help_[program][""].verbs.empty()) << program;
    }
  }

  static std::string name_of(const std::string& program) {
    return fs::path(program).filename().string();
  }
  fs::path share(const std::string& path) const { return folder_ / path; }

  ScratchFolder folder_;
  std::vector<std::string> programs_;
  std::map<std::string, std::map<std::string, Help>> help_;
};

TEST_F(Pages, EveryVerbHasAPageWithEveryOption) {
  std::size_t options = 0;
  for (const auto& [program, verbs] : help_) {
    for (const auto& [verb, help] : verbs) {
      const std::string page = verb.empty()
                                   ? name_of(program)
                                   : "lodestar-" + std::regex_replace(verb, std::regex(" "), "-");
      const std::string text = testing::file_text(share("man/man1/" + page + ".1"));
      for (const std::string& option : help.options) {
        ++options;
        const std::string roff = std::regex_replace(option, std::regex("-"), "\\-");
        EXPECT_NE(text.find("\\fB" + roff + "\\fR"), std::string::npos) << page << ' ' << option;
      }
      for (const std::string& inner : help.verbs) {
        EXPECT_NE(text.find("\\-" + inner + " (1)"), std::string::npos) << page << ' ' << inner;
      }
    }
  }
  EXPECT_GT(options, 200u);
}

TEST_F(Pages, PagesAreCleanForMandocAndMan) {
  const std::string pages = share("man/man1").string() + "/*.1";
  if (there_is("mandoc")) {
    EXPECT_EQ(run_command("mandoc -Tlint -Wstyle " + pages + " 2>&1").out, "");
  }
  if (there_is("man") && there_is("groff")) {
    EXPECT_EQ(run_command("for p in " + pages +
                          "; do LC_ALL=C.UTF-8 man --warnings -l $p 2>&1 >/dev/null; done")
                  .out,
              "");
  }
}

// Asks bash what it would offer behind these words.
std::string offered(const fs::path& script, const std::string& words) {
  const std::string program = script.filename().string();
  std::string function = "_" + std::regex_replace(program, std::regex("-"), "_");
  return run_command("bash -c '. " + script.string() + "; COMP_WORDS=(" + program + " " + words +
                     "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); " + function +
                     "; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
      .out;
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST_F(Pages, BashOffersEveryVerbAndOption) {
  for (const auto& [program, verbs] : help_) {
    const fs::path script = share("bash-completion/completions/" + name_of(program));
    for (const auto& [verb, help] : verbs) {
      const std::string options = offered(script, verb + " -");
      for (const std::string& option : help.options) {
        EXPECT_TRUE(has_line(options, option)) << name_of(program) << ' ' << verb << ' ' << option;
      }
      const std::string inner = offered(script, verb + " \"\"");
      for (const std::string& name : help.verbs) {
        EXPECT_TRUE(has_line(inner, name)) << name_of(program) << ' ' << verb << ' ' << name;
      }
    }
  }
  const fs::path script = share("bash-completion/completions/lodestar");
  EXPECT_EQ(offered(script, "fit g.gr --bits \"\""), "16\n32\n");
  EXPECT_EQ(offered(script, "fit g.gr --seed \"\""), "\n");  // a number: nothing to offer
  EXPECT_EQ(offered(script, "solve --pot"), "--potentials\n");
  // What another program answers is that program's to complete, where it is installed.
  EXPECT_EQ(has_line(offered(script, "train --pre"), "--preset"), programs_.size() > 1);
}

TEST_F(Pages, ZshAndFishNameEveryVerbAndOption) {
  for (const auto& [program, verbs] : help_) {
    const std::string name = name_of(program);
    const fs::path zsh = share("zsh/vendor-completions/_" + name);
    const fs::path fish = share("fish/vendor_completions.d/" + name + ".fish");
    if (there_is("zsh")) {
      EXPECT_EQ(run_command("zsh -n " + zsh.string() + " 2>&1").out, "");
    }
    if (there_is("fish")) {
      EXPECT_EQ(run_command("fish -n " + fish.string() + " 2>&1").out, "");
    }
    const std::string zsh_text = testing::file_text(zsh), fish_text = testing::file_text(fish);
    for (const auto& [verb, help] : verbs) {
      for (const std::string& option : help.options) {
        if (verb.empty() && name != "lodestar") continue;
        EXPECT_NE(zsh_text.find("'" + option + "'"), std::string::npos) << verb << ' ' << option;
        const bool is_long = option.starts_with("--");
        EXPECT_NE(fish_text.find((is_long ? " -l " : " -s ") + option.substr(is_long ? 2 : 1)),
                  std::string::npos)
            << verb << ' ' << option;
      }
      for (const std::string& inner : help.verbs) {
        EXPECT_NE(zsh_text.find("'" + inner + ":"), std::string::npos) << verb << ' ' << inner;
        EXPECT_NE(fish_text.find(" -a " + inner + " "), std::string::npos) << verb << ' ' << inner;
      }
    }
  }
}

TEST_F(Pages, FishOffersWhatBelongsToTheVerb) {
  if (!there_is("fish")) GTEST_SKIP() << "no fish here";
  const auto ask = [&](const std::string& line) {
    return run_command("HOME=" + (folder_ / "") + " fish --no-config -c 'source " +
                       share("fish/vendor_completions.d/lodestar.fish").string() +
                       "; complete -C \"" + line + "\"'")
        .out;
  };
  EXPECT_TRUE(ask("lodestar so").starts_with("solve\t")) << ask("lodestar so");
  EXPECT_TRUE(ask("lodestar solve g.gr --skip").starts_with("--skip-unknown\t"));
  EXPECT_EQ(ask("lodestar info g.gr --skip"), "");
  EXPECT_EQ(ask("lodestar bench static --sig"), "");
  EXPECT_TRUE(ask("lodestar bench --sig").starts_with("--signature\t"));
}

// With the same date the same bytes, so that packages can be made again.
TEST_F(Pages, TheSameBytesForTheSameDate) {
  const ScratchFolder other;
  const std::string set = "SOURCE_DATE_EPOCH=86400 " + std::string(LODESTAR_BINARY) + " pages ";
  ASSERT_EQ(run_command(set + (folder_ / "") + " && " + set + (other / "")).status, 0);
  const std::string page = testing::file_text(share("man/man1/lodestar.1"));
  EXPECT_NE(page.find("1970-01-02"), std::string::npos) << page.substr(0, 200);
  EXPECT_EQ(page, testing::file_text(other / "man/man1/lodestar.1"));
}

TEST_F(Pages, TheVerbIsNotListed) {
  EXPECT_EQ(run_program("--help").out.find("pages"), std::string::npos);
  EXPECT_EQ(testing::file_text(share("man/man1/lodestar.1")).find("lodestar\\-pages"),
            std::string::npos);
}

}  // namespace
}  // namespace lodestar::pages_test
