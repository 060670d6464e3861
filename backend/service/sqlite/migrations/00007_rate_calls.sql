-- +goose Up
CREATE INDEX rate_calls_at ON rate_calls (at);
