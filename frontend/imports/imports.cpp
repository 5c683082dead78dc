#include "frontend/imports/imports.hpp"

#include <algorithm>
#include <system_error>

#include "frontend/parse/parse.hpp"
#include "frontend/source/messages.hpp"
#include "frontend/values/read.hpp"

namespace boustro::imports {
namespace {

namespace fs = std::filesystem;
using source::Message;
using source::SourceRange;

// ---- Where the imports of a file stand

struct Mention {
  std::string path;
  SourceRange at;
};

void find_imports(const ast::Definition& definition, std::vector<Mention>& found);

void find_imports(const ast::ModuleExp& module, std::vector<Mention>& found) {
  if (const auto* import = std::get_if<ast::ModuleImport>(&module.node)) {
    found.push_back({import->path, module.at});
  } else if (const auto* body = std::get_if<ast::ModuleBody>(&module.node)) {
    for (const ast::Definition& definition : body->definitions) find_imports(definition, found);
  } else if (const auto* apply = std::get_if<ast::ModuleApply>(&module.node)) {
    find_imports(*apply->function, found);
    find_imports(*apply->arg, found);
  } else if (const auto* ascribe = std::get_if<ast::ModuleAscribe>(&module.node)) {
    find_imports(*ascribe->exp, found);
  } else if (const auto* lambda = std::get_if<ast::ModuleLambda>(&module.node)) {
    find_imports(*lambda->body, found);
  }
}

void find_imports(const ast::Definition& definition, std::vector<Mention>& found) {
  if (const auto* import = std::get_if<ast::Import>(&definition.node))
    found.push_back({import->path, definition.at});
  else if (const auto* local = std::get_if<ast::Local>(&definition.node))
    find_imports(*local->definition, found);
  else if (const auto* open = std::get_if<ast::Open>(&definition.node))
    find_imports(open->module, found);
  else if (const auto* module = std::get_if<ast::ModuleDefinition>(&definition.node))
    find_imports(module->body, found);
}

// ---- Reading

fs::path normal(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

/// Where symbolic links lead to counts, so that none of them leads out of the folder.
bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code ignored;
  const fs::path relative =
      fs::weakly_canonical(path, ignored).lexically_relative(fs::weakly_canonical(folder, ignored));
  return !relative.empty() && *relative.begin() != "..";
}

class Reader {
 public:
  Reader(const std::string& main, const std::vector<std::string>& folders,
         source::SourceMap& sources, source::Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics), root_(normal(main).parent_path()) {
    for (const std::string& folder : folders) folders_.push_back(normal(fs::path(folder) / ""));
    folders_.push_back(root_);
  }

  const File* add(const fs::path& path, source::FileId id) {
    File& file = program_.files.emplace_back(
        File{id, path, parse::parse_program(id, sources_, diagnostics_)});
    by_path_.emplace(path, &file);
    in_progress_.push_back(&file);
    std::vector<Mention> mentions;
    for (const ast::Definition& definition : file.syntax.definitions)
      find_imports(definition, mentions);
    for (const Mention& mention : mentions)
      if (const File* imported = import(file, mention))
        file.imports.emplace(mention.path, imported);
    in_progress_.pop_back();
    return &file;
  }

  Program finish(const File* main) {
    program_.main = main;
    return std::move(program_);
  }

 private:
  const File* import(const File& from, const Mention& mention) {
    const fs::path without_ending = normal(from.path.parent_path() / mention.path);
    fs::path path = without_ending;
    path += ".fut";
    if (const auto known = by_path_.find(path); known != by_path_.end()) {
      if (!is_in_progress(known->second)) return known->second;
      report_cycle(*known->second, mention);
      return nullptr;
    }
    if (std::none_of(folders_.begin(), folders_.end(),
                     [&](const fs::path& folder) { return lies_in(path, folder); })) {
      source::Diagnostic& diagnostic =
          diagnostics_.report(Message::import_outside, mention.at, mention.path);
      diagnostic.notes.push_back(
          {mention.at, "`--include DIR` allows the files of one more folder"});
      return nullptr;
    }
    return read(path, without_ending, mention);
  }

  const File* read(const fs::path& path, const fs::path& without_ending, const Mention& mention) {
    const std::string shown = path.lexically_relative(root_).string();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      const bool is_folder = fs::is_directory(without_ending, ignored);
      diagnostics_.report(is_folder ? Message::import_of_folder : Message::import_missing,
                          mention.at, is_folder ? mention.path : shown);
      return nullptr;
    }
    if (fs::is_directory(path, ignored)) {
      diagnostics_.report(Message::import_of_folder, mention.at, shown);
      return nullptr;
    }
    try {
      return add(path, sources_.add(shown, values::read_file(path.string())));
    } catch (const std::system_error& error) {
      diagnostics_.report(Message::cannot_read_file, mention.at, shown, error.code().message());
      return nullptr;
    }
  }

  bool is_in_progress(const File* file) const {
    return std::find(in_progress_.begin(), in_progress_.end(), file) != in_progress_.end();
  }

  void report_cycle(const File& file, const Mention& mention) {
    source::Diagnostic& diagnostic =
        diagnostics_.report(Message::import_cycle, mention.at, file.path.filename().string());
    const auto first = std::find(in_progress_.begin(), in_progress_.end(), &file);
    std::string chain;
    for (auto at = first; at != in_progress_.end(); ++at)
      chain += "`" + (*at)->path.filename().string() + "` imports ";
    diagnostic.notes.push_back({mention.at, chain + "`" + file.path.filename().string() + "`"});
  }

  source::SourceMap& sources_;
  source::Diagnostics& diagnostics_;
  fs::path root_;
  std::vector<fs::path> folders_;
  Program program_;
  std::map<fs::path, const File*> by_path_;
  std::vector<const File*> in_progress_;
};

}  // namespace

Program read_program(const std::string& path, source::FileId main,
                     const std::vector<std::string>& folders, source::SourceMap& sources,
                     source::Diagnostics& diagnostics) {
  Reader reader(path, folders, sources, diagnostics);
  const File* file = reader.add(normal(path), main);
  return reader.finish(file);
}

}  // namespace boustro::imports
