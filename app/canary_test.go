package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The secrets that must be found nowhere. Some have characters that JSON and addresses escape.
const (
	canaryKey        = "svc_sk_cnryQ7vX2mK9pR4tW8zB3nH6jL1sD5gF0aYc"
	canaryPassphrase = `canary "passphrase" <with> \ & ü`
	canaryRefresh    = `canary-refresh/"<4rT&9>\+zQ=`
	canaryAccess     = "eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOiJhY2Nlc3MifQ.c2lnbmF0dXJlLW9mLWNhbmFyeS0x"
	canaryRenewed    = "eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOiJyZW5ld2VkIn0.c2lnbmF0dXJlLW9mLWNhbmFyeS0y"
	canaryCode       = "canary-code-5Jw2"
	canarySecret     = "GOCSPX-canary-7hQ2xW"
)

// forms returns how a secret may appear: plain, in JSON, in an address, in hexadecimal digits, and in base64 at each offset.
func forms(secret string) [][]byte {
	escaped, _ := json.Marshal(secret)
	var plainer bytes.Buffer
	e := json.NewEncoder(&plainer)
	e.SetEscapeHTML(false)
	_ = e.Encode(secret)
	all := [][]byte{
		[]byte(secret), bytes.Trim(escaped, `"`), bytes.Trim(bytes.TrimSpace(plainer.Bytes()), `"`),
		[]byte(url.QueryEscape(secret)), []byte(hex.EncodeToString([]byte(secret))),
	}
	for offset := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", offset) + secret))
			all = append(all, []byte(text[(8*offset+5)/6:len(text)-1])) // without characters that its neighbours change
		}
	}
	return all
}

// canaries is what is looked for, and where each was found.
type canaries struct {
	t     *testing.T
	forms map[string][][]byte
}

func newCanaries(t *testing.T, secrets ...string) *canaries {
	c := &canaries{t: t, forms: map[string][][]byte{}}
	for _, s := range secrets {
		c.forms[s] = forms(s)
	}
	return c
}

// found returns the secrets in some content; zip files are looked into.
func (c *canaries) found(content []byte) []string {
	c.t.Helper()
	var names []string
	for secret, all := range c.forms {
		for _, form := range all {
			if bytes.Contains(content, form) {
				names = append(names, secret+" as "+string(form))
			}
		}
	}
	if z, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			require.NoError(c.t, err)
			inner, err := io.ReadAll(r)
			require.NoError(c.t, err)
			names = append(names, c.found(inner)...)
		}
	}
	return names
}

func (c *canaries) requireNone(where string, content []byte) {
	c.t.Helper()
	require.NotEmpty(c.t, content, where)
	require.Empty(c.t, c.found(content), where)
}

// requireNoneBelow looks into all files of a folder.
func (c *canaries) requireNoneBelow(dir string) {
	c.t.Helper()
	require.NoError(c.t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		require.NoError(c.t, err)
		require.Empty(c.t, c.found(raw), path)
		return nil
	}))
}

func TestCanariesAreFound(t *testing.T) {
	t.Parallel()
	c := newCanaries(t, canaryRefresh)
	escaped, err := json.Marshal(map[string]string{"value": canaryRefresh})
	require.NoError(t, err)
	require.NotContains(t, string(escaped), canaryRefresh)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	w, err := z.Create("secret.txt")
	require.NoError(t, err)
	_, err = io.WriteString(w, canaryRefresh)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	contents := [][]byte{
		[]byte("before" + canaryRefresh + "after"), escaped, []byte("a=" + url.QueryEscape(canaryRefresh)), zipped.Bytes(),
	}
	for _, before := range []string{"", "1", "22", "333"} {
		contents = append(contents, []byte(base64.StdEncoding.EncodeToString([]byte(before+canaryRefresh+"after"))),
			[]byte(base64.URLEncoding.EncodeToString([]byte(before+canaryRefresh+"x"))))
	}
	for _, content := range contents {
		require.NotEmpty(t, c.found(content), "%s", content)
	}
	require.Empty(t, c.found([]byte(canaryRefresh[:len(canaryRefresh)-1])))
}
