//go:build postgres && scale

package postgres_test

const kills = 100 // of TestKilledProcesses
