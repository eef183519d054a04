-- The time that a schedule names; null for any other text. Years have four digits and times without an offset are UTC,
-- so the result depends on no setting of the session.
create function schedule_start(schedule text) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
  if schedule !~* '^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d(:?\d\d)?)?$' then return null; end if;
  return (schedule || case when schedule ~* '(z|[+-]\d\d(:?\d\d)?)$' then '' else 'Z' end)::timestamptz;
exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
  return null;
end $$;

-- A variable. A Category only gathers others under its name; the children of a Collection are the columns of its
-- entries; a UserDefined variable cannot be set through the API.
create table variable_definitions (
  id integer generated always as identity,
  parent_id integer,
  designation text not null,
  dotted_name text not null,
  kind text not null,
  description text,
  default_value text,
  is_secret boolean not null default false,
  is_system boolean not null default false,
  constraint variable_definitions_pkey primary key (id),
  constraint variable_definitions_kind_check check (kind in ('Category', 'Scalar', 'Collection', 'UserDefined')),
  constraint variable_definitions_designation_check check (designation ~ '^[^.\s]+$' and length(designation) <= 255),
  constraint variable_definitions_parent_check check (parent_id is null or kind <> 'Category'),
  constraint variable_definitions_default_check check (default_value is null or (kind = 'Scalar' and not is_secret)),
  constraint variable_definitions_parent_id_fkey foreign key (parent_id) references variable_definitions (id)
);

create unique index variable_definitions_dotted_name_key on variable_definitions (lower(dotted_name));

-- Search by the last part of the name.
create index variable_definitions_designation_idx on variable_definitions (lower(designation));
create index variable_definitions_parent_id_idx on variable_definitions (parent_id);

with category as (
  insert into variable_definitions (designation, dotted_name, kind, description, is_system)
  values ('DomainJoin', 'DomainJoin', 'Category', 'Joining a directory domain', true)
  returning id
)
insert into variable_definitions (parent_id, designation, dotted_name, kind, description, is_system)
select id, 'OuForComputerAccounts', 'DomainJoin.OuForComputerAccounts', 'Scalar',
  'Organizational unit in which the account of the computer is made', true
from category;

-- Entries of collection variables, each of a computer or of a group, with one value for each child of the collection.
create table variable_collection_entries (
  id integer generated always as identity,
  variable_id integer not null,
  computer_id integer,
  group_id uuid,
  constraint variable_collection_entries_pkey primary key (id),
  constraint variable_collection_entries_owner_check check (num_nonnulls(computer_id, group_id) = 1),
  constraint variable_collection_entries_variable_id_fkey
    foreign key (variable_id) references variable_definitions (id),
  constraint variable_collection_entries_computer_id_fkey
    foreign key (computer_id) references computers (id) on delete cascade,
  constraint variable_collection_entries_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index variable_collection_entries_variable_id_idx on variable_collection_entries (variable_id);
create index variable_collection_entries_computer_id_idx on variable_collection_entries (computer_id, variable_id);
create index variable_collection_entries_group_id_idx on variable_collection_entries (group_id, variable_id);

-- The value of one column of an entry of a collection. It is text, or sealed if its definition is secret.
create table variable_collection_values (
  entry_id integer not null,
  variable_id integer not null,
  value text,
  sealed_value bytea,
  constraint variable_collection_values_pkey primary key (entry_id, variable_id),
  constraint variable_collection_values_value_check check (num_nonnulls(value, sealed_value) = 1),
  constraint variable_collection_values_entry_id_fkey
    foreign key (entry_id) references variable_collection_entries (id) on delete cascade,
  constraint variable_collection_values_variable_id_fkey
    foreign key (variable_id) references variable_definitions (id)
);

create index variable_collection_values_variable_id_idx on variable_collection_values (variable_id);

-- The value of a variable for one computer. It is text, or sealed if its definition is secret.
create table computer_variables (
  computer_id integer not null,
  variable_id integer not null,
  value text,
  sealed_value bytea,
  schedule text,
  -- The value takes effect at this time; null if it always applies.
  effective_from timestamptz generated always as (schedule_start(schedule)) stored,
  constraint computer_variables_pkey primary key (computer_id, variable_id),
  constraint computer_variables_value_check check (num_nonnulls(value, sealed_value) = 1),
  constraint computer_variables_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint computer_variables_variable_id_fkey foreign key (variable_id) references variable_definitions (id)
);

create index computer_variables_variable_id_idx on computer_variables (variable_id, computer_id);

-- Search for a part of a value.
create index computer_variables_value_idx on computer_variables using gin (value gin_trgm_ops);

-- Values that take effect later: scheduled_ou_changes.
create index computer_variables_effective_from_idx on computer_variables (variable_id, effective_from)
  where effective_from is not null;

-- The value of a variable for the computers of a group. It is text, or sealed if its definition is secret. A forced
-- value takes precedence over the values of the groups below.
create table group_variables (
  group_id uuid not null,
  variable_id integer not null,
  value text,
  sealed_value bytea,
  schedule text,
  is_forced boolean not null default false,
  effective_from timestamptz generated always as (schedule_start(schedule)) stored,
  constraint group_variables_pkey primary key (group_id, variable_id),
  constraint group_variables_value_check check (num_nonnulls(value, sealed_value) = 1),
  constraint group_variables_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_variables_variable_id_fkey foreign key (variable_id) references variable_definitions (id)
);

create index group_variables_variable_id_idx on group_variables (variable_id, group_id);

-- A set of values that is assigned to groups as a whole.
create table variable_configurations (
  id integer generated always as identity,
  name text not null,
  description text,
  constraint variable_configurations_pkey primary key (id)
);

create unique index variable_configurations_name_key on variable_configurations (lower(name));

-- The value of a variable in a configuration. It is text, or sealed if its definition is secret.
create table variable_configuration_values (
  configuration_id integer not null,
  variable_id integer not null,
  value text not null,
  schedule text,
  effective_from timestamptz generated always as (schedule_start(schedule)) stored,
  constraint variable_configuration_values_pkey primary key (configuration_id, variable_id),
  constraint variable_configuration_values_configuration_id_fkey
    foreign key (configuration_id) references variable_configurations (id) on delete cascade,
  constraint variable_configuration_values_variable_id_fkey
    foreign key (variable_id) references variable_definitions (id)
);

create index variable_configuration_values_variable_id_idx on variable_configuration_values (variable_id);

-- A configuration of variables that is assigned to a group.
create table group_variable_configurations (
  group_id uuid not null,
  configuration_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_variable_configurations_pkey primary key (group_id, configuration_id),
  constraint group_variable_configurations_group_id_fkey
    foreign key (group_id) references groups (id) on delete cascade,
  constraint group_variable_configurations_configuration_id_fkey
    foreign key (configuration_id) references variable_configurations (id)
);

create index group_variable_configurations_configuration_id_idx on group_variable_configurations (configuration_id);

-- The value that a package gives a variable on the computers that get the package.
create table package_variables (
  package_id uuid not null,
  variable_id integer not null,
  value text not null,
  constraint package_variables_pkey primary key (package_id, variable_id),
  constraint package_variables_package_id_fkey foreign key (package_id) references packages (id) on delete cascade,
  constraint package_variables_variable_id_fkey foreign key (variable_id) references variable_definitions (id)
);

create index package_variables_variable_id_idx on package_variables (variable_id);
