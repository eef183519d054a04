-- How many requests each address and client made in the current minute. Unlogged: the counts change with every limited
-- request and need not survive a crash. Names, order and meaning of the columns are those of rate-limiter-flexible.
create unlogged table rate_limits (
  -- The name of the limit and a hash of what is counted.
  key text not null,
  points integer not null,
  -- Milliseconds since 1970.
  expire bigint not null,
  constraint rate_limits_pkey primary key (key),
  constraint rate_limits_key_length_check check (length(key) <= 100)
) with (fillfactor = 50);
