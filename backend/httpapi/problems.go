package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

// retryAfterSeconds is the default of Retry-After.
const retryAfterSeconds = 5

// statusClientClosed is the status of a request that was cancelled or whose client disconnected.
const statusClientClosed = 499

// Problem is the body of every error but a validation error (decisions.md section 2, Errors).
type Problem struct {
	Detail       string         `json:"detail" doc:"what happened, one sentence"`
	Code         string         `json:"code" doc:"machine-readable cause"`
	Remedy       string         `json:"remedy" doc:"what to do about it, one sentence"`
	Params       map[string]any `json:"params" doc:"values for wording the error in another language"`
	GenerationID string         `json:"generation_id,omitempty" doc:"the generation that failed"`
	TranscriptID string         `json:"transcript_id,omitempty" doc:"the transcript that failed"`

	status int
	header http.Header
}

// Invalid is the body of a validation error, always with status 422.
type Invalid struct {
	Detail []backend.FieldError `json:"detail"`
}

// Error returns the sentence.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.status }

// GetHeaders returns headers such as Retry-After.
func (p *Problem) GetHeaders() http.Header { return p.header }

// Error returns the first field's sentence.
func (v *Invalid) Error() string {
	if len(v.Detail) == 0 {
		return "invalid value"
	}
	return v.Detail[0].Msg
}

// GetStatus is always 422.
func (v *Invalid) GetStatus() int { return http.StatusUnprocessableEntity }

var (
	_ huma.StatusError  = (*Problem)(nil)
	_ huma.HeadersError = (*Problem)(nil)
	_ huma.StatusError  = (*Invalid)(nil)
)

// problemStatus returns the status of an error. That of an answer of the hosted service is its own where it is 400 to 499 or 503,
// else 502.
func problemStatus(e *backend.Error) int {
	fixed := statusOf(e.Code)
	if fixed != http.StatusInternalServerError || !strings.HasPrefix(string(e.Code), "hosted_") {
		return fixed
	}
	if s, known := number(e.Params["status"]); known && (s >= 400 && s < 500 || s == http.StatusServiceUnavailable) {
		return int(s)
	}
	return http.StatusBadGateway
}

// statusOf returns the status of a code as in the table of decisions.md section 2, 500 for any other code.
func statusOf(code backend.Code) int {
	switch code {
	case backend.CodeProfileNotFound, backend.CodeGenerationNotFound, backend.CodeModelUnknown,
		backend.CodeTranscriptNotFound, backend.CodeSampleNotFound, backend.CodeDraftNotFound,
		backend.CodeWordNotFound, backend.CodeScriptNotFound, backend.CodeNotFound, backend.CodeHostedVoiceNotFound,
		backend.CodeSecretNotFound, backend.CodeSampleUnavailable, backend.CodeUpdatesNotConfigured:
		return http.StatusNotFound
	case backend.CodeNameTaken, backend.CodeModelNotDownloaded, backend.CodeDownloadInProgress,
		backend.CodeNotInProgress, backend.CodeLicenseNotAccepted, backend.CodeEngineMismatch,
		backend.CodeLanguageNotSupported, backend.CodeModelCorrupt, backend.CodeUnsupportedGPU,
		backend.CodeUnsupportedCPU, backend.CodeDataDirLocked, backend.CodeHostedNotConfigured,
		backend.CodeSecretsUnavailable, backend.CodeDraftChanged, backend.CodeNothingToUndo, backend.CodeRecordingBusy,
		backend.CodeShortcutUnavailable, backend.CodeTypingUnavailable, backend.CodeDictationOff, backend.CodeHostedConfirm,
		backend.CodeHostedSignInFailed, backend.CodeRestoreInProgress:
		return http.StatusConflict
	case backend.CodeNothingToSpeak, backend.CodeSampleRejected:
		return http.StatusUnprocessableEntity
	case backend.CodeInsufficientDisk, backend.CodeOutOfMemory, backend.CodeNotPermitted, backend.CodeDiskFailed:
		return http.StatusInsufficientStorage
	case backend.CodeDownloadFailed, backend.CodeChecksumMismatch, backend.CodeHostedUnreachable,
		backend.CodeHostedAnswerLost, backend.CodeHostedBadAnswer, backend.CodeUpdatesUnreachable, backend.CodeUpdatesBadAnswer:
		return http.StatusBadGateway
	case backend.CodeHubRateLimited, backend.CodeRuntimeMissing, backend.CodeOffline,
		backend.CodeQueueFull, backend.CodeNoAudioDevice, backend.CodeInterrupted:
		return http.StatusServiceUnavailable
	default:
		return accessStatusOf(code)
	}
}

