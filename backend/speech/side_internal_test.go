package speech

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/engines"
)

// TestLongSentencesAreNotBegunLast begins the last sentences by their size, unless somebody waits for each of them.
func TestLongSentencesAreNotBegunLast(t *testing.T) {
	t.Parallel()
	sizes := []int{9, 1, 2, 5, 3, 3, 8}
	require.Equal(t, []int{6, 3, 4, 5}, Work{Workers: 2, Sizes: sizes}.last())
	require.Equal(t, []int{2, 1}, Work{Workers: 2, Sizes: sizes[:3]}.last(), "all but the first of a short text")
	require.Empty(t, Work{Workers: 2, Sizes: sizes[:1]}.last())
	require.Empty(t, Work{Workers: 1, Sizes: sizes}.last())
	require.Empty(t, Work{Workers: 2, Sizes: sizes, Ordered: true}.last())
}

// TestCancelBeforeTheLastSentences ends sentences that wait to be begun.
func TestCancelBeforeTheLastSentences(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	taken := 0
	err := SideBySide(ctx, Work{
		Workers: 2, Sizes: make([]int, 5),
		Speak: func(ctx context.Context, i int, _ func(engines.Sound) error) error {
			if i == 1 { // the second one that is begun
				cancel()
			}
			<-ctx.Done()
			return backend.ErrCancelled
		},
		Take: func(_ int, f *Feed) error {
			for range f.Out {
				taken++
			}
			return f.Err
		},
	})
	backendtest.RequireCode(t, backend.CodeCancelled, err)
	require.Zero(t, taken)
}

// TestLongLastSentencesDoNotWaitForAShortOne reads the sentences in their order, also where the long ones after a short one are begun
// first and say more than is kept ahead.
func TestLongLastSentencesDoNotWaitForAShortOne(t *testing.T) {
	t.Parallel()
	const long = 3 * aheadBuffers
	sizes := []int{1, 1, long, 1, long}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var heard [][]float32
	require.NoError(t, SideBySide(ctx, Work{
		Workers: 2, Sizes: sizes,
		Speak: func(_ context.Context, i int, emit func(engines.Sound) error) error {
			for k := range sizes[i] {
				if err := emit(engines.Sound{Buffer: audio.Buffer{Samples: []float32{float32(k)}}}); err != nil {
					return err
				}
			}
			return nil
		},
		Take: func(_ int, f *Feed) error {
			var samples []float32
			for s := range f.Out {
				samples = append(samples, s.Samples...)
			}
			heard = append(heard, samples)
			return f.Err
		},
	}))
	for i, size := range sizes {
		require.Len(t, heard[i], size)
		require.True(t, slices.IsSorted(heard[i]))
	}
}
