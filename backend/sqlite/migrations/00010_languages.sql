-- +goose Up
-- Profiles could be stored with pt_BR, which a search for pt did not find.
UPDATE profiles SET language = replace(language, '_', '-') WHERE instr(language, '_') > 0;
