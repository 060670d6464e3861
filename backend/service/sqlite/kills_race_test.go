//go:build race

package sqlite_test

const kills = 20 // of TestKilledProcesses; with the race detector a process starts ten times slower
