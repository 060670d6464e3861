package backend

import (
	"context"
	"errors"
	"fmt"
)

// Code names the cause of an error for programs; the local API sends it as `code`
// (decisions.md section 2, Errors).
type Code string

// The codes of decisions.md section 2. Package httpapi has their HTTP status.
const (
	CodeProfileNotFound      Code = "profile_not_found"
	CodeGenerationNotFound   Code = "generation_not_found"
	CodeModelUnknown         Code = "model_unknown"
	CodeNotFound             Code = "not_found"
	CodeNameTaken            Code = "name_taken"
	CodeModelNotDownloaded   Code = "model_not_downloaded"
	CodeNotInProgress        Code = "not_in_progress"
	CodeEngineMismatch       Code = "engine_mismatch"
	CodeLanguageNotSupported Code = "language_not_supported"
	CodeNothingToSpeak       Code = "nothing_to_speak"
	CodeInsufficientDisk     Code = "insufficient_disk"
	CodeChecksumMismatch     Code = "checksum_mismatch"
	CodeOutOfMemory          Code = "out_of_memory"
	CodeModelCorrupt         Code = "model_corrupt"
	CodeEngineFailed         Code = "engine_failed"
	CodeRuntimeMissing       Code = "runtime_missing"
	CodeHostedNotConfigured  Code = "hosted_not_configured"
	CodeQueueFull            Code = "queue_full"
	CodeCancelled            Code = "cancelled"
	CodeUnsupportedMedia     Code = "unsupported_media"
	CodeAudioMissing         Code = "audio_missing"
	CodeDataDirLocked        Code = "data_dir_locked"
	CodeDatabaseCorrupt      Code = "database_corrupt"
	CodeDatabaseNewer        Code = "database_newer"
	CodeNotPermitted         Code = "not_permitted"
	CodeDiskFailed           Code = "disk_failed"
	CodeInterrupted          Code = "interrupted"
	CodeUnauthorized         Code = "unauthorized"
	CodeWrongHost            Code = "wrong_host"
	CodeOriginNotAllowed     Code = "origin_not_allowed"
	CodeRange                Code = "range_not_satisfiable"
	CodeBodyTooLarge         Code = "body_too_large"
	CodeBodyIncomplete       Code = "body_incomplete"
	CodeMethodNotAllowed     Code = "method_not_allowed"
	CodeAddressInUse         Code = "address_in_use"
	CodeDownloadInProgress   Code = "download_in_progress"
	CodeLicenseNotAccepted   Code = "license_not_accepted"
	CodeDownloadFailed       Code = "download_failed"
	CodeHubRateLimited       Code = "hub_rate_limited"
	CodeHubGated             Code = "hub_gated"
	CodeUnsupportedGPU       Code = "unsupported_gpu"
	CodeUnsupportedCPU       Code = "unsupported_cpu"
	CodeOffline              Code = "offline"
	CodeSampleRejected       Code = "sample_rejected"
	CodeNoAudioDevice        Code = "no_audio_device"
	CodeRecordingBusy        Code = "recording_busy"
	CodeTranscriptNotFound   Code = "transcript_not_found"
	CodeNothingToUndo        Code = "nothing_to_undo"
	CodeSampleNotFound       Code = "sample_not_found"
	CodeSampleUnavailable    Code = "sample_unavailable"
	CodeDraftNotFound        Code = "draft_not_found"
	CodeDraftChanged         Code = "draft_changed"
	CodeWordNotFound         Code = "pronunciation_not_found"
	CodeScriptNotFound       Code = "script_not_found"
	CodeSecretsUnavailable   Code = "secrets_unavailable"
	CodeHostedNotSignedIn    Code = "hosted_not_signed_in"
	CodeHostedSignInFailed   Code = "hosted_sign_in_failed"
	CodeHostedUnreachable    Code = "hosted_unreachable"
	CodeHostedAnswerLost     Code = "hosted_answer_lost"
	CodeHostedLinkExpired    Code = "hosted_link_expired"
	CodeHostedConfirm        Code = "hosted_confirm"
	CodeHostedVoiceNotFound  Code = "hosted_voice_not_found"
	CodeHostedModelUnknown   Code = "hosted_model_unknown"
	CodeHostedBadAnswer      Code = "hosted_bad_answer"
	CodeSecretNotFound       Code = "secret_not_found"
	CodeDictationOff         Code = "dictation_off"
	CodeShortcutUnavailable  Code = "shortcut_unavailable"
	CodeTypingUnavailable    Code = "typing_unavailable"
	CodeRestoreInProgress    Code = "restore_in_progress"
	CodeUpdatesNotConfigured Code = "updates_not_configured"
	CodeUpdatesUnreachable   Code = "updates_unreachable"
	CodeUpdatesBadAnswer     Code = "updates_bad_answer"
	CodeInternal             Code = "internal"
)

