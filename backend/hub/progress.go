package hub

import (
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Status is what a download is doing.
type Status string

// The states of a running download.
const (
	Resolving   Status = "resolving"
	Downloading Status = "downloading"
	Verifying   Status = "verifying"
)

// Progress is the state of a download. Current never goes down within one download, and the last report of one that
// succeeded has Current = Total.
type Progress struct {
	Current        int64 // bytes that are on the disk, of all requested files
	Total          int64 // bytes of all requested files; 0 while unknown
	Filename       string
	Status         Status
	BytesPerSecond float64       // of the network, over the last seconds; 0 while unknown
	ETA            time.Duration // 0 while unknown
	Retry          *Retry        // while it waits for the next attempt
}

// Retry is the wait after a failed attempt.
type Retry struct {
	Attempt, Of int           // the next attempt, counted since the last received byte, and their maximum
	Wait        time.Duration // until the next attempt
	Err         error         // why the last one failed
}

const (
	reportEvery = 125 * time.Millisecond // at most ten reports a second, with the first and the last one
	speedOver   = 5 * time.Second
)

// meter collects the progress of a download and reports it from its own goroutine.
type meter struct {
	now    func() time.Time
	report func(Progress)
	fail   func(error) // cancels the download

	mu      sync.Mutex
	state   Progress
	dirty   bool
	fetched int64 // bytes received from the network
	marks   []mark

	stop chan struct{}
	done chan struct{}
}

type mark struct {
	at      time.Time
	fetched int64
}

// newMeter starts reporting. With a nil report it only collects.
func newMeter(now func() time.Time, report func(Progress), fail func(error)) *meter {
	m := &meter{now: now, report: report, fail: fail, stop: make(chan struct{}), done: make(chan struct{})}
	m.state.Status = Resolving
	if report == nil {
		close(m.done)
		return m
	}
	m.send(m.state)
	go m.run()
	return m
}

// send reports a state. A report that panics cancels the download.
func (m *meter) send(p Progress) {
	err := backend.Contain(func() error {
		m.report(p)
		return nil
	})
	if err != nil {
		m.fail(err)
	}
}

func (m *meter) run() {
	defer close(m.done)
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			return
		case <-tick.C:
			if p, changed := m.next(); changed {
				m.send(p)
			}
		}
	}
}

// close stops the reports; with complete it sends the last one, which has Current = Total.
func (m *meter) close(complete bool) {
	close(m.stop)
	<-m.done
	if !complete || m.report == nil {
		return
	}
	m.mu.Lock()
	m.state.Current, m.state.ETA = m.state.Total, 0
	p := m.state
	m.mu.Unlock()
	m.send(p)
}

func (m *meter) setTotal(n int64) { m.change(func() { m.state.Total = n }) }

func (m *meter) setStatus(status Status, file string) {
	m.change(func() { m.state.Status, m.state.Filename = status, file })
}

// setRetry reports a wait, nil its end, and restarts the measurement of the speed.
func (m *meter) setRetry(r *Retry) {
	m.change(func() { m.state.Retry, m.marks = r, nil })
}

// setCurrent raises Current to n, but not above the total. It never lowers it.
func (m *meter) setCurrent(n int64) {
	m.change(func() { m.state.Current = max(m.state.Current, min(n, m.state.Total)) })
}

// addFetched counts bytes received from the network.
func (m *meter) addFetched(n int) { m.change(func() { m.fetched += int64(n) }) }

func (m *meter) change(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
	m.dirty = true
}

// next returns the state with the speed of the last seconds, and reports whether it changed since the last call. A clock that
// went back restarts the measurement.
func (m *meter) next() (Progress, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if n := len(m.marks); n > 0 && now.Before(m.marks[n-1].at) {
		m.marks = nil
	}
	m.marks = append(m.marks, mark{now, m.fetched})
	for len(m.marks) > 2 && now.Sub(m.marks[0].at) > speedOver {
		m.marks = m.marks[1:]
	}
	first := m.marks[0]
	m.state.BytesPerSecond, m.state.ETA = 0, 0
	if d := now.Sub(first.at).Seconds(); d > 0 && m.fetched > first.fetched {
		m.state.BytesPerSecond = float64(m.fetched-first.fetched) / d
		left := float64(m.state.Total-m.state.Current) / m.state.BytesPerSecond
		m.state.ETA = time.Duration(min(left, 1e9) * float64(time.Second)).Round(time.Second)
	}
	changed := m.dirty
	m.dirty = false
	return m.state, changed
}
