-- How often a rule has moved a computer in the hour that began then. `changes_in_hour` of the rule counts these computers: one
-- that comes and goes is one computer.
create table group_rule_changes (
  group_id uuid not null,
  computer_id integer not null,
  -- That of the rule. A row of an earlier hour counts no more.
  hour_began_at timestamptz not null,
  changes integer not null default 1,
  constraint group_rule_changes_pkey primary key (group_id, computer_id),
  constraint group_rule_changes_group_id_fkey foreign key (group_id) references group_rules (group_id) on delete cascade,
  constraint group_rule_changes_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

create index group_rule_changes_computer_id_idx on group_rule_changes (computer_id);