// Error is an error for people: what happened, and what to do about it.
type Error struct {
	Code   Code
	Detail string         // one sentence: what happened
	Remedy string         // one sentence: what to do; may be empty
	Params map[string]any // values for the wording of the UI; may be nil
	Err    error          // the cause, for logs only; never shown
}

// E returns an Error with a code, a sentence and a remedy.
func E(code Code, detail, remedy string) *Error {
	return &Error{Code: code, Detail: detail, Remedy: remedy}
}

// WithCause returns a copy of e with the cause for the log.
func (e *Error) WithCause(cause error) *Error {
	c := *e
	c.Err = cause
	return &c
}

// With returns a copy of e with one more parameter.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Params = make(map[string]any, len(e.Params)+1)
	for k, v := range e.Params {
		c.Params[k] = v
	}
	c.Params[key] = value
	return &c
}

// Error returns code, sentence and cause, for logs.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Detail, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Detail)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is compare by code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// ErrCancelled is what long work returns soon after its context ends.
var ErrCancelled = E(CodeCancelled, "The work was cancelled.", "Start it again if you want.")

// AsError returns the *Error in err's chain. A bare context error becomes ErrCancelled, one of a full disk insufficient_disk, one of a disk
// that fails disk_failed, one of a file that another program has open on Windows not_permitted, any other error an `internal` one that
// shows no details. nil stays nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return ErrCancelled.WithCause(err)
	}
	if DiskFull(err) {
		return E(CodeInsufficientDisk, "A disk that Voicewright writes to is full.", "Free some space and try again.").WithCause(err)
	}
	if DiskFailed(err) {
		return E(CodeDiskFailed, "A disk that Voicewright uses reports an error.", checkDisk).WithCause(err)
	}
	if InUse(err) {
		return errInUse("a file that is needed", err)
	}
	return E(CodeInternal, "Something went wrong inside Voicewright.",
		"Try again. If it happens again, check the log from this time.").WithCause(err)
}

// CodeOf returns the code of err, CodeInternal for an error without one, "" for nil.
func CodeOf(err error) Code {
	if e := AsError(err); e != nil {
		return e.Code
	}
	return ""
}

// FieldError is one entry of a validation answer, in the shape and with the type names of Pydantic v2.
type FieldError struct {
	Loc  []string `json:"loc"`
	Msg  string   `json:"msg"`
	Type string   `json:"type"`

	Ctx map[string]any `json:"ctx,omitempty"` // more about the error, as in Pydantic v2
}

// ValidationError lists the invalid values of a request; the local API returns it with status 422.
type ValidationError struct{ Fields []FieldError }

// Invalid returns a ValidationError for one field.
func Invalid(typ, msg string, loc ...string) *ValidationError {
	return &ValidationError{Fields: []FieldError{{Loc: loc, Msg: msg, Type: typ}}}
}

// Error returns the first field's sentence.
func (e *ValidationError) Error() string {
	if len(e.Fields) == 0 {
		return "invalid value"
	}
	f := e.Fields[0]
	return fmt.Sprintf("%v: %s", f.Loc, f.Msg)
}
