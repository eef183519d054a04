-- Tasks are listed by the time of their creation. Ids are almost in this order, but only almost.
create index tasks_created_at_idx on tasks (created_at, id);
