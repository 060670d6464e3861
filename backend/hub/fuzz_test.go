package hub

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzListing(f *testing.F) {
	f.Add([]byte(`{"sha":"0123456789012345678901234567890123456789","siblings":[{"rfilename":"a/b.onnx","size":3,"blobId":"0123456789012345678901234567890123456789","lfs":{"sha256":"0123456789012345678901234567890123456789012345678901234567890123","size":3}}]}`))
	f.Add([]byte(`{"sha":"0123456789012345678901234567890123456789","siblings":[{"rfilename":"../../etc/passwd","size":-1}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := parseListing(raw)
		if err != nil {
			return
		}
		require.True(t, isCommit(l.commit))
		cache := NewCache("/cache", "")
		for _, file := range l.files {
			require.GreaterOrEqual(t, file.size, int64(0))
			require.NoError(t, checkPath(file.path))
			require.Contains(t, cache.file("a/b", l.commit, file.path), cache.snapshot("a/b", l.commit))
		}
	})
}

func FuzzSideCar(f *testing.F) {
	f.Add([]byte(`{"url":"http://h/x","path":"a","etag":"\"e\"","size":10,"sha256":"","offset":5,"state":"AAAA","tail":"AAAA"}`))
	f.Add([]byte(`{"offset":-1}`))
	f.Add([]byte(`{"path":"../x","offset":9,"size":3}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, ok := parseSideCar(raw)
		if !ok {
			return
		}
		require.GreaterOrEqual(t, s.Offset, int64(0))
		require.LessOrEqual(t, s.Offset, s.Size)
		_ = newDigest(target{File: File{Size: s.Size}, etag: "0123456789012345678901234567890123456789"}).restore(s.State, s.GitState)
	})
}

func FuzzContentRange(f *testing.F) {
	f.Add("bytes 0-9/10")
	f.Add("bytes 5-9/*")
	f.Add("bytes 9-5/10")
	f.Add("bytes 0-999999999999999999999/1")
	f.Fuzz(func(t *testing.T, v string) {
		start, end, total, ok := parseContentRange(v)
		if !ok {
			return
		}
		require.GreaterOrEqual(t, start, int64(0))
		require.GreaterOrEqual(t, end, start)
		require.True(t, total == -1 || end < total)
	})
}
