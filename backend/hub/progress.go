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
	Current        int64 // bytes that are there, of all files asked for
	Total          int64 // bytes of all files asked for; 0 while unknown
	Filename       string
	Status         Status
	BytesPerSecond float64       // of the network, over the last seconds; 0 while unknown
	ETA            time.Duration // 0 while unknown
	Retry          *Retry        // while it waits to ask again
}

// Retry is a wait after an attempt that failed.
type Retry struct {
	Attempt, Of int           // the one to come, counted from the last byte that came, and how many there are
	Wait        time.Duration // until then
	Err         error         // why the last one failed
}

const (
	reportEvery = 125 * time.Millisecond // with the first and the last one at most ten reports in a second
	speedOver   = 5 * time.Second
)

// meter collects the progress and reports it from a goroutine of its own.
type meter struct {
	now    func() time.Time
	report func(Progress)
	fail   func(error) // ends the download

	mu      sync.Mutex
	state   Progress
	dirty   bool
	fetched int64 // bytes that came over the network
	marks   []mark

	stop chan struct{}
	done chan struct{}
}

type mark struct {
	at      time.Time
	fetched int64
}

// newMeter starts to report. Without a function to report to it only collects.
func newMeter(now func() time.Time, report func(Progress), fail func(error)) *meter {
	m := &meter{now: now, report: report, fail: fail, stop: make(chan struct{}), done: make(chan struct{})}
	m.state.Status = Resolving
	if report == nil {
		close(m.done)
		return m
	}
	m.tell(m.state)
	go m.run()
	return m
}

// tell reports a state. A report that panics ends the download.
func (m *meter) tell(p Progress) {
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
			if p, changed := m.take(); changed {
				m.tell(p)
			}
		}
	}
}

// close stops the reports; complete gives the last one.
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
	m.tell(p)
}

func (m *meter) total(n int64) { m.change(func() { m.state.Total = n }) }

func (m *meter) doing(status Status, file string) {
	m.change(func() { m.state.Status, m.state.Filename = status, file })
}

// waits tells of a wait, nil of its end; the speed before it says nothing about what comes after.
func (m *meter) waits(r *Retry) {
	m.change(func() { m.state.Retry, m.marks = r, nil })
}

// at moves Current up to n; it never moves down, and never beyond the total.
func (m *meter) at(n int64) {
	m.change(func() { m.state.Current = max(m.state.Current, min(n, m.state.Total)) })
}

// got counts bytes of the network.
func (m *meter) got(n int) { m.change(func() { m.fetched += int64(n) }) }

func (m *meter) change(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
	m.dirty = true
}

// take gives the present state, with the speed of the last seconds. A clock that went back starts the measure again.
func (m *meter) take() (Progress, bool) {
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
