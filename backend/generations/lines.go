package generations

import (
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
)

// lines are where generations wait: the hosted service takes one at a time, and its jobs do not wait for local ones. Those that wait
// behind what is started by hand have a line and a worker of their own, which speaks while the local line is free; for the hosted
// service they are the last ones of its line.
type lines struct {
	gens          *Service
	local, hosted *jobs.Line[*Job]
	behind        *jobs.Line[*Job]
	moveMu        sync.Mutex // held while the places of hosted jobs are published
}

func newLines(gens *Service) *lines {
	l := &lines{gens: gens}
	l.local, l.hosted, l.behind = gens.jobs.NewLine(nil), gens.jobs.NewLine(l.publish), gens.jobs.NewLine(nil)
	l.hosted.SetBehind(func(j *Job) bool { return j.behind })
	return l
}

// of returns the line of a job.
func (l *lines) of(j *Job) *jobs.Line[*Job] {
	if j.Hosted != nil {
		return l.hosted
	}
	if j.behind {
		return l.behind
	}
	return l.local
}

// turn blocks a job that waits behind others while one of these runs or waits. Errors: cancelled, interrupted when the program closes.
func (l *lines) turn(ctx context.Context) error {
	err := l.local.Free(ctx)
	if l.gens.jobs.Closing().Err() != nil {
		return errStopped // its finished chunks are kept, and it may take hours
	}
	return err
}

// publish publishes the places of the waiting hosted jobs that have changed.
func (l *lines) publish() {
	l.moveMu.Lock()
	defer l.moveMu.Unlock()
	for i, j := range l.hosted.Waiting() {
		place := backend.Wait{Reason: backend.WaitQueue, Place: i + 1}
		changed := false
		g := j.Set(func(g *backend.Generation) {
			if changed = g.Wait == nil || *g.Wait != place; changed {
				g.Wait = &place
			}
		})
		if changed {
			l.gens.Notify(g)
		}
	}
}

// reserve reserves places for jobs in their lines, or none. giveBack frees them.
func (l *lines) reserve(all []*Job) (giveBack func(), err error) {
	hosted := 0
	for _, j := range all {
		if j.Hosted != nil {
			hosted++
		}
	}
	local := len(all) - hosted
	if err := l.local.Reserve(local); err != nil {
		return nil, err
	}
	if err := l.hosted.Reserve(hosted); err != nil {
		l.local.GiveBack(local)
		return nil, err
	}
	return func() {
		l.local.GiveBack(local)
		l.hosted.GiveBack(hosted)
	}, nil
}
