package identity

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"encoding/json"
	"slices"

	"github.com/go-jose/go-jose/v4"
)

// The limits of a key set.
const (
	maxKeys    = 100
	minRSABits = 2048
	maxRSABits = 8192 // a longer one would make each check slow
)

// key is a public key that may sign tokens.
type key struct {
	id        string // empty where the issuer gives none
	algorithm jose.SignatureAlgorithm
	public    any
}

// jwk are the members of a JSON Web Key that are read. Without the others, a certificate or a private part cannot matter.
type jwk struct {
	Type       string   `json:"kty"`
	ID         string   `json:"kid,omitempty"`
	Use        string   `json:"use,omitempty"`
	Operations []string `json:"key_ops,omitempty"`
	Algorithm  string   `json:"alg,omitempty"`
	N          string   `json:"n,omitempty"`
	E          string   `json:"e,omitempty"`
	Curve      string   `json:"crv,omitempty"`
	X          string   `json:"x,omitempty"`
	Y          string   `json:"y,omitempty"`
}

// usableKeys returns the keys of a set that may sign tokens. Issuers may publish others beside them.
func usableKeys(set []json.RawMessage) []key {
	var keys []key
	for _, raw := range set[:min(len(set), maxKeys)] {
		if k, ok := usableKey(raw); ok {
			keys = append(keys, k)
		}
	}
	return keys
}

func usableKey(raw []byte) (key, bool) {
	var read jwk
	if json.Unmarshal(raw, &read) != nil ||
		read.Use != "" && read.Use != "sig" ||
		read.Operations != nil && !slices.Contains(read.Operations, "verify") {
		return key{}, false
	}
	clean, err := json.Marshal(read)
	if err != nil {
		return key{}, false
	}
	var parsed jose.JSONWebKey
	if parsed.UnmarshalJSON(clean) != nil {
		return key{}, false
	}
	k := key{id: read.ID, public: parsed.Key}
	switch public := parsed.Key.(type) {
	case *rsa.PublicKey:
		k.algorithm = jose.RS256
		if bits := public.N.BitLen(); bits < minRSABits || bits > maxRSABits {
			return key{}, false
		}
	case *ecdsa.PublicKey:
		k.algorithm = jose.ES256
		if read.Curve != "P-256" {
			return key{}, false
		}
	default:
		return key{}, false
	}
	return k, read.Algorithm == "" || read.Algorithm == string(k.algorithm)
}

// keySet is a list of keys.
type keySet []key

// verify reports whether one of the keys that the token's header allows signed it, and whether there is one.
func (s keySet) verify(t token) (signed, known bool) {
	candidates := slices.Collect(func(yield func(key) bool) {
		for _, k := range s {
			if k.algorithm == t.algorithm && (t.keyID == "" || k.id == t.keyID) && !yield(k) {
				return
			}
		}
	})
	if t.keyID == "" && len(candidates) > 1 {
		return false, false // OIDC demands a kid where there are several
	}
	for _, k := range candidates {
		if _, err := t.signed.Verify(k.public); err == nil {
			return true, true
		}
	}
	return false, len(candidates) > 0
}
