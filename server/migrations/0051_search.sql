-- The search over everything finds the first computers whose names begin with a text (searchFleet). The order of bytes: in the order
-- of a language, names with the same beginning need not follow each other.
create index computer_summaries_name_prefix_idx on computer_summaries (name_key text_pattern_ops, computer_id);

-- The same search finds patches by the beginning of the number of a vulnerability, while it is typed.
create index patches_cve_prefix_idx on patches using gin (array_to_tsvector(array_remove(cves, null)));
