package settings_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
)

func store(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func open(t *testing.T, s settings.Store) *settings.Settings {
	t.Helper()
	out, err := settings.Open(t.Context(), s)
	require.NoError(t, err)
	return out
}

func newSettings(t *testing.T) *settings.Settings {
	t.Helper()
	return open(t, store(t, filepath.Join(t.TempDir(), "voicewright.db")))
}

func TestTable(t *testing.T) {
	s := newSettings(t)
	seen := map[string]bool{}
	for _, def := range settings.Table() {
		require.False(t, seen[def.Key], "%s is there twice", def.Key)
		seen[def.Key] = true
		require.NoError(t, s.Put(t.Context(), map[string]any{def.Key: def.DefaultValue()}), "the default of %s is acceptable", def.Key)
		require.Equal(t, def.Default, s.String(def.Key))
		require.Regexp(t, `^[a-z]+\.[a-z_]+$`, def.Key)
		require.Regexp(t, `\.$`, def.Sentence)
		require.NotEmpty(t, def.Range)
		if def.Kind == settings.Duration {
			d, err := time.ParseDuration(def.Default)
			if def.Default == "-1" {
				d, err = -1, nil
			}
			require.NoError(t, err)
			require.Equal(t, d, s.Duration(def.Key))
		}
	}
	for _, key := range []string{
		settings.APIAddress, settings.DefaultVoice, settings.SpeechDevice, settings.IdleUnload, settings.Retention, settings.HostedURL,
		settings.ModelsDir, settings.AllowOrigins, settings.AllowHosts, settings.Offline,
	} {
		require.True(t, seen[key], key)
	}
	require.Len(t, s.All(), len(seen))
}

func TestValues(t *testing.T) {
	for key, values := range map[string]struct{ good, bad []string }{
		settings.DefaultVoice: {
			good: []string{"espeak:en-us", "en_us-lessac-medium:0", "a:ä b"},
			bad:  []string{"", "espeak", ":x", "x:", "UPPER:x", "a b:x"},
		},
		settings.TranscribeModel: {good: []string{"whisper-large", "my-whisper.en"}, bad: []string{"", "Whisper Base"}},
		settings.SpeechDevice: {
			good: []string{"auto", "cpu", "cuda", "cuda:0", "cuda:12", "directml", "directml:1", "coreml", "metal"},
			bad:  []string{"", "CPU", "tpu", "cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda:64", "cpu:0", "coreml:0"},
		},
		settings.IdleUnload: {good: []string{"10m", "0", "-1", "1h30m", "50ms"}, bad: []string{"", "10", "-2", "-5m", "soon"}},
		settings.Retention:  {good: []string{"-1", "1h", "720h"}, bad: []string{"", "0", "59m", "-1h", "30d"}},
		settings.APIAddress: {
			good: []string{"127.0.0.1:7411", "localhost:0", "[::1]:80", "0.0.0.0:65535", "host.local:1"},
			bad:  []string{"", "7411", ":7411", "localhost", "localhost:65536", "localhost:99999", "::1:80", "http://x:1"},
		},
		settings.ModelsDir: {good: []string{"", filepath.Join(t.TempDir(), "models")}, bad: []string{"models", "./models", "~/models"}},
		settings.AllowOrigins: {
			good: []string{"", "https://page.example", "http://localhost:3000, tauri://localhost", "http://[::1]:80"},
			bad:  []string{"page.example", "https://", "https://page.example/path", "*", "https://*.example", "https://a.example;b"},
		},
		settings.AllowHosts: {
			good: []string{"", "studio.example", "studio.example:8080 other", "[fe80::1]:7411"},
			bad:  []string{"https://studio.example", "*", "a/b", "studio.example:", "a b@c"},
		},
		settings.HostedURL: {
			good: []string{"", "http://127.0.0.1:9000", "http://localhost:9000", "http://[::1]:9000/api", "https://voices.example/api"},
			bad: []string{
				"voices.example", "ftp://x", "http://", "file:///etc/passwd", "javascript:alert(1)", "http://voices.example",
				"http://127.0.0.1.example", "http://127.0.0.1@voices.example", "https://ada:pw@voices.example", "https://voices.example/?a=1",
			},
		},
	} {
		s := newSettings(t)
		for _, v := range values.good {
			require.NoError(t, s.Put(t.Context(), map[string]any{key: v}), "%s = %q", key, v)
			require.Equal(t, v, s.String(key))
		}
		last := s.String(key)
		for _, v := range values.bad {
			err := s.Put(t.Context(), map[string]any{key: v})
			var invalid *backend.ValidationError
			require.ErrorAs(t, err, &invalid, "%s = %q", key, v)
			require.Equal(t, []string{"body", key}, invalid.Fields[0].Loc)
			require.NotEmpty(t, invalid.Fields[0].Msg)
			require.Equal(t, last, s.String(key))
		}
	}
}

func TestBooleans(t *testing.T) {
	s := newSettings(t)
	require.False(t, s.Bool(settings.Offline))
	require.NoError(t, s.Put(t.Context(), map[string]any{settings.Offline: true}))
	require.True(t, s.Bool(settings.Offline))
	require.Equal(t, true, s.All()[settings.Offline])
	for _, v := range []any{"true", 1.0, []any{}} {
		var invalid *backend.ValidationError
		require.ErrorAs(t, s.Put(t.Context(), map[string]any{settings.Offline: v}), &invalid)
		require.Equal(t, "bool_type", invalid.Fields[0].Type)
	}
	require.NoError(t, s.Put(t.Context(), map[string]any{settings.Offline: nil}))
	require.False(t, s.Bool(settings.Offline))
}

func TestNumbers(t *testing.T) {
	s := newSettings(t)
	require.Equal(t, 0.15, s.Number(settings.VerifyLimit))
	for _, v := range []any{0.2, "0.2"} { // the page sends what was typed
		require.NoError(t, s.Put(t.Context(), map[string]any{settings.VerifyLimit: v}))
		require.Equal(t, 0.2, s.Number(settings.VerifyLimit))
		require.Equal(t, 0.2, s.All()[settings.VerifyLimit])
	}
	for v, want := range map[any]string{1.5: "value_error", "-1": "value_error", "NaN": "value_error", "much": "value_error", true: "float_type"} {
		var invalid *backend.ValidationError
		require.ErrorAs(t, s.Put(t.Context(), map[string]any{settings.VerifyLimit: v}), &invalid)
		require.Equal(t, want, invalid.Fields[0].Type)
	}
}

func TestWords(t *testing.T) {
	s := newSettings(t)
	require.Empty(t, s.Words(settings.AllowHosts))
	require.NoError(t, s.Put(t.Context(), map[string]any{settings.AllowHosts: " a.example,b.example:80\n c "}))
	require.Equal(t, []string{"a.example", "b.example:80", "c"}, s.Words(settings.AllowHosts))
}

func TestDurations(t *testing.T) {
	s := newSettings(t)
	require.Equal(t, 10*time.Minute, s.Duration(settings.IdleUnload))
	for text, want := range map[string]time.Duration{"0": 0, "-1": -1, "1h30m": 90 * time.Minute} {
		require.NoError(t, s.Put(t.Context(), map[string]any{settings.IdleUnload: text}))
		require.Equal(t, want, s.Duration(settings.IdleUnload))
	}
}

func TestNothingIsStoredWhenOneIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db := store(t, path)
	calls := 0
	s, err := settings.Open(t.Context(), db)
	require.NoError(t, err)
	s.OnChange(func() { calls++ })
	err = s.Put(t.Context(), map[string]any{
		settings.IdleUnload: "5m", "no.such": "x", settings.SpeechDevice: "tpu", settings.Retention: 7.0, settings.HostedURL: true,
	})
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	types := map[string]string{}
	for _, f := range invalid.Fields {
		types[f.Loc[1]] = f.Type
	}
	require.Equal(t, map[string]string{
		"no.such": "extra_forbidden", settings.SpeechDevice: "enum", settings.Retention: "string_type", settings.HostedURL: "string_type",
	}, types, "every invalid value has an error")
	require.Equal(t, 10*time.Minute, s.Duration(settings.IdleUnload))
	stored, err := db.Settings(t.Context())
	require.NoError(t, err)
	require.Empty(t, stored)
	require.Zero(t, calls)
}

