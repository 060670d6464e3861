package speech

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
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
