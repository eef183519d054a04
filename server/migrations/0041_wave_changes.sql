alter table rollouts
  -- What a wave brings: a hash of each assigned work with the content of its package and its options, and the ids of fix packages.
  -- What differs from all of them was changed later and has a wave of its own. Null for a wave of an earlier version of the service,
  -- and for all other rollouts.
  add column wave_changes text[];
