#include "learn/tune/search_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

std::string journal_path(const std::string& folder) {
  return folder + "/journal.jsonl";
}

// What makes a search this search: the first line of its journal.
Json identity(const SearchPlan& plan) {
  return {{"format", 1},
          {"space", to_json(plan.space)},
          {"space2", plan.space2 ? to_json(*plan.space2) : Json()},
          {"samples", plan.samples},
          {"levels", plan.levels},
          {"halving", plan.halving},
          {"metric", to_string(plan.metric)},
          {"seed", plan.seed}};
}

SearchPlan stored_plan(const Json& identity, const std::string& where) {
  SearchPlan plan;
  plan.space = parse_space(identity.at("space").dump(), where);
  if (!identity.at("space2").is_null()) {
    plan.space2 = parse_space(identity.at("space2").dump(), where);
  }
  plan.samples = identity.at("samples");
  plan.levels = identity.at("levels");
  plan.halving = identity.at("halving");
  plan.metric = parse_metric(identity.at("metric"));
  plan.seed = identity.at("seed");
  return plan;
}

void read_records(const Journal& journal, const std::string& path, Search& search) {
  for (std::size_t i = 1; i < journal.lines().size(); ++i) {
    try {
      search.add(parse_record(journal.lines()[i], search.plan().metric));
    } catch (const Json::exception& error) {
      throw Error(fmt::format("{}:{}: not a trial's record: {}. Nothing was changed", path, i + 1,
                              error.what()));
    }
  }
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder + "/trials", failed);
  if (failed) throw Error(folder + ": cannot be created: " + failed.message());
  descriptor_ = ::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  throw Error(folder + ": another search uses this folder, or it cannot be written");
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

SearchFolder::SearchFolder(const std::string& folder, const SearchPlan& plan, const Json& origin)
    : lock_(folder), path_(journal_path(folder)), journal_(path_) {
  if (journal_.lines().empty()) {
    Json first{{"search", identity(plan)}};
    first.update(origin);
    journal_.append(first);
  } else if (journal_.lines()[0].value("search", Json()) != identity(plan)) {
    throw Error(path_ +
                ": holds a search with other settings; use the same settings to resume, or another "
                "folder with -o");
  }
}

void SearchFolder::read_into(Search& search) const {
  read_records(journal_, path_, search);
}

StoredSearch::StoredSearch(const std::string& folder)
    : path_(journal_path(folder)), journal_(path_) {
  if (journal_.lines().empty()) throw Error(path_ + ": there is no search here");
}

Search StoredSearch::search() const {
  Search search(stored_plan(first_line().at("search"), path_));
  read_records(journal_, path_, search);
  return search;
}

}  // namespace lodestar::tune
