package backend

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// PanicError is a panic that Contain turned into an error. It has no code, so users see it as internal; value and stack
// are for the log.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value and the stack of the panic.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Contain calls f and returns its error, or a *PanicError when f panics. Every goroutine does its work in Contain or
// Protect, because a panic that is not recovered ends the program.
func Contain(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}

// Protect calls f and logs a panic of it, for work that has no caller to return an error to. what names the work.
func Protect(log *slog.Logger, what string, f func()) {
	err := Contain(func() error {
		f()
		return nil
	})
	if err != nil {
		log.Error("panic", "in", what, "error", err)
	}
}

// LogFailure returns err as an *Error. The cause of an internal error or a panic, which users are not shown, is logged
// once under the id of the request; the returned error has that id as request_id. what and args name the work.
func LogFailure(ctx context.Context, log *slog.Logger, err error, what string, args ...any) *Error {
	e := AsError(err)
	var panicked *PanicError
	_, logged := e.Params["request_id"]
	if logged || e.Code != CodeInternal && !errors.As(err, &panicked) {
		return e
	}
	id := RequestID(ctx)
	log.ErrorContext(ctx, "failure", append(append([]any{"in", what, "request_id", id}, args...), "error", err)...)
	if id == "" {
		return e
	}
	return e.With("request_id", id)
}

type requestIDKey struct{}

// WithRequestID returns a context that carries the id under which the failures of a request are logged, also those of
// work that goes on after its answer.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of WithRequestID, "" without one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
