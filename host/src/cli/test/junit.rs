//! Results as JUnit XML, which build servers read.

use std::fmt::Write;

use super::SuiteReport;

/// The whole file.
pub(super) fn report(reports: &[SuiteReport]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for SuiteReport { name, cases } in reports {
        let failures = cases.iter().filter(|case| !case.problems.is_empty()).count();
        let seconds: f64 = cases.iter().map(|case| case.duration.as_secs_f64()).sum();
        let name = escaped(name);
        let _a_string_takes_everything = writeln!(
            xml,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" time=\"{seconds:.3}\">",
            cases.len()
        );
        for case in cases {
            let _a_string_takes_everything = write!(
                xml,
                "    <testcase classname=\"{name}\" name=\"{}\" time=\"{:.3}\"",
                escaped(&case.name),
                case.duration.as_secs_f64()
            );
            match case.problems.first().and_then(|problem| problem.lines().next()) {
                None => xml.push_str("/>\n"),
                Some(first) => {
                    let _a_string_takes_everything = writeln!(
                        xml,
                        ">\n      <failure message=\"{}\">{}</failure>",
                        escaped(first),
                        escaped(&case.problems.join("\n"))
                    );
                    if !case.logs.is_empty() {
                        let logs = escaped(&case.logs.join("\n"));
                        let _a_string_takes_everything =
                            writeln!(xml, "      <system-out>{logs}</system-out>");
                    }
                    xml.push_str("    </testcase>\n");
                }
            }
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// A text for XML 1.0, which has no place for most control characters, escaped or not.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push('\t'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::suite::CaseReport;

    #[test]
    fn a_failure_is_told_with_all_its_lines_and_nothing_breaks_the_file() {
        let case = |name: &str, problems: &[&str]| CaseReport {
            name: name.to_owned(),
            duration: Duration::from_millis(1500),
            problems: problems.iter().map(|problem| (*problem).to_owned()).collect(),
            logs: problems.iter().map(|problem| format!("log: <{problem}>")).collect(),
        };
        let cases = vec![case("fine", &[]), case("a\"b<", &["one &\n  two\u{1}", "three"])];

        let xml = report(&[SuiteReport { name: "s.json".to_owned(), cases }]);

        assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\" time=\"3.000\""), "{xml}");
        assert!(xml.contains("name=\"fine\" time=\"1.500\"/>"), "{xml}");
        assert!(xml.contains("name=\"a&quot;b&lt;\""), "{xml}");
        assert!(
            xml.contains("message=\"one &amp;\">one &amp;&#10;  two\u{fffd}&#10;three<"),
            "{xml}"
        );
        assert!(xml.contains("<system-out>log: &lt;one &amp;&#10;"), "{xml}");
        assert_eq!(xml.matches("<system-out>").count(), 1, "{xml}");
    }
}
