package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// keySecret is the name of the API key in the keychain.
const keySecret = "hosted.key"

// Secrets stores secrets; package secrets implements it.
type Secrets interface {
	Get(ctx context.Context, name string) (string, error)
	Set(ctx context.Context, name, value, note string) error
	Delete(ctx context.Context, name string) error
	// Note returns what is stored with a secret and may be shown. It opens no keychain.
	Note(name string) (note string, ok bool)
	// Place returns where secrets are stored: keychain, file or none.
	Place(ctx context.Context) (string, error)
}

// SignIn is the sign-in in the browser; package signin implements it.
type SignIn interface {
	// Token returns an access token, another one than rejected. Errors: hosted_not_signed_in, hosted_unreachable.
	Token(ctx context.Context, rejected string) (string, error)
	// Account returns who is signed in. It opens no keychain.
	Account() (Account, bool)
	Login() Login
}

// Account is who is signed in.
type Account struct {
	Name       string
	Email      string
	Subject    string
	Service    string // origin of the service that the sign-in is for
	SignedInAt time.Time
}

// shown returns the name of the account for people.
func (a Account) shown() string { return cmp.Or(a.Name, a.Email, a.Subject) }

// Config has the settings of the hosted service; each function returns the present value.
type Config struct {
	BaseURL   func() string
	Enabled   func() bool
	Offline   func() bool
	AllowFile func() bool  // secrets may be stored in a file
	Warn, Ask func() int64 // credits; 0 = never
}

// Credentials chooses what a request of the hosted service is sent with. A credential belongs to the origin of the service
// that it was stored for: it is not sent to another one, and works again when the address is changed back.
type Credentials struct {
	secrets Secrets
	signIn  SignIn
	config  Config
	changed func()

	binding gate // held while the key is stored
}

var _ client.Credentials = (*Credentials)(nil)

// NewCredentials returns the credentials of the service that config names.
func NewCredentials(secrets Secrets, signIn SignIn, config Config) *Credentials {
	return &Credentials{secrets: secrets, signIn: signIn, config: config, changed: func() {}, binding: newGate()}
}

// keyNote is what is stored with an API key and may be shown.
type keyNote struct {
	Prefix  string `json:"prefix"`
	Service string `json:"service"` // origin; empty = the first one that is configured
}

// Credential returns the API key where there is one, else an access token; auth asks for one of the two. It is for the service
// at the origin to, which must be the configured one, also when the credential has been read. rejected is what the service
// refused: a token is then refreshed. Nothing is opened where the address is wrong, offline, or where nothing is stored.
// Errors: hosted_not_configured, offline, hosted_not_signed_in, secrets_unavailable.
func (c *Credentials) Credential(ctx context.Context, to string, auth client.Auth, rejected client.Credential) (client.Credential, error) {
	if err := c.checkService(to); err != nil {
		return client.Credential{}, err
	}
	if rejected.Key != "" {
		return client.Credential{}, errKeyRejected
	}
	if auth != client.Token && c.hasKey(to) {
		key, err := c.readKey(ctx, to)
		return client.Credential{Key: key}, err
	}
	if auth == client.Key || !c.signedIn(to) {
		return client.Credential{}, c.missing(to, auth)
	}
	token, err := c.signIn.Token(ctx, rejected.Token)
	if err == nil {
		err = c.checkService(to)
	}
	if err != nil {
		return client.Credential{}, err
	}
	return client.Credential{Token: token}, nil
}

// checkService returns an error unless the configured service is at the origin to. Errors: those of service, hosted_not_signed_in.
func (c *Credentials) checkService(to string) error {
	at, err := c.service()
	if err == nil && at != to {
		err = errOtherService(at, to)
	}
	return err
}

// service returns the origin of the configured service. Errors: offline, hosted_not_configured.
func (c *Credentials) service() (string, error) {
	return origin(client.Ready(c.config.Enabled, c.config.Offline, c.config.BaseURL))
}

// origin returns the origin of the configured service, also offline. Errors: hosted_not_configured.
func (c *Credentials) origin() (string, error) {
	return origin(client.Ready(c.config.Enabled, nil, c.config.BaseURL))
}

// origin returns scheme, host and port of an address.
func origin(u *url.URL, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return client.Origin(u), nil
}

// originOf returns scheme, host and port of the address of a service. Errors: hosted_not_configured.
func originOf(base string) (string, error) { return origin(client.ParseBase(base)) }

// note returns the note of the API key, whatever service it is for.
func (c *Credentials) note() (keyNote, bool) {
	raw, ok := c.secrets.Note(keySecret)
	var n keyNote
	if !ok || json.Unmarshal([]byte(raw), &n) != nil {
		return keyNote{}, ok
	}
	return n, true
}

