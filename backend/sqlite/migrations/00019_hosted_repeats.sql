-- +goose Up
-- With what a call of the hosted service is sent again after its answer was lost.
ALTER TABLE hosted_parts ADD COLUMN idempotency_key TEXT NOT NULL DEFAULT ''; -- '' where the service does not keep it
ALTER TABLE hosted_parts ADD COLUMN account         TEXT NOT NULL DEFAULT ''; -- the account and the service that it was sent to
ALTER TABLE hosted_parts ADD COLUMN request         TEXT NOT NULL DEFAULT ''; -- its body, '' once it is answered
