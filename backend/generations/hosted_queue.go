package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
)

// lineOf returns the line of a job.
func (s *Service) lineOf(j *Job) *jobs.Line[*Job] {
	if j.Hosted != nil {
		return s.hosted
	}
	return s.line
}

// publishPlaces publishes the places of the waiting hosted jobs that have changed.
func (s *Service) publishPlaces() {
	s.moveMu.Lock()
	defer s.moveMu.Unlock()
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
	if err := s.line.Reserve(local); err != nil {
		return nil, err
	}
	if err := s.hosted.Reserve(hosted); err != nil {
		s.line.GiveBack(local)
		return nil, err
	}
	return func() {
		s.line.GiveBack(local)
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