// accessStatusOf is the part of the table about access and requests.
func accessStatusOf(code backend.Code) int {
	switch code {
	case backend.CodeHostedModelUnknown:
		return http.StatusBadRequest
	case backend.CodeHubGated, backend.CodeOriginNotAllowed:
		return http.StatusForbidden
	case backend.CodeCancelled:
		return statusClientClosed
	case backend.CodeUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case backend.CodeAudioMissing, backend.CodeHostedLinkExpired:
		return http.StatusGone
	case backend.CodeUnauthorized, backend.CodeHostedNotSignedIn:
		return http.StatusUnauthorized
	case backend.CodeWrongHost:
		return http.StatusMisdirectedRequest
	case backend.CodeRange:
		return http.StatusRequestedRangeNotSatisfiable
	case backend.CodeBodyTooLarge:
		return http.StatusRequestEntityTooLarge
	case backend.CodeBodyIncomplete:
		return http.StatusRequestTimeout
	case backend.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	default:
		return http.StatusInternalServerError
	}
}

// responder answers requests outside huma: with errors and with files.
type responder struct {
	log   *slog.Logger
	newID func() string
}

// problem returns the response for err. An unknown error or a panic is logged with the request id, method and route pattern,
// unless it was logged already; of an unknown error only that id is shown.
func (p *responder) problem(ctx context.Context, method, pattern string, err error) huma.StatusError {
	var known huma.StatusError
	if errors.As(err, &known) {
		return known
	}
	var coded *backend.Error
	var invalid *backend.ValidationError
	if !errors.As(err, &coded) && errors.As(err, &invalid) { // with a code it is only the cause
		return newInvalid(invalid.Fields)
	}
	if backend.RequestID(ctx) == "" {
		ctx = backend.WithRequestID(ctx, p.newID())
	}
	e := backend.LogFailure(ctx, p.log, err, "a request", "method", method, "route", pattern)
	return newProblem(e)
}

// newProblem returns the response for e, with the status and headers of its code.
func newProblem(e *backend.Error) *Problem {
	p := &Problem{
		Detail: cutText(e.Detail), Code: string(e.Code), Remedy: cutText(e.Remedy),
		Params: make(map[string]any, len(e.Params)), status: problemStatus(e), header: http.Header{},
	}
	for k, v := range e.Params {
		p.Params[k] = cutParam(v)
	}
	for name, to := range map[string]*string{"generation_id": &p.GenerationID, "transcript_id": &p.TranscriptID} {
		if id, ok := p.Params[name].(string); ok {
			*to = id
			delete(p.Params, name)
		}
	}
	switch e.Code {
	case backend.CodeQueueFull, backend.CodeHubRateLimited:
		p.header.Set("Retry-After", strconv.Itoa(seconds(e.Params["retry_after"])))
	case backend.CodeUnauthorized:
		p.header.Set("WWW-Authenticate", "Bearer")
	default:
		if n, known := number(e.Params["retry_after"]); known {
			p.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(n))))
		}
	}
	return p
}

// seconds returns a number of seconds, rounded up.
func seconds(v any) int {
	if n, known := number(v); known {
		return int(math.Ceil(n))
	}
	return retryAfterSeconds
}

// number returns a number of a parameter, which may have been stored as JSON.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	default:
		return 0, false
	}
}

// fail responds with an error to a request that is not handled by huma.
func (p *responder) fail(w http.ResponseWriter, r *http.Request, err error) {
	se := inShape(r.URL.Path, p.problem(r.Context(), r.Method, r.Pattern, err))
	if p, ok := se.(huma.HeadersError); ok {
		for k, values := range p.GetHeaders() {
			w.Header()[k] = values
		}
	}
	writeJSON(w, se.GetStatus(), se)
}

// writeJSON responds with v. A failed write means that the client has disconnected.
func writeJSON(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len())) // so that a response is complete before its handler returns
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}
