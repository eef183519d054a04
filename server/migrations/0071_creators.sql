-- Two people of an identity provider may have the same name: who has created something is decided by id. Principals are not
-- referenced, because tasks and rollouts outlive them, and their ids are never used again.
alter table tasks add column created_by_id integer;
alter table rollouts add column created_by_id integer;

-- What exists belongs to the only principal with that name, if there is one.
with named as (
  select principals.id, coalesce(local.client_id, identity.display_name, identity.subject_id) as name
  from principals
    left join local_principals local on local.principal_id = principals.id
    left join identity_principals identity on identity.principal_id = principals.id
), creator as materialized (
  select name, min(id) as id from named group by name having count(*) = 1
), of_tasks as (
  update tasks set created_by_id = creator.id from creator where creator.name = tasks.created_by
)
update rollouts set created_by_id = creator.id from creator where creator.name = rollouts.created_by;
