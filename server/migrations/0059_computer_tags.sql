-- Tags of computers that are no depots, such as their site and what the site cannot do without.
create table computer_tags (
  computer_id integer not null,
  tag_id integer not null,
  constraint computer_tags_pkey primary key (computer_id, tag_id),
  constraint computer_tags_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint computer_tags_tag_id_fkey foreign key (tag_id) references tags (id) on delete cascade
);

create index computer_tags_tag_id_idx on computer_tags (tag_id);
