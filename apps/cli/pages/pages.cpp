#include "pages.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>

#include "lodestar/atomic_file.h"
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

void add_pages(CLI::App& program, const std::string& name) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb =
      program.add_subcommand("pages", "Write manual pages and completions, as packages have them");
  verb->group("");
  verb->add_option("folder", *folder, "Stands for share/")->required();
  verb->callback([folder, name, &program] {
    const VerbText text = describe(program);
    std::vector<Page> pages = manual_pages(name, text, kVersion, date_of_pages());
    for (Page& page : completions(name, text)) pages.push_back(std::move(page));
    for (const Page& page : pages) {
      const std::filesystem::path path = std::filesystem::path(*folder) / page.path;
      std::filesystem::create_directories(path.parent_path());
      AtomicFile file(path.string());
      file.write(page.text);
      file.commit();
    }
  });
}

}  // namespace lodestar::cli
