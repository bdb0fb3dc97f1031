//! The environment of a child process: a few variables of the host, then the env file, then `env`. Never the whole of
//! the host's, where every other program's secrets are.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs, io,
    path::Path,
};

use crate::config::{environment::Environment, fault::Fault};

/// What programs need to find their files and to speak the user's language.
#[cfg(not(windows))]
const PASSED_ON: &[&str] = &["PATH", "HOME", "LANG", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL"];

/// Without some of these, programs can't even open a socket on Windows.
#[cfg(windows)]
const PASSED_ON: &[&str] = &[
    "PATH",
    "PATHEXT",
    "COMSPEC",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "TEMP",
    "TMP",
    "LANG",
    "TERM",
    "USERNAME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
];

/// Locale settings, each with a name of its own.
const PASSED_ON_PREFIX: &str = "LC_";

/// The host's variables that every child gets.
pub(super) fn scrubbed(environment: &Environment) -> BTreeMap<OsString, OsString> {
    let pass = |(name, value): &(&OsStr, &OsStr)| is_passed_on(name) && !is_function(value);
    environment
        .vars()
        .filter(pass)
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn is_passed_on(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is = |known: &&str| {
        if cfg!(windows) { name.eq_ignore_ascii_case(known) } else { name == *known }
    };
    PASSED_ON.iter().any(is) || name.starts_with(PASSED_ON_PREFIX)
}

/// A shell function that bash exports: code, and nothing that a child asked for.
fn is_function(value: &OsStr) -> bool {
    value.to_str().is_some_and(|value| value.starts_with("()"))
}

/// Reads an env file: lines of `NAME=value`, with `#` comments, an optional `export`, and quotes around values. Nothing
/// in it is expanded.
pub(super) fn read_env_file(
    path: &Path,
    max_file_bytes: usize,
) -> Result<Vec<(String, String)>, Fault> {
    let fault = |detail: String| Fault::EnvFile { path: path.to_owned(), detail };
    let text = match read_bounded(path, max_file_bytes) {
        Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| fault("it isn't UTF-8".into()))?,
        Ok(None) => {
            return Err(fault(format!("it's over max_file_bytes ({max_file_bytes} bytes)")));
        }
        Err(error) => return Err(fault(format!("it can't be read: {error}"))),
    };
    parse_env_file(&text).map_err(|line| {
        fault(format!("line {line} isn't NAME=value, with the quotes around the value closed"))
    })
}

/// Reads a file that has at most so many bytes; `None` where it has more.
pub(super) fn read_bounded(path: &Path, max_file_bytes: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let limit = max_file_bytes as u64 + 1;
    io::Read::read_to_end(&mut io::Read::take(fs::File::open(path)?, limit), &mut bytes)?;
    Ok((bytes.len() <= max_file_bytes).then_some(bytes))
}

/// The lines of an env file, or the number of the first one that can't be read.
fn parse_env_file(text: &str) -> Result<Vec<(String, String)>, usize> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut variables = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        variables.push(parse_assignment(line).ok_or(index + 1)?);
    }
    Ok(variables)
}

fn parse_assignment(line: &str) -> Option<(String, String)> {
    let assignment = match line.strip_prefix("export") {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => line,
    };
    let (name, value) = assignment.split_once('=')?;
    let name = name.trim_end();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if name.is_empty() || !name.chars().all(is_name) || value.contains('\0') {
        return None;
    }
    Some((name.to_owned(), parse_value(value.trim_start())?))
}

fn parse_value(value: &str) -> Option<String> {
    match value.chars().next() {
        Some('\'') => {
            let (inner, after) = value[1..].split_once('\'')?;
            is_comment(after).then(|| inner.to_owned())
        }
        Some('"') => parse_double_quoted(&value[1..]),
        _ => {
            let end = value.find(" #").unwrap_or(value.len());
            Some(value[..end].trim_end().to_owned())
        }
    }
}

/// What stands after the opening quote: the text up to the closing one, with `\n`, `\r`, `\t`, `\"` and `\\` in it.
fn parse_double_quoted(quoted: &str) -> Option<String> {
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '"' => return is_comment(&quoted[index + 1..]).then_some(value),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                escaped @ ('"' | '\\') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            _ => value.push(c),
        }
    }
    None
}

fn is_comment(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_env_file_is_read_line_by_line() {
        let text = "\u{feff}# a comment\n\nA=1\n export B = two words # note\nC='#not $a comment'\r\nD=\"x\\n\\\"y\\\" \\z\" # c\nE=\nF=a#b\nG=k=v";

        let variables = parse_env_file(text).unwrap();

        let expected = [
            ("A", "1"),
            ("B", "two words"),
            ("C", "#not $a comment"),
            ("D", "x\n\"y\" \\z"),
            ("E", ""),
            ("F", "a#b"),
            ("G", "k=v"),
        ];
        let variables: Vec<_> = variables.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(variables, expected);
    }

    #[test]
    fn a_bad_line_of_an_env_file_is_named() {
        for (text, line) in [
            ("A=1\nB", 2),
            ("=1", 1),
            ("A B=1", 1),
            ("\nA='x", 2),
            ("A=\"x", 1),
            ("A=\"x\" y", 1),
            ("A=x\0", 1),
        ] {
            assert_eq!(parse_env_file(text), Err(line), "{text:?}");
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn a_child_gets_a_few_variables_and_no_functions() {
        let environment = Environment::empty()
            .with_var("PATH", "/bin")
            .with_var("LC_ALL", "C")
            .with_var("TERM", "() { :; }")
            .with_var("AWS_SECRET_ACCESS_KEY", "s")
            .with_var("path", "/other");

        let passed: Vec<_> = scrubbed(&environment).into_keys().collect();

        assert_eq!(passed, ["LC_ALL", "PATH"]);
    }
}
