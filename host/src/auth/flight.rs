//! All steps to one token: find the authorization server, be its client, ask for the token.

use tokio::time::timeout;
use url::Url;

use super::{
    challenge::Challenge,
    client::{Client, Identity, OAuthClient, register},
    consent::{Authorize, Question},
    discovery::{Discovered, Discovery, Issuer},
    fault::{Unauthorized, quoted},
    oauth::{Kind, Party, Vouch},
    requests::Reach,
    token::{self, Grant, Granted},
    wallet::Known,
};

/// Why a new token is needed.
#[derive(Clone)]
pub(super) enum Why {
    /// The present one is about to end.
    Ending,
    /// The server refused a request.
    Refused(Challenge),
}

impl Why {
    pub(super) fn scopes(&self) -> &[String] {
        match self {
            Self::Ending => &[],
            Self::Refused(challenge) => &challenge.scopes,
        }
    }

    pub(super) fn wants_more_scopes(&self) -> bool {
        matches!(self, Self::Refused(challenge) if challenge.wants_more_scopes())
    }
}

/// The steps to one token, and what they learn on the way.
pub(super) struct Flight<'a> {
    pub(super) party: &'a Party,
    pub(super) server: &'a Url,
    pub(super) reach: Reach,
    /// Good for the next flight, whether this one gets its token or not.
    pub(super) known: Known,
    /// What is asked for; what the server publishes where this is empty.
    pub(super) scopes: Vec<String>,
}

