-- The groups above a group can give its computers an OU, so a move can change it. By then group_ancestors has the new place.
create function record_group_move() returns trigger language plpgsql as $$
begin
  if exists (
    select from list_ou_groups() as source where source.group_id in (
      select ancestor_id from group_ancestors where descendant_id in (old.parent_id, new.parent_id)
      union all
      select descendant_id from group_ancestors where ancestor_id = new.id))
  then perform record_changes_below(array[new.id]); end if;
  return null;
end $$;

create trigger groups_record_move after update of parent_id on groups
  for each row when (old.parent_id is distinct from new.parent_id) execute function record_group_move();
