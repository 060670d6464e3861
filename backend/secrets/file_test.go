package secrets

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func phrase(p string) func() (string, bool) { return func() (string, bool) { return p, p != "" } }

// nobody can be asked.
func nobody(context.Context, bool) (string, bool) { return "", false }

// written is a data directory with an encrypted file.
func written(t *testing.T, passphrase string) (dir string, raw []byte) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, newFile(dir, phrase(passphrase), nobody).set(t.Context(), "id/name/a/0", "the value"))
	raw, err := os.ReadFile(filepath.Join(dir, secretFile))
	require.NoError(t, err)
	return dir, raw
}

func TestFileNeedsItsPassphrase(t *testing.T) {
	t.Parallel()
	dir, raw := written(t, "right")
	assert.NoFileExists(t, filepath.Join(dir, keyFile))
	for _, wrong := range []string{"", "wrong", "right "} {
		f := newFile(dir, phrase(wrong), nobody)
		_, err := f.get(t.Context(), "id/name/a/0")
		requireUnavailable(t, err, "passphrase")
		requireUnavailable(t, f.set(t.Context(), "another", "x"), "passphrase")
		requireUnavailable(t, f.remove(t.Context(), "id/name/a/0"), "passphrase")
	}
	now, err := os.ReadFile(filepath.Join(dir, secretFile))
	require.NoError(t, err)
	assert.Equal(t, raw, now)
	value, err := newFile(dir, phrase("right"), nobody).get(t.Context(), "id/name/a/0")
	require.NoError(t, err)
	assert.Equal(t, "the value", value)
}

func TestFileNeedsItsKeyFile(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"missing":   os.Remove,
		"truncated": func(path string) error { return os.Truncate(path, 5) },
		"another":   func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("k"), keyBytes), 0o600) },
		"too long":  func(path string) error { return os.WriteFile(path, make([]byte, 100), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, raw := written(t, "")
			require.NoError(t, spoil(filepath.Join(dir, keyFile)))
			f := newFile(dir, phrase(""), nobody)
			_, err := f.get(t.Context(), "id/name/a/0")
			requireUnavailable(t, err, "key")
			requireUnavailable(t, f.set(t.Context(), "another", "x"), "key")
			now, err := os.ReadFile(filepath.Join(dir, secretFile))
			require.NoError(t, err)
			assert.Equal(t, raw, now)
		})
	}
}

func TestFileIsNotReplacedWhenDamaged(t *testing.T) {
	t.Parallel()
	dir, raw := written(t, "")
	path := filepath.Join(dir, secretFile)
	changed := func(change func(e *envelope)) []byte {
		var e envelope
		require.NoError(t, json.Unmarshal(raw, &e))
		change(&e)
		out, err := json.Marshal(e)
		require.NoError(t, err)
		return out
	}
	for name, content := range map[string][]byte{
		"empty":         {},
		"truncated":     raw[:len(raw)/2],
		"a bit of data": changed(func(e *envelope) { e.Data[3] ^= 1 }),
		"shorter data":  changed(func(e *envelope) { e.Data = e.Data[:4] }),
		"nonce":         changed(func(e *envelope) { e.Nonce[0] ^= 1 }),
		"short nonce":   changed(func(e *envelope) { e.Nonce = e.Nonce[1:] }),
		"version":       changed(func(e *envelope) { e.Version = 0 }),
		"no salt":       changed(func(e *envelope) { e.Salt = nil }),
		"large":         make([]byte, maxFile+1),
	} {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		f := newFile(dir, phrase(""), nobody)
		_, err := f.get(t.Context(), "id/name/a/0")
		requireUnavailable(t, err, "damaged")
		requireUnavailable(t, f.set(t.Context(), "another", "x"), "damaged")
		requireUnavailable(t, f.remove(t.Context(), "id/name/a/0"), "damaged")
		requireUnavailable(t, f.check(t.Context()), "damaged")
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(content, now), name)
	}
}

func TestFileTakesAPassphraseLater(t *testing.T) {
	t.Parallel()
	dir, _ := written(t, "")
	require.NoError(t, newFile(dir, phrase("now"), nobody).set(t.Context(), "another", "x"))
	assert.NoFileExists(t, filepath.Join(dir, keyFile))
	_, err := newFile(dir, phrase(""), nobody).get(t.Context(), "id/name/a/0")
	requireUnavailable(t, err, "passphrase")
	value, err := newFile(dir, phrase("now"), nobody).get(t.Context(), "id/name/a/0")
	require.NoError(t, err)
	assert.Equal(t, "the value", value)
}

func TestFileAsksForItsPassphrase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var asked []bool
	ask := func(_ context.Context, create bool) (string, bool) {
		asked = append(asked, create)
		return "entered", true
	}
	f := newFile(dir, phrase(""), ask)
	require.NoError(t, f.set(t.Context(), "item", "value"))
	require.NoError(t, f.set(t.Context(), "item", "another"))
	assert.Equal(t, []bool{true}, asked)
	value, err := newFile(dir, phrase(""), ask).get(t.Context(), "item")
	require.NoError(t, err)
	assert.Equal(t, "another", value)
	assert.Equal(t, []bool{true, false}, asked)
	_, err = newFile(dir, phrase(""), nobody).get(t.Context(), "item")
	requireUnavailable(t, err, "passphrase")
	assert.NoFileExists(t, filepath.Join(dir, keyFile))

	ctx, cancel := context.WithCancel(t.Context())
	f = newFile(t.TempDir(), phrase(""), func(context.Context, bool) (string, bool) {
		cancel()
		return "", false
	})
	require.ErrorIs(t, f.set(ctx, "item", "value"), context.Canceled)
	assert.NoFileExists(t, filepath.Join(f.dir, secretFile))
	assert.NoFileExists(t, filepath.Join(f.dir, keyFile))
}

// FuzzFile reads foreign files: an error or the content that was written, never a panic, and the file stays as it is.
func FuzzFile(f *testing.F) {
	k := fileKeys(bytes.Repeat([]byte("k"), keyBytes), bytes.Repeat([]byte("s"), saltBytes))
	good, err := seal(k, map[string][]byte{"item": []byte("value")})
	require.NoError(f, err)
	none, err := seal(k, nil)
	require.NoError(f, err)
	for _, seed := range [][]byte{good, good[:40], none, []byte("{}"), []byte("null"), {}} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := parseEnvelope(raw)
		if err != nil || !k.fit(e) {
			return
		}
		if items, err := e.open(k); err == nil {
			require.Equal(t, map[string][]byte{"item": []byte("value")}, items)
		}
	})
}
