-- A name in the one form in which it is stored, compared and searched: composed characters, no line breaks and tabs within,
-- no blanks around. The service brings new names into this form (`toName`).
create function normal_name(name text) returns text
language sql immutable parallel safe return
  regexp_replace(
    regexp_replace(normalize(name, NFC), E'\\s*[\t\n\x0b\f\r\u0085\u2028\u2029]\\s*', ' ', 'g'),
    -- The blanks of Unicode, whatever the locale of the database says.
    E'^[\\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]+|[\\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]+$', '', 'g');

-- Names that are stored get the form, too. Of names that only their form distinguishes, one has it: the others stay as they
-- are until somebody renames them, and GET /api/fleet/duplicate-names lists them.
do $$
declare
  of_table record;
begin
  for of_table in
    select * from (values
      ('groups', 'id', 'name', 'parent_id'),
      ('tags', 'id', 'designation', 'null'),
      ('custom_fields', 'slot', 'designation', 'null'),
      ('pm_groups', 'id', 'name', 'null'),
      ('software_classes', 'id', 'name', 'null'),
      ('variable_configurations', 'id', 'name', 'null'),
      ('variable_definitions', 'id', 'dotted_name', 'null'),
      ('webhooks', 'id', 'name', 'null'),
      ('packages', 'id', 'package_name',
        'concat_ws(E''\n'', lower(version), lower(coalesce(revision, '''')), operating_systems::text)')
    ) as names (relation, key, name, scope)
  loop
    execute format($update$
      with named as (
        select %2$I as key, normal_name(%3$I) as normal, row_number() over (
          partition by %4$s, lower(normal_name(%3$I)) order by %3$I = normal_name(%3$I) desc, %2$I) as place
        from %1$I where %3$I is not null
      )
      update %1$I set %3$I = named.normal from named
      where %1$I.%2$I = named.key and named.place = 1 and %1$I.%3$I <> named.normal and named.normal <> ''
    $update$, of_table.relation, of_table.key, of_table.name, of_table.scope);
  end loop;
end $$;

update variable_definitions set designation = normal_name(designation)
where designation <> normal_name(designation) and dotted_name = normal_name(dotted_name);

-- What people see of a package need not be unique.
update packages set name = normal_name(name) where name <> normal_name(name) and normal_name(name) <> '';

with named as (
  select id, normal_name(name) as normal, normal_name(domain) as normal_domain, row_number() over (
    partition by lower(normal_name(name)), lower(normal_name(domain))
    order by (name, domain) = (normal_name(name), normal_name(domain)) desc, id) as place
  from computers
)
update computers set name = named.normal, domain = named.normal_domain from named
where computers.id = named.id and named.place = 1 and (computers.name, computers.domain) <> (named.normal, named.normal_domain)
  and named.normal <> '' and named.normal_domain <> '';
