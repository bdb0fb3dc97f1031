//! Scripts: TypeScript and JavaScript sources that run without a build step.

mod check;
mod diagnostic;
#[cfg_attr(not(test), expect(dead_code, reason = "what runs scripts calls it"))]
mod strip;

pub(crate) use self::check::check;
