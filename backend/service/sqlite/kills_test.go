//go:build !race

package sqlite_test

const kills = 100 // of TestKilledProcesses
