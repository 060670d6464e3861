package client_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestFetch: audio that was paid arrives complete whatever breaks, or not at all.
func TestFetch(t *testing.T) {
	t.Parallel()
	half := hostedtest.Fault{Cut: hostedtest.CutHalf}
	expired := backend.CodeHostedLinkExpired
	for name, c := range map[string]struct {
		faults []hostedtest.Fault
		change func(*setup)
		link   string // "" = that of a call
		code   backend.Code
		ranges []string // of the requests
	}{
		"at once": {ranges: []string{""}},
		"cut twice": {
			faults: []hostedtest.Fault{half, half}, ranges: []string{"", "bytes=4388-", "bytes=6582-"},
		},
		"cut before the first byte": {faults: []hostedtest.Fault{{Cut: hostedtest.CutBefore}, {Cut: hostedtest.CutHeaders}}, ranges: []string{"", "", ""}},
		"busy":                      {faults: []hostedtest.Fault{{Status: 503, RetryAfter: "2"}}, ranges: []string{"", ""}},
		"silent":                    {faults: []hostedtest.Fault{{Hang: true}}, ranges: []string{"", ""}},
		"slow":                      {faults: []hostedtest.Fault{{Slow: time.Millisecond}}, ranges: []string{""}},
		"shorter than announced":    {faults: []hostedtest.Fault{{Length: 100}, {Status: 404}}, code: expired, ranges: []string{"", "bytes=8777-"}},
		"expired":                   {change: func(s *setup) { s.service.ExpireLinks() }, code: expired, ranges: []string{""}},
		"unknown":                   {faults: []hostedtest.Fault{{Status: 404}}, code: expired, ranges: []string{""}},
		"always cut": {
			faults: []hostedtest.Fault{half, {Cut: hostedtest.CutBefore}, {Cut: hostedtest.CutBefore}, {Cut: hostedtest.CutBefore}, {Cut: hostedtest.CutBefore}, {Cut: hostedtest.CutBefore}, {Cut: hostedtest.CutBefore}},
			code:   backend.CodeHostedUnreachable, ranges: []string{"", "bytes=4388-", "bytes=4388-", "bytes=4388-", "bytes=4388-", "bytes=4388-"},
		},
		"another part than requested": {
			faults: []hostedtest.Fault{half, {Status: 206, Body: "x", Type: "audio/mpeg"}}, code: backend.CodeHostedBadAnswer, ranges: []string{"", "bytes=4388-"},
		},
		"the whole file again":   {faults: []hostedtest.Fault{half, {Body: string(hostedtest.MP3), Type: "audio/mpeg"}}, ranges: []string{"", "bytes=4388-"}},
		"no room":                {change: func(s *setup) { s.free = 1000 }, code: backend.CodeInsufficientDisk, ranges: []string{""}},
		"a link without TLS":     {link: "http://files.example/a.mp3", code: backend.CodeHostedBadAnswer},
		"a link to a file":       {link: "file:///etc/passwd", code: backend.CodeHostedBadAnswer},
		"a redirect without TLS": {faults: []hostedtest.Fault{{Redirect: "http://files.example/a.mp3"}}, code: backend.CodeHostedBadAnswer, ranges: []string{""}},
		"offline":                {change: func(s *setup) { s.offline = true }, code: backend.CodeOffline},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, hostedtest.Options{}, func(o *client.Options) {
				if len(c.faults) > 0 && c.faults[0].Hang {
					o.Timeouts.Answer = 100 * time.Millisecond
				}
			})
			result, err := s.client.Synthesize(t.Context(), request())
			require.NoError(t, err)
			if c.link != "" {
				result.URL = c.link
			}
			if c.change != nil {
				c.change(s)
			}
			s.service.Fault("/files/", c.faults...)
			dir := t.TempDir()
			path := filepath.Join(dir, "a.mp3")
			_, err = s.client.Fetch(t.Context(), result.URL, path)
			var ranges []string
			for _, r := range s.service.Requests("/files/") {
				ranges = append(ranges, r.Header.Get("Range"))
				require.Empty(t, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"))
				require.Equal(t, r.Header.Get("Range") != "", r.Header.Get("If-Range") != "", "what follows is of the same file")
			}
			require.Equal(t, c.ranges, ranges)
			entries, readErr := os.ReadDir(dir)
			require.NoError(t, readErr)
			if c.code != "" {
				require.Equal(t, c.code, client.AsError(err).Code)
				require.Empty(t, entries, "no part of a file stays")
				return
			}
			require.NoError(t, err)
			require.Len(t, entries, 1)
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, hostedtest.MP3, content)
		})
	}
}

// TestLinksOfAServiceElsewhere: a service that is not on this machine cannot make the program read from it.
func TestLinksOfAServiceElsewhere(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{})
	result, err := s.client.Synthesize(t.Context(), request())
	require.NoError(t, err)
	s.base = "https://service.example"
	for _, link := range []string{result.URL, strings.Replace(result.URL, "http://", "https://", 1)} {
		_, err = s.client.Fetch(t.Context(), link, filepath.Join(t.TempDir(), "a.mp3"))
		require.Equal(t, backend.CodeHostedBadAnswer, client.AsError(err).Code)
	}
	require.Empty(t, s.service.Requests("/files/"))
}
