package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestCloseStopsRuns: Close does not wait for the end of a long run, and neither do runs that begin in the meantime.
func TestCloseStopsRuns(t *testing.T) {
	s := open(t, 1)
	long := inputs(2000, 4)
	begun, failures := make(chan struct{}, 3), make(chan error, 3)
	for range cap(failures) {
		go func() {
			begun <- struct{}{}
			for { // also those that begin while Close waits
				if _, err := s.Run(t.Context(), "speaking", long...); err != nil {
					failures <- err
					return
				}
			}
		}()
	}
	for range cap(begun) {
		<-begun
	}
	require.NoError(t, s.Close())
	for range cap(failures) {
		err := <-failures
		require.ErrorIs(t, err, backend.ErrCancelled)
		require.NotContains(t, backend.AsError(err).Detail, "closed")
	}
}
