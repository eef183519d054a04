-- Searches for a part of a number or of a bulletin. The indexes on lower(…) serve the filters that compare the whole.
create index patches_number_search_idx on patches using gin (q_number gin_trgm_ops, bulletin_id gin_trgm_ops);

-- The patches that a fix package was to install when the agent began the work; null for other work.
alter table work add column patch_ids integer[];
