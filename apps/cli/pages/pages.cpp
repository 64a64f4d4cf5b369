#include "pages.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

#include "../verb.h"
#include "lodestar/atomic_file.h"
#include "lodestar/types.h"
#include "lodestar/version.h"

namespace lodestar::cli {
namespace {

// SOURCE_DATE_EPOCH, where it is set, makes the same bytes every day.
std::string date_of_pages() {
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now =
      given != nullptr ? static_cast<std::time_t>(std::atoll(given)) : std::time(nullptr);
  char text[16] = "";
  std::tm parts{};
  if (gmtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof(text), "%Y-%m-%d", &parts);
  return text;
}

}  // namespace

void add_pages(Verb& program, const std::string& name) {
  struct Options {
    std::string folder;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  Verb& verb =
      program.verb("pages", "Write manual pages and completions, as packages have them", "");
  verb.option("folder", options->folder, "Stands for share/");
  verb.flag("--json", options->json, "Print the declarations of all verbs and options instead");
  verb.run([options, name, &program] {
    const VerbText text = describe(program);
    if (options->json) {
      std::cout << to_json(text) << '\n';
      return 0;
    }
    if (options->folder.empty()) throw Error("pages: give a folder, or --json");
    std::vector<Page> pages = manual_pages(name, text, kVersion, date_of_pages());
    for (Page& page : completions(name, text)) pages.push_back(std::move(page));
    for (const Page& page : pages) {
      const std::filesystem::path path = std::filesystem::path(options->folder) / page.path;
      std::filesystem::create_directories(path.parent_path());
      AtomicFile file(path.string());
      file.write(page.text);
      file.commit();
    }
    return 0;
  });
}

}  // namespace lodestar::cli
