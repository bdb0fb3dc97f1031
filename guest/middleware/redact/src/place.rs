//! A JSON pointer in which `*` is any key or index.

use serde::{Deserialize, Deserializer, de::Error};

/// Where something stands in a JSON value.
#[derive(Debug)]
pub(crate) struct Place(Vec<String>);

impl Place {
    /// Whether `pointer`, a JSON pointer, is one that is meant.
    pub(crate) fn is(&self, pointer: &str) -> bool {
        let mut names = pointer.split('/').skip(1);
        self.0.iter().all(|wanted| names.next().is_some_and(|name| wanted == "*" || wanted == name))
            && names.next().is_none()
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let Some(names) = text.strip_prefix('/') else {
            return Err(D::Error::custom(format!(
                "{text:?} is not a JSON pointer: it starts with /"
            )));
        };
        Ok(Self(names.split('/').map(str::to_owned).collect()))
    }
}

#[cfg(test)]
mod tests {
    use callgate_guest::serde_json;

    use super::*;

    #[test]
    fn a_star_is_one_key_or_index() {
        let place: Place = serde_json::from_str(r#""/a/*/c~1d""#).unwrap();

        assert!(place.is("/a/b/c~1d") && place.is("/a/0/c~1d"));
        for other in ["", "/a", "/a/b", "/a/b/c/d", "/a/b/c~1d/e", "/x/b/c~1d"] {
            assert!(!place.is(other), "{other}");
        }
        assert!(serde_json::from_str::<Place>(r#""a""#).is_err());
    }
}
