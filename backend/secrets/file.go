package secrets

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// maxFile is the largest encrypted file that is read.
const maxFile = 4 << 20

// file stores items in one encrypted file, whose key comes from a passphrase or from a random key file beside it. The latter
// guards only against casual access. Both files are readable by their owner alone.
type file struct {
	dir        string
	passphrase func() (string, bool)
	ask        func(ctx context.Context, create bool) (string, bool)

	last *keys // of the last use, because deriving them from a passphrase takes time on purpose
}

var _ itemStore = (*file)(nil)

func newFile(dir string, passphrase func() (string, bool), ask func(ctx context.Context, create bool) (string, bool)) *file {
	return &file{dir: dir, passphrase: passphrase, ask: ask}
}

func (f *file) get(ctx context.Context, item string) (string, error) {
	items, err := f.read(ctx)
	if err != nil {
		return "", err
	}
	value, ok := items[item]
	if !ok {
		return "", errNoItem
	}
	return string(value), nil
}

func (f *file) set(ctx context.Context, item, value string) error {
	items, err := f.read(ctx)
	if err != nil {
		return err
	}
	items[item] = []byte(value)
	return f.write(ctx, items)
}

func (f *file) remove(ctx context.Context, item string) error {
	items, err := f.read(ctx)
	if err != nil {
		return err
	}
	if _, ok := items[item]; !ok {
		return nil
	}
	delete(items, item)
	return f.write(ctx, items)
}

func (f *file) check(ctx context.Context) error {
	_, err := f.read(ctx)
	return err
}

func (f *file) present() bool { return true }

// read returns the items of the file; without a file there are none.
func (f *file) read(ctx context.Context) (map[string][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path := filepath.Join(f.dir, secretFile)
	raw, err := readLimited(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string][]byte{}, nil
	}
	var e envelope
	if err == nil {
		e, err = parseEnvelope(raw)
	}
	if err != nil {
		return nil, errUnreadable(path, err)
	}
	k, err := f.keysOf(ctx, e)
	if err != nil {
		return nil, err
	}
	items, err := e.open(k)
	if err != nil {
		return nil, errDamaged(path).WithCause(err)
	}
	return items, nil
}

// keysOf returns the keys that open an envelope.
func (f *file) keysOf(ctx context.Context, e envelope) (*keys, error) {
	if f.last.fit(e) {
		return f.last, nil
	}
	var k *keys
	if e.Key == fromPassphrase {
		p, ok := f.passphrase()
		if !ok {
			p, ok = f.ask(ctx, false)
		}
		if !ok {
			return nil, errNeedsPassphrase()
		}
		if k = passphraseKeys(p, e.Salt); !k.fit(e) {
			return nil, errWrongPassphrase()
		}
	} else {
		secret, err := readLimited(filepath.Join(f.dir, keyFile), keyBytes)
		if err != nil {
			return nil, errWrongKey().WithCause(err)
		}
		if k = fileKeys(secret, e.Salt); !k.fit(e) {
			return nil, errWrongKey()
		}
	}
	f.last = k
	return k, nil
}

// write replaces the file; without items it is removed, with its key.
func (f *file) write(ctx context.Context, items map[string][]byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := filepath.Join(f.dir, secretFile)
	if len(items) == 0 {
		f.last = nil
		return errors.Join(removeIfAny(path), removeIfAny(filepath.Join(f.dir, keyFile)))
	}
	k, err := f.writeKeys(ctx)
	if err != nil {
		return err
	}
	raw, err := seal(k, items)
	if err != nil {
		return err
	}
	if err := files.Write(path, raw, 0o600); err != nil {
		if _, there := os.Lstat(path); f.last == nil && errors.Is(there, fs.ErrNotExist) {
			err = errors.Join(err, removeIfAny(filepath.Join(f.dir, keyFile))) // which was made for this file
		}
		return backend.FileError("write the encrypted file", path, err)
	}
	f.last = k
	if k.from == fromPassphrase { // which the file had no use for before
		return removeIfAny(filepath.Join(f.dir, keyFile))
	}
	return nil
}

// writeKeys returns the keys for the next version of the file: those of the passphrase where there is one, else those of the key
// file, which is made with the first secret.
func (f *file) writeKeys(ctx context.Context) (*keys, error) {
	p, ok := f.passphrase()
	if f.last != nil && (f.last.from == fromPassphrase || !ok) {
		return f.last, nil
	}
	if !ok {
		p, ok = f.ask(ctx, true)
	}
	if err := ctx.Err(); err != nil { // the user left the question
		return nil, err
	}
	if ok {
		return passphraseKeys(p, random(saltBytes)), nil
	}
	secret, path := random(keyBytes), filepath.Join(f.dir, keyFile)
	if err := files.Write(path, secret, 0o600); err != nil {
		return nil, backend.FileError("write the key file", path, err)
	}
	return fileKeys(secret, random(saltBytes)), nil
}

func removeIfAny(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return backend.FileError("remove", path, err)
	}
	return nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
