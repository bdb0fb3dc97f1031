//! A property: whatever is left of a source stands where it stood.

use super::{assert_stands_where_it_stood, stripped};

/// Scripts as people write them.
const CORPUS: &[&str] = &[
    include_str!("corpus/report.ts"),
    include_str!("corpus/classes.ts"),
    include_str!("corpus/types.ts"),
];

#[test]
fn every_character_that_is_left_stands_where_it_stood() {
    for source in CORPUS {
        for source in [(*source).to_owned(), source.replace('\n', "\r\n")] {
            assert_stands_where_it_stood(&source, &stripped(&source));
        }
    }
}

#[test]
fn what_is_left_has_no_types_and_is_left_alone() {
    for source in CORPUS {
        let once = stripped(source);

        assert_eq!(stripped(&once), once);
    }
}
