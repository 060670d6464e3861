package identity_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// FuzzVerify: whatever comes, only what the issuer signed is accepted, and a refusal quotes nothing.
func FuzzVerify(f *testing.F) {
	issuer := identitytest.New(f)
	v := open(f, issuer)
	good := issuer.Token("ann")
	part := strings.Split(good, ".")
	f.Add(good)
	f.Add("..")
	f.Add("eyJhbGciOiJub25lIn0." + part[1] + ".")
	f.Add(part[0] + ".e30." + part[2])
	f.Add(issuer.SignPayload([]byte(`{"aud":[]}`), map[string]any{"crit": []string{"x"}}))
	f.Fuzz(func(t *testing.T, token string) {
		id, err := v.Verify(t.Context(), token)
		if err == nil {
			if got := strings.Split(token, "."); got[1] != part[1] || id.Subject != "ann" {
				t.Errorf("accepted %q", token)
			}
			return
		}
		var e *service.Error
		if !errors.As(err, &e) || e.Status != http.StatusUnauthorized || e.Sentence == "" {
			t.Errorf("refused %q with %v", token, err)
		}
		if len(token) > 20 && strings.Contains(e.Sentence+e.Cause.Error(), token) {
			t.Errorf("the refusal of %q quotes it", token)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	for _, algorithm := range []string{"RS256", "ES256"} {
		b.Run(algorithm, func(b *testing.B) {
			issuer := identitytest.New(b)
			if algorithm == "ES256" {
				issuer.Rotate()
			}
			v := open(b, issuer)
			token := issuer.Token("ann")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := v.Verify(b.Context(), token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
