-- What a request may do after it was answered is what was counted and approved when it was made. The packages are those that
-- the computers of removal_computer_ids lose, at the same positions: a computer is listed once for each package. Null for
-- requests of earlier versions, which did not say which packages.
alter table rollouts
  add column removal_package_ids uuid[],
  -- What an approved rollout may give to its computers. Null: anything that is assigned.
  add column approved_content text[];

alter table sliced_activations
  add column removal_package_ids uuid[];
