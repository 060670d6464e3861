package studiotest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
)

// Received is what one listener got.
type Received struct {
	PCM []byte
	Err error
}

// Listen follows a generation from its first sentence on, and sends what it got when it ends.
func (l *Lab) Listen(ctx context.Context, id string, from, limit float64) <-chan Received {
	l.T.Helper()
	live, err := l.Generations.Player.Live(ctx, id, from, limit)
	require.NoError(l.T, err)
	out := make(chan Received, 1)
	go func() {
		var got bytes.Buffer
		err := live.WriteTo(ctx, &got)
		out <- Received{got.Bytes(), errors.Join(err, live.Close())}
	}()
	return out
}

// Streamed returns what a client hears of a generation while it is made.
func (l *Lab) Streamed(r generations.Request) audio.Buffer {
	l.T.Helper()
	st, err := l.Generations.Player.Stream(l.T.Context(), r)
	require.NoError(l.T, err)
	var got bytes.Buffer
	require.NoError(l.T, st.WriteTo(l.T.Context(), &got))
	require.NoError(l.T, st.Close())
	b := audio.Buffer{Rate: st.Rate, Channels: st.Channels}
	for i := 0; i+1 < got.Len(); i += 2 {
		b.Samples = append(b.Samples, float32(int16(binary.LittleEndian.Uint16(got.Bytes()[i:])))/32768)
	}
	return b
}
