-- Every declared source of events, one statement after the other. The test compares the events that they leave with
-- payloads.json. A line that begins with two hyphens is the name of the events that follow.

-- a computer is created, changed and deleted
insert into computers (id, name, domain, is_domain, uuid, created_at) overriding system value
  values (9001, 'PC-1', 'CORP', true, '00000000-0000-4000-8000-000000009001', '2026-01-01Z'),
    (9002, 'PC-2', 'CORP', true, '00000000-0000-4000-8000-000000009002', '2026-01-01Z'),
    (9003, 'PC-3', '', false, '00000000-0000-4000-8000-000000009003', '2026-01-01Z');
update computers set name = 'PC-1b', memory_mb = 4096, mac_address = '02:00:00:00:00:01', modified_at = now() where id = 9001;
update computers set inventory_at = now(), modified_at = now() where id = 9001;
update computers set os_name = 'Windows 11' where id in (9001, 9002);
delete from computers where id = 9003;

-- many computers
insert into computers (id, name, domain, is_domain, uuid) overriding system value
  select 10000 + n, 'bulk-' || n, 'BULK', true, gen_random_uuid() from generate_series(1, 101) n;
update computers set model = 'M' where domain = 'BULK' and id % 2 = 0;
update computers set model = 'N' where domain = 'BULK';
update computers set modified_at = now() where domain = 'BULK';

-- agents enrol
insert into agents (computer_id, secret_hash, enrolment_key_hash, kind, version, enrolled_at)
  values (9001, 'a', 'a', 'Muster', '1.4.0', '2026-01-01Z'), (9002, 'b', 'b', 'GLPI', null, '2026-01-01Z');
update agents set enrolled_at = '2026-01-02Z', version = '1.5.0' where computer_id = 9001;
update agents set version = '1.6.0' where computer_id = 9001;
insert into agents (computer_id, secret_hash, enrolment_key_hash)
  select id, sha256(name::bytea), sha256(name::bytea) from computers where domain = 'BULK';

-- packages
insert into packages (id, name, version, kind) values
  ('00000000-0000-4000-8000-00000000b001', 'Editor', '4.2', 'Software'),
  ('00000000-0000-4000-8000-00000000b002', 'Browser', '99', 'Software'),
  ('00000000-0000-4000-8000-00000000b003', 'German', null, 'LanguagePack'),
  ('00000000-0000-4000-8000-00000000b004', 'Agent', null, 'AgentTemplate'),
  ('00000000-0000-4000-8000-00000000b005', 'Windows', null, 'OperatingSystem'),
  ('00000000-0000-4000-8000-00000000b006', 'Boot', null, 'PxeBootImage'),
  ('00000000-0000-4000-8000-00000000b007', 'Unused', '1', 'Software');
update packages set version = '4.3', is_operational = true, content_hash = '\x0102', hash_state = 'Current'
  where id = '00000000-0000-4000-8000-00000000b001';
delete from packages where id = '00000000-0000-4000-8000-00000000b007';

-- work and tasks
insert into tasks (id, kind) values ('00000000-0000-4000-8000-00000000c001', 'Activation');
insert into tasks (id, kind, computer_id, package_id)
  values ('00000000-0000-4000-8000-00000000c002', 'Activation', 9001, '00000000-0000-4000-8000-00000000b001');
insert into work (id, computer_id, task_id, kind, package_id) overriding system value values
  (7001, 9001, '00000000-0000-4000-8000-00000000c001', 'Install', '00000000-0000-4000-8000-00000000b001'),
  (7002, 9001, '00000000-0000-4000-8000-00000000c001', 'Install', '00000000-0000-4000-8000-00000000b002'),
  (7003, 9002, '00000000-0000-4000-8000-00000000c001', 'Install', '00000000-0000-4000-8000-00000000b001');
update work set state = 'Leased', attempt = 1, leased_until = now(), run_id = '00000000-0000-4000-8000-00000000d001'
  where id in (7001, 7002, 7003);
update work set leased_until = now() + interval '1 hour' where id = 7001;
update work set progress = 40 where id in (7001, 7002);
update work set attempt = 2 where id = 7001;
update work set state = 'Due', leased_until = null, run_id = null where id = 7001;
update work set state = 'Success', leased_until = null, closed_at = now(), run_id = null where id = 7002;
update work set state = 'Failed', closed_at = now(), leased_until = null where id = 7003;
update work set state = 'Leased', attempt = 3, leased_until = now() where id = 7001;
update work set state = 'Failed', closed_at = now(), leased_until = null, run_id = null where id = 7001;
delete from tasks where id = '00000000-0000-4000-8000-00000000c002';
select finish_tasks();

