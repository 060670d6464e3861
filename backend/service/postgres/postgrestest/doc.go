// Package postgrestest starts PostgreSQL for tests, in a temporary folder, as a user that is not root. Nothing of the system's own
// PostgreSQL is used but its programs. All of it has the build tag postgres.
package postgrestest
