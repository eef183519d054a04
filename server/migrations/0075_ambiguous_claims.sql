-- Set once a person has confirmed an agent for another computer than the one whose id is in its credential, because several
-- computers matched equally. The next contact of the agent gets the credential with the right id.
alter table quarantined_agents
  add column confirmed_computer_id integer,
  add constraint quarantined_agents_confirmed_computer_id_fkey
    foreign key (confirmed_computer_id) references computers (id) on delete cascade;

create index quarantined_agents_confirmed_computer_id_idx on quarantined_agents (confirmed_computer_id);