-- what people chose
insert into work_choices (computer_id, work_id, choice, user_name, programs, chosen_at) values
  (9001, 7001, 'ProgramsClosed', 'mia', '{soffice.bin}', '2026-01-01Z');

-- much work
insert into tasks (id, kind) values ('00000000-0000-4000-8000-00000000c003', 'Activation');
insert into work (computer_id, task_id, kind, package_id)
  select computers.id, '00000000-0000-4000-8000-00000000c003', 'Install', packages.id from computers, packages
  where domain = 'BULK' and packages.name in ('Editor', 'Browser');
insert into work (computer_id, task_id, kind)
  select id, '00000000-0000-4000-8000-00000000c003', 'Refresh' from computers where domain = 'BULK';
update work set state = 'Leased', attempt = 1, leased_until = now() where task_id = '00000000-0000-4000-8000-00000000c003';
update work set state = 'Cancelled', leased_until = null, closed_at = now()
  where task_id = '00000000-0000-4000-8000-00000000c003';
select finish_tasks();

-- deployments
insert into deployments (computer_id, package_id, result, installation_state, failed_at, error_text)
  values (9001, '00000000-0000-4000-8000-00000000b001', 'Failed', 'NotInstalled', '2026-01-01Z', 'The disk is full.')
  on conflict (computer_id, package_id) do update set result = 'Failed', installation_state = 'NotInstalled',
    failed_at = '2026-01-01Z', error_text = 'The disk is full.';
update deployments set result = 'Success', installation_state = 'Installed', installed_at = '2026-01-02Z'
  where computer_id = 9001 and package_id = '00000000-0000-4000-8000-00000000b001';
update deployments set error_text = null where computer_id = 9001;

-- inventory
insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
  values (9001, 0, 'C:', 3, 100, 50, 'Encrypted'), (9001, 1, 'D:', 3, 200, 150, 'Encrypted'), (9002, 0, 'C:', 3, 80, 20, 'Unencrypted');
update disk_drives set free_space_gb = 40, label = 'Data' where computer_id = 9001;
update disk_drives set free_space_gb = free_space_gb where computer_id = 9001;
delete from disk_drives where computer_id = 9001 and position = 1;
insert into batteries (computer_id, position, name, designed_capacity_mwh, full_charged_capacity_mwh)
  values (9001, 0, 'B', 1000, 900);
update batteries set full_charged_capacity_mwh = 800;
delete from batteries;
insert into printers (computer_id, position, name, is_network_printer, is_default)
  select 9001, n, 'P' || n, false, false from generate_series(1, 60) n;
update printers set comment = 'x';
delete from printers;
insert into network_adapters (computer_id, position, is_dhcp, mac_address) values (9001, 0, true, '02:00:00:00:00:01');
update network_adapters set is_dhcp = false;
delete from network_adapters;
insert into video_controllers (computer_id, position, name) values (9001, 0, 'V');
update video_controllers set name = 'W';
delete from video_controllers;
insert into desktop_monitors (computer_id, position, monitor_name) values (9001, 0, 'M');
update desktop_monitors set monitor_name = 'N';
delete from desktop_monitors;
insert into processors (computer_id, position, name) values (9001, 0, 'P');
update processors set number_of_cores = 4;
delete from processors;
insert into system_records (computer_id, fqdn) values (9001, 'pc-1.example.org');
update system_records set fqdn = 'pc-1b.example.org', processor_count = 2;
delete from system_records;
insert into security_records (computer_id, antivirus_name, antivirus_definitions_at) values (9001, 'A', '2026-01-01Z');
update security_records set antivirus_definitions_at = '2026-01-02Z';
delete from security_records;
insert into bios_records (computer_id, serial_number) values (9001, 'S');
update bios_records set serial_number = 'T';
delete from bios_records;
insert into software_products (id, name, version, publisher) overriding system value
  select 5000 + n, 'Product ' || to_char(n, 'FM000'), n::text, 'Example' from generate_series(1, 60) n;
