package desktop

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// longJob is how long a job lasts before its end is worth a notification.
const longJob = 20 * time.Second

// jobKind says what a job makes.
type jobKind int

const (
	speechJob jobKind = iota + 1
	downloadJob
)

// job is a generation or a download that goes on.
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

// work knows the jobs of a server by the events that it sends. It is safe for concurrent use.
type work struct {
	now  func() time.Time
	mu   sync.Mutex
	jobs map[string]job
}

func newWork(now func() time.Time) *work { return &work{now: now, jobs: map[string]job{}} }

// see takes one event of /events; ended is the job that ended with it, nil for all other events. A job that was
// cancelled ends without a word, and a paused download is no work.
func (w *work) see(data []byte) (ended *finished) {
	var event struct {
		ID     string `json:"id"`
		Model  string `json:"model_name"`
		Status string `json:"status"`
	}
	if json.Unmarshal(data, &event) != nil || event.Status == "" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if event.Model != "" {
		return w.download(event.Model, backend.DownloadStatus(event.Status))
	}
	return w.generation(event.ID, backend.Status(event.Status))
}

func (w *work) generation(id string, status backend.Status) *finished {
	switch status {
	case backend.StatusComplete:
		return w.end(id, false)
	case backend.StatusFailed:
		return w.end(id, true)
	case backend.StatusCancelled:
		delete(w.jobs, id)
	case backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusGenerating:
		w.begin(id, job{kind: speechJob})
	}
	return nil
}

func (w *work) download(model string, status backend.DownloadStatus) *finished {
	key := "model." + model // no UUID
	switch status {
	case backend.DownloadComplete:
		return w.end(key, false)
	case backend.DownloadError:
		return w.end(key, true)
	case backend.DownloadPaused, backend.DownloadIdle:
		delete(w.jobs, key)
	case backend.DownloadQueued, backend.DownloadResolving, backend.DownloadRunning, backend.DownloadVerifying:
		w.begin(key, job{kind: downloadJob, name: model})
	}
	return nil
}

func (w *work) begin(key string, j job) {
	if _, known := w.jobs[key]; !known {
		j.since = w.now()
		w.jobs[key] = j
	}
}

func (w *work) end(key string, failed bool) *finished {
	j, ok := w.jobs[key]
	if !ok {
		return nil
	}
	delete(w.jobs, key)
	return &finished{job: j, failed: failed, long: w.now().Sub(j.since) >= longJob}
}

// forget drops every job: the server is gone, or its events were missed.
func (w *work) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.jobs)
}

// busy counts what goes on.
func (w *work) busy() (speaking, downloading int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.jobs {
		if j.kind == speechJob {
			speaking++
		} else {
			downloading++
		}
	}
	return speaking, downloading
}
