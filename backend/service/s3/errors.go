package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/minio/minio-go/v7"

	"github.com/voicewright/voicewright/backend/service"
)

var (
	errInvalidName = fmt.Errorf("invalid file name: %w", service.ErrNotFound)
	errSlow        = errors.New("no answer in time")
	errReplaced    = errors.New("the file was replaced while it was read")
	errDamaged     = errors.New("the store has other bytes than were sent to it")
	errNoStore     = errors.New("the server takes a file without saying what it stored, so it is no object store")
)

// within calls f until it succeeds or fails for good, with a context that ends after d, too; a call that this ends returns errSlow.
func within[T any](ctx context.Context, d time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, d, errSlow)
	defer cancel()
	result, err := repeat(ctx, f)
	if err != nil && errors.Is(context.Cause(ctx), errSlow) {
		err = errSlow
	}
	return result, err
}

// sends is how often a request is sent before its failure is reported.
const sends = 3

// repeat calls f until it succeeds or fails for good. minio-go waits for a moment before it returns the error of a busy store. It would
// also repeat requests, but read a body from its beginning while the connection of the request before may still be reading it.
func repeat[T any](ctx context.Context, f func(context.Context) (T, error)) (result T, err error) {
	for n := 1; ; n++ {
		result, err = f(ctx)
		if err == nil || n == sends || ctx.Err() != nil || !temporary(err) {
			return result, err
		}
	}
}

// temporary reports whether a request may succeed when it is sent again: a busy store answers with 503.
func temporary(err error) bool {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return !errors.Is(err, errSlow) // there was no answer
	}
	switch answer.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return answer.StatusCode >= http.StatusInternalServerError && answer.StatusCode != http.StatusNotImplemented
}

// fail wraps an error of the store with its operation: the one of ctx where that has ended, else service.ErrFilesDown.
func (s *Store) fail(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, ctx.Err())
	}
	return fmt.Errorf("%s: %w: %s", op, service.ErrFilesDown, s.reason(err))
}

// missing reports whether a store says that it has no such object, rather than no such bucket, or that a server which is no store has no
// such page: minio-go takes that for a missing object, too, but has then read no text of an error.
func missing(err error) bool {
	answer := minio.ToErrorResponse(err)
	return answer.Code == minio.NoSuchKey && answer.XMLName.Local != ""
}

// secretParts are what an answer or an error may repeat of a request: addresses, and the names of files.
var secretParts = regexp.MustCompile(`https?://\S+|[A-Za-z0-9_-]{43}\.(mp3|pcm)`)

const maxReason = 300 // bytes

// reason returns the text of an error for the log. Stores repeat what they like of a request.
func (s *Store) reason(err error) string {
	var (
		answer  minio.ErrorResponse
		request *url.Error
		text    = err.Error()
	)
	switch {
	case errors.As(err, &answer):
		text = fmt.Sprintf("%d %s: %s", answer.StatusCode, answer.Code, answer.Message)
	case errors.As(err, &request):
		text = request.Err.Error()
	}
	text = secretParts.ReplaceAllString(text, "[hidden]")
	text = strings.NewReplacer(s.Credentials.secretKey, "[hidden]", s.Credentials.accessKey, "[hidden]").Replace(text)
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	return strings.ToValidUTF8(text[:min(len(text), maxReason)], "")
}