insert into installed_software (computer_id, product_id) select 9001, id from software_products where id > 5000;
insert into installed_software (computer_id, product_id) values (9002, 5001);
delete from installed_software where product_id <= 5003;
insert into service_definitions (id, name) overriding system value values (5001, 'Spooler'), (5002, 'Agent');
insert into computer_services (computer_id, definition_id, status) values (9001, 5001, 'Running'), (9001, 5002, 'Stopped');
update computer_services set status = 'Stopped' where definition_id = 5001;
delete from computer_services;

-- issues
insert into issue_findings (issue, computer_id) values ('low-disk', 9001);
insert into issue_findings (issue, computer_id) values ('stale-agent', 9001), ('low-disk', 9002), ('low-disk', 99999);
delete from issue_findings where computer_id = 9001;
insert into issue_findings (issue, computer_id) select 'stale-agent', id from computers where domain = 'BULK';
insert into issue_findings (issue, computer_id)
  select 'low-disk', id from computers where domain = 'BULK' union all select 'stale-agent', 9001;
delete from issue_findings;

-- patches
insert into patch_products (id, name) overriding system value values (5001, 'Windows 11');
insert into patches (id, key, name, vendor_severity) overriding system value
  values (5001, 'KB1', 'First', 'Critical'), (5002, 'KB2', 'Second', 'Low'), (5003, 'KB3', 'Third', null);
insert into patch_links (patch_id, product_id) values (5001, 5001), (5002, 5001), (5003, 5001);
insert into patch_scans (computer_id, scanned_at) values (9001, now()), (9002, now());
insert into computer_patches (computer_id, patch_id, product_id, is_missing)
  values (9001, 5001, 5001, true), (9001, 5002, 5001, true), (9001, 5003, 5001, false), (9002, 5001, 5001, true);
update computer_patches set is_missing = not is_missing where computer_id = 9001;
update computer_patches set is_missing = is_missing;
delete from computer_patches;
update patch_links set approved_at = now() where patch_id in (5001, 5002);
update patch_links set approved_at = null where patch_id = 5001;

-- patch policies
insert into patch_policies (id, name, rules) overriding system value values (5001, 'Tills', '[]');
update patch_policies set priority = 5 where id = 5001;
update patch_policies set changed_at = now(), description = 'Ours' where id = 5001;
update patch_policies set rings = '[{"name": "Pilot"}]' where id = 5001;

-- rings of patch policies
insert into patch_ring_progress (policy_id, patch_id, product_id) values (5001, 5001, 5001);
update patch_ring_progress set ring = 1, begun_at = now(), opened_at = now();
update patch_ring_progress set counts = '[{"ring": 1}]', met_at = now();
update patch_ring_progress set paused_at = now(), pause = '{"code": "Failures", "ring": 1, "computers": 3, "total": 40, "limit": 2}';
update patch_ring_progress set paused_at = null, pause = null, resumed_at = now();
update patch_ring_progress set stopped_at = now(), stopped_by = 'client-1', stop_reason = 'The vendor withdrew it';

-- a patch policy is deleted
delete from patch_policies where id = 5001;

-- groups, members and rules
insert into groups (id, tree, name, kind, parent_id)
  select '00000000-0000-4000-8000-00000000a001', tree, 'Tills', 'Ordinary', id from groups
  where kind = 'System' and tree = 'AssignmentGroups' and parent_id is null limit 1;
insert into groups (id, tree, name, kind, parent_id)
  select '00000000-0000-4000-8000-00000000a002', tree, 'Again', 'Reinstall', id from groups
  where kind = 'System' and tree = 'AssignmentGroups' and parent_id is null limit 1;
update groups set name = 'Desks', description = 'All desks' where id = '00000000-0000-4000-8000-00000000a001';
insert into group_computers (group_id, computer_id, is_exclusive)
  select id, 9001, is_exclusive from groups where id = '00000000-0000-4000-8000-00000000a001';
insert into group_computers (group_id, computer_id, is_exclusive)
  select groups.id, computers.id, is_exclusive from groups, computers
  where groups.id = '00000000-0000-4000-8000-00000000a001' and computers.domain = 'BULK';
insert into group_computers (group_id, computer_id, is_exclusive)
  select id, 9002, is_exclusive from groups where id = '00000000-0000-4000-8000-00000000a002';
delete from group_computers where computer_id = 9001;
insert into group_rules (group_id, criteria, max_changes_per_hour) values ('00000000-0000-4000-8000-00000000a001', '{}', 10);
update group_rules set stopped_at = now(), stopped_joining = 3, stopped_leaving = 4;
update group_rules set swept_at = now();
delete from group_rules;

