package hostedtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
)

// kept is the answer of a call with an idempotency key.
type kept struct {
	request string
	answer  []byte
}

// once serves a call of speech, or answers a repeat of one by its idempotency key where the service keeps these.
func (s *Service) once(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		if !s.o.Keeps || key == "" {
			next(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		request := r.URL.Path + " " + string(body)
		if earlier, ok := s.account.kept[key]; ok {
			s.repeat(w, earlier, request)
			return
		}
		served := httptest.NewRecorder()
		next(served, r)
		if served.Code == http.StatusOK {
			s.account.kept[key] = kept{request, served.Body.Bytes()}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(served.Code)
		_, _ = w.Write(served.Body.Bytes())
	}
}

// repeat answers a call whose key an earlier one has.
func (s *Service) repeat(w http.ResponseWriter, earlier kept, request string) {
	var result struct {
		URL string `json:"url"`
	}
	switch err := json.Unmarshal(earlier.answer, &result); {
	case err != nil:
		panic(err) // it is our own
	case earlier.request != request:
		refuse(w, http.StatusBadRequest, "", "Another request was sent with this Idempotency-Key.")
	case s.account.files[path.Base(result.URL)].expired:
		refuse(w, http.StatusGone, "", "The audio of the call with this Idempotency-Key was deleted.")
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(earlier.answer)
	}
}