func TestValuesSurviveAndNullResets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "voicewright.db")
	first, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	require.NoError(t, err)
	calls := 0
	s, err := settings.Open(t.Context(), first)
	require.NoError(t, err)
	s.OnChange(func() { calls++ })
	require.False(t, s.IsSet(settings.DefaultVoice))
	require.NoError(t, s.Put(t.Context(), map[string]any{settings.DefaultVoice: "espeak:de", settings.IdleUnload: "1m"}))
	require.Equal(t, 1, calls)
	require.NoError(t, first.Close())

	db := store(t, path)
	s = open(t, db)
	require.True(t, s.IsSet(settings.DefaultVoice))
	require.Equal(t, "espeak:de", s.String(settings.DefaultVoice))
	require.Equal(t, time.Minute, s.Duration(settings.IdleUnload))
	require.NoError(t, s.Put(t.Context(), map[string]any{settings.DefaultVoice: nil}))
	require.False(t, s.IsSet(settings.DefaultVoice))
	require.Equal(t, "espeak:en-us", s.String(settings.DefaultVoice))
	require.Equal(t, "1m", s.String(settings.IdleUnload), "the other values stay")
	require.False(t, open(t, db).IsSet(settings.DefaultVoice))
	require.NoError(t, s.Put(t.Context(), nil), "an empty change does nothing")
}