-- members are kept converged
insert into group_convergence (group_id, is_on, rings, criteria, expected_computers, max_removals, max_repairs_per_day, changed_by)
  values ('00000000-0000-4000-8000-00000000a001', true, '[{"percent": 10}, {}]', '{}', 100, 10, 3, 'anna');
update group_convergence set compared_at = now(), marked_at = null;
update group_convergence set is_on = false;
delete from group_convergence;

-- assignments
insert into group_packages (group_id, package_id) values
  ('00000000-0000-4000-8000-00000000a001', '00000000-0000-4000-8000-00000000b001'),
  ('00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000b001');
update group_packages set package_id = '00000000-0000-4000-8000-00000000b002'
  where group_id = '00000000-0000-4000-8000-00000000a001';
delete from group_packages;
insert into group_language_packs (group_id, package_id)
  values ('00000000-0000-4000-8000-00000000a001', '00000000-0000-4000-8000-00000000b003');
delete from group_language_packs;
insert into software_classes (id, name) overriding system value values (5001, 'Office');
insert into group_software_classes (group_id, class_id) values ('00000000-0000-4000-8000-00000000a001', 5001);
delete from group_software_classes;
insert into group_agent_templates (group_id, package_id)
  values ('00000000-0000-4000-8000-00000000a001', '00000000-0000-4000-8000-00000000b004');
delete from group_agent_templates;
insert into os_image_skus (id, package_id, sku_index, edition) overriding system value
  values (5001, '00000000-0000-4000-8000-00000000b005', 1, 'Pro');
insert into group_os_image_skus (group_id, sku_id) values ('00000000-0000-4000-8000-00000000a001', 5001);
delete from group_os_image_skus;
insert into pxe_boot_images (id, package_id) overriding system value values (5001, '00000000-0000-4000-8000-00000000b006');
insert into group_pxe_boot_images (group_id, image_id) values ('00000000-0000-4000-8000-00000000a001', 5001);
delete from group_pxe_boot_images;
insert into variable_configurations (id, name) overriding system value values (5001, 'Tills');
insert into group_variable_configurations (group_id, configuration_id)
  values ('00000000-0000-4000-8000-00000000a001', 5001);
delete from group_variable_configurations;
insert into pm_groups (id, name, category) overriding system value values (5001, 'Ring 1', 'Patch');
insert into pm_group_assignments (pm_group_id, group_id) values (5001, '00000000-0000-4000-8000-00000000a001');
delete from pm_group_assignments;

-- patch policies are assigned
insert into patch_policies (id, name, rules) overriding system value values (5002, 'Desks', '[]');
insert into patch_policy_assignments (policy_id, group_id) values (5002, '00000000-0000-4000-8000-00000000a001');
delete from patch_policy_assignments;

-- depots
insert into depots (computer_id, url, secret_hash) values (9002, 'https://depot.example.org', 'secret');
update depots set heartbeat_at = now();
update depots set version = '1.4';
insert into sync_jobs (computer_id, trigger) values (9002, 'Manual');
update sync_jobs set status = 'Success', finished_at = now(), packages = 3, files_transferred = 4, bytes_transferred = 5;
delete from depots;

-- principals
insert into principals (id, kind) overriding system value values (5001, 'local'), (5002, 'user'), (5003, 'client');
insert into local_principals (principal_id, client_id) values (5001, 'client-1');
insert into identity_principals (principal_id, subject_type, subject_id, display_name)
  values (5002, 'user', 'u-1', 'Ada'), (5003, 'client', 'c-1', null);
update local_principals set is_revoked = true, description = 'x' where principal_id = 5001;
update identity_principals set display_name = 'Ada L.' where principal_id = 5002;
insert into principal_roles (principal_id, role) values (5001, 'pm.read'), (5001, 'computer.read'), (5002, 'pm.read');
delete from principal_roles where principal_id = 5001;
insert into principal_secrets (principal_id, secret_hash) values (5001, 'a'), (5001, 'b');
delete from principal_secrets where principal_id = 5001;
insert into approvals (id, requester_id, requester_name, operation, target, request, computer_count, request_hash,
    sealed_request, computer_ids, expires_at)
  select ('00000000-0000-4000-8000-00000000e00' || n)::uuid, 5002, 'client-1', 'deleteGroup', '/api/group/1', '{}', 2,
    sha256(n::text::bytea), 'x', '{9001}', '2030-01-01Z' from generate_series(1, 4) n;
