package onnx

import (
	"errors"
	"slices"
)

// Sessions are the graphs of one model; those that are not loaded are nil.
type Sessions []*Session

// Reproducible reports whether all graphs are, see Session.Reproducible.
func (s Sessions) Reproducible() bool {
	return !slices.ContainsFunc(s, func(one *Session) bool { return !one.Reproducible() })
}

// Close stops the runs in progress and unloads the graphs.
func (s Sessions) Close() error {
	var errs []error
	for _, one := range s {
		if one != nil {
			errs = append(errs, one.Close())
		}
	}
	return errors.Join(errs...)
}
