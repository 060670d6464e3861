package service

import "context"

// Beat is one heartbeat and one repair, Sweep one run of the sweeper, which Start repeats.
func (s *Service) Beat(ctx context.Context) {
	s.heartbeat.beat(ctx)
	s.heartbeat.repair(ctx)
}
func (s *Service) Sweep(ctx context.Context) { s.sweeper.sweep(ctx) }

// MaxPreviews is the number of previews that are made at the same time.
const MaxPreviews = maxPreviews

// OrphanSweeps is the number of sweeps between two searches for files without an entry.
const OrphanSweeps = orphanSweeps
