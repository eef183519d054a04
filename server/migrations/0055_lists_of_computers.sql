-- When the next contact of an agent is expected. Recorded whenever the fleet is counted, as the other states.
alter table computer_summaries
  add column next_contact text not null default 'None',
  add constraint computer_summaries_next_contact_check
    check (next_contact in ('WhenCalled', 'Overdue', 'Hour', 'Day', 'Later', 'None'));

-- Lists of computers with a value of a custom field. Fleets without custom values do not pay for it.
create index computers_custom_idx on computers using gin (custom jsonb_path_ops) where custom <> '{}';

-- A list of the console under a name: which filters it has, in which order, and which columns it shows.
create table saved_views (
  id uuid not null default gen_random_uuid(),
  -- Who has saved it. Null once that principal is deleted: those with whom a view is shared keep it.
  principal_id integer,
  page text not null,
  name text not null,
  -- The parameters of the list with their values, as the operation of the page takes them.
  filters jsonb not null default '{}',
  sort text not null,
  descending boolean not null default false,
  columns text[] not null default '{}',
  density text,
  -- The roles whose principals see it as well.
  shared_with text[] not null default '{}',
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  constraint saved_views_pkey primary key (id),
  constraint saved_views_principal_id_fkey foreign key (principal_id) references principals (id) on delete set null,
  constraint saved_views_page_check check (page = 'computers'),
  constraint saved_views_name_check check (name ~ '\S' and length(name) <= 100),
  constraint saved_views_density_check check (density in ('Comfortable', 'Compact')),
  constraint saved_views_readers_check check (principal_id is not null or shared_with <> '{}')
);

-- The views of a person, and its foreign key.
create unique index saved_views_name_key on saved_views (principal_id, page, lower(name));

create function delete_private_views() returns trigger language plpgsql as $$
begin
  delete from saved_views where principal_id = old.id and shared_with = '{}';
  return old;
end $$;

create trigger principals_delete_private_views before delete on principals
  for each row execute function delete_private_views();
