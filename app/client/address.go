package client

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"net/http"
)

// Address is how other processes reach the server that holds the data directory.
type Address struct {
	URL         string `json:"url"`
	Token       string `json:"token"`
	Certificate string `json:"certificate,omitempty"` // SHA-256 of the server's certificate, when it uses TLS
}

// Client returns a client of this server. It trusts this certificate only, whoever signed it and for whatever name.
func (a Address) Client() *Client {
	transport := &http.Transport{} // no proxy: the server is on this machine
	if a.Certificate != "" {
		transport.TLSClientConfig = &tls.Config{
			MinVersion:         tls.VersionTLS12,
			InsecureSkipVerify: true, // VerifyConnection is stricter
			VerifyConnection: func(s tls.ConnectionState) error {
				if len(s.PeerCertificates) == 0 || Fingerprint(s.PeerCertificates[0].Raw) != a.Certificate {
					return errors.New("another server responds at " + a.URL)
				}
				return nil
			},
		}
	}
	return newClient(a.URL, a.Token, transport)
}

// Fingerprint returns the SHA-256 of a certificate in hex.
func Fingerprint(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return hex.EncodeToString(sum[:])
}