func TestStoredValueThatIsNoLongerAcceptable(t *testing.T) {
	db := store(t, filepath.Join(t.TempDir(), "voicewright.db"))
	require.NoError(t, db.SetSettings(t.Context(), map[string]json.RawMessage{
		settings.SpeechDevice: json.RawMessage(`"tpu"`), settings.IdleUnload: json.RawMessage(`5`), "old.key": json.RawMessage(`"x"`),
		settings.Retention: json.RawMessage(`"2h"`),
	}))
	s := open(t, db)
	require.Equal(t, "auto", s.String(settings.SpeechDevice))
	require.Equal(t, 10*time.Minute, s.Duration(settings.IdleUnload))
	require.Equal(t, 2*time.Hour, s.Duration(settings.Retention))
	require.NotContains(t, s.All(), "old.key")
}

// brokenStore is a store whose writes fail.
type brokenStore struct{ settings.Store }

func (brokenStore) SetSettings(context.Context, map[string]json.RawMessage) error {
	return errors.New("disk full")
}

func TestStoreThatCannotWrite(t *testing.T) {
	s := open(t, brokenStore{store(t, filepath.Join(t.TempDir(), "voicewright.db"))})
	require.ErrorContains(t, s.Put(t.Context(), map[string]any{settings.IdleUnload: "1m"}), "disk full")
	require.Equal(t, 10*time.Minute, s.Duration(settings.IdleUnload), "memory and store agree")
}

func TestManyPutsAtOnce(t *testing.T) {
	db := store(t, filepath.Join(t.TempDir(), "voicewright.db"))
	s := open(t, db)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			err := s.Put(context.Background(), map[string]any{settings.IdleUnload: fmt.Sprintf("%dm", i+1)})
			if err != nil {
				t.Error(err)
			}
			_ = s.All()
		})
	}
	all.Wait()
	require.Equal(t, s.String(settings.IdleUnload), open(t, db).String(settings.IdleUnload), "memory and store agree")
}

// TestLongTexts: no setting takes a text without end, as every answer and backup has all settings.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	s := newSettings(t)
	for _, def := range settings.Table() {
		for _, value := range []string{
			strings.Repeat("x", 900_000), "/" + strings.Repeat("a/", 3_000), "https://a.example/" + strings.Repeat("x", 5_000),
			strings.Repeat("https://a.example ", 1_000), strings.Repeat(" ", 5_000), strings.Repeat("0", 5_000) + "1s", strings.Repeat("é", 2_049),
		} {
			require.Error(t, s.Put(t.Context(), map[string]any{def.Key: value}), "%s = %.20q", def.Key, value)
		}
		require.Equal(t, def.Default, s.String(def.Key))
	}
	for _, key := range []string{settings.HostedClientID, settings.HostedAudience} {
		for _, value := range []string{strings.Repeat("x", 1_001), "x\nNothing else changes.", "x\x1b[2J", "\x7f"} {
			require.Error(t, s.Put(t.Context(), map[string]any{key: value}), "%s = %.20q", key, value)
		}
		require.NoError(t, s.Put(t.Context(), map[string]any{key: "https://stimme.example/für alle"}))
	}
}
