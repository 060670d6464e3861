package generations

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/queue"
)

// hostedQueue holds the jobs of the hosted service, which takes one at a time. They do not wait for local ones.
type hostedQueue struct {
	*queue.Queue[*Job]
	working atomic.Bool
	moveMu  sync.Mutex // held while the places are published
}

// queueOf returns the queue of a job.
func (s *Service) queueOf(j *Job) *queue.Queue[*Job] {
	if j.Hosted != nil {
		return s.hosted.Queue
	}
	return s.queue
}

// runHosted runs the jobs of the hosted service until the queue is closed.
func (s *Service) runHosted() {
	for j, ok := s.hosted.Next(); ok; j, ok = s.hosted.Next() {
		s.hosted.working.Store(true)
		s.publishPlaces()
		j.drop(backend.Contain(j.work))
		s.hosted.working.Store(false)
	}
}

// publishPlaces publishes the places of the waiting hosted jobs that have changed.
func (s *Service) publishPlaces() {
	s.hosted.moveMu.Lock()
	defer s.hosted.moveMu.Unlock()
	if !s.hosted.working.Load() { // the next one starts at once
		return
	}
	for i, j := range s.hosted.Waiting() {
		place := backend.Wait{Reason: backend.WaitQueue, Place: i + 1}
		changed := false
		g := j.Set(func(g *backend.Generation) {
			if changed = g.Wait == nil || *g.Wait != place; changed {
				g.Wait = &place
			}
		})
		if changed {
			s.Notify(g)
		}
	}
}

// Reserve reserves places for jobs in their queues, or none. giveBack frees them.
func (s *Service) Reserve(jobs []*Job) (giveBack func(), err error) {
	hosted := 0
	for _, j := range jobs {
		if j.Hosted != nil {
			hosted++
		}
	}
	local := len(jobs) - hosted
	if err := s.queue.Reserve(local); err != nil {
		return nil, err
	}
	if err := s.hosted.Reserve(hosted); err != nil {
		s.queue.GiveBack(local)
		return nil, err
	}
	return func() {
		s.queue.GiveBack(local)
		s.hosted.GiveBack(hosted)
	}, nil
}

// CheckHosted applies the rules of the hosted service to jobs together, so that a refused request leaves no row.
func (s *Service) CheckHosted(ctx context.Context, accepted *int64, jobs ...*Job) error {
	return s.CheckSpeeches(ctx, accepted, SpeechesOf(jobs))
}

// CheckSpeeches is CheckHosted for what is to be spoken.
func (s *Service) CheckSpeeches(ctx context.Context, accepted *int64, speeches []backend.HostedSpeech) error {
	if len(speeches) == 0 {
		return nil
	}
	return s.maker.Check(ctx, accepted, speeches)
}
