//! Scripts: TypeScript and JavaScript sources that run without a build step.
#![cfg_attr(not(test), expect(dead_code, reason = "what runs scripts calls it"))]

mod diagnostic;
mod strip;
