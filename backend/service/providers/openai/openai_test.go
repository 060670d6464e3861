package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secretKey = "sk-proj-4f9a8b7c6d5e"

// serve starts a server and returns a provider that speaks with it.
func serve(t *testing.T, handler http.HandlerFunc, change ...func(*openai.Options)) *openai.Provider {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	o := openai.Options{
		Provider: service.ProviderB, URL: server.URL + "/v1", APIKey: secretKey, Model: "gpt-4o-mini-tts", Timeout: time.Minute,
		Client: server.Client(),
	}
	for _, f := range change {
		f(&o)
	}
	p, err := openai.New(o)
	require.NoError(t, err)
	return p
}

func speech(texts ...string) service.Speech {
	s := service.Speech{Settings: service.VoiceSettings{Speed: 1}}
	for _, text := range texts {
		s.Turns = append(s.Turns, service.Turn{Voice: service.Voice{Native: "fable"}, Text: text})
	}
	return s
}

// wav returns a WAV file of 16 bits with n samples.
func wav(rate, n int) []byte {
	return append(audio.WAVHeader(rate, 1, uint32(2*n)), pcm(n)...)
}

func pcm(n int) []byte {
	samples := make([]float32, n)
	for i := range samples {
		samples[i] = float32(i%100)/200 + 0.01
	}
	return audio.PCM16(nil, samples)
}

func TestRequest(t *testing.T) {
	var got *http.Request
	var bodies []map[string]any
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		var body map[string]any
		require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		bodies = append(bodies, body)
		_, _ = w.Write(wav(24_000, 2400))
	})
	s := speech("[laughs] Well, [sighs] yes.")
	s.Settings.Speed = 1.5
	sound, err := p.Speak(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, "POST /v1/audio/speech", got.Method+" "+got.URL.Path)
	require.Equal(t, "Bearer "+secretKey, got.Header.Get("Authorization"))
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, []map[string]any{{
		"model": "gpt-4o-mini-tts", "input": "Well, yes.", "voice": "fable", "response_format": "wav", "speed": 1.5,
	}}, bodies)
	require.Equal(t, 24_000, sound.Rate)
	require.Equal(t, 1, sound.Channels)
	require.Equal(t, 2400, sound.Frames())
}

func TestNoKeyNoAuthorization(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		require.Empty(t, r.Header.Values("Authorization"))
		_, _ = w.Write(wav(24_000, 10))
	}, func(o *openai.Options) { o.APIKey = "" })
	_, err := p.Speak(t.Context(), speech("Hello."))
	require.NoError(t, err)
}

func TestDialogueIsSpokenInTurnAndJoined(t *testing.T) {
	var inputs []string
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input string }
		require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		inputs = append(inputs, body.Input)
		_, _ = w.Write(wav(8000*len(inputs), 800*len(inputs))) // 0.1 s at 8, 16 and 24 kHz
	})
	sound, err := p.Speak(t.Context(), speech("One.", "[laughs]", "Two.", "Three."))
	require.NoError(t, err)
	require.Equal(t, []string{"One.", "Two.", "Three."}, inputs)
	require.Equal(t, 24_000, sound.Rate)
	require.InDelta(t, (3*100*time.Millisecond + 2*providers.TurnPause).Seconds(), sound.Duration().Seconds(), 0.001)
}

func TestNothingToSpeak(t *testing.T) {
	p := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	_, err := p.Speak(t.Context(), speech("[laughs] [sighs] ..."))
	require.Equal(t, http.StatusBadRequest, service.StatusOf(err))
	require.ErrorContains(t, err, "nothing to speak")
}

// OpenAI accepts 4,096 characters, our longest text has 5,000.
func TestLongTextIsSplit(t *testing.T) {
	for name, text := range map[string]string{
		"sentences": strings.Repeat("This is a sentence of some length. ", 142),
		"words":     strings.Repeat("word ", 1000),
		"one word":  strings.Repeat("ü", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			var inputs []string
			p := serve(t, func(w http.ResponseWriter, r *http.Request) {
				var body struct{ Input string }
				require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
				require.LessOrEqual(t, len([]rune(body.Input)), 4096)
				inputs = append(inputs, body.Input)
				_, _ = w.Write(wav(24_000, 10))
			})
			_, err := p.Speak(t.Context(), speech(text))
			require.NoError(t, err)
			require.Len(t, inputs, 2)
			separator := " "
			if name == "one word" {
				separator = ""
			}
			require.Equal(t, strings.TrimSpace(text), strings.Join(inputs, separator))
			if name == "sentences" {
				require.True(t, strings.HasSuffix(inputs[0], "."))
			}
		})
	}
}

func compressed(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "audio", "testdata", "compressed", name))
	require.NoError(t, err)
	return content
}

