// Package sqlite stores the library of a user in one file, voicewright.db: profiles, the history of generations with its
// full-text search, drafts, pronunciations, scripts, settings and measured voice levels.
//
// One connection writes and several read. Times are INTEGER milliseconds UTC, ids are
// UUID version 7 strings. Every error that a user may see is a *backend.Error with code and remedy.
package sqlite
