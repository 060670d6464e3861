package desktop

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// longJob is how long a job lasts before its end is worth a notification.
const longJob = 20 * time.Second

// jobKind is the kind of a job.
type jobKind int

const (
	speechJob jobKind = iota + 1
	downloadJob
)

// job is a running generation or download.
type job struct {
	kind  jobKind
	name  string // the model of a download
	since time.Time
}

// finished is a job that has ended.
type finished struct {
	job
	failed, long bool
}

// jobTracker tracks the jobs of a server by its events. It is safe for concurrent use.
type jobTracker struct {
	now  func() time.Time
	mu   sync.Mutex
	jobs map[string]job
}

func newJobTracker(now func() time.Time) *jobTracker {
	return &jobTracker{now: now, jobs: map[string]job{}}
}

// handle reads one event of /events. It returns the job that ended with it, nil for all other events: also for a cancelled
// job and a paused download, which the user knows of.
func (t *jobTracker) handle(data []byte) (ended *finished) {
	var event struct {
		ID     string `json:"id"`
		Model  string `json:"model_name"`
		Status string `json:"status"`
	}
	if json.Unmarshal(data, &event) != nil || event.Status == "" {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if event.Model != "" {
		return t.download(event.Model, backend.DownloadStatus(event.Status))
	}
	return t.generation(event.ID, backend.Status(event.Status))
}

func (t *jobTracker) generation(id string, status backend.Status) *finished {
	switch status {
	case backend.StatusComplete:
		return t.end(id, false)
	case backend.StatusFailed:
		return t.end(id, true)
	case backend.StatusCancelled:
		delete(t.jobs, id)
	case backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusGenerating, backend.StatusTranscribing,
		backend.StatusListening:
		t.start(id, job{kind: speechJob})
	}
	return nil
}

func (t *jobTracker) download(model string, status backend.DownloadStatus) *finished {
	key := "model." + model // differs from every id of a generation, a UUID
	switch status {
	case backend.DownloadComplete:
		return t.end(key, false)
	case backend.DownloadError:
		return t.end(key, true)
	case backend.DownloadPaused, backend.DownloadIdle:
		delete(t.jobs, key)
	case backend.DownloadQueued, backend.DownloadResolving, backend.DownloadRunning, backend.DownloadVerifying:
		t.start(key, job{kind: downloadJob, name: model})
	}
	return nil
}

func (t *jobTracker) start(key string, j job) {
	if _, exists := t.jobs[key]; !exists {
		j.since = t.now()
		t.jobs[key] = j
	}
}

func (t *jobTracker) end(key string, failed bool) *finished {
	j, ok := t.jobs[key]
	if !ok {
		return nil
	}
	delete(t.jobs, key)
	return &finished{job: j, failed: failed, long: t.now().Sub(j.since) >= longJob}
}

// reset drops all jobs: the server has stopped, or events were missed.
func (t *jobTracker) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.jobs)
}

// running returns the number of running jobs.
func (t *jobTracker) running() (generations, downloads int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, j := range t.jobs {
		if j.kind == speechJob {
			generations++
		} else {
			downloads++
		}
	}
	return generations, downloads
}
