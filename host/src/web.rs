//! How this host speaks HTTP at all: its clients, their TLS, and which addresses are this machine itself.

use std::sync::Once;

use url::{Host, Url};

use crate::limits::HttpLimits;

/// A client for one address, and for others of the same scheme on the same side of the network. It follows no redirection
/// and repeats nothing: whoever asks decides about both.
///
/// # Errors
///
/// When the TLS settings of this machine can't be used.
pub(crate) fn client(url: &Url, limits: &HttpLimits) -> Result<reqwest::Client, reqwest::Error> {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let provider = rustls::crypto::ring::default_provider();
        let _an_embedder_may_have_chosen_one = provider.install_default();
    });

    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("callgate/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(limits.connect_timeout)
        .pool_idle_timeout(limits.keep_unused)
        .tcp_keepalive(limits.tcp_keepalive)
        .tcp_nodelay(true);
    if url.scheme() != "https" {
        // Without TLS there is nothing to verify, and a machine without certificate authorities is fine.
        builder = builder.tls_certs_only([]);
    }
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    builder.build()
}

/// Whether an address is of this machine, so that nothing leaves it. Names count only where no name server is asked.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_its_addresses_and_its_own_name() {
        for (address, expected) in [
            ("http://localhost:1/", true),
            ("http://a.localhost/", true),
            ("http://127.9.9.9/", true),
            ("http://[::1]/", true),
            ("http://localhost.example.com/", false),
            ("http://128.0.0.1/", false),
            ("http://[::2]/", false),
            ("http://10.0.0.1/", false),
        ] {
            assert_eq!(is_loopback(&address.parse().unwrap()), expected, "{address}");
        }
    }
}
