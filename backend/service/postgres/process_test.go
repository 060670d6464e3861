//go:build postgres

package postgres_test

const childURL = "VOICEWRIGHT_TEST_STORE"

func child(string) error { return nil }
