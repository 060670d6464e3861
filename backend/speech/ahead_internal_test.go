package speech

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// counting emits n blocks, whose memory it uses again.
func counting(n int) func(emit func([]float32) error) error {
	return func(emit func([]float32) error) error {
		block := make([]float32, 1)
		for i := range n {
			block[0] = float32(i)
			if err := emit(block); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestAheadKeepsTheOrder(t *testing.T) {
	t.Parallel()
	var got []float32
	require.NoError(t, ahead(counting(1000), func(block []float32) error {
		got = append(got, block...)
		return nil
	}))
	require.Len(t, got, 1000)
	for i, x := range got {
		require.InDelta(t, i, x, 0)
	}
}

func TestAheadReturnsErrors(t *testing.T) {
	t.Parallel()
	full, missing := errors.New("full"), errors.New("missing")
	require.ErrorIs(t, ahead(counting(1000), func(block []float32) error {
		if block[0] == 7 {
			return full
		}
		return nil
	}), full)
	require.ErrorIs(t, ahead(func(func([]float32) error) error { return missing }, nil), missing)

	var panicked *backend.PanicError
	require.ErrorAs(t, ahead(counting(1000), func([]float32) error { panic("broken") }), &panicked)
	require.ErrorAs(t, ahead(func(func([]float32) error) error { panic("broken") }, nil), &panicked)
}