update approvals set state = 'Executed', decided_at = now(), decided_by = 'ada', answer_status = 200,
  sealed_request = null, computer_ids = null where id = '00000000-0000-4000-8000-00000000e001';
update approvals set state = 'Failed', decided_at = now(), decided_by = 'ada', answer_status = 409, problem_code = 'Gone',
  sealed_request = null, computer_ids = null where id = '00000000-0000-4000-8000-00000000e002';
update approvals set state = 'Denied', decided_at = now(), decided_by = 'ada', sealed_request = null, computer_ids = null
  where id = '00000000-0000-4000-8000-00000000e003';
update approvals set state = 'Expired', sealed_request = null, computer_ids = null
  where id = '00000000-0000-4000-8000-00000000e004';
delete from principals where id > 5000;

-- sign-ins and anchors
insert into audit_entries (chain, position, occurred_at, principal_id, principal_name, operation, target, request, status,
    request_id, previous_hash, hash)
  select 0, 900000 + n, now(), null, 'client-1', operation, '/api/auth/token', '{"address": "192.0.2.17"}', status, 'r' || n,
    sha256(n::text::bytea), sha256((n + 1)::text::bytea)
  from (values (1, 'requestToken', 200), (2, 'requestToken', 401), (3, 'signIn', 200), (4, 'signIn', 403),
    (5, 'updateGroup', 200)) as entry (n, operation, status);
insert into audit_anchors (taken_at, document) values ('2026-01-01Z', '{}');

-- rollouts
insert into rollouts (id, name, group_id, package_id, criteria, created_by) values ('00000000-0000-4000-8000-00000000f001',
  'Editor 4.3', '00000000-0000-4000-8000-00000000a001', '00000000-0000-4000-8000-00000000b001', '{}', 'ada');
insert into rollout_rings (rollout_id, ring, name, size_kind)
  values ('00000000-0000-4000-8000-00000000f001', 1, 'All', 'Rest');
update rollout_rings set state = 'Open', counts = '{"Succeeded": 1}';
update rollout_rings set state = 'Done';
update rollouts set state = 'Paused', pause = '{"code": "Failures"}';
update rollouts set state = 'Running', pause = null;
update rollouts set state = 'CatchingUp';
update rollouts set state = 'Completed';
update rollouts set state = 'Cancelled';

-- deadlines of rollouts
update rollouts set user_deadline = '{"afterHours": 24}';
update rollouts set user_deadline = null, version = version + 1;

-- users choose
insert into user_choices (computer_id, choice_id, kind, user_name, package_id, postponed_until, chosen_at) values
  (9001, '00000000-0000-4000-8000-00000000f001', 'Taken', 'mia', '00000000-0000-4000-8000-00000000b001', null, now()),
  (9001, '00000000-0000-4000-8000-00000000f002', 'Postponed', 'mia', null, '2030-01-01Z', now());
insert into package_requests (id, computer_id, choice_id, wish, user_name) values
  ('00000000-0000-4000-8000-00000000f003', 9001, '00000000-0000-4000-8000-00000000f003', 'An editor', 'mia');
update package_requests set state = 'Approved', decided_at = now(), decided_by = 'ada',
  package_id = '00000000-0000-4000-8000-00000000b001' where id = '00000000-0000-4000-8000-00000000f003';
update package_requests set answer = 'x' where id = '00000000-0000-4000-8000-00000000f003';
insert into package_trials (id, package_id, computer_id, computer_name, work_id, task_id, started_by, expires_at) values
  ('00000000-0000-4000-8000-00000000f004', '00000000-0000-4000-8000-00000000b001', 9001, 'desk-1', 990001,
    '00000000-0000-4000-8000-00000000f005', 'ada', now());
update package_trials set state = 'Failed', finished_at = now(), error_text = 'The command exited with code 1.'
  where id = '00000000-0000-4000-8000-00000000f004';

-- computers have a vulnerability that is known to be exploited
insert into vulnerabilities (key, title, severity) values ('CVE-2026-9001', 'A fault', 'Critical'), ('CVE-2026-9002', null, 'Low');
update vulnerabilities set kev_added_on = '2026-03-01', kev_due_on = '2026-03-22', open_computers = 2 where key = 'CVE-2026-9001';
update vulnerabilities set open_computers = 3 where key in ('CVE-2026-9001', 'CVE-2026-9002');

-- everything is deleted
delete from rollouts;
delete from groups where name in ('Desks', 'Again');
delete from computers;
