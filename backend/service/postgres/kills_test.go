//go:build postgres && !scale

package postgres_test

const kills = 5 // of TestKilledProcesses
