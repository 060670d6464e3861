// Package sqlite keeps the library of a user in one file, voicewright.db: profiles, the history of
// generations with its full-text search, settings and measured voice gains.
//
// One connection writes and a few read. Times are INTEGER milliseconds UTC, ids are
// UUID version 7 strings. Every error that a user may meet is a *backend.Error with code and remedy.
package sqlite
