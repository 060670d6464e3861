package client_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// certificate returns a certificate of its own issuer for 127.0.0.1, or for name.
func certificate(t *testing.T, from, until time.Time, name string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: from, NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if name != "" {
		c.IPAddresses, c.DNSNames = nil, []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestCertificates: a wrong certificate is explained, and nothing is sent.
func TestCertificates(t *testing.T) {
	t.Parallel()
	now, day := time.Now(), 24*time.Hour
	for name, c := range map[string]struct {
		certificate tls.Certificate
		unknown     bool
		plain       bool
		detail      string
		remedy      string
	}{
		"good":          {certificate: certificate(t, now.Add(-day), now.Add(day), "")},
		"expired":       {certificate: certificate(t, now.Add(-2*day), now.Add(-day), ""), detail: "has expired", remedy: "clock of this computer"},
		"not yet valid": {certificate: certificate(t, now.Add(day), now.Add(2*day), ""), detail: "is not valid yet", remedy: "clock of this computer"},
		"another name":  {certificate: certificate(t, now.Add(-day), now.Add(day), "other.example"), detail: "is for another name", remedy: "address"},
		"untrusted":     {certificate: certificate(t, now.Add(-day), now.Add(day), ""), unknown: true, detail: "is not trusted", remedy: "address"},
		"no TLS at all": {plain: true, detail: "doesn't answer with https", remedy: "address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := hostedtest.Options{TLS: &tls.Config{Certificates: []tls.Certificate{c.certificate}}}
			if c.plain {
				o.TLS = nil
			}
			roots := x509.NewCertPool()
			if !c.plain && !c.unknown {
				leaf, err := x509.ParseCertificate(c.certificate.Certificate[0])
				require.NoError(t, err)
				roots.AddCert(leaf)
			}
			s := start(t, o, func(o *client.Options) {
				o.Transport = func(t *http.Transport) { t.TLSClientConfig = &tls.Config{RootCAs: roots} }
			})
			s.base = strings.Replace(s.service.URL, "http://", "https://", 1)
			_, err := s.client.Synthesize(t.Context(), request())
			if c.detail == "" {
				require.NoError(t, err)
				return
			}
			var failed *client.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, client.NotSent, failed.Outcome)
			worded := client.AsError(err)
			require.Equal(t, backend.CodeHostedUnreachable, worded.Code)
			require.Contains(t, worded.Detail, c.detail)
			require.Contains(t, worded.Remedy, c.remedy)
			require.Empty(t, s.service.Requests("/"))
			require.Empty(t, s.waits, "trying again would not help")
		})
	}
}
