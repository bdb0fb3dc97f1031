//! The frontmatter of a test: the comment `/*--- ... ---*/` with some YAML in it, of which only the four keys that say how
//! to run the test are read.
//!
//! Not a YAML parser: it knows the forms in which the suite writes these keys, which are lists in brackets, lists with
//! dashes, and the two keys below `negative`.

/// How a test is to be run, and what has to come of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Frontmatter {
    pub(super) flags: Vec<String>,
    /// Files of the harness, in this order.
    pub(super) includes: Vec<String>,
    pub(super) features: Vec<String>,
    /// The error that has to come, where one has to.
    pub(super) negative: Option<Negative>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Negative {
    pub(super) phase: Phase,
    /// The name of its constructor.
    pub(super) error: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Parse,
    Resolution,
    Runtime,
}

impl Frontmatter {
    /// Reads that of a test. A test without one is to be run as it is.
    ///
    /// # Errors
    ///
    /// A sentence, when it has a form that is not known here.
    pub(super) fn of(source: &str) -> Result<Self, String> {
        let Some((_, rest)) = source.split_once("/*---") else { return Ok(Self::default()) };
        let (yaml, _) = rest.split_once("---*/").ok_or("its frontmatter has no end")?;
        // Tests of line ends have others than the rest.
        let yaml = yaml.replace("\r\n", "\n").replace('\r', "\n");
        let lines: Vec<&str> = yaml.lines().filter(|line| !line.trim().is_empty()).collect();
        let mut read = Self::default();
        for (key, value) in entries(&lines) {
            match key {
                "flags" => read.flags = list(&value),
                "includes" => read.includes = list(&value),
                "features" => read.features = list(&value),
                "negative" => read.negative = Some(negative(&value)?),
                _ => {}
            }
        }
        Ok(read)
    }

    pub(super) fn has_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|it| it == flag)
    }
}

/// The keys of the outermost level, each with the lines of its value.
fn entries<'l>(lines: &[&'l str]) -> Vec<(&'l str, Vec<&'l str>)> {
    let outermost = lines.first().map_or(0, |line| indent(line));
    let mut entries: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        let key = line.trim().split_once(':').filter(|(key, _)| is_key(key));
        match (key, entries.last_mut()) {
            (Some((key, rest)), _) if indent(line) <= outermost => {
                entries.push((key, vec![rest.trim()]));
            }
            (_, Some((_, value))) => value.push(line.trim()),
            (_, None) => {}
        }
    }
    entries
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn list(value: &[&str]) -> Vec<String> {
    let text = value.iter().map(|line| without_comment(line)).collect::<Vec<_>>().join("\n");
    let (text, separators): (&str, &[char]) = match text.trim().strip_prefix('[') {
        Some(rest) => (rest.split(']').next().unwrap_or(rest), &[',', '\n']),
        None => (&text, &['\n']),
    };
    let items = text.split(separators).map(|item| {
        let item = item.trim();
        unquoted(item.strip_prefix("- ").unwrap_or(item).trim()).to_owned()
    });
    items.filter(|item| !item.is_empty()).collect()
}

fn without_comment(line: &str) -> &str {
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line) }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(|character| matches!(character, '"' | '\''))
}

fn negative(value: &[&str]) -> Result<Negative, String> {
    let of = |key: &str| {
        let mut pairs = value.iter().filter_map(|line| line.split_once(':'));
        let found = pairs.find(|(name, _)| name.trim() == key);
        found
            .map(|(_, text)| unquoted(without_comment(text).trim()))
            .ok_or_else(|| format!("its negative has no {key}"))
    };
    let phase = match of("phase")? {
        // An early error is one that is found while parsing.
        "parse" | "early" => Phase::Parse,
        "resolution" => Phase::Resolution,
        "runtime" => Phase::Runtime,
        other => return Err(format!("its negative has the phase {other}")),
    };
    Ok(Negative { phase, error: of("type")?.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(yaml: &str) -> Frontmatter {
        Frontmatter::of(&format!("// Copyright\n/*---\n{yaml}\n---*/\nvar x;")).unwrap()
    }

    #[test]
    fn lists_are_read_in_brackets_over_lines_and_with_dashes() {
        let read = of(
            "flags: [onlyStrict, async]\nincludes:\n  - a.js\n  - sm/b.js # why\nfeatures: [\n    class,\n    'let'\n  ]",
        );

        assert_eq!(read.flags, ["onlyStrict", "async"]);
        assert_eq!(read.includes, ["a.js", "sm/b.js"]);
        assert_eq!(read.features, ["class", "let"]);
        assert!(read.has_flag("async") && !read.has_flag("raw"));
    }

    #[test]
    fn a_list_without_indentation_is_one() {
        assert_eq!(of("includes:\n- a.js\n- b.js\nflags: []").includes, ["a.js", "b.js"]);
    }

    #[test]
    fn what_is_told_about_a_test_is_not_taken_for_a_key() {
        let read = of(
            "description: >\n  features: [none]\ninfo: |\n    flags: [raw]\n\n  negative:\nflags: [module]",
        );

        assert_eq!(read.flags, ["module"]);
        assert!(read.features.is_empty());
        assert_eq!(read.negative, None);
    }

    #[test]
    fn an_expected_error_has_a_phase_and_a_name() {
        let of_negative = of("negative:\n  phase: parse\n  type: SyntaxError").negative;

        assert_eq!(
            of_negative,
            Some(Negative { phase: Phase::Parse, error: "SyntaxError".to_owned() })
        );
        assert!(Frontmatter::of("/*---\nnegative:\n  phase: later\n  type: E\n---*/").is_err());
        assert!(Frontmatter::of("/*---\nnegative:\n  phase: parse\n---*/").is_err());
        assert!(Frontmatter::of("/*---\nflags: [raw]\n").is_err());
    }

    #[test]
    fn other_line_ends_are_line_ends() {
        let read = Frontmatter::of("/*---\rflags: [raw]\rincludes: [a.js]\r---*/").unwrap();
        let dos = Frontmatter::of("/*---\r\nflags: [raw]\r\nincludes: [a.js]\r\n---*/").unwrap();

        assert_eq!(read.includes, ["a.js"]);
        assert_eq!(read, dos);
    }

    #[test]
    fn a_test_without_frontmatter_has_no_wishes() {
        assert_eq!(Frontmatter::of("var x;"), Ok(Frontmatter::default()));
    }
}
