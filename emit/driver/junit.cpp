// Test results as JUnit's XML.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <libxml/xmlwriter.h>

#include "emit/driver/test_report.hpp"

namespace boustro::driver {
namespace {

/// An XML file that is being written.
class Xml {
 public:
  explicit Xml(const std::string& path) : writer_(xmlNewTextWriterFilename(path.c_str(), 0)) {
    if (!writer_) throw std::runtime_error(fmt::format("cannot write {}", path));
    xmlTextWriterSetIndent(writer_.get(), 1);
    xmlTextWriterStartDocument(writer_.get(), nullptr, "UTF-8", nullptr);
  }
  ~Xml() { xmlTextWriterEndDocument(writer_.get()); }
  Xml(const Xml&) = delete;
  Xml& operator=(const Xml&) = delete;

  void begin(const char* element) { xmlTextWriterStartElement(writer_.get(), text(element)); }
  void end() { xmlTextWriterEndElement(writer_.get()); }
  void attribute(const char* name, const std::string& value) {
    xmlTextWriterWriteAttribute(writer_.get(), text(name), text(value.c_str()));
  }

 private:
  static const xmlChar* text(const char* chars) { return reinterpret_cast<const xmlChar*>(chars); }

  struct Free {
    void operator()(xmlTextWriter* writer) const { xmlFreeTextWriter(writer); }
  };
  std::unique_ptr<xmlTextWriter, Free> writer_;
};

void write_expectation(Xml& xml, const TestResult& result) {
  if (result.expects.empty()) return;
  xml.begin("properties");
  xml.begin("property");
  xml.attribute("name", "expects");
  xml.attribute("value", result.expects);
  xml.end();
  xml.end();
}

void write_result(Xml& xml, const ProgramReport& report, const TestResult& result) {
  xml.begin("testcase");
  xml.attribute("classname", report.path.string());
  xml.attribute("name", result.what.empty() ? "program" : result.what);
  xml.attribute("time", fmt::format("{:.3f}", result.seconds));
  write_expectation(xml, result);
  if (result.outcome != Outcome::passed) {
    xml.begin(result.outcome == Outcome::failed ? "failure" : "skipped");
    xml.attribute("message", result.why);
    xml.end();
  }
  xml.end();
}

std::string count_of(const ProgramReport& report, Outcome outcome) {
  return fmt::format("{}",
                     std::count_if(report.results.begin(), report.results.end(),
                                   [&](const TestResult& r) { return r.outcome == outcome; }));
}

}  // namespace

void write_junit(const std::string& path, const std::vector<ProgramReport>& reports) {
  Xml xml(path);
  xml.begin("testsuites");
  for (const ProgramReport& report : reports) {
    xml.begin("testsuite");
    xml.attribute("name", report.path.string());
    xml.attribute("tests", fmt::format("{}", report.results.size()));
    xml.attribute("failures", count_of(report, Outcome::failed));
    xml.attribute("skipped", count_of(report, Outcome::skipped));
    for (const TestResult& result : report.results) write_result(xml, report, result);
    xml.end();
  }
  xml.end();
}

}  // namespace boustro::driver
