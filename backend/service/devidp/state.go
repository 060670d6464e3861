package devidp

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/voicewright/voicewright/backend/files"
)

const signingAlgorithm = jose.RS256

// session is one sign-in. All its tokens end with it.
type session struct {
	Subject  string    `json:"subject"`
	Scopes   []string  `json:"scopes"`
	AuthTime time.Time `json:"auth_time"`
	Expires  time.Time `json:"expires"`
	Refresh  []byte    `json:"refresh,omitempty"` // SHA-256 of the refresh token; empty without one
}

// state is what a restart must keep.
type state struct {
	Key      []byte              `json:"key"` // PKCS #8
	Sessions map[string]*session `json:"sessions"`

	file string // empty: in memory only
	key  signingKey
}

// openState reads the file, or makes a new state where there is none.
func openState(file string) (*state, error) {
	s := &state{Sessions: map[string]*session{}, file: file}
	if file != "" {
		content, err := os.ReadFile(file)
		if err == nil {
			return s, s.parse(content)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	if s.Key, err = x509.MarshalPKCS8PrivateKey(key); err != nil {
		return nil, err
	}
	if err := s.parse(nil); err != nil {
		return nil, err
	}
	return s, s.save()
}

var errState = errors.New("it is not a file of this sign-in; delete it to start anew")

func (s *state) parse(content []byte) error {
	if content != nil && json.Unmarshal(content, s) != nil {
		return errState
	}
	if s.Sessions == nil {
		s.Sessions = map[string]*session{}
	}
	for _, one := range s.Sessions {
		if one == nil {
			return errState
		}
	}
	parsed, err := x509.ParsePKCS8PrivateKey(s.Key)
	if err != nil {
		return errState
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return errState
	}
	public := jose.JSONWebKey{Key: &key.PublicKey}
	digest, err := public.Thumbprint(crypto.SHA256)
	if err != nil {
		return err
	}
	s.key = signingKey{id: base64.RawURLEncoding.EncodeToString(digest), private: key}
	return nil
}

func (s *state) save() error {
	if s.file == "" {
		return nil
	}
	content, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return files.Write(s.file, content, 0o600)
}

// signingKey is the key of the issuer as the library wants it, to sign.
type signingKey struct {
	id      string
	private *rsa.PrivateKey
}

func (k signingKey) ID() string                                  { return k.id }
func (k signingKey) Key() any                                    { return k.private }
func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return signingAlgorithm }

// publicKey is the key to verify with.
type publicKey struct{ signingKey }

func (k publicKey) Key() any                           { return &k.private.PublicKey }
func (k publicKey) Algorithm() jose.SignatureAlgorithm { return signingAlgorithm }
func (k publicKey) Use() string                        { return "sig" }