func TestWhateverArrivesIsDecoded(t *testing.T) {
	float := audio.WAVHeader(24_000, 1, 0xFFFFFFFF) // a server that streams
	for name, tt := range map[string]struct {
		contentType string
		body        []byte
		rate        int
	}{
		"wav":               {"audio/wav", wav(22_050, 2205), 22_050},
		"wav without type":  {"", wav(16_000, 1600), 16_000},
		"wav as mp3":        {"audio/mpeg", wav(16_000, 1600), 16_000},
		"wav of a stream":   {"audio/wav", append(float, pcm(2400)...), 24_000},
		"mp3":               {"audio/wav", compressed(t, "mono-24k.mp3"), 48_000},
		"mp3 with ID3":      {"audio/mpeg", compressed(t, "vbr-id3-44k-stereo.mp3"), 48_000},
		"flac":              {"audio/flac", compressed(t, "mono-24k.flac"), 48_000},
		"opus":              {"audio/ogg", compressed(t, "opus.ogg"), 48_000},
		"vorbis":            {"application/octet-stream", compressed(t, "vorbis.ogg"), 48_000},
		"pcm":               {"audio/pcm", pcm(2400), 24_000},
		"L16":               {"audio/L16;codec=pcm;rate=16000", pcm(2400), 16_000},
		"pcm of a bad rate": {"audio/pcm;rate=0", pcm(2400), 24_000},
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{tt.contentType}
				_, _ = w.Write(tt.body)
			})
			sound, err := p.Speak(t.Context(), speech("Hello."))
			require.NoError(t, err)
			require.Equal(t, tt.rate, sound.Rate)
			require.Equal(t, 1, sound.Channels)
			require.Greater(t, sound.Duration(), 50*time.Millisecond)
		})
	}
}

func TestBusyServer(t *testing.T) {
	for name, tt := range map[string]struct {
		status     int
		retryAfter string
		want       time.Duration
	}{
		"429 with seconds":    {429, "7", 7 * time.Second},
		"503 without":         {503, "", 5 * time.Second},
		"429 with nonsense":   {429, "soon", 5 * time.Second},
		"503 with a day":      {503, "86400", time.Hour},
		"429 with 0":          {429, "0", time.Second},
		"429 of the past":     {429, time.Unix(0, 0).UTC().Format(http.TimeFormat), time.Second},
		"503 negative":        {503, "-3", time.Second},
		"503 beyond 32 bits":  {503, "99999999999", 5 * time.Second},
		"503 of a far future": {503, time.Now().Add(1000 * time.Hour).UTC().Format(http.TimeFormat), time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if tt.retryAfter != "" {
					w.Header().Set("Retry-After", tt.retryAfter)
				}
				w.WriteHeader(tt.status)
			})
			_, err := p.Speak(t.Context(), speech("Hello."))
			var e *service.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, http.StatusServiceUnavailable, e.Status)
			require.Equal(t, service.CodeProviderBusy, e.Code)
			require.Equal(t, tt.want, e.RetryAfter)
			require.Contains(t, e.Sentence, strconv.Itoa(int(tt.want.Seconds()))+" seconds")
		})
	}
}

func TestRetryAfterDate(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", time.Now().Add(100*time.Second).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := p.Speak(t.Context(), speech("Hello."))
	var e *service.Error
	require.ErrorAs(t, err, &e)
	require.InDelta(t, 100, e.RetryAfter.Seconds(), 30)
	require.Zero(t, e.RetryAfter%time.Second)
}

// hijack answers with bytes of its own and closes the connection.
func hijack(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(c, answer)
		_ = c.Close()
	}
}

func status(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Whatever else a server does is an error that is no answer of the contract; the service makes 502 of it.
func TestFaultsOfTheServer(t *testing.T) {
	sound := string(wav(24_000, 24_000))
	cutWAV := string(append(audio.WAVHeader(24_000, 1, 48_000), pcm(100)...))
	flac := string(compressed(t, "mono-24k.flac"))
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		says    string
	}{
		"500":                   {status(500, "text/plain", "out of memory"), "the server answered 500: out of memory"},
		"401":                   {status(401, "application/json", `{"error":"bad key"}`), "the server answered 401"},
		"404":                   {status(404, "application/json", `{"error":{"message":"no such model"}}`), "the server answered 404"},
		"204":                   {status(204, "audio/wav", ""), "the server answered 204"},
		"HTML":                  {status(200, "text/html", "<html><body>Welcome to the proxy</body></html>"), "no audio"},
		"JSON":                  {status(200, "application/json", `{"error": "something else"}`), "no audio"},
		"garbage":               {status(200, "audio/wav", strings.Repeat("\x00\x9f garbage", 1000)), "no audio"},
		"empty":                 {status(200, "audio/wav", ""), "empty"},
		"few bytes":             {status(200, "audio/wav", "RIFF"), "no audio"},
		"WAV without samples":   {status(200, "audio/wav", string(wav(24_000, 0))), "without a sample"},
		"WAV without a format":  {status(200, "audio/wav", "RIFF\x00\x00\x00\x00WAVE"), "no_format"},
		"WAV of another codec":  {status(200, "audio/wav", strings.Replace(sound, "fmt \x10\x00\x00\x00\x01\x00", "fmt \x10\x00\x00\x00\x02\x00", 1)), "unsupported"},
		"header beyond its end": {status(200, "audio/wav", cutWAV), "47800 bytes are missing"},
		"half a sample":         {status(200, "audio/pcm", "\x01\x02\x03"), "cut off"},
		"broken MP3":            {status(200, "audio/mpeg", "ID3\x04\x00\x00\x00\x00\x00\x00"+strings.Repeat("no frame ", 500)), ""},
		"broken FLAC":           {status(200, "audio/flac", flac[:20]), ""},
		"hangs up":              {hijack(""), "connect: "},
		"no HTTP":               {hijack("hello there\r\n\r\n"), "connect: "},
		"dies mid-audio":        {hijack("HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: 48044\r\n\r\n" + sound[:20_000]), "unexpected EOF"},
		"dies mid-chunk":        {hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4000\r\n" + sound[:0x4000] + "\r\n"), "unexpected EOF"},
		"close ends the body":   {hijack("HTTP/1.0 200 OK\r\n\r\n" + sound[:20_000]), "bytes are missing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serve(t, tt.handler).Speak(t.Context(), speech("Hello."))
			require.ErrorContains(t, err, tt.says)
			require.Equal(t, http.StatusInternalServerError, service.StatusOf(err), "it is no answer of the contract: %v", err)
			require.NotContains(t, err.Error(), "127.0.0.1:", "the address may hold a secret")
		})
	}
}

