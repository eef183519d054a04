-- A package that comes through a software class has an assignment like any other, so it can have distribution options of
-- its own. They end with the assignment: when the class leaves the group, or the package leaves the class.
alter table distribution_options
  add column class_id integer,
  add column directly_assigned_package_id uuid generated always as (case when class_id is null then package_id end) stored,
  add constraint distribution_options_class_check check (class_id is null or package_id is not null),
  drop constraint distribution_options_assignment_fkey,
  add constraint distribution_options_assignment_fkey
    foreign key (group_id, directly_assigned_package_id) references group_packages (group_id, package_id) on delete cascade,
  add constraint distribution_options_class_assignment_fkey
    foreign key (group_id, class_id) references group_software_classes (group_id, class_id) on delete cascade,
  add constraint distribution_options_class_content_fkey
    foreign key (class_id, package_id) references software_class_packages (class_id, package_id) on delete cascade;

create index distribution_options_class_id_package_id_idx on distribution_options (class_id, package_id);
