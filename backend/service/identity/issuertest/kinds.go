package issuertest

// The names of the issuers, as the headings of docs/service.md have them.
const (
	Google    = "Google"
	Entra     = "Microsoft Entra"
	Keycloak  = "Keycloak"
	Zitadel   = "Zitadel"
	Authentik = "Authentik"
)

// What Entra says where it refuses RFC 8707, and renewals that do not name the app by its id.
const (
	errResource = "AADSTS901002: The 'resource' request parameter is not supported."
	errItself   = "AADSTS90009: Application is requesting a token for itself. " +
		"This scenario is supported only if resource is specified using the GUID based App Identifier."
)

// Kind is a kind of issuer, with the app as the recipe of docs/service.md registers it.
type Kind struct {
	Name     string
	Address  string // of the issuer in docs/service.md; a stub has another host
	ClientID string
	Secret   string // that the app needs

	issuer, authorize, token, jwks, revoke string // the paths; revoke is empty where there is none

	scopes        []string // that the discovery document lists
	more          []string // others that are known
	params        []string // of the authorization request; nil: others are ignored
	page          bool     // refusals of the authorization request are shown to the user only
	ignoresScopes bool     // unknown ones
	noResource    bool     // refuses RFC 8707
	noSecret      bool     // refuses a secret of a public client
	ecdsa         bool     // signs with ES256
	rotates       bool     // a refresh token works once
	renews        bool     // each refresh brings a new refresh token; the old one goes on working
	back          []string // what it tells the browser beside code and state
	badGrant      string   // why a code or refresh token is refused
	members       object   // of answers with tokens, beside those of OAuth
}

const (
	entraTenant  = "11111111-2222-3333-4444-555555555555"
	entraClient  = "66666666-7777-8888-9999-000000000000"
	entraScope   = entraClient + "/speak"
	zitadelUser  = "301234567890123456"
	zitadelApp   = "312345678901234567"
	zitadelTeam  = "309876543210987654" // the project
	zitadelScope = "urn:zitadel:iam:org:project:id:" + zitadelTeam + ":aud"
)

// Kinds returns the kinds of issuers.
func Kinds() []Kind {
	return []Kind{google(), entra(), keycloak(), zitadel(), authentik()}
}

// google: https://developers.google.com/identity/protocols/oauth2/native-app and .../identity/openid-connect. Its clients for desktop
// apps have a secret and take any path and port on 127.0.0.1. offline_access is no scope of it.
func google() Kind {
	return Kind{
		Name: Google, Address: "https://accounts.google.com", ClientID: "407408718192-voicewright.apps.googleusercontent.com",
		Secret: "GOCSPX-voicewright-example", authorize: "/o/oauth2/v2/auth", token: "/token", jwks: "/oauth2/v3/certs", revoke: "/revoke",
		scopes: []string{"openid", "email", "profile"}, page: true, back: []string{"iss", "scope"}, badGrant: "Bad Request",
		params: []string{
			"access_type", "client_id", "code_challenge", "code_challenge_method", "enable_granular_consent", "hd", "include_granted_scopes",
			"login_hint", "nonce", "prompt", "redirect_uri", "response_type", "scope", "state",
		},
	}
}

// entra: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow, access-token-claims-reference, reply-url.
// Renewals without a scope, or with one of the app's URI, are refused where app and service are one registration.
func entra() Kind {
	return Kind{
		Name: Entra, Address: "https://login.microsoftonline.com/" + entraTenant + "/v2.0", ClientID: entraClient,
		issuer: "/" + entraTenant + "/v2.0", authorize: "/" + entraTenant + "/oauth2/v2.0/authorize",
		token: "/" + entraTenant + "/oauth2/v2.0/token", jwks: "/" + entraTenant + "/discovery/v2.0/keys",
		scopes: []string{"openid", "profile", "email", "offline_access"}, more: []string{entraScope, "api://" + entraScope},
		noResource: true, noSecret: true, renews: true, back: []string{"session_state"}, members: object{"ext_expires_in": 3599},
		badGrant: "AADSTS70008: The provided authorization code or refresh token has expired due to inactivity.",
	}
}

// keycloak: https://www.keycloak.org/securing-apps/oidc-layers and the server administration guide, on audience mappers.
func keycloak() Kind {
	const realm = "/realms/team"
	return Kind{
		Name: Keycloak, Address: "https://id.example.org" + realm, ClientID: "voicewright", issuer: realm,
		authorize: realm + "/protocol/openid-connect/auth", token: realm + "/protocol/openid-connect/token",
		jwks: realm + "/protocol/openid-connect/certs", revoke: realm + "/protocol/openid-connect/revoke",
		scopes: []string{"openid", "offline_access", "profile", "email", "roles", "web-origins", "acr", "basic", "phone", "address"},
		renews: true, back: []string{"iss", "session_state"}, badGrant: "Token is not active",
		members: object{"not-before-policy": 0, "refresh_expires_in": 0, "session_state": "5b1c2c1e-3d4f-4d1b-9a56-3f1f0c3e7d11"},
	}
}

// zitadel: https://zitadel.com/docs/apis/openidoauth/endpoints, scopes and claims. Its access tokens are opaque unless the app has
// the token type JWT, as in the recipe.
func zitadel() Kind {
	return Kind{
		Name: Zitadel, Address: "https://team-abc123.zitadel.cloud", ClientID: zitadelApp, authorize: "/oauth/v2/authorize",
		token: "/oauth/v2/token", jwks: "/oauth/v2/keys", revoke: "/oauth/v2/revoke",
		scopes: []string{"openid", "profile", "email", "phone", "address", "offline_access"}, ignoresScopes: true, rotates: true,
		badGrant: "Errors.AuthRequest.NotFound",
	}
}

// authentik: https://docs.goauthentik.io/add-secure-apps/providers/oauth2. Scopes that the provider has no mapping for are left out.
func authentik() Kind {
	const base = "/application/o"
	return Kind{
		Name: Authentik, Address: "https://auth.example.org" + base + "/voicewright/", ClientID: "aPjfCuGT0nS8w5Zb9Vq2xLrE7kYmH3dN1oQtUi4B",
		issuer: base + "/voicewright/", authorize: base + "/authorize/", token: base + "/token/", jwks: base + "/voicewright/jwks/",
		revoke: base + "/revoke/", scopes: []string{"openid", "email", "profile", "offline_access"}, ignoresScopes: true, ecdsa: true,
		rotates: true, badGrant: "The provided authorization grant or refresh token is invalid, expired, revoked, or does not match.",
	}
}
