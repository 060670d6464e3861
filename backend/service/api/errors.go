package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// errorView is the body of every error.
type errorView struct {
	Error string       `json:"error" doc:"what happened and what to do"`
	Code  service.Code `json:"code,omitempty" enum:"TEXT_TOO_LONG,PAID_ACCESS_REQUIRED,DUPLICATE_REQUEST,SERVER_BUSY,PROVIDER_BUSY,INSUFFICIENT_CREDITS,RATE_LIMITED,KEY_LIMIT_REACHED" doc:"absent where the contract names none"`
}

var (
	errNotFound = &service.Error{
		Status: http.StatusNotFound, Sentence: "There is nothing at this address. See /openapi.json for the paths of this service.",
	}
	errTooLarge = &service.Error{
		Status:   http.StatusRequestEntityTooLarge,
		Sentence: fmt.Sprintf("The body is larger than %d KiB. Split the text into several requests.", maxBody>>10),
	}
	errSlowBody = &service.Error{
		Status: http.StatusRequestTimeout, Sentence: "The body of the request did not arrive in time. Send it again.",
	}
	errStoreBusy = &service.Error{
		Status: http.StatusServiceUnavailable, RetryAfter: service.StoreRetryAfter,
		Sentence: "The service's database is busy. Try again in a few seconds.",
	}
	errFilesDown = &service.Error{
		Status: http.StatusServiceUnavailable, RetryAfter: service.StoreRetryAfter,
		Sentence: "The service's store of audio can't be reached. Try again in a few seconds.",
	}
	errPanic = errors.New("panic")
)

// statusClosed is logged where the client has gone before the answer; nobody reads it.
const statusClosed = 499

// errBadRequest returns status 400 without a code.
func errBadRequest(format string, args ...any) *service.Error {
	return &service.Error{Status: http.StatusBadRequest, Sentence: fmt.Sprintf(format, args...)}
}

// fail answers with an error. Nothing else in this package decides about the status and the body of one.
func (a *API) fail(w *response, r *http.Request, err error) {
	w.err = err
	if w.status != 0 { // the answer has begun; its client must see that it is cut short
		panic(http.ErrAbortHandler)
	}
	answer := answerOf(w.id, r, err)
	if answer.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if answer.RetryAfter > 0 {
		seconds := (answer.RetryAfter + time.Second - 1) / time.Second
		w.Header().Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
	}
	if hasBody(r) && !w.bodyRead {
		w.Header().Set("Connection", "close") // or the server would read the body before it sends the answer
		setReadDeadline(w, refusedBody)
	}
	respond(w, answer.Status, errorView{Error: answer.Sentence, Code: answer.Code})
}

// answerOf returns the answer to an error in the request with this id.
func answerOf(id string, r *http.Request, err error) *service.Error {
	var answer *service.Error
	switch {
	case errors.As(err, &answer):
		return answer
	case errors.Is(err, service.ErrStoreBusy):
		return errStoreBusy
	case errors.Is(err, service.ErrFilesDown):
		return errFilesDown
	case r.Context().Err() != nil: // whatever it made fail
		return &service.Error{Status: statusClosed, Sentence: "The client closed the connection."}
	default:
		return &service.Error{
			Status:   http.StatusInternalServerError,
			Sentence: "Something went wrong in the service. Try again; if it fails again, report the request " + id + " to its operator.",
		}
	}
}

// causeOf returns what the log says about an error; there is none where the standard library answered.
func causeOf(err error) string {
	var e *service.Error
	switch {
	case err == nil:
		return "unknown"
	case errors.As(err, &e) && e.Cause != nil:
		return e.Cause.Error()
	default:
		return err.Error()
	}
}

// respond sends v as JSON.
func respond(w *response, status int, v any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // only views are encoded
	}
	respondBytes(w, status, body.Bytes())
}

// respondBytes sends JSON.
func respondBytes(w *response, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone reads nothing
}
