package hostedtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// Cut is when a connection breaks.
type Cut int

const (
	// CutNever leaves the connection alone.
	CutNever Cut = iota
	// CutBefore breaks it after the request has arrived and before anything is answered.
	CutBefore
	// CutHeaders breaks it after the status and the headers.
	CutHeaders
	// CutHalf breaks it in the middle of the body.
	CutHalf
	// CutAfter breaks it after the complete answer.
	CutAfter
)

// Fault is how one request fails. Without Status, Body and Redirect the request is served, so a call of speech is charged; then
// the other fields change how its answer arrives.
type Fault struct {
	Before     func()        // called first, for a test that waits or changes something
	Status     int           // answer with this and nothing is done; with Charge, after the call was served and charged
	Code       string        // of the answer with Status
	RetryAfter string        // header, in seconds or as a date
	Header     http.Header   // further headers
	Body       string        // the answer's body instead of JSON; with Status 0 it has 200
	Type       string        // Content-Type of Body; "" is application/json
	Redirect   string        // answer 307 to this address
	Charge     bool          // serve and charge the call, whatever is answered
	Hang       bool          // answer nothing until the client leaves or the test ends
	Slow       time.Duration // pause before each 1 KiB of the answer
	Cut        Cut
	Length     int // announce this many bytes more (less, if negative) than are sent
}

// HTML is a page that a gateway answers in the place of the service.
func HTML(status int) Fault {
	return Fault{
		Status: status, Type: "text/html; charset=utf-8", Body: "<html><body><h1>" + strconv.Itoa(status) + " Bad Gateway</h1></body></html>",
	}
}

// Fault makes the next requests whose path begins with prefix fail, one with each fault; requests after them are served.
func (s *Service) Fault(prefix string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[prefix] = append(s.faults[prefix], faults...)
}

// Heal makes no further request fail.
func (s *Service) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.faults)
}

// Unused returns how many faults no request has met.
func (s *Service) Unused() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, f := range s.faults {
		n += len(f)
	}
	return n
}

// nextFault takes the fault for a path: that of the longest prefix. The caller holds mu.
func (s *Service) nextFault(path string) (Fault, bool) {
	longest := ""
	for prefix, f := range s.faults {
		if len(f) > 0 && strings.HasPrefix(path, prefix) && len(prefix) >= len(longest) {
			longest = prefix
		}
	}
	queue := s.faults[longest]
	if longest == "" || len(queue) == 0 {
		return Fault{}, false
	}
	s.faults[longest] = queue[1:]
	return queue[0], true
}

// fail serves a request with a fault.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, f Fault) {
	if f.Before != nil {
		f.Before()
	}
	replaced := f.Status != 0 || f.Body != "" || f.Redirect != ""
	served := httptest.NewRecorder()
	if !replaced || f.Charge {
		s.mux.ServeHTTP(served, r)
	}
	if replaced {
		served = f.answer()
	}
	if f.RetryAfter != "" {
		served.Header().Set("Retry-After", f.RetryAfter)
	}
	for name, values := range f.Header {
		served.Header()[name] = values
	}
	if f.Hang {
		select {
		case <-r.Context().Done():
		case <-s.done:
		}
		panic(http.ErrAbortHandler)
	}
	deliver(w, r, served, f)
}

// answer returns the answer that replaces that of the service.
func (f Fault) answer() *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	switch {
	case f.Redirect != "":
		rec.Header().Set("Location", f.Redirect)
		rec.WriteHeader(http.StatusTemporaryRedirect)
	case f.Body != "":
		rec.Header().Set("Content-Type", f.Type)
		if f.Type == "" {
			rec.Header().Set("Content-Type", "application/json")
		}
		rec.WriteHeader(max(f.Status, http.StatusOK))
		_, _ = rec.WriteString(f.Body)
	default:
		refuse(rec, f.Status, f.Code, fmt.Sprintf("The test wants status %d.", f.Status))
	}
	return rec
}

// deliver sends an answer as far as the fault lets it.
func deliver(w http.ResponseWriter, r *http.Request, served *httptest.ResponseRecorder, f Fault) {
	if f.Cut == CutBefore {
		panic(http.ErrAbortHandler)
	}
	body := served.Body.Bytes()
	for name, values := range served.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(max(0, len(body)+f.Length)))
	w.WriteHeader(served.Code)
	flush := http.NewResponseController(w).Flush
	switch f.Cut {
	case CutHeaders:
		body = nil
	case CutHalf:
		body = body[:len(body)/2]
	default:
	}
	if f.Slow == 0 {
		_, _ = w.Write(body)
	}
	for f.Slow > 0 && len(body) > 0 {
		n := min(len(body), 1<<10)
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-time.After(f.Slow):
		}
		_, _ = w.Write(body[:n])
		_ = flush()
		body = body[n:]
	}
	if f.Cut != CutNever || f.Length > 0 {
		_ = flush()
		panic(http.ErrAbortHandler)
	}
}