// hasKey reports whether an API key is stored for the service at an origin.
func (c *Credentials) hasKey(at string) bool {
	n, ok := c.note()
	return ok && (n.Service == "" || n.Service == at)
}

// signedIn reports whether the sign-in is for the service at an origin.
func (c *Credentials) signedIn(at string) bool {
	a, ok := c.signIn.Account()
	return ok && a.Service == at
}

// missing says why there is no credential for the service at an origin.
func (c *Credentials) missing(at string, auth client.Auth) error {
	n, hasKey := c.note()
	a, hasAccount := c.signIn.Account()
	switch {
	case hasAccount && a.Service != at && auth != client.Key:
		return errOtherService(a.Service, at)
	case hasKey && n.Service != at && n.Service != "" && auth != client.Token:
		return errOtherService(n.Service, at)
	case auth == client.Key:
		return errNoKey
	default:
		return errNotSignedIn
	}
}

// readKey returns the API key for the service at an origin. One that was stored before there was an address is for the first
// service that it is sent to.
func (c *Credentials) readKey(ctx context.Context, at string) (string, error) {
	if n, ok := c.note(); ok && n.Service == "" {
		if err := c.bindKey(ctx, at); err != nil {
			return "", err
		}
	}
	key, err := c.secrets.Get(ctx, keySecret)
	if err != nil {
		return "", err
	}
	if n, ok := c.note(); !ok || n.Service != at { // another key has been stored meanwhile
		return "", c.missing(at, client.Key)
	}
	return key, nil
}

// bindKey makes the API key one for the service at an origin, if it is for none yet.
func (c *Credentials) bindKey(ctx context.Context, at string) error {
	if err := c.binding.lock(ctx); err != nil {
		return err
	}
	defer c.binding.unlock()
	if n, ok := c.note(); !ok || n.Service != "" {
		return nil
	}
	key, err := c.secrets.Get(ctx, keySecret)
	if err != nil {
		return err
	}
	return c.write(ctx, key, at)
}

// SetKey stores an API key for the service that is configured; it contacts nobody. It returns the key's prefix.
// Errors: validation, secrets_unavailable.
func (c *Credentials) SetKey(ctx context.Context, given string) (prefix string, err error) {
	key, err := parseKey(given)
	if err != nil {
		return "", err
	}
	at := ""
	if base := c.config.BaseURL(); base != "" {
		if at, err = originOf(base); err != nil {
			return "", err
		}
	}
	if err := c.binding.lock(ctx); err != nil {
		return "", err
	}
	err = c.write(ctx, key, at)
	c.binding.unlock()
	if err != nil {
		return "", err
	}
	c.changed()
	return prefixOf(key), nil
}

// write stores the key with its note.
func (c *Credentials) write(ctx context.Context, key, at string) error {
	note, err := json.Marshal(keyNote{Prefix: prefixOf(key), Service: at})
	if err != nil {
		return err
	}
	return c.secrets.Set(ctx, keySecret, key, string(note))
}

// DeleteKey forgets the API key on this machine; the service still accepts it.
func (c *Credentials) DeleteKey(ctx context.Context) error {
	if err := c.binding.lock(ctx); err != nil {
		return err
	}
	err := c.secrets.Delete(ctx, keySecret)
	c.binding.unlock()
	if err != nil && backend.CodeOf(err) != backend.CodeSecretNotFound {
		return err
	}
	c.changed()
	return nil
}

// KeyPrefix returns the first characters of the API key for the configured service. It opens no keychain.
func (c *Credentials) KeyPrefix() (string, bool) {
	n, ok := c.note()
	if !ok {
		return "", false
	}
	if at, err := originOf(c.config.BaseURL()); err == nil && n.Service != "" && n.Service != at {
		return "", false
	}
	return n.Prefix, true
}

// account returns what tells the account apart whose credential is used: the origin of the service, and the prefix of the key
// or the subject of the sign-in, for one without a subject its time. It opens no keychain. Errors: hosted_not_configured,
// hosted_not_signed_in.
func (c *Credentials) account() (string, error) {
	at, err := c.origin()
	if err != nil {
		return "", err
	}
	if n, ok := c.note(); ok && c.hasKey(at) {
		return at + " key " + n.Prefix, nil
	}
	if a, ok := c.signIn.Account(); ok && a.Service == at {
		return at + " account " + cmp.Or(a.Subject, a.SignedInAt.Format(time.RFC3339)), nil
	}
	return "", c.missing(at, client.Auto)
}

// ready returns the account that a call would be charged to. It opens no keychain.
// Errors: hosted_not_configured, offline, hosted_not_signed_in.
func (c *Credentials) ready() (string, error) {
	if _, err := c.service(); err != nil {
		return "", err
	}
	return c.account()
}
