-- The names by which the manifest of a package mentions variables, in lower case: dotted names of its conditions and secrets, and the
-- variables of the environment in its commands and properties, such as muster_var_printing_server.
create function manifest_variable_names(manifest jsonb) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct name), '{}') from (
    select lower(item ->> 'name') as name from jsonb_array_elements(manifest #> '{onlyFor,variables}') as item
    union all
    select lower(item) from jsonb_array_elements_text(manifest -> 'secrets') as item
    union all
    select lower(item[1]) from regexp_matches(manifest::text, 'MUSTER_(?:VAR|SECRET)_[A-Z0-9_]+', 'gi') as item
  ) as mentioned
$$;

alter table packages add column variable_names text[] not null
  generated always as (manifest_variable_names(coalesce(manifest, '{}'))) stored;

comment on column packages.variable_names is
  'The names by which the manifest mentions variables beside the defaults in package_variables.';

-- The packages that use a variable: listVariableDefinitionPackages, listFleetVariables.
create index packages_variable_names_idx on packages using gin (variable_names);
