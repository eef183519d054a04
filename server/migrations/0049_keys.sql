-- A purpose may have several keys. The newest generation encrypts; earlier ones decrypt what they encrypted.
alter table server_keys
  add column generation integer not null default 1,
  -- The key file with which the key is wrapped; null if the key is stored as it is.
  add column key_file_id text,
  drop constraint server_keys_pkey,
  add constraint server_keys_pkey primary key (purpose, generation);

-- With a key file, `private_key` contains only the wrapped key.
alter table signing_keys add column key_file_id text;
