// Manual pages and completions of a program, made from the declarations of its options.
#pragma once

#include <string>
#include <vector>

#include "description.h"

namespace lodestar::cli {

struct Page {
  std::string path;  // below share/: "man/man1/lodestar-solve.1"
  std::string text;
};

// `date` as in 2026-11-17. A verb that is forwarded has its page made by the program that
// receives it.
std::vector<Page> manual_pages(const std::string& program, const VerbText& text,
                               const std::string& version, const std::string& date);
// For bash, zsh and fish.
std::vector<Page> completions(const std::string& program, const VerbText& text);

// Adds the verb `pages`, which --help does not list: packages and tests use it.
void add_pages(Verb& program, const std::string& name);

}  // namespace lodestar::cli
