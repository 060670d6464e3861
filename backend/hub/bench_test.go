package hub_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

var benchBytes = flag.Int64("hub.bytes", 512<<20, "size of the file that the benchmarks download")

const servedFile = "HUB_TEST_SERVE"

// serveFile serves one file under every address, or that many zeros when what is a number.
func serveFile(what string) int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 1
	}
	_, _ = fmt.Fprintf(os.Stdout, "http://%s\n", listener.Addr())
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Etag", `"bench"`)
		w.Header().Set("X-Repo-Commit", commit) // which huggingface_hub wants
		if n, err := strconv.ParseInt(what, 10, 64); err == nil {
			http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(hubtest.Zeros(n), 0, n))
			return
		}
		http.ServeFile(w, r, what)
	})
	_ = http.Serve(listener, handler)
	return 0
}

func startFileServer(b *testing.B, what string) string {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), servedFile+"="+what)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	return strings.TrimSpace(line)
}

func zerosRequest(b *testing.B, n int64) hub.Request {
	b.Helper()
	h := sha256.New()
	_, err := io.CopyBuffer(h, io.NewSectionReader(hubtest.Zeros(n), 0, n), make([]byte, 1<<20))
	require.NoError(b, err)
	return hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{{Path: "model.onnx", Size: n, SHA256: hex.EncodeToString(h.Sum(nil))}}}
}

