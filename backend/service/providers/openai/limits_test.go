package openai_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service/providers/openai"
)

// hang reads the request and answers nothing until the client leaves.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func TestHangingServerExceedsItsTime(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(wav(24_000, 1<<20)[:100])
		_ = http.NewResponseController(w).Flush()
		hang(w, r)
	}
	for name, handler := range map[string]http.HandlerFunc{"before the answer": hang, "in the audio": drip} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, handler, func(o *openai.Options) { o.Timeout = 50 * time.Millisecond })
			_, err := p.Speak(t.Context(), speech("Hello."))
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	_, err := p.Speak(ctx, speech("Hello."))
	require.ErrorIs(t, err, context.Canceled)
}

func TestHugeAnswerIsNotRead(t *testing.T) {
	var sent int
	p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		block := make([]byte, 1<<20)
		_, _ = w.Write(audio.WAVHeader(24_000, 1, 0xFFFFFFFF))
		for range 1 << 10 {
			n, err := w.Write(block)
			sent += n
			if err != nil {
				return
			}
		}
	})
	_, err := p.Speak(t.Context(), speech("Hello."))
	require.ErrorContains(t, err, "more than 134217728 bytes")
}

func TestLongAudioIsRefused(t *testing.T) {
	slow := audio.WAVHeader(1000, 1, 2*2_000_000) // 2,000 s
	p := serve(t, status(200, "audio/wav", string(append(slow, make([]byte, 2*2_000_000)...))))
	_, err := p.Speak(t.Context(), speech("Hello."))
	require.ErrorContains(t, err, "longer than 30m")
}

func TestErrorHasNeitherKeyNorText(t *testing.T) {
	const text = "My password is Swordfish, 你好世界"
	for _, body := range []string{
		`{"error":{"message":"Incorrect API key provided: sk-proj-4f9a8b7c6d5e.","input":"My password is Swordfish, 你好世界"}}`,
		`{"detail":[{"loc":["body"],"input":"My password is Swordfish, \u4f60\u597d\u4e16\u754c"}]} key 4f9a8b7c6d5e`,
		"SWORDFISH\x1b[31m\r\nlevel=ERROR\x00 password: 世界" + strings.Repeat(" long", 10_000),
	} {
		_, err := serve(t, status(500, "text/plain", body)).Speak(t.Context(), speech(text))
		require.ErrorContains(t, err, "the server answered 500")
		for _, secret := range []string{"4f9a8b7c6d5e", "proj", "swordfish", "password", "你好", "世界", "4f60"} {
			require.NotContains(t, strings.ToLower(err.Error()), secret)
		}
		require.NotContains(t, err.Error(), "\x1b")
		require.NotContains(t, err.Error(), "\n")
		require.Less(t, len(err.Error()), 500)
	}
}
