package secrets

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memory is a place in memory, whose calls can fail.
type memory struct {
	mu     sync.Mutex
	items  map[string]string
	calls  int
	fail   func(call, item string) error // nil: nothing fails
	absent bool
}

var _ itemStore = (*memory)(nil)

func newMemory() *memory { return &memory{items: map[string]string{}} }

func (m *memory) do(call, item string, f func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if m.fail != nil {
		if err := m.fail(call, item); err != nil {
			return err
		}
	}
	return f()
}

func (m *memory) get(_ context.Context, item string) (value string, err error) {
	err = m.do("get", item, func() error {
		v, ok := m.items[item]
		if !ok {
			return errNoItem
		}
		value = v
		return nil
	})
	return value, err
}

func (m *memory) set(_ context.Context, item, value string) error {
	return m.do("set", item, func() error { m.items[item] = value; return nil })
}

func (m *memory) remove(_ context.Context, item string) error {
	return m.do("remove", item, func() error { delete(m.items, item); return nil })
}

func (m *memory) check(context.Context) error { return m.do("check", "", func() error { return nil }) }

func (m *memory) present() bool { return !m.absent }

// testPlace is what every place must do.
func testPlace(t *testing.T, p itemStore) {
	t.Helper()
	ctx := t.Context()
	const item = "id/test secret/a/0"
	t.Cleanup(func() { _ = p.remove(context.WithoutCancel(ctx), item) })

	require.NoError(t, p.check(ctx))
	assert.True(t, p.present())
	_, err := p.get(ctx, item)
	require.ErrorIs(t, err, errNoItem)
	require.NoError(t, p.remove(ctx, item), "removing what is not stored")

	for _, value := range []string{"first", "", "second", "with\nlines, \"quotes\", ü 語 🎙 and \xff\x00 bytes", strings.Repeat("x", maxPart)} {
		require.NoError(t, p.set(ctx, item, value))
		got, err := p.get(ctx, item)
		require.NoError(t, err)
		assert.Equal(t, value, got)
	}
	require.NoError(t, p.set(ctx, item+"0", "another"), "an item whose name begins alike")
	require.NoError(t, p.remove(ctx, item))
	_, err = p.get(ctx, item)
	require.ErrorIs(t, err, errNoItem)
	got, err := p.get(ctx, item+"0")
	require.NoError(t, err)
	assert.Equal(t, "another", got)
	require.NoError(t, p.remove(ctx, item+"0"))

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, isMemory := p.(*memory); !isMemory {
		require.ErrorIs(t, p.set(cancelled, item, "late"), context.Canceled)
		_, err = p.get(cancelled, item)
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	phrase := func() (string, bool) { return "correct horse", true }
	none := func() (string, bool) { return "", false }
	for name, p := range map[string]itemStore{
		"memory":               newMemory(),
		"go-keyring":           newLibrary(),
		"file with passphrase": newFile(t.TempDir(), phrase, nobody),
		"file with key file":   newFile(t.TempDir(), none, nobody),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testPlace(t, p)
		})
	}
}
