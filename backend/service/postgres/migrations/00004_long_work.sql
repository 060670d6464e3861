-- +goose Up
-- What finds few rows among many accounts.

-- service_email_key is the same for e-mail addresses that are the same: such an address in lower case, and nothing where that takes more
-- than ASCII.
-- +goose StatementBegin
CREATE FUNCTION service_email_key(email text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN email COLLATE "C" ~ '^[!-~]+$' AND strpos(lower(email COLLATE "C"), 'xn--') = 0
        THEN rtrim(lower(email COLLATE "C"), '.') ELSE '' END
$$;
-- +goose StatementEnd
CREATE INDEX accounts_email ON accounts (service_email_key(email)) WHERE email <> '';

DROP INDEX accounts_renewing;
CREATE INDEX accounts_renewing ON accounts (plan_expires) WHERE renews_until > 0;

CREATE INDEX rate_calls_at ON rate_calls (at);
