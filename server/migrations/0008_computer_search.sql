-- For the two criteria of the search that pick few computers and are no text.
create index computers_memory_mb_idx on computers (memory_mb);
create index computers_is_pxe_active_idx on computers (id) where is_pxe_active;