// What a server refuses is the text, whichever part or turn it is: the caller gets one sentence of ours, the log the status alone, as
// servers repeat what they refuse.
func TestRefusedTexts(t *testing.T) {
	long := strings.Repeat("This is a sentence of some length. ", 142) + "Forbidden."
	for _, code := range []int{400, 413, 422} {
		for name, s := range map[string]service.Speech{
			"text": speech("Forbidden."), "part of a long text": speech(long), "turn of a dialogue": speech("Hello.", "Forbidden.", "Bye."),
		} {
			t.Run(fmt.Sprint(code, " for a ", name), func(t *testing.T) {
				p := serve(t, func(w http.ResponseWriter, r *http.Request) {
					var body struct{ Input string }
					require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
					if strings.Contains(body.Input, "Forbidden") {
						status(code, "text/html", "\x1b[31mbad\x00 input <script> "+secretKey+strings.Repeat(" and so on", 1000))(w, r)
						return
					}
					_, _ = w.Write(wav(24_000, 10))
				})
				_, err := p.Speak(t.Context(), s)
				var e *service.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, http.StatusBadRequest, e.Status)
				require.Empty(t, e.Code)
				require.Equal(t, providers.Refused(nil).Error(), e.Sentence)
				require.EqualError(t, e.Cause, fmt.Sprint("the server answered ", code))
			})
		}
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/v1/audio/speech", r.URL.Path, "only the first address is asked")
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	_, err := p.Speak(t.Context(), speech("Hello."))
	require.ErrorContains(t, err, "the server answered 307")
}

func TestTLSIsVerified(t *testing.T) {
	server := httptest.NewUnstartedServer(status(200, "audio/wav", string(wav(24_000, 10))))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	p, err := openai.New(openai.Options{Provider: service.ProviderB, URL: server.URL, Model: "m", Client: &http.Client{Transport: http.DefaultTransport}})
	require.NoError(t, err)
	_, err = p.Speak(t.Context(), speech("Hello."))
	require.ErrorContains(t, err, "certificate")
	p, err = openai.New(openai.Options{Provider: service.ProviderB, URL: server.URL, Model: "m", Client: server.Client()})
	require.NoError(t, err)
	_, err = p.Speak(t.Context(), speech("Hello."))
	require.NoError(t, err)
	http.DefaultClient.CloseIdleConnections()
}

func TestVoices(t *testing.T) {
	voices := func(o openai.Options) (names []string) {
		p, err := openai.New(o)
		require.NoError(t, err)
		list, err := p.Voices(t.Context())
		require.NoError(t, err)
		for _, v := range list {
			require.Equal(t, service.VoiceID(o.Provider, v.Native), v.ID)
			require.Equal(t, o.Provider, v.Provider)
			require.Contains(t, []string{"male", "female"}, v.Gender)
			require.Contains(t, []string{"conversational", "narrator"}, v.Category)
			require.Equal(t, "en", v.Language)
			names = append(names, fmt.Sprintf("%s (%s)", v.Name, v.Native))
		}
		return names
	}
	base := openai.Options{Provider: service.ProviderA, URL: "http://localhost", Model: "gpt-4o-mini-tts"}
	require.Len(t, voices(base), 13)
	require.Contains(t, voices(base), "Marin (marin)")
	base.Model = "tts-1-hd"
	require.Len(t, voices(base), 9)
	base.Voices = []service.Voice{{Native: "x", Name: "x", Gender: "male", Language: "en", Category: "narrator"}}
	require.Equal(t, []string{"x (x)"}, voices(base))
	require.Empty(t, base.Voices[0].ID, "the configuration is not changed")
}