// BenchmarkDownload compares a download with curl of the same bytes, on tmpfs, where only the work counts, and on the disk.
// ours/curl is the ratio of the times, summed over the runs; curl neither hashes nor syncs. ours/same is the ratio to curl
// with the file synced and hashed after it, which a download includes.
func BenchmarkDownload(b *testing.B) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		b.Skip("curl is not installed")
	}
	disks := map[string]string{"disk": b.TempDir()}
	if dir, err := os.MkdirTemp("/dev/shm", "hub"); err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		disks["memory"] = dir
	}
	for name, dir := range disks {
		b.Run(name, func(b *testing.B) {
			served := filepath.Join(dir, "served")
			r := hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{servedNoise(b, served)}}
			base := startFileServer(b, served)
			copied, cache := filepath.Join(dir, "curl"), filepath.Join(dir, "cache")
			var ours, theirs, same time.Duration
			for b.Loop() {
				begun := time.Now()
				require.NoError(b, exec.CommandContext(b.Context(), curl, "-s", "-o", copied, base+"/x").Run())
				theirs += time.Since(begun)
				syncAndHash(b, copied)
				same += time.Since(begun)
				require.NoError(b, os.Remove(copied))

				client := newClient(b, base, cache)
				begun = time.Now()
				_, err := client.Download(b.Context(), r, nil)
				ours += time.Since(begun)
				require.NoError(b, err)
				require.NoError(b, os.RemoveAll(cache))
			}
			b.ReportMetric(ours.Seconds()/theirs.Seconds(), "ours/curl")
			b.ReportMetric(ours.Seconds()/same.Seconds(), "ours/same")
			b.ReportMetric(float64(b.N)*float64(*benchBytes)/1e6/ours.Seconds(), "MB/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// servedNoise writes the file that is served.
func servedNoise(b *testing.B, name string) hub.File {
	b.Helper()
	f, err := os.Create(name)
	require.NoError(b, err)
	h := sha256.New()
	block := noise(1, 1<<20)
	for range *benchBytes >> 20 {
		_, err = io.MultiWriter(f, h).Write(block)
		require.NoError(b, err)
	}
	require.NoError(b, f.Close())
	return hub.File{Path: "model.onnx", Size: *benchBytes >> 20 << 20, SHA256: hex.EncodeToString(h.Sum(nil))}
}

func syncAndHash(b *testing.B, name string) {
	b.Helper()
	f, err := os.Open(name)
	require.NoError(b, err)
	require.NoError(b, f.Sync())
	_, err = io.CopyBuffer(sha256.New(), f, make([]byte, 1<<20))
	require.NoError(b, err)
	require.NoError(b, f.Close())
}

// rss returns the resident memory of this process in bytes, 0 where it is unknown.
func rss() int64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// BenchmarkMemory downloads zeros (16 times hub.bytes, 8 GB by default) and reports by how much the process grows.
func BenchmarkMemory(b *testing.B) {
	n := 16 * *benchBytes
	r := zerosRequest(b, n)
	base := startFileServer(b, strconv.FormatInt(n, 10))
	for b.Loop() {
		cache := b.TempDir()
		client := newClient(b, base, cache)
		runtime.GC()
		debug.FreeOSMemory()
		before := rss()
		var highest atomic.Int64
		_, err := client.Download(b.Context(), r, func(hub.Progress) { highest.Store(max(highest.Load(), rss())) })
		require.NoError(b, err)
		b.ReportMetric(float64(highest.Load()-before)/1e6, "MB")
		require.NoError(b, os.RemoveAll(cache))
	}
	b.ReportMetric(float64(n)/1e9, "GB")
}

// firstPart records when the first partial response arrives.
type firstPart struct {
	http.RoundTripper
	at atomic.Int64
}

func (f *firstPart) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := f.RoundTripper.RoundTrip(r)
	if err == nil && a.StatusCode == http.StatusPartialContent {
		f.at.CompareAndSwap(0, time.Now().UnixNano())
	}
	return a, err
}

// BenchmarkResume stops a download after 10 times hub.bytes (5 GB by default), and reports how long the next
// one takes to its first new byte: with the side-car, and without it, when all bytes are hashed again. cancel-ms is the time of
// the stop.
func BenchmarkResume(b *testing.B) {
	there := 10 * *benchBytes
	r := zerosRequest(b, there+2**benchBytes)
	base := startFileServer(b, strconv.FormatInt(r.Files[0].Size, 10))
	for b.Loop() {
		cache := hub.NewCache(b.TempDir(), "")
		stopping, _ := stopAt(b, base, cache, r, there)
		b.ReportMetric(float64(stopping.Microseconds())/1e3, "cancel-ms")
		b.ReportMetric(float64(cache.Partial(r))/1e9, "GB")
		_, first := stopAt(b, base, cache, r, 0)
		b.ReportMetric(float64(first.Microseconds())/1e3, "first-byte-ms")

		sides, err := filepath.Glob(filepath.Join(cache.Dir, "*", "blobs", "*.json"))
		require.NoError(b, err)
		require.Len(b, sides, 1)
		require.NoError(b, os.Remove(sides[0]))
		_, first = stopAt(b, base, cache, r, 0)
		b.ReportMetric(float64(first.Microseconds())/1e3, "rehash-ms")
		require.NoError(b, os.RemoveAll(cache.Dir))
	}
	b.ReportMetric(0, "ns/op")
}

// stopAt cancels a download when it has so many bytes, with 0 as soon as it resumes. It returns how long the stop took, and how
// long the first partial response took from the start.
func stopAt(b *testing.B, base string, cache *hub.Cache, r hub.Request, bytes int64) (stopping, first time.Duration) {
	b.Helper()
	connections := &http.Transport{}
	defer connections.CloseIdleConnections()
	transport := &firstPart{RoundTripper: connections}
	client := cacheClient(b, base, cache, func(o *hub.Options) { o.Transport, o.Stall = transport, time.Minute })
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var cancelled time.Time
	begun := time.Now()
	_, err := client.Download(ctx, r, func(p hub.Progress) {
		enough := p.Current >= bytes && bytes > 0 || bytes == 0 && transport.at.Load() > 0
		if enough && cancelled.IsZero() {
			cancelled = time.Now()
			cancel()
		}
	})
	require.Equal(b, backend.CodeCancelled, backend.CodeOf(err))
	return time.Since(cancelled), time.Unix(0, transport.at.Load()).Sub(begun)
}

// BenchmarkSnapshot looks up 300 models of three files.
func BenchmarkSnapshot(b *testing.B) {
	files := map[string][]byte{"a.onnx": noise(1, 100), "b.onnx": noise(2, 100), "config.json": []byte("{}")}
	s := startHub(b, files)
	c := newClient(b, s.URL(), b.TempDir())
	r := pinned(s, files)
	_, err := c.Download(b.Context(), r, nil)
	require.NoError(b, err)
	for b.Loop() {
		for range 300 {
			_, ok := c.Cache().Snapshot(r)
			require.True(b, ok)
		}
	}
}
