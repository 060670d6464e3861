package secrets

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/crypto/argon2"
)

const (
	envelopeVersion = 1
	saltBytes       = 16
	keyBytes        = 32

	fromPassphrase = "passphrase"
	fromFile       = "file"
)

// Argon2id with the parameters that OWASP's Password Storage Cheat Sheet lists first: 19 MiB, 2 passes, 1 thread.
const (
	argonTime   = 2
	argonMemory = 19 << 10 // KiB
)

// envelope is the encrypted file: JSON whose data are encrypted by AES-256-GCM, which authenticates the other fields too.
type envelope struct {
	header
	Nonce []byte `json:"nonce"`
	Data  []byte `json:"data"`
}

type header struct {
	Version int    `json:"version"`
	Key     string `json:"key"` // passphrase or file
	Salt    []byte `json:"salt"`
	Check   []byte `json:"check"` // derived beside the key, so that a wrong passphrase is told from a damaged file
}

// keys are what a passphrase or a key file yields with a salt.
type keys struct {
	from        string
	salt        []byte
	data, check []byte
}

func passphraseKeys(passphrase string, salt []byte) *keys {
	return deriveKeys(fromPassphrase, argon2.IDKey([]byte(passphrase), salt, argonTime, argonMemory, 1, keyBytes), salt)
}

func fileKeys(secret, salt []byte) *keys { return deriveKeys(fromFile, secret, salt) }

func deriveKeys(from string, secret, salt []byte) *keys {
	out, err := hkdf.Key(sha256.New, secret, salt, "voicewright-secrets "+from, 2*keyBytes)
	if err != nil { // only for lengths that hkdf cannot make
		panic(err)
	}
	return &keys{from: from, salt: salt, data: out[:keyBytes], check: out[keyBytes:]}
}

// fit reports whether k are the keys of an envelope.
func (k *keys) fit(e envelope) bool {
	return k != nil && k.from == e.Key && bytes.Equal(k.salt, e.Salt) && subtle.ConstantTimeCompare(k.check, e.Check) == 1
}

// parseEnvelope reads an encrypted file and checks its form.
func parseEnvelope(raw []byte) (envelope, error) {
	var e envelope
	err := json.Unmarshal(raw, &e)
	if e.Version > envelopeVersion {
		return e, errVersion
	}
	if err != nil {
		return e, err
	}
	switch {
	case e.Version != envelopeVersion:
		return e, fmt.Errorf("version %d", e.Version)
	case e.Key != fromPassphrase && e.Key != fromFile:
		return e, fmt.Errorf("key from %q", e.Key)
	case len(e.Salt) != saltBytes || len(e.Check) != keyBytes:
		return e, errors.New("salt or check of a wrong length")
	}
	return e, nil
}

// open returns the items of an envelope.
func (e envelope) open(k *keys) (map[string][]byte, error) {
	aead, extra, err := e.cipher(k)
	if err != nil {
		return nil, err
	}
	if len(e.Nonce) != aead.NonceSize() {
		return nil, errors.New("nonce of a wrong length")
	}
	plain, err := aead.Open(nil, e.Nonce, e.Data, extra)
	if err != nil {
		return nil, err
	}
	items := map[string][]byte{}
	if err := json.Unmarshal(plain, &items); err != nil || items == nil {
		return nil, errors.New("the content is no list of items") // the cause might quote the content
	}
	return items, nil
}

// seal returns the encrypted file of some items.
func seal(k *keys, items map[string][]byte) ([]byte, error) {
	plain, err := json.Marshal(items)
	if err != nil {
		return nil, fmt.Errorf("encode the secrets: %w", err)
	}
	e := envelope{header: header{Version: envelopeVersion, Key: k.from, Salt: k.salt, Check: k.check}}
	aead, extra, err := e.cipher(k)
	if err != nil {
		return nil, err
	}
	e.Nonce = random(aead.NonceSize())
	e.Data = aead.Seal(nil, e.Nonce, plain, extra)
	return json.Marshal(e)
}

// cipher returns the cipher of an envelope and what it authenticates beside the data.
func (e envelope) cipher(k *keys) (aead cipher.AEAD, extra []byte, err error) {
	if extra, err = json.Marshal(e.header); err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(k.data)
	if err != nil {
		return nil, nil, err
	}
	aead, err = cipher.NewGCM(block)
	return aead, extra, err
}
