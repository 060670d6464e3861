package api_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// load sends the requests that are no speech, in turn, for many users.
type load struct {
	live   *live
	keys   []string
	client *http.Client
}

const (
	benchUsers = 200 // enhance is limited to 30 calls a minute each
	benchRate  = 500 // requests a second
)

func newLoad(b *testing.B) *load {
	b.Helper()
	l := &load{live: newLiveAt(b, time.Now), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	b.Cleanup(l.client.CloseIdleConnections)
	for i := range benchUsers {
		l.keys = append(l.keys, l.live.pro(b, fmt.Sprint("user-", i), 100_000))
	}
	return l
}

// send sends request i and returns an error unless it succeeds.
func (l *load) send(ctx context.Context, i int) error {
	all := [...][3]string{
		{"GET", "/api/v1/tts/voices"},
		{"GET", "/api/v1/user/credits"},
		{"GET", "/api/v1/tts/models"},
		{"GET", "/api/v1/tts/favorites"},
		{"GET", "/api/v1/tts/filters"},
		{"GET", "/api/v1/user/usage"},
		{"POST", "/api/v1/user/subscription/check-renewal"},
		{"GET", "/api/v1/user/credits"},
		{"GET", "/api/v1/tts/voices"},
		{"POST", "/api/v1/tts/favorites/toggle", `{"voiceId":"` + service.VoiceID(service.ProviderA, "alba") + `"}`},
		{"POST", "/api/v1/tts/enhance", `{"text":"What a day! \"Stop,\" she whispered."}`},
	}
	round := i / len(all)
	q := all[i%len(all)]
	if q[1] == "/api/v1/tts/enhance" && round%10 != 0 {
		q = all[0]
	}
	r, err := http.NewRequestWithContext(ctx, q[0], l.live.url+q[1], strings.NewReader(q[2]))
	if err != nil {
		return err
	}
	r.Header.Set("X-API-Key", l.keys[round/10%len(l.keys)])
	response, err := l.client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", q[0], q[1], response.Status)
	}
	return nil
}

// BenchmarkServiceRequests sends 500 requests a second for 10 s, whether or not the ones before were answered.
func BenchmarkServiceRequests(b *testing.B) {
	l := newLoad(b)
	b.ResetTimer()
	for b.Loop() {
		const requests = 10 * benchRate
		times := make([]time.Duration, requests)
		errs := make([]error, requests)
		var wg sync.WaitGroup
		tick := time.NewTicker(time.Second / benchRate)
		began := time.Now()
		for i := range requests {
			due := began.Add(time.Duration(i) * time.Second / benchRate)
			if wait := time.Until(due); wait > 0 {
				<-tick.C
			}
			wg.Go(func() {
				started := time.Now()
				errs[i] = l.send(b.Context(), i)
				times[i] = time.Since(started)
			})
		}
		wg.Wait()
		tick.Stop()
		for _, err := range errs {
			require.NoError(b, err)
		}
		b.ReportMetric(requests/time.Since(began).Seconds(), "requests/s")
		slices.Sort(times)
		b.ReportMetric(float64(times[requests/2].Microseconds())/1000, "p50-ms")
		b.ReportMetric(float64(times[requests*95/100].Microseconds())/1000, "p95-ms")
		b.ReportMetric(float64(times[requests*99/100].Microseconds())/1000, "p99-ms")
	}
}

// BenchmarkServiceMemory sends 100,000 requests and reports how much more memory is in use than after the first 10,000.
func BenchmarkServiceMemory(b *testing.B) {
	l := newLoad(b)
	b.ResetTimer()
	for b.Loop() {
		l.sendAll(b, 0, 10_000)
		heap, resident := memory(b)
		l.sendAll(b, 10_000, 100_000)
		heapAfter, residentAfter := memory(b)
		b.ReportMetric(heapAfter-heap, "heap-MB-more")
		b.ReportMetric(residentAfter-resident, "resident-MB-more")
		b.ReportMetric(residentAfter, "resident-MB")
	}
}

// sendAll sends requests from one number to another, eight at a time.
func (l *load) sendAll(b *testing.B, from, to int) {
	b.Helper()
	const senders = 8
	errs := make([]error, senders)
	var wg sync.WaitGroup
	for sender := range senders {
		wg.Go(func() {
			for i := from + sender; i < to && errs[sender] == nil; i += senders {
				errs[sender] = l.send(b.Context(), i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(b, err)
	}
}

// memory returns what the heap holds and what the process has, in MB. The memory of SQLite is not on the heap.
func memory(b *testing.B) (heap, resident float64) {
	b.Helper()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	self, err := process.NewProcess(int32(os.Getpid()))
	require.NoError(b, err)
	info, err := self.MemoryInfo()
	require.NoError(b, err)
	return float64(m.HeapAlloc) / 1e6, float64(info.RSS) / 1e6
}
