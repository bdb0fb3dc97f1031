//! Proving who a client is without sending a secret: a signed assertion (RFC 7523, section 3; `private_key_jwt`).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::{SecureRandom as _, SystemRandom},
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
        Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
    },
};
use rustls::pki_types::{PrivateKeyDer, pem::PemObject as _};
use serde_json::json;

use super::fault::Unauthorized;

/// Why a private key can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnusableKey {
    /// The text isn't PEM with a private key in it.
    #[error("this is no private key in PEM: it begins with \"-----BEGIN PRIVATE KEY-----\"")]
    NotPem,
    /// The key is of a kind that nothing here signs with.
    #[error(
        "this kind of key is not known: it has to be RSA (2048 to 4096 bits), P-256, P-384 or Ed25519, in PKCS#8 (\"openssl pkcs8 -topk8 -nocrypt\" makes that of others)"
    )]
    Kind,
}

/// A private key with the algorithm that follows from its kind.
pub(super) struct SigningKey {
    pair: KeyPair,
    /// The name by which the authorization server knows the key.
    pub(super) id: Option<String>,
}

enum KeyPair {
    Ecdsa(EcdsaKeyPair, &'static str),
    Ed25519(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl SigningKey {
    pub(super) fn from_pem(pem: &str) -> Result<Self, UnusableKey> {
        let key = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| UnusableKey::NotPem)?;
        let pair = match &key {
            PrivateKeyDer::Pkcs8(der) => from_pkcs8(der.secret_pkcs8_der()),
            PrivateKeyDer::Pkcs1(der) => {
                let pair = RsaKeyPair::from_der(der.secret_pkcs1_der());
                pair.ok().map(|pair| KeyPair::Rsa(Box::new(pair)))
            }
            _ => None,
        };
        Ok(Self { pair: pair.ok_or(UnusableKey::Kind)?, id: None })
    }

    /// The name of the algorithm in JOSE (RFC 7518, section 3.1).
    pub(super) fn algorithm(&self) -> &'static str {
        match &self.pair {
            KeyPair::Ecdsa(_, algorithm) => algorithm,
            KeyPair::Ed25519(_) => "EdDSA",
            KeyPair::Rsa(_) => "RS256",
        }
    }

    /// An assertion by `client_id` for `audience`, that is good for `lifetime`.
    pub(super) fn assertion(
        &self,
        client_id: &str,
        audience: &str,
        lifetime: Duration,
    ) -> Result<String, Unauthorized> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut header = json!({"alg": self.algorithm(), "typ": "JWT"});
        if let Some(id) = &self.id {
            header["kid"] = id.as_str().into();
        }
        let claims = json!({
            "iss": client_id,
            "sub": client_id,
            "aud": audience,
            "iat": now,
            "exp": now + lifetime.as_secs(),
            "jti": random()?,
        });
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(header), part(claims));
        let signature = self.sign(signed.as_bytes())?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Unauthorized> {
        let random = SystemRandom::new();
        let failed = |_| Unauthorized::Internal("the assertion could not be signed");
        match &self.pair {
            KeyPair::Ecdsa(pair, _) => {
                Ok(pair.sign(&random, message).map_err(failed)?.as_ref().to_vec())
            }
            KeyPair::Ed25519(pair) => Ok(pair.sign(message).as_ref().to_vec()),
            KeyPair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).map_err(failed)?;
                Ok(signature)
            }
        }
    }
}

fn from_pkcs8(der: &[u8]) -> Option<KeyPair> {
    let random = SystemRandom::new();
    for (kind, algorithm) in
        [(&ECDSA_P256_SHA256_FIXED_SIGNING, "ES256"), (&ECDSA_P384_SHA384_FIXED_SIGNING, "ES384")]
    {
        if let Ok(pair) = EcdsaKeyPair::from_pkcs8(kind, der, &random) {
            return Some(KeyPair::Ecdsa(pair, algorithm));
        }
    }
    if let Ok(pair) = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der) {
        return Some(KeyPair::Ed25519(pair));
    }
    RsaKeyPair::from_pkcs8(der).ok().map(|pair| KeyPair::Rsa(Box::new(pair)))
}

/// A text that nobody can guess: 256 bits.
pub(super) fn random() -> Result<String, Unauthorized> {
    let mut bytes = [0; 32];
    let drawn = SystemRandom::new().fill(&mut bytes);
    drawn.map_err(|_| Unauthorized::Internal("the system gives no random numbers"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, KeyPair as _, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    fn part(text: &str) -> Value {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap()
    }

    #[test]
    fn an_assertion_says_who_and_for_whom_and_is_signed() {
        let random = SystemRandom::new();
        let der = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pem = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            STANDARD.encode(der.as_ref())
        );
        let mut key = SigningKey::from_pem(&pem).unwrap();
        key.id = Some("k1".to_owned());

        let assertion = key.assertion("me", "https://a.com", Duration::from_secs(60)).unwrap();

        let [header, claims, signature] = assertion.split('.').collect::<Vec<_>>()[..] else {
            panic!("{assertion}")
        };
        assert_eq!(part(header), json!({"alg": "ES256", "typ": "JWT", "kid": "k1"}));
        let claims_read = part(claims);
        assert_eq!(claims_read["iss"], "me");
        assert_eq!(claims_read["sub"], "me");
        assert_eq!(claims_read["aud"], "https://a.com");
        let lived = claims_read["exp"].as_u64().unwrap() - claims_read["iat"].as_u64().unwrap();
        assert_eq!(lived, 60);
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der.as_ref(), &random);
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.unwrap().public_key())
            .verify(
                format!("{header}.{claims}").as_bytes(),
                &URL_SAFE_NO_PAD.decode(signature).unwrap(),
            )
            .unwrap();
    }

    #[test]
    fn what_is_no_private_key_is_refused_with_what_to_do() {
        let no_key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
        assert!(matches!(SigningKey::from_pem("secret"), Err(UnusableKey::NotPem)));
        assert!(matches!(SigningKey::from_pem(no_key), Err(UnusableKey::Kind)));
    }

    #[test]
    fn two_random_texts_differ() {
        assert_ne!(random().unwrap(), random().unwrap());
    }
}
