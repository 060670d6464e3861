// Package sqlite implements service.Store in one SQLite file, which several processes may share.
//
// One connection writes and several read. Writes that wait at the same time are committed together, with one sync. Every
// commit is synced, so that an acknowledged one survives a power cut.
package sqlite
