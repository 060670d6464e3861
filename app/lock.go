package app

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/voicewright/voicewright/backend"
)

// dirLock is this process's ownership of a data directory.
type dirLock struct {
	flock *flock.Flock
	dir   string
}

// lockDir makes the directory and takes it. Errors: data_dir_locked when another process has it, not_permitted.
func lockDir(dir string) (*dirLock, error) {
	if err := makeDataDir(dir); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, backend.FileError("lock the data directory", "the data directory "+dir, err)
	}
	if !ok {
		return nil, backend.E(backend.CodeDataDirLocked, "Another Voicewright works on "+dir+".",
			"Use that one, close it, or choose another folder with --data.").With("data", dir)
	}
	return &dirLock{lock, dir}, nil
}

func (l *dirLock) release() error {
	if l == nil {
		return nil
	}
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("unlock the data directory: %w", err)
	}
	return nil
}

// address is how other processes reach the server that holds the data directory.
type address struct {
	URL         string `json:"url"`
	Token       string `json:"token"`
	Certificate string `json:"certificate,omitempty"` // SHA-256 of the server's own one, where it speaks TLS
}

// client makes a client that trusts this server's certificate only, whoever signed it and for whatever name.
func (a address) client() *client {
	transport := &http.Transport{} // no proxy: the server is on this machine
	if a.Certificate != "" {
		transport.TLSClientConfig = &tls.Config{
			MinVersion:         tls.VersionTLS12,
			InsecureSkipVerify: true, // VerifyConnection asks for more
			VerifyConnection: func(s tls.ConnectionState) error {
				if len(s.PeerCertificates) == 0 || fingerprint(s.PeerCertificates[0].Raw) != a.Certificate {
					return errors.New("another server answers at " + a.URL)
				}
				return nil
			},
		}
	}
	return newClient(a.URL, a.Token, transport)
}

func fingerprint(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return hex.EncodeToString(sum[:])
}

func addressFile(dir string) string { return filepath.Join(dir, "server.json") }

// announce writes the address for other processes of the same user.
func announce(dir string, a address) error {
	raw, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode the address: %w", err)
	}
	if err := writePrivate(addressFile(dir), raw); err != nil {
		return backend.FileError("write the address", "the data directory", err)
	}
	return nil
}

// lockPatience is how long a command waits for another command to leave the data directory.
const lockPatience = 3 * time.Second

// healthPatience is how long a server may take to say that it is there: one that works hard on a small machine is slow.
const healthPatience = 5 * time.Second

// serverOf gives the address of the server that holds the directory; ok is false while there is none.
func serverOf(ctx context.Context, dir string) (address, bool) {
	var a address
	raw, err := os.ReadFile(addressFile(dir))
	if err != nil || json.Unmarshal(raw, &a) != nil {
		return a, false
	}
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	return a, a.client().call(ctx, "GET", "/health", nil, nil) == nil
}
