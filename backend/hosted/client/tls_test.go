package client_test

import (
	"net/http"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func trusting(s *hostedtest.Service) func(*http.Transport) {
	return func(t *http.Transport) { t.TLSClientConfig = s.ClientTLS() }
}