impl Flight<'_> {
    pub(super) async fn run(&mut self, why: &Why) -> Result<Granted, Unauthorized> {
        // The token would go to the server itself, in every request.
        self.reach.check(self.server)?;
        let found = self.bounded(self.discover(why)).await?;
        self.take_note(&found);
        self.party.bind(&found.issuer)?;

        let outcome = match &self.party.oauth.kind {
            Kind::ClientCredentials { client_id, proof } => {
                let client = Client::known(client_id, Some(proof), &found.issuer)?;
                self.redeem(&Grant::ClientCredentials, &client, &found).await
            }
            Kind::Vouched { client_id, proof, voucher } => {
                let client = Client::known(client_id, proof.as_ref(), &found.issuer)?;
                self.vouched(&**voucher, &client, &found).await
            }
            Kind::Consent { client, authorize } => {
                self.consented(client, &**authorize, why, &found).await
            }
        };
        match &outcome {
            Ok(granted) => {
                if granted.refresh.is_some() {
                    self.known.refresh.clone_from(&granted.refresh);
                }
                self.known.scopes.clone_from(&self.scopes);
            }
            // It has forgotten the client: the next flight registers anew.
            Err(Unauthorized::Refused { code, .. }) if code == "invalid_client" => {
                self.known.client = None;
            }
            Err(_) => {}
        }
        outcome
    }

    /// After a refusal everything is looked up again: the server may have another authorization server by now.
    async fn discover(&self, why: &Why) -> Result<Discovered, Unauthorized> {
        let challenge = match (why, &self.known.found) {
            (Why::Ending, Some(found)) => return Ok(found.clone()),
            (Why::Ending, None) => &Challenge::default(),
            (Why::Refused(challenge), _) => challenge,
        };
        let discovery = Discovery {
            server: self.server,
            issuer: self.party.oauth.issuer.as_deref(),
            reach: self.reach,
            requests: &self.party.requests,
            limits: &self.party.oauth.limits,
        };
        discovery.run(challenge).await
    }

    fn take_note(&mut self, found: &Discovered) {
        let earlier = self.known.found.as_ref().map(|found| &found.issuer.issuer);
        if earlier.is_some_and(|earlier| *earlier != found.issuer.issuer) {
            // What one authorization server gave is no other's business.
            self.known.client = None;
            self.known.refresh = None;
        }
        self.known.found = Some(found.clone());
        if self.scopes.is_empty() {
            let published = found.scopes.iter().take(self.party.oauth.limits.max_scopes);
            unite(&mut self.scopes, published);
        }
    }

    async fn vouched(
        &self,
        voucher: &dyn Vouch,
        client: &Client,
        found: &Discovered,
    ) -> Result<Granted, Unauthorized> {
        let asked = voucher.assertion(&found.issuer.issuer, &found.resource);
        let assertion = self.bounded(async {
            asked.await.map_err(|detail| {
                let limit = self.party.oauth.limits.max_quoted_chars;
                Unauthorized::NotVouched(quoted(&detail, limit))
            })
        });
        let assertion = assertion.await?.into();
        self.redeem(&Grant::Assertion(&assertion), client, found).await
    }

    async fn consented(
        &mut self,
        identity: &OAuthClient,
        authorize: &dyn Authorize,
        why: &Why,
        found: &Discovered,
    ) -> Result<Granted, Unauthorized> {
        let redirect_uri = authorize.redirect_uri();
        let client = match self.known.client.clone() {
            Some(client) => client,
            None => self.client(identity, &redirect_uri, &found.issuer).await?,
        };
        self.known.client = Some(client.clone());
        // More scopes than the person has consented to need the person.
        if !why.wants_more_scopes()
            && let Some(refresh) = self.known.refresh.take()
        {
            let renewed = self.redeem(&Grant::Refresh(&refresh), &client, found).await;
            match renewed {
                Ok(granted) => {
                    self.known.refresh = Some(refresh);
                    return Ok(granted);
                }
                Err(Unauthorized::Refused { code, .. }) if code == "invalid_grant" => {}
                Err(error) => {
                    self.known.refresh = Some(refresh);
                    return Err(error);
                }
            }
        }
        let question = Question::new(&client.id, &redirect_uri, &self.scopes, found)?;
        self.reach.check(&question.address)?;
        let limits = &self.party.oauth.limits;
        let answer = timeout(limits.consent_timeout, authorize.authorize(question.address.clone()));
        let answer = answer.await.map_err(|_| Unauthorized::TooLate("the person's consent"))?;
        let answer = answer
            .map_err(|detail| Unauthorized::NoConsent(quoted(&detail, limits.max_quoted_chars)))?;
        let code = question.code_in(&answer, &found.issuer, limits)?;
        let (verifier, redirect_uri) = (&question.verifier, &redirect_uri);
        let grant = Grant::Code { code: &code, verifier, redirect_uri };
        self.redeem(&grant, &client, found).await
    }

    async fn client(
        &self,
        identity: &OAuthClient,
        redirect_uri: &Url,
        issuer: &Issuer,
    ) -> Result<Client, Unauthorized> {
        match &identity.0 {
            Identity::Registered { id, proof } => Client::known(id, proof.as_ref(), issuer),
            Identity::DescribedAt(document) if issuer.client_id_metadata_document_supported => {
                Ok(Client::described_at(document))
            }
            Identity::DescribedAt(_) | Identity::Unknown => {
                let (requests, limits) = (&self.party.requests, &self.party.oauth.limits);
                self.bounded(register(issuer, redirect_uri, self.reach, requests, limits)).await
            }
        }
    }

    async fn redeem(
        &self,
        grant: &Grant<'_>,
        client: &Client,
        found: &Discovered,
    ) -> Result<Granted, Unauthorized> {
        let (requests, limits) = (&self.party.requests, &self.party.oauth.limits);
        let asked =
            token::request(grant, &self.scopes, client, found, self.reach, requests, limits);
        self.bounded(asked).await
    }

    async fn bounded<T>(
        &self,
        step: impl Future<Output = Result<T, Unauthorized>>,
    ) -> Result<T, Unauthorized> {
        let patience = self.party.oauth.limits.step_timeout;
        timeout(patience, step).await.unwrap_or(Err(Unauthorized::TooLate("a step to a token")))
    }
}

/// Adds what isn't there yet.
pub(super) fn unite<'s>(scopes: &mut Vec<String>, more: impl IntoIterator<Item = &'s String>) {
    for scope in more {
        if !scopes.contains(scope) {
            scopes.push(scope.clone());
        }
    }
}
