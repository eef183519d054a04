-- Answers to POST requests that carried an Idempotency-Key, kept for a day to be replayed.
-- Neither the client's key nor the answer can be read from here: the key is stored as a keyed hash,
-- and the answer is encrypted with a key derived from the client's key.
create table idempotency_keys (
  key_hash bytea not null,
  request_hash bytea not null,
  sealed_answer bytea,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pkey primary key (key_hash)
);

create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
