//! Which language a file is in, by the extension of its name.

/// The language of files whose extension isn't in the table, or that have none.
pub(crate) const OTHER: &str = "other";

/// Extensions in lower case, sorted, and the language of each.
const LANGUAGES: [(&str, &str); 71] = [
    ("adoc", "AsciiDoc"),
    ("asm", "Assembly"),
    ("bash", "Shell"),
    ("bat", "Batch"),
    ("c", "C"),
    ("cc", "C++"),
    ("cjs", "JavaScript"),
    ("clj", "Clojure"),
    ("cmake", "CMake"),
    ("cpp", "C++"),
    ("cs", "C#"),
    ("css", "CSS"),
    ("cxx", "C++"),
    ("dart", "Dart"),
    ("erl", "Erlang"),
    ("ex", "Elixir"),
    ("exs", "Elixir"),
    ("fs", "F#"),
    ("go", "Go"),
    ("gradle", "Gradle"),
    ("h", "C"),
    ("hh", "C++"),
    ("hpp", "C++"),
    ("hs", "Haskell"),
    ("htm", "HTML"),
    ("html", "HTML"),
    ("java", "Java"),
    ("jl", "Julia"),
    ("js", "JavaScript"),
    ("json", "JSON"),
    ("jsx", "JavaScript"),
    ("kt", "Kotlin"),
    ("kts", "Kotlin"),
    ("lua", "Lua"),
    ("m", "Objective-C"),
    ("md", "Markdown"),
    ("mjs", "JavaScript"),
    ("ml", "OCaml"),
    ("mli", "OCaml"),
    ("mm", "Objective-C"),
    ("nix", "Nix"),
    ("php", "PHP"),
    ("pl", "Perl"),
    ("pm", "Perl"),
    ("proto", "Protocol Buffers"),
    ("ps1", "PowerShell"),
    ("py", "Python"),
    ("pyi", "Python"),
    ("r", "R"),
    ("rb", "Ruby"),
    ("rs", "Rust"),
    ("rst", "reStructuredText"),
    ("s", "Assembly"),
    ("scala", "Scala"),
    ("scss", "CSS"),
    ("sh", "Shell"),
    ("sql", "SQL"),
    ("svg", "SVG"),
    ("swift", "Swift"),
    ("tex", "TeX"),
    ("toml", "TOML"),
    ("ts", "TypeScript"),
    ("tsx", "TypeScript"),
    ("txt", "Text"),
    ("vue", "Vue"),
    ("wat", "WebAssembly text"),
    ("wit", "WIT"),
    ("xml", "XML"),
    ("yaml", "YAML"),
    ("yml", "YAML"),
    ("zig", "Zig"),
];

/// The language of a file, by its name alone.
pub(crate) fn of(name: &str) -> &'static str {
    let Some((stem, extension)) = name.rsplit_once('.') else { return OTHER };
    // `.json` is a hidden file without an extension.
    if stem.is_empty() {
        return OTHER;
    }
    let extension = extension.to_ascii_lowercase();
    LANGUAGES
        .binary_search_by_key(&extension.as_str(), |&(extension, _)| extension)
        .map_or(OTHER, |index| LANGUAGES[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_extension_twice() {
        assert!(LANGUAGES.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn the_extension_decides_in_any_case() {
        assert_eq!(of("main.rs"), "Rust");
        assert_eq!(of("README.MD"), "Markdown");
        assert_eq!(of("types.d.ts"), "TypeScript");
    }

    #[test]
    fn a_name_without_a_known_extension_is_other() {
        for name in ["Makefile", ".json", "notes.", "photo.xyz", ""] {
            assert_eq!(of(name), OTHER, "{name:?}");
        }
    }
}
