-- Written by `npm run generate` from the declared types of events (server/src/features/events/types). Do not edit.
--
-- Triggers leave the events, so no writer can omit one. They run once per statement where statements change many rows,
-- and per row with a condition where nearly all changes are of no interest.
drop schema if exists event_triggers cascade;
create schema event_triggers;

create function event_triggers.computers_insert() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.created', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer')
    from changed
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.created', '/api/computer/' || changed.id, changed.id,
      jsonb_build_object('computers', 1, 'computerId', changed.id, 'computerName', changed.name, 'domain',
        changed.domain)
    from changed;
  end if;
  return null;
end
$$;

create trigger computers_record_event_on_insert after insert on computers
  referencing new table as changed for each statement execute function event_triggers.computers_insert();

create function event_triggers.agents_insert() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.enrolled', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer')
    from changed
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.enrolled', '/api/computer/' || changed.computer_id, changed.computer_id,
      jsonb_build_object('computers', 1, 'computerId', changed.computer_id, 'computerName', computers.name, 'agentKind',
        changed.kind, 'agentVersion', changed.version)
    from changed
    join computers on computers.id = changed.computer_id;
  end if;
  return null;
end
$$;

create trigger agents_record_event_on_insert after insert on agents
  referencing new table as changed for each statement execute function event_triggers.agents_insert();

create function event_triggers.agents_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.computer.enrolled', '/api/computer/' || new.computer_id, new.computer_id,
    jsonb_build_object('computers', 1, 'computerId', new.computer_id, 'computerName', computers.name, 'agentKind',
      new.kind, 'agentVersion', new.version)
  from computers
  where computers.id = new.computer_id;
  return null;
end
$$;

create trigger agents_record_event_on_update after update on agents
  for each row when (new.enrolled_at <> old.enrolled_at)
  execute function event_triggers.agents_update();

create function event_triggers.computers_update() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.changed', '/api/computer',
      jsonb_build_object('computers', count(*), 'list',
        '/api/computer' || '?modifiedAfter=' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    from changed
    join before using (id)
    where (changed.architecture, changed.created_at, changed.custom, changed.domain, changed.id, changed.inventory_id,
      changed.ip_address, changed.is_domain, changed.language, changed.mac_address, changed.manufacturer,
      changed.memory_mb, changed.model, changed.name, changed.os_build, changed.os_edition, changed.os_name,
      changed.os_version, changed.platform, changed.pxe_support, changed.reported_ip_address, changed.role,
      changed.standard_gateway, changed.subnet_mask, changed.uuid) is distinct from (before.architecture,
      before.created_at, before.custom, before.domain, before.id, before.inventory_id, before.ip_address,
      before.is_domain, before.language, before.mac_address, before.manufacturer, before.memory_mb, before.model,
      before.name, before.os_build, before.os_edition, before.os_name, before.os_version, before.platform,
      before.pxe_support, before.reported_ip_address, before.role, before.standard_gateway, before.subnet_mask,
      before.uuid)
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.changed', '/api/computer/' || changed.id, changed.id,
      jsonb_build_object('computers', 1, 'computerId', changed.id, 'computerName', changed.name, 'changes',
        changed_properties(to_jsonb(before) - '{modified_at,inventory_at,os_installed_at,mac_key}'::text[],
        to_jsonb(changed) - '{modified_at,inventory_at,os_installed_at,mac_key}'::text[]))
    from changed
    join before using (id)
    where (changed.architecture, changed.created_at, changed.custom, changed.domain, changed.id, changed.inventory_id,
      changed.ip_address, changed.is_domain, changed.language, changed.mac_address, changed.manufacturer,
      changed.memory_mb, changed.model, changed.name, changed.os_build, changed.os_edition, changed.os_name,
      changed.os_version, changed.platform, changed.pxe_support, changed.reported_ip_address, changed.role,
      changed.standard_gateway, changed.subnet_mask, changed.uuid) is distinct from (before.architecture,
      before.created_at, before.custom, before.domain, before.id, before.inventory_id, before.ip_address,
      before.is_domain, before.language, before.mac_address, before.manufacturer, before.memory_mb, before.model,
      before.name, before.os_build, before.os_edition, before.os_name, before.os_version, before.platform,
      before.pxe_support, before.reported_ip_address, before.role, before.standard_gateway, before.subnet_mask,
      before.uuid);
  end if;
  return null;
end
$$;

create trigger computers_record_event_on_update after update on computers
  referencing old table as before new table as changed for each statement execute function event_triggers.computers_update();

create function event_triggers.issue_findings_insert_computer_silent() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed where changed.issue = 'stale-agent' limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.silent', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer/issues/stale-agent')
    from changed
    join computers on computers.id = changed.computer_id
    where changed.issue = 'stale-agent'
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.silent', '/api/computer/' || changed.computer_id, changed.computer_id,
      jsonb_build_object('computers', 1, 'computerId', changed.computer_id, 'computerName', computers.name)
    from changed
    join computers on computers.id = changed.computer_id
    where changed.issue = 'stale-agent';
  end if;
  return null;
end
$$;

create trigger issue_findings_record_event_on_insert_computer_silent after insert on issue_findings
  referencing new table as changed for each statement execute function event_triggers.issue_findings_insert_computer_silent();

create function event_triggers.issue_findings_delete_computer_back() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed where changed.issue = 'stale-agent' limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.back', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer/issues/stale-agent')
    from changed
    join computers on computers.id = changed.computer_id
    where changed.issue = 'stale-agent'
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.back', '/api/computer/' || changed.computer_id, changed.computer_id,
      jsonb_build_object('computers', 1, 'computerId', changed.computer_id, 'computerName', computers.name)
    from changed
    join computers on computers.id = changed.computer_id
    where changed.issue = 'stale-agent';
  end if;
  return null;
end
$$;

create trigger issue_findings_record_event_on_delete_computer_back after delete on issue_findings
  referencing old table as changed for each statement execute function event_triggers.issue_findings_delete_computer_back();

create function event_triggers.computers_delete() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.deleted', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer')
    from changed
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.deleted', '/api/computer/' || changed.id, changed.id,
      jsonb_build_object('computers', 1, 'computerId', changed.id, 'computerName', changed.name, 'domain',
        changed.domain)
    from changed;
  end if;
  return null;
end
$$;

create trigger computers_record_event_on_delete after delete on computers
  referencing old table as changed for each statement execute function event_triggers.computers_delete();

create function event_triggers.disk_drives_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'disks', 'change',
      'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('bitlockerKeyProtectors',
      numbered.bitlocker_key_protectors, 'bitlockerStatus', numbered.bitlocker_status, 'driveTypeCode',
      numbered.drive_type_code, 'freePercent', numbered.free_percent, 'freeSpaceGb', numbered.free_space_gb, 'label',
      numbered.label, 'totalSpaceGb', numbered.total_space_gb, 'volume',
      numbered.volume) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.bitlocker_key_protectors, changed.bitlocker_status, changed.drive_type_code,
        changed.free_percent, changed.free_space_gb, changed.label, changed.total_space_gb, changed.volume,
        changed.position, row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger disk_drives_record_event_on_insert after insert on disk_drives
  referencing new table as changed for each statement execute function event_triggers.disk_drives_insert();

create function event_triggers.disk_drives_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'disks', 'change',
      'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.bitlocker_key_protectors, changed.bitlocker_status, changed.computer_id, changed.drive_type_code,
        changed.free_percent, changed.free_space_gb, changed.label, changed.position, changed.total_space_gb,
        changed.volume) is distinct from (before.bitlocker_key_protectors, before.bitlocker_status, before.computer_id,
        before.drive_type_code, before.free_percent, before.free_space_gb, before.label, before.position,
        before.total_space_gb, before.volume)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger disk_drives_record_event_on_update after update on disk_drives
  referencing old table as before new table as changed for each statement execute function event_triggers.disk_drives_update();

create function event_triggers.disk_drives_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'disks', 'change',
      'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('bitlockerKeyProtectors',
      numbered.bitlocker_key_protectors, 'bitlockerStatus', numbered.bitlocker_status, 'driveTypeCode',
      numbered.drive_type_code, 'freePercent', numbered.free_percent, 'freeSpaceGb', numbered.free_space_gb, 'label',
      numbered.label, 'totalSpaceGb', numbered.total_space_gb, 'volume',
      numbered.volume) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.bitlocker_key_protectors, changed.bitlocker_status, changed.drive_type_code,
        changed.free_percent, changed.free_space_gb, changed.label, changed.total_space_gb, changed.volume,
        changed.position, row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger disk_drives_record_event_on_delete after delete on disk_drives
  referencing old table as changed for each statement execute function event_triggers.disk_drives_delete();

create function event_triggers.batteries_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'batteries',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('batteryStatus',
      numbered.battery_status, 'chemistry', numbered.chemistry, 'designedCapacityMwh', numbered.designed_capacity_mwh,
      'deviceId', numbered.device_id, 'fullChargedCapacityMwh', numbered.full_charged_capacity_mwh, 'healthPercent',
      numbered.health_percent, 'name', numbered.name, 'remainingCapacityPercent',
      numbered.remaining_capacity_percent) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.battery_status, changed.chemistry, changed.designed_capacity_mwh,
        changed.device_id, changed.full_charged_capacity_mwh, changed.health_percent, changed.name,
        changed.remaining_capacity_percent, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger batteries_record_event_on_insert after insert on batteries
  referencing new table as changed for each statement execute function event_triggers.batteries_insert();

create function event_triggers.batteries_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'batteries',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.battery_status, changed.chemistry, changed.computer_id, changed.designed_capacity_mwh,
        changed.device_id, changed.full_charged_capacity_mwh, changed.health_percent, changed.name, changed.position,
        changed.remaining_capacity_percent) is distinct from (before.battery_status, before.chemistry,
        before.computer_id, before.designed_capacity_mwh, before.device_id, before.full_charged_capacity_mwh,
        before.health_percent, before.name, before.position, before.remaining_capacity_percent)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger batteries_record_event_on_update after update on batteries
  referencing old table as before new table as changed for each statement execute function event_triggers.batteries_update();

create function event_triggers.batteries_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'batteries',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('batteryStatus',
      numbered.battery_status, 'chemistry', numbered.chemistry, 'designedCapacityMwh', numbered.designed_capacity_mwh,
      'deviceId', numbered.device_id, 'fullChargedCapacityMwh', numbered.full_charged_capacity_mwh, 'healthPercent',
      numbered.health_percent, 'name', numbered.name, 'remainingCapacityPercent',
      numbered.remaining_capacity_percent) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.battery_status, changed.chemistry, changed.designed_capacity_mwh,
        changed.device_id, changed.full_charged_capacity_mwh, changed.health_percent, changed.name,
        changed.remaining_capacity_percent, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger batteries_record_event_on_delete after delete on batteries
  referencing old table as changed for each statement execute function event_triggers.batteries_delete();

create function event_triggers.printers_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'printers',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('capabilityDescriptions',
      numbered.capability_descriptions, 'caption', numbered.caption, 'comment', numbered.comment, 'driverName',
      numbered.driver_name, 'driverVersion', numbered.driver_version, 'horizontalResolution',
      numbered.horizontal_resolution, 'isDefault', numbered.is_default, 'isNetworkPrinter', numbered.is_network_printer,
      'name', numbered.name, 'port', numbered.port, 'shareName', numbered.share_name, 'verticalResolution',
      numbered.vertical_resolution) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.capability_descriptions, changed.caption, changed.comment,
        changed.driver_name, changed.driver_version, changed.horizontal_resolution, changed.is_default,
        changed.is_network_printer, changed.name, changed.port, changed.share_name, changed.vertical_resolution,
        changed.position, row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger printers_record_event_on_insert after insert on printers
  referencing new table as changed for each statement execute function event_triggers.printers_insert();

create function event_triggers.printers_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'printers',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.capability_descriptions, changed.caption, changed.comment, changed.computer_id,
        changed.driver_name, changed.driver_version, changed.horizontal_resolution, changed.is_default,
        changed.is_network_printer, changed.name, changed.port, changed.position, changed.share_name,
        changed.vertical_resolution) is distinct from (before.capability_descriptions, before.caption, before.comment,
        before.computer_id, before.driver_name, before.driver_version, before.horizontal_resolution, before.is_default,
        before.is_network_printer, before.name, before.port, before.position, before.share_name,
        before.vertical_resolution)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger printers_record_event_on_update after update on printers
  referencing old table as before new table as changed for each statement execute function event_triggers.printers_update();

create function event_triggers.printers_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'printers',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('capabilityDescriptions',
      numbered.capability_descriptions, 'caption', numbered.caption, 'comment', numbered.comment, 'driverName',
      numbered.driver_name, 'driverVersion', numbered.driver_version, 'horizontalResolution',
      numbered.horizontal_resolution, 'isDefault', numbered.is_default, 'isNetworkPrinter', numbered.is_network_printer,
      'name', numbered.name, 'port', numbered.port, 'shareName', numbered.share_name, 'verticalResolution',
      numbered.vertical_resolution) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.capability_descriptions, changed.caption, changed.comment,
        changed.driver_name, changed.driver_version, changed.horizontal_resolution, changed.is_default,
        changed.is_network_printer, changed.name, changed.port, changed.share_name, changed.vertical_resolution,
        changed.position, row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger printers_record_event_on_delete after delete on printers
  referencing old table as changed for each statement execute function event_triggers.printers_delete();

create function event_triggers.network_adapters_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'networkAdapters',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('connectionType',
      numbered.connection_type, 'defaultGateway', numbered.default_gateway, 'description', numbered.description,
      'dnsServer', numbered.dns_server, 'ipAddress', numbered.ip_address, 'isDhcp', numbered.is_dhcp, 'macAddress',
      numbered.mac_address, 'serviceName', numbered.service_name, 'subnetMask',
      numbered.subnet_mask) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.connection_type, changed.default_gateway, changed.description,
        changed.dns_server, changed.ip_address, changed.is_dhcp, changed.mac_address, changed.service_name,
        changed.subnet_mask, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger network_adapters_record_event_on_insert after insert on network_adapters
  referencing new table as changed for each statement execute function event_triggers.network_adapters_insert();

create function event_triggers.network_adapters_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'networkAdapters',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.computer_id, changed.connection_type, changed.default_gateway, changed.description,
        changed.dns_server, changed.ip_address, changed.is_dhcp, changed.mac_address, changed.position,
        changed.service_name, changed.subnet_mask) is distinct from (before.computer_id, before.connection_type,
        before.default_gateway, before.description, before.dns_server, before.ip_address, before.is_dhcp,
        before.mac_address, before.position, before.service_name, before.subnet_mask)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger network_adapters_record_event_on_update after update on network_adapters
  referencing old table as before new table as changed for each statement execute function event_triggers.network_adapters_update();

create function event_triggers.network_adapters_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'networkAdapters',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('connectionType',
      numbered.connection_type, 'defaultGateway', numbered.default_gateway, 'description', numbered.description,
      'dnsServer', numbered.dns_server, 'ipAddress', numbered.ip_address, 'isDhcp', numbered.is_dhcp, 'macAddress',
      numbered.mac_address, 'serviceName', numbered.service_name, 'subnetMask',
      numbered.subnet_mask) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.connection_type, changed.default_gateway, changed.description,
        changed.dns_server, changed.ip_address, changed.is_dhcp, changed.mac_address, changed.service_name,
        changed.subnet_mask, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger network_adapters_record_event_on_delete after delete on network_adapters
  referencing old table as changed for each statement execute function event_triggers.network_adapters_delete();

create function event_triggers.video_controllers_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'videoControllers',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('adapterCompatibility',
      numbered.adapter_compatibility, 'adapterRam', numbered.adapter_ram, 'currentRefreshRate',
      numbered.current_refresh_rate, 'name', numbered.name, 'videoModeDescription', numbered.video_mode_description,
      'videoProcessor', numbered.video_processor) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.adapter_compatibility, changed.adapter_ram, changed.current_refresh_rate,
        changed.name, changed.video_mode_description, changed.video_processor, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger video_controllers_record_event_on_insert after insert on video_controllers
  referencing new table as changed for each statement execute function event_triggers.video_controllers_insert();

create function event_triggers.video_controllers_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'videoControllers',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.adapter_compatibility, changed.adapter_ram, changed.computer_id, changed.current_refresh_rate,
        changed.name, changed.position, changed.video_mode_description,
        changed.video_processor) is distinct from (before.adapter_compatibility, before.adapter_ram, before.computer_id,
        before.current_refresh_rate, before.name, before.position, before.video_mode_description,
        before.video_processor)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger video_controllers_record_event_on_update after update on video_controllers
  referencing old table as before new table as changed for each statement execute function event_triggers.video_controllers_update();

create function event_triggers.video_controllers_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'videoControllers',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('adapterCompatibility',
      numbered.adapter_compatibility, 'adapterRam', numbered.adapter_ram, 'currentRefreshRate',
      numbered.current_refresh_rate, 'name', numbered.name, 'videoModeDescription', numbered.video_mode_description,
      'videoProcessor', numbered.video_processor) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.adapter_compatibility, changed.adapter_ram, changed.current_refresh_rate,
        changed.name, changed.video_mode_description, changed.video_processor, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger video_controllers_record_event_on_delete after delete on video_controllers
  referencing old table as changed for each statement execute function event_triggers.video_controllers_delete();

create function event_triggers.desktop_monitors_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'monitors',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('caption', numbered.caption,
      'manufacturer', numbered.manufacturer, 'manufacturingWeek', numbered.manufacturing_week, 'manufacturingYear',
      numbered.manufacturing_year, 'monitorName', numbered.monitor_name, 'monitorSize', numbered.monitor_size,
      'monitorType', numbered.monitor_type, 'pixelsPerXLogicalInch', numbered.pixels_per_x_logical_inch,
      'pixelsPerYLogicalInch', numbered.pixels_per_y_logical_inch, 'screenHeight', numbered.screen_height,
      'screenWidth', numbered.screen_width, 'serialNumber', numbered.serial_number, 'vendorId',
      numbered.vendor_id) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.caption, changed.manufacturer, changed.manufacturing_week,
        changed.manufacturing_year, changed.monitor_name, changed.monitor_size, changed.monitor_type,
        changed.pixels_per_x_logical_inch, changed.pixels_per_y_logical_inch, changed.screen_height,
        changed.screen_width, changed.serial_number, changed.vendor_id, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger desktop_monitors_record_event_on_insert after insert on desktop_monitors
  referencing new table as changed for each statement execute function event_triggers.desktop_monitors_insert();

create function event_triggers.desktop_monitors_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'monitors',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.caption, changed.computer_id, changed.manufacturer, changed.manufacturing_week,
        changed.manufacturing_year, changed.monitor_name, changed.monitor_size, changed.monitor_type,
        changed.pixels_per_x_logical_inch, changed.pixels_per_y_logical_inch, changed.position, changed.screen_height,
        changed.screen_width, changed.serial_number, changed.vendor_id) is distinct from (before.caption,
        before.computer_id, before.manufacturer, before.manufacturing_week, before.manufacturing_year,
        before.monitor_name, before.monitor_size, before.monitor_type, before.pixels_per_x_logical_inch,
        before.pixels_per_y_logical_inch, before.position, before.screen_height, before.screen_width,
        before.serial_number, before.vendor_id)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger desktop_monitors_record_event_on_update after update on desktop_monitors
  referencing old table as before new table as changed for each statement execute function event_triggers.desktop_monitors_update();

create function event_triggers.desktop_monitors_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'monitors',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('caption', numbered.caption,
      'manufacturer', numbered.manufacturer, 'manufacturingWeek', numbered.manufacturing_week, 'manufacturingYear',
      numbered.manufacturing_year, 'monitorName', numbered.monitor_name, 'monitorSize', numbered.monitor_size,
      'monitorType', numbered.monitor_type, 'pixelsPerXLogicalInch', numbered.pixels_per_x_logical_inch,
      'pixelsPerYLogicalInch', numbered.pixels_per_y_logical_inch, 'screenHeight', numbered.screen_height,
      'screenWidth', numbered.screen_width, 'serialNumber', numbered.serial_number, 'vendorId',
      numbered.vendor_id) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.caption, changed.manufacturer, changed.manufacturing_week,
        changed.manufacturing_year, changed.monitor_name, changed.monitor_size, changed.monitor_type,
        changed.pixels_per_x_logical_inch, changed.pixels_per_y_logical_inch, changed.screen_height,
        changed.screen_width, changed.serial_number, changed.vendor_id, changed.position,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger desktop_monitors_record_event_on_delete after delete on desktop_monitors
  referencing old table as changed for each statement execute function event_triggers.desktop_monitors_delete();

create function event_triggers.processors_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'processors',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('currentClockSpeedMhz',
      numbered.current_clock_speed_mhz, 'manufacturer', numbered.manufacturer, 'maxClockSpeedMhz',
      numbered.max_clock_speed_mhz, 'name', numbered.name, 'numberOfCores', numbered.number_of_cores,
      'numberOfLogicalProcessors', numbered.number_of_logical_processors, 'processorId',
      numbered.processor_id) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.current_clock_speed_mhz, changed.manufacturer, changed.max_clock_speed_mhz,
        changed.name, changed.number_of_cores, changed.number_of_logical_processors, changed.processor_id,
        changed.position, row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger processors_record_event_on_insert after insert on processors
  referencing new table as changed for each statement execute function event_triggers.processors_insert();

create function event_triggers.processors_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'processors',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count,
      jsonb_agg(numbered.item order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.position, changed_properties(to_jsonb(before), to_jsonb(changed)) as item,
        row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
      join before using (computer_id, position)
      where (changed.computer_id, changed.current_clock_speed_mhz, changed.manufacturer, changed.max_clock_speed_mhz,
        changed.name, changed.number_of_cores, changed.number_of_logical_processors, changed.position,
        changed.processor_id) is distinct from (before.computer_id, before.current_clock_speed_mhz, before.manufacturer,
        before.max_clock_speed_mhz, before.name, before.number_of_cores, before.number_of_logical_processors,
        before.position, before.processor_id)
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger processors_record_event_on_update after update on processors
  referencing old table as before new table as changed for each statement execute function event_triggers.processors_update();

create function event_triggers.processors_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'processors',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('currentClockSpeedMhz',
      numbered.current_clock_speed_mhz, 'manufacturer', numbered.manufacturer, 'maxClockSpeedMhz',
      numbered.max_clock_speed_mhz, 'name', numbered.name, 'numberOfCores', numbered.number_of_cores,
      'numberOfLogicalProcessors', numbered.number_of_logical_processors, 'processorId',
      numbered.processor_id) order by numbered.position) filter (where number <= 50) as items
    from (
      select changed.computer_id, changed.current_clock_speed_mhz, changed.manufacturer, changed.max_clock_speed_mhz,
        changed.name, changed.number_of_cores, changed.number_of_logical_processors, changed.processor_id,
        changed.position, row_number() over (partition by changed.computer_id order by changed.position) as number
      from changed
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger processors_record_event_on_delete after delete on processors
  referencing old table as changed for each statement execute function event_triggers.processors_delete();

create function event_triggers.system_records_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'system', 'change',
      'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('biosDate', changed.bios_date,
      'biosVersion', changed.bios_version, 'bitVersion', changed.bit_version, 'displayAdapter', changed.display_adapter,
      'fqdn', changed.fqdn, 'loggedOnUser', changed.logged_on_user, 'operatingSystem', changed.operating_system,
      'osLogin', changed.os_login, 'processorCount', changed.processor_count, 'processorMhz', changed.processor_mhz,
      'processorName', changed.processor_name, 'screenResolution', changed.screen_resolution, 'tempDirSizeMb',
      changed.temp_dir_size_mb, 'timeZone', changed.time_zone, 'userIsAdmin', changed.user_is_admin, 'vmType',
      changed.vm_type)) as items
    from changed
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger system_records_record_event_on_insert after insert on system_records
  referencing new table as changed for each statement execute function event_triggers.system_records_insert();

create function event_triggers.system_records_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'system', 'change',
      'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(changed_properties(to_jsonb(before),
      to_jsonb(changed))) as items
    from changed
    join before using (computer_id)
    where (changed.bios_date, changed.bios_version, changed.bit_version, changed.computer_id, changed.display_adapter,
      changed.fqdn, changed.logged_on_user, changed.operating_system, changed.os_login, changed.processor_count,
      changed.processor_mhz, changed.processor_name, changed.screen_resolution, changed.temp_dir_size_mb,
      changed.time_zone, changed.user_is_admin, changed.vm_type) is distinct from (before.bios_date,
      before.bios_version, before.bit_version, before.computer_id, before.display_adapter, before.fqdn,
      before.logged_on_user, before.operating_system, before.os_login, before.processor_count, before.processor_mhz,
      before.processor_name, before.screen_resolution, before.temp_dir_size_mb, before.time_zone, before.user_is_admin,
      before.vm_type)
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger system_records_record_event_on_update after update on system_records
  referencing old table as before new table as changed for each statement execute function event_triggers.system_records_update();

create function event_triggers.system_records_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'system', 'change',
      'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('biosDate', changed.bios_date,
      'biosVersion', changed.bios_version, 'bitVersion', changed.bit_version, 'displayAdapter', changed.display_adapter,
      'fqdn', changed.fqdn, 'loggedOnUser', changed.logged_on_user, 'operatingSystem', changed.operating_system,
      'osLogin', changed.os_login, 'processorCount', changed.processor_count, 'processorMhz', changed.processor_mhz,
      'processorName', changed.processor_name, 'screenResolution', changed.screen_resolution, 'tempDirSizeMb',
      changed.temp_dir_size_mb, 'timeZone', changed.time_zone, 'userIsAdmin', changed.user_is_admin, 'vmType',
      changed.vm_type)) as items
    from changed
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger system_records_record_event_on_delete after delete on system_records
  referencing old table as changed for each statement execute function event_triggers.system_records_delete();

create function event_triggers.security_records_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'security',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('antivirusDefinitionsAt',
      changed.antivirus_definitions_at, 'antivirusEnabled', changed.antivirus_enabled, 'antivirusName',
      changed.antivirus_name, 'antivirusUpToDate', changed.antivirus_up_to_date, 'antivirusVersion',
      changed.antivirus_version, 'firewallDomainEnabled', changed.firewall_domain_enabled, 'firewallEnabled',
      changed.firewall_enabled, 'firewallName', changed.firewall_name, 'firewallPrivateEnabled',
      changed.firewall_private_enabled, 'firewallPublicEnabled', changed.firewall_public_enabled, 'scriptPolicy',
      changed.script_policy, 'scriptPolicyName', changed.script_policy_name, 'secureBootEnabled',
      changed.secure_boot_enabled, 'secureBootSupported', changed.secure_boot_supported)) as items
    from changed
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger security_records_record_event_on_insert after insert on security_records
  referencing new table as changed for each statement execute function event_triggers.security_records_insert();

create function event_triggers.security_records_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'security',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(changed_properties(to_jsonb(before),
      to_jsonb(changed))) as items
    from changed
    join before using (computer_id)
    where (changed.antivirus_definitions_at, changed.antivirus_enabled, changed.antivirus_name,
      changed.antivirus_up_to_date, changed.antivirus_version, changed.computer_id, changed.firewall_domain_enabled,
      changed.firewall_enabled, changed.firewall_name, changed.firewall_private_enabled,
      changed.firewall_public_enabled, changed.script_policy, changed.script_policy_name, changed.secure_boot_enabled,
      changed.secure_boot_supported) is distinct from (before.antivirus_definitions_at, before.antivirus_enabled,
      before.antivirus_name, before.antivirus_up_to_date, before.antivirus_version, before.computer_id,
      before.firewall_domain_enabled, before.firewall_enabled, before.firewall_name, before.firewall_private_enabled,
      before.firewall_public_enabled, before.script_policy, before.script_policy_name, before.secure_boot_enabled,
      before.secure_boot_supported)
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger security_records_record_event_on_update after update on security_records
  referencing old table as before new table as changed for each statement execute function event_triggers.security_records_update();

create function event_triggers.security_records_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'security',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('antivirusDefinitionsAt',
      changed.antivirus_definitions_at, 'antivirusEnabled', changed.antivirus_enabled, 'antivirusName',
      changed.antivirus_name, 'antivirusUpToDate', changed.antivirus_up_to_date, 'antivirusVersion',
      changed.antivirus_version, 'firewallDomainEnabled', changed.firewall_domain_enabled, 'firewallEnabled',
      changed.firewall_enabled, 'firewallName', changed.firewall_name, 'firewallPrivateEnabled',
      changed.firewall_private_enabled, 'firewallPublicEnabled', changed.firewall_public_enabled, 'scriptPolicy',
      changed.script_policy, 'scriptPolicyName', changed.script_policy_name, 'secureBootEnabled',
      changed.secure_boot_enabled, 'secureBootSupported', changed.secure_boot_supported)) as items
    from changed
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger security_records_record_event_on_delete after delete on security_records
  referencing old table as changed for each statement execute function event_triggers.security_records_delete();

create function event_triggers.bios_records_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'bios', 'change',
      'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('caption', changed.caption,
      'manufacturer', changed.manufacturer, 'serialNumber', changed.serial_number, 'smBiosVersion',
      changed.sm_bios_version, 'uuid', changed.uuid, 'version', changed.version)) as items
    from changed
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger bios_records_record_event_on_insert after insert on bios_records
  referencing new table as changed for each statement execute function event_triggers.bios_records_insert();

create function event_triggers.bios_records_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'bios', 'change',
      'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(changed_properties(to_jsonb(before),
      to_jsonb(changed))) as items
    from changed
    join before using (computer_id)
    where (changed.caption, changed.computer_id, changed.manufacturer, changed.serial_number, changed.sm_bios_version,
      changed.uuid, changed.version) is distinct from (before.caption, before.computer_id, before.manufacturer,
      before.serial_number, before.sm_bios_version, before.uuid, before.version)
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger bios_records_record_event_on_update after update on bios_records
  referencing old table as before new table as changed for each statement execute function event_triggers.bios_records_update();

create function event_triggers.bios_records_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'bios', 'change',
      'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select changed.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('caption', changed.caption,
      'manufacturer', changed.manufacturer, 'serialNumber', changed.serial_number, 'smBiosVersion',
      changed.sm_bios_version, 'uuid', changed.uuid, 'version', changed.version)) as items
    from changed
    group by changed.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger bios_records_record_event_on_delete after delete on bios_records
  referencing old table as changed for each statement execute function event_triggers.bios_records_delete();

create function event_triggers.installed_software_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section',
      'installedSoftware', 'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('productName',
      numbered.software_products_name, 'version', numbered.software_products_version, 'publisher',
      numbered.software_products_publisher) order by numbered.software_products_name) filter (where number <= 50) as items
    from (
      select changed.computer_id, software_products.name as software_products_name,
        software_products.version as software_products_version,
        software_products.publisher as software_products_publisher,
        row_number() over (partition by changed.computer_id order by software_products.name) as number
      from changed
      join software_products on software_products.id = changed.product_id
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger installed_software_record_event_on_insert after insert on installed_software
  referencing new table as changed for each statement execute function event_triggers.installed_software_insert();

create function event_triggers.installed_software_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section',
      'installedSoftware', 'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('productName',
      numbered.software_products_name, 'version', numbered.software_products_version, 'publisher',
      numbered.software_products_publisher) order by numbered.software_products_name) filter (where number <= 50) as items
    from (
      select changed.computer_id, software_products.name as software_products_name,
        software_products.version as software_products_version,
        software_products.publisher as software_products_publisher,
        row_number() over (partition by changed.computer_id order by software_products.name) as number
      from changed
      join software_products on software_products.id = changed.product_id
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger installed_software_record_event_on_delete after delete on installed_software
  referencing old table as changed for each statement execute function event_triggers.installed_software_delete();

create function event_triggers.computer_services_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'services',
      'change', 'Added', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('name',
      numbered.service_definitions_name, 'status',
      numbered.status) order by numbered.service_definitions_name) filter (where number <= 50) as items
    from (
      select changed.computer_id, service_definitions.name as service_definitions_name, changed.status,
        row_number() over (partition by changed.computer_id order by service_definitions.name) as number
      from changed
      join service_definitions on service_definitions.id = changed.definition_id
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger computer_services_record_event_on_insert after insert on computer_services
  referencing new table as changed for each statement execute function event_triggers.computer_services_insert();

create function event_triggers.computer_services_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'services',
      'change', 'Changed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('name',
      numbered.service_definitions_name, 'status',
      numbered.status) order by numbered.service_definitions_name) filter (where number <= 50) as items
    from (
      select changed.computer_id, service_definitions.name as service_definitions_name, changed.status,
        row_number() over (partition by changed.computer_id order by service_definitions.name) as number
      from changed
      join service_definitions on service_definitions.id = changed.definition_id
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger computer_services_record_event_on_update after update on computer_services
  referencing new table as changed for each statement execute function event_triggers.computer_services_update();

create function event_triggers.computer_services_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'section', 'services',
      'change', 'Removed', 'count', grouped.count, 'items', grouped.items)
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('name',
      numbered.service_definitions_name, 'status',
      numbered.status) order by numbered.service_definitions_name) filter (where number <= 50) as items
    from (
      select changed.computer_id, service_definitions.name as service_definitions_name, changed.status,
        row_number() over (partition by changed.computer_id order by service_definitions.name) as number
      from changed
      join service_definitions on service_definitions.id = changed.definition_id
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger computer_services_record_event_on_delete after delete on computer_services
  referencing old table as changed for each statement execute function event_triggers.computer_services_delete();

create function event_triggers.issue_findings_insert_issue_appeared() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.issue.appeared', '/api/computer/issues/' || grouped.issue,
      jsonb_build_object('issue', grouped.issue, 'computers', grouped.computers, 'list',
        '/api/computer/issues/' || grouped.issue)
    from (
      select changed.issue, count(*) as computers
      from changed
      join computers on computers.id = changed.computer_id
      group by changed.issue
    ) as grouped;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.issue.appeared', '/api/computer/' || changed.computer_id, changed.computer_id,
      jsonb_build_object('issue', changed.issue, 'computers', 1, 'computerId', changed.computer_id, 'computerName',
        computers.name)
    from changed
    join computers on computers.id = changed.computer_id;
  end if;
  return null;
end
$$;

create trigger issue_findings_record_event_on_insert_issue_appeared after insert on issue_findings
  referencing new table as changed for each statement execute function event_triggers.issue_findings_insert_issue_appeared();

create function event_triggers.issue_findings_delete_issue_cleared() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.issue.cleared', '/api/computer/issues/' || grouped.issue,
      jsonb_build_object('issue', grouped.issue, 'computers', grouped.computers, 'list',
        '/api/computer/issues/' || grouped.issue)
    from (
      select changed.issue, count(*) as computers
      from changed
      join computers on computers.id = changed.computer_id
      group by changed.issue
    ) as grouped;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.issue.cleared', '/api/computer/' || changed.computer_id, changed.computer_id,
      jsonb_build_object('issue', changed.issue, 'computers', 1, 'computerId', changed.computer_id, 'computerName',
        computers.name)
    from changed
    join computers on computers.id = changed.computer_id;
  end if;
  return null;
end
$$;

create trigger issue_findings_record_event_on_delete_issue_cleared after delete on issue_findings
  referencing old table as changed for each statement execute function event_triggers.issue_findings_delete_issue_cleared();

create function event_triggers.deployments_insert_deployment_succeeded() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.deployment.succeeded', '/api/computer/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'packageId', new.package_id,
      'packageName', packages.name, 'packageVersion', packages.version, 'installationState', new.installation_state,
      'error', null)
  from computers, packages
  where computers.id = new.computer_id and packages.id = new.package_id;
  return null;
end
$$;

create trigger deployments_record_event_on_insert_deployment_succeeded after insert on deployments
  for each row when (new.result <> 'Failed')
  execute function event_triggers.deployments_insert_deployment_succeeded();

create trigger deployments_record_event_on_update_deployment_succeeded after update on deployments
  for each row when ((new.result, new.failed_at, new.installed_at) is distinct from (old.result, old.failed_at,
    old.installed_at) and new.result <> 'Failed')
  execute function event_triggers.deployments_insert_deployment_succeeded();

create function event_triggers.deployments_insert_deployment_failed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.deployment.failed', '/api/computer/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'packageId', new.package_id,
      'packageName', packages.name, 'packageVersion', packages.version, 'installationState', new.installation_state,
      'error', new.error_text)
  from computers, packages
  where computers.id = new.computer_id and packages.id = new.package_id;
  return null;
end
$$;

create trigger deployments_record_event_on_insert_deployment_failed after insert on deployments
  for each row when (new.result = 'Failed')
  execute function event_triggers.deployments_insert_deployment_failed();

create trigger deployments_record_event_on_update_deployment_failed after update on deployments
  for each row when ((new.result, new.failed_at, new.installed_at) is distinct from (old.result, old.failed_at,
    old.installed_at) and new.result = 'Failed')
  execute function event_triggers.deployments_insert_deployment_failed();

create function event_triggers.sync_jobs_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.depot.synchronised', '/api/depots/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'status', new.status, 'packages',
      new.packages, 'files', new.files_transferred, 'bytes', new.bytes_transferred, 'message', new.message)
  from computers
  where computers.id = new.computer_id;
  return null;
end
$$;

create trigger sync_jobs_record_event_on_update after update on sync_jobs
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function event_triggers.sync_jobs_update();

create function event_triggers.depots_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.depot.created', '/api/depots/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'url', new.url, 'version',
      new.version, 'hasCredential', new.secret_hash is not null)
  from (select) as event
  left join computers on computers.id = new.computer_id;
  return null;
end
$$;

create trigger depots_record_event_on_insert after insert on depots
  for each row
  execute function event_triggers.depots_insert();

create function event_triggers.depots_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.depot.changed', '/api/depots/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'url', new.url, 'version',
      new.version, 'hasCredential', new.secret_hash is not null)
  from (select) as event
  left join computers on computers.id = new.computer_id;
  return null;
end
$$;

create trigger depots_record_event_on_update after update on depots
  for each row when ((new.url, new.version, new.secret_hash) is distinct from (old.url, old.version, old.secret_hash))
  execute function event_triggers.depots_update();

create function event_triggers.depots_delete() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.depot.deleted', '/api/depots/' || old.computer_id, old.computer_id,
    jsonb_build_object('computerId', old.computer_id, 'computerName', computers.name, 'url', old.url, 'version',
      old.version, 'hasCredential', old.secret_hash is not null)
  from (select) as event
  left join computers on computers.id = old.computer_id;
  return null;
end
$$;

create trigger depots_record_event_on_delete after delete on depots
  for each row
  execute function event_triggers.depots_delete();

create function event_triggers.work_insert() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select 'muster.work.due', '/api/tasks/' || grouped.task_id,
      jsonb_build_object('computers', grouped.computers, 'workItems', grouped.work_items, 'taskId', grouped.task_id,
        'kind', grouped.kind, 'packageId', grouped.package_id, 'packageName', packages.name, 'list',
        '/api/tasks/' || grouped.task_id)
    from (
      select changed.task_id, changed.kind, changed.package_id, count(*) as computers, count(*) as work_items
      from changed
      group by changed.task_id, changed.kind, changed.package_id
    ) as grouped
    left join packages on packages.id = grouped.package_id
    order by grouped.kind, packages.name;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.work.due', '/api/computer/' || grouped.computer_id, grouped.computer_id,
      jsonb_build_object('computers', 1, 'workItems', grouped.work_items, 'computerId', grouped.computer_id,
        'computerName', computers.name, 'taskId', grouped.task_id, 'items', grouped.items)
    from (
      select changed.computer_id, changed.task_id, count(*) as work_items, jsonb_agg(jsonb_build_object('workId',
        changed.id, 'kind', changed.kind, 'packageId', changed.package_id, 'packageName', packages.name, 'attempt',
        changed.attempt) order by changed.id) as items
      from changed
      left join packages on packages.id = changed.package_id
      group by changed.computer_id, changed.task_id
    ) as grouped
    join computers on computers.id = grouped.computer_id
    order by grouped.computer_id;
  end if;
  return null;
end
$$;

create trigger work_record_event_on_insert after insert on work
  referencing new table as changed for each statement execute function event_triggers.work_insert();

create function event_triggers.work_update() returns trigger language plpgsql as $$
declare
  number_of_rows integer := (select count(*) from (select from changed limit 101) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > 100 then
    insert into event_outbox (type, subject, data)
    select grouped.type, '/api/tasks/' || grouped.task_id,
      jsonb_build_object('computers', grouped.computers, 'workItems', grouped.work_items, 'taskId', grouped.task_id,
        'kind', grouped.kind, 'packageId', grouped.package_id, 'packageName', packages.name, 'list',
        '/api/tasks/' || grouped.task_id)
    from (
      select news.type, news.task_id, news.kind, news.package_id, count(distinct news.computer_id) as computers,
        count(*) as work_items
      from (
        select case
          when changed.state = 'Due' and before.state <> changed.state then 'muster.work.due'
          when changed.state = 'Leased' and (before.state <> 'Leased' or changed.attempt <> before.attempt) then 'muster.work.leased'
          when changed.state = 'Leased' and before.state = 'Leased' and changed.attempt = before.attempt and changed.progress is distinct from before.progress then 'muster.work.progress'
          when changed.state = 'Success' and before.state <> changed.state then 'muster.work.succeeded'
          when changed.state = 'Failed' and before.state <> 'Failed' and not (before.state = 'Leased' and changed.run_id is not null) then 'muster.work.failed'
          when changed.state = 'Failed' and (before.state = 'Leased' and changed.run_id is not null) then 'muster.work.abandoned'
          when changed.state = 'Cancelled' and before.state <> changed.state then 'muster.work.cancelled'
        end as type, changed.*
        from changed join before using (id)
      ) as news
      where news.type is not null
      group by news.type, news.task_id, news.kind, news.package_id
    ) as grouped
    left join packages on packages.id = grouped.package_id
    order by grouped.kind, packages.name;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select grouped.type, '/api/computer/' || grouped.computer_id, grouped.computer_id,
      jsonb_build_object('computers', 1, 'workItems', grouped.work_items, 'computerId', grouped.computer_id,
        'computerName', computers.name, 'taskId', grouped.task_id, 'items', grouped.items)
    from (
      select news.type, news.computer_id, news.task_id, count(*) as work_items, jsonb_agg(jsonb_build_object('workId',
        news.id, 'kind', news.kind, 'packageId', news.package_id, 'packageName', packages.name, 'attempt', news.attempt,
        'progress', news.progress) order by news.id) as items, min(news.id) as order_1
      from (
        select case
          when changed.state = 'Due' and before.state <> changed.state then 'muster.work.due'
          when changed.state = 'Leased' and (before.state <> 'Leased' or changed.attempt <> before.attempt) then 'muster.work.leased'
          when changed.state = 'Leased' and before.state = 'Leased' and changed.attempt = before.attempt and changed.progress is distinct from before.progress then 'muster.work.progress'
          when changed.state = 'Success' and before.state <> changed.state then 'muster.work.succeeded'
          when changed.state = 'Failed' and before.state <> 'Failed' and not (before.state = 'Leased' and changed.run_id is not null) then 'muster.work.failed'
          when changed.state = 'Failed' and (before.state = 'Leased' and changed.run_id is not null) then 'muster.work.abandoned'
          when changed.state = 'Cancelled' and before.state <> changed.state then 'muster.work.cancelled'
        end as type, changed.*
        from changed join before using (id)
      ) as news
      left join packages on packages.id = news.package_id
      where news.type is not null
      group by news.type, news.computer_id, news.task_id
    ) as grouped
    join computers on computers.id = grouped.computer_id
    order by grouped.computer_id, grouped.order_1;
  end if;
  return null;
end
$$;

create trigger work_record_event_on_update after update on work
  referencing old table as before new table as changed for each statement execute function event_triggers.work_update();

create function event_triggers.work_choices_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.work.choice', '/api/computer/' || changed.computer_id, changed.computer_id,
    jsonb_build_object('computerId', changed.computer_id, 'computerName', computers.name, 'workId', changed.work_id,
      'kind', work.kind, 'packageId', work.package_id, 'packageName',
      (select packages.name from packages where packages.id = work.package_id), 'powerAction', work.power_action,
      'choice', changed.choice, 'user', changed.user_name, 'programs', changed.programs, 'chosenAtUtc',
      to_char(changed.chosen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from changed
  join computers on computers.id = changed.computer_id
  join work on work.id = changed.work_id
  order by changed.id;
  return null;
end
$$;

create trigger work_choices_record_event_on_insert after insert on work_choices
  referencing new table as changed for each statement execute function event_triggers.work_choices_insert();

create function event_triggers.tasks_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.task.created', '/api/tasks/' || changed.id, changed.computer_id,
    jsonb_build_object('taskId', changed.id, 'kind', changed.kind, 'computerId', changed.computer_id, 'groupId',
      changed.group_id, 'packageId', changed.package_id)
  from changed;
  return null;
end
$$;

create trigger tasks_record_event_on_insert after insert on tasks
  referencing new table as changed for each statement execute function event_triggers.tasks_insert();

create function event_triggers.unfinished_tasks_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.task.finished', '/api/tasks/' || changed.task_id, tasks.computer_id,
    jsonb_build_object('taskId', changed.task_id, 'kind', tasks.kind, 'computerId', tasks.computer_id, 'groupId',
      tasks.group_id, 'packageId', tasks.package_id, 'workItems', (
      select jsonb_build_object('succeeded', count(*) filter (where state = 'Success'),
        'failed', count(*) filter (where state = 'Failed'), 'cancelled', count(*) filter (where state = 'Cancelled'))
      from work where work.task_id = changed.task_id))
  from changed
  join tasks on tasks.id = changed.task_id;
  return null;
end
$$;

create trigger unfinished_tasks_record_event_on_delete after delete on unfinished_tasks
  referencing old table as changed for each statement execute function event_triggers.unfinished_tasks_delete();

create function event_triggers.user_choices_insert_user_took_package() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.user.took-package', '/api/computer/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'userName', new.user_name,
      'packageId', new.package_id, 'packageName', packages.name)
  from computers
  left join packages on packages.id = new.package_id
  where computers.id = new.computer_id;
  return null;
end
$$;

create trigger user_choices_record_event_on_insert_user_took_package after insert on user_choices
  for each row when (new.kind = 'Taken')
  execute function event_triggers.user_choices_insert_user_took_package();

create function event_triggers.user_choices_insert_user_postponed_work() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.user.postponed-work', '/api/computer/' || new.computer_id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'userName', new.user_name,
      'untilUtc', to_char(new.postponed_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from computers
  left join packages on packages.id = new.package_id
  where computers.id = new.computer_id;
  return null;
end
$$;

create trigger user_choices_record_event_on_insert_user_postponed_work after insert on user_choices
  for each row when (new.kind = 'Postponed')
  execute function event_triggers.user_choices_insert_user_postponed_work();

create function event_triggers.package_requests_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.package-request.made', '/api/package-requests/' || new.id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'userName', new.user_name,
      'requestId', new.id, 'wish', new.wish)
  from computers
  left join packages on packages.id = new.package_id
  where computers.id = new.computer_id;
  return null;
end
$$;

create trigger package_requests_record_event_on_insert after insert on package_requests
  for each row
  execute function event_triggers.package_requests_insert();

create function event_triggers.package_requests_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.package-request.decided', '/api/package-requests/' || new.id, new.computer_id,
    jsonb_build_object('computerId', new.computer_id, 'computerName', computers.name, 'userName', new.user_name,
      'requestId', new.id, 'wish', new.wish, 'state', new.state, 'decidedBy', new.decided_by, 'packageId',
      new.package_id, 'packageName', packages.name)
  from computers
  left join packages on packages.id = new.package_id
  where computers.id = new.computer_id;
  return null;
end
$$;

create trigger package_requests_record_event_on_update after update on package_requests
  for each row when (new.state is distinct from old.state)
  execute function event_triggers.package_requests_update();

create function event_triggers.rollouts_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.created', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state, 'groupId', new.group_id,
      'packageId', new.package_id, 'pause', new.pause);
  return null;
end
$$;

create trigger rollouts_record_event_on_insert after insert on rollouts
  for each row
  execute function event_triggers.rollouts_insert();

create function event_triggers.rollouts_update_rollout_resumed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.resumed', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state, 'groupId', new.group_id,
      'packageId', new.package_id, 'pause', new.pause);
  return null;
end
$$;

create trigger rollouts_record_event_on_update_rollout_resumed after update on rollouts
  for each row when (new.state is distinct from old.state and new.state = 'Running')
  execute function event_triggers.rollouts_update_rollout_resumed();

create function event_triggers.rollouts_update_rollout_paused() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.paused', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state, 'groupId', new.group_id,
      'packageId', new.package_id, 'pause', new.pause);
  return null;
end
$$;

create trigger rollouts_record_event_on_update_rollout_paused after update on rollouts
  for each row when (new.state is distinct from old.state and new.state = 'Paused')
  execute function event_triggers.rollouts_update_rollout_paused();

create function event_triggers.rollouts_update_rollout_catching_up() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.catching-up', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state, 'groupId', new.group_id,
      'packageId', new.package_id, 'pause', new.pause);
  return null;
end
$$;

create trigger rollouts_record_event_on_update_rollout_catching_up after update on rollouts
  for each row when (new.state is distinct from old.state and new.state = 'CatchingUp')
  execute function event_triggers.rollouts_update_rollout_catching_up();

create function event_triggers.rollouts_update_rollout_completed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.completed', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state, 'groupId', new.group_id,
      'packageId', new.package_id, 'pause', new.pause);
  return null;
end
$$;

create trigger rollouts_record_event_on_update_rollout_completed after update on rollouts
  for each row when (new.state is distinct from old.state and new.state = 'Completed')
  execute function event_triggers.rollouts_update_rollout_completed();

create function event_triggers.rollouts_update_rollout_cancelled() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.cancelled', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state, 'groupId', new.group_id,
      'packageId', new.package_id, 'pause', new.pause);
  return null;
end
$$;

create trigger rollouts_record_event_on_update_rollout_cancelled after update on rollouts
  for each row when (new.state is distinct from old.state and new.state = 'Cancelled')
  execute function event_triggers.rollouts_update_rollout_cancelled();

create function event_triggers.rollouts_update_rollout_changed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.changed', '/api/rollouts/' || new.id,
    jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'changes',
      changed_properties(jsonb_build_object('name', old.name, 'criteria', old.criteria, 'userDeadline',
      old.user_deadline), jsonb_build_object('name', new.name, 'criteria', new.criteria, 'userDeadline',
      new.user_deadline)));
  return null;
end
$$;

create trigger rollouts_record_event_on_update_rollout_changed after update on rollouts
  for each row when ((new.name, new.criteria, new.user_deadline) is distinct from (old.name, old.criteria,
    old.user_deadline))
  execute function event_triggers.rollouts_update_rollout_changed();

create function event_triggers.rollout_rings_update_rollout_ring_opened() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.ring-opened', '/api/rollouts/' || new.rollout_id,
    jsonb_build_object('rolloutId', new.rollout_id, 'rolloutName', rollouts.name, 'ring', new.ring, 'ringName',
      new.name, 'counts', new.counts)
  from rollouts
  where rollouts.id = new.rollout_id;
  return null;
end
$$;

create trigger rollout_rings_record_event_on_update_rollout_ring_opened after update on rollout_rings
  for each row when (new.state is distinct from old.state and new.state = 'Open')
  execute function event_triggers.rollout_rings_update_rollout_ring_opened();

create function event_triggers.rollout_rings_update_rollout_ring_done() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.rollout.ring-done', '/api/rollouts/' || new.rollout_id,
    jsonb_build_object('rolloutId', new.rollout_id, 'rolloutName', rollouts.name, 'ring', new.ring, 'ringName',
      new.name, 'counts', new.counts)
  from rollouts
  where rollouts.id = new.rollout_id;
  return null;
end
$$;

create trigger rollout_rings_record_event_on_update_rollout_ring_done after update on rollout_rings
  for each row when (new.state is distinct from old.state and new.state = 'Done')
  execute function event_triggers.rollout_rings_update_rollout_ring_done();

create function event_triggers.groups_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.group.created', '/api/group/' || changed.id,
    jsonb_build_object('groupId', changed.id, 'groupName', changed.name, 'tree', changed.tree, 'path', changed.path)
  from changed
  where changed.kind <> 'Reinstall'
  order by changed.id;
  return null;
end
$$;

create trigger groups_record_event_on_insert after insert on groups
  referencing new table as changed for each statement execute function event_triggers.groups_insert();

create function event_triggers.groups_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.group.changed', '/api/group/' || new.id,
    jsonb_build_object('groupId', new.id, 'groupName', new.name, 'tree', new.tree, 'changes',
      changed_properties(jsonb_build_object('name', old.name, 'description', old.description, 'parentId', old.parent_id,
      'kind', old.kind), jsonb_build_object('name', new.name, 'description', new.description, 'parentId', new.parent_id,
      'kind', new.kind)));
  return null;
end
$$;

create trigger groups_record_event_on_update after update on groups
  for each row when ((new.name, new.description, new.parent_id, new.kind) is distinct from (old.name, old.description,
    old.parent_id, old.kind))
  execute function event_triggers.groups_update();

create function event_triggers.groups_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.group.deleted', '/api/group/' || changed.id,
    jsonb_build_object('groupId', changed.id, 'groupName', changed.name, 'tree', changed.tree, 'path', changed.path)
  from changed
  where changed.kind <> 'Reinstall'
  order by changed.id;
  return null;
end
$$;

create trigger groups_record_event_on_delete after delete on groups
  referencing old table as changed for each statement execute function event_triggers.groups_delete();

create function event_triggers.group_computers_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.group.computers-added', '/api/group/' || grouped.group_id, grouped.computer_id,
    jsonb_build_object('groupId', grouped.group_id, 'groupName', permanent_groups.name, 'computers', grouped.computers,
      'computerIds', grouped.computer_ids, 'list', '/api/group/' || grouped.group_id || '/computers')
  from (
    select numbered.group_id, count(*) as computers,
      jsonb_agg(numbered.computer_id order by numbered.computer_id) filter (where number <= 100) as computer_ids,
      case when count(*) = 1 then min(numbered.computer_id) end as computer_id
    from (
      select changed.group_id, changed.computer_id,
        row_number() over (partition by changed.group_id order by changed.computer_id) as number
      from changed
      join computers on computers.id = changed.computer_id
    ) as numbered
    group by numbered.group_id
  ) as grouped
  join permanent_groups on permanent_groups.id = grouped.group_id;
  return null;
end
$$;

create trigger group_computers_record_event_on_insert after insert on group_computers
  referencing new table as changed for each statement execute function event_triggers.group_computers_insert();

create function event_triggers.group_computers_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.group.computers-removed', '/api/group/' || grouped.group_id, grouped.computer_id,
    jsonb_build_object('groupId', grouped.group_id, 'groupName', permanent_groups.name, 'computers', grouped.computers,
      'computerIds', grouped.computer_ids, 'list', '/api/group/' || grouped.group_id || '/computers')
  from (
    select numbered.group_id, count(*) as computers,
      jsonb_agg(numbered.computer_id order by numbered.computer_id) filter (where number <= 100) as computer_ids,
      case when count(*) = 1 then min(numbered.computer_id) end as computer_id
    from (
      select changed.group_id, changed.computer_id,
        row_number() over (partition by changed.group_id order by changed.computer_id) as number
      from changed
      join computers on computers.id = changed.computer_id
    ) as numbered
    group by numbered.group_id
  ) as grouped
  join permanent_groups on permanent_groups.id = grouped.group_id;
  return null;
end
$$;

create trigger group_computers_record_event_on_delete after delete on group_computers
  referencing old table as changed for each statement execute function event_triggers.group_computers_delete();

create function event_triggers.group_rules_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.group.rule-changed', '/api/group/' || new.group_id,
    jsonb_build_object('groupId', new.group_id, 'groupName', groups.name, 'state',
      case when new.stopped_at is not null then 'Stopped' else 'Active' end, 'joining', new.stopped_joining, 'leaving',
      new.stopped_leaving)
  from groups
  where groups.id = new.group_id;
  return null;
end
$$;

create trigger group_rules_record_event_on_insert after insert on group_rules
  for each row
  execute function event_triggers.group_rules_insert();

create trigger group_rules_record_event_on_update after update on group_rules
  for each row when ((new.criteria, new.max_changes_per_hour, new.stopped_at) is distinct from (old.criteria,
    old.max_changes_per_hour, old.stopped_at))
  execute function event_triggers.group_rules_insert();

create function event_triggers.group_rules_delete() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.group.rule-changed', '/api/group/' || old.group_id,
    jsonb_build_object('groupId', old.group_id, 'groupName', groups.name, 'state', 'Removed', 'joining',
      old.stopped_joining, 'leaving', old.stopped_leaving)
  from groups
  where groups.id = old.group_id;
  return null;
end
$$;

create trigger group_rules_record_event_on_delete after delete on group_rules
  for each row
  execute function event_triggers.group_rules_delete();

create function event_triggers.group_convergence_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.group.convergence-changed', '/api/group/' || new.group_id,
    jsonb_build_object('groupId', new.group_id, 'groupName', groups.name, 'state',
      case when new.is_on then 'On' else 'Off' end)
  from groups
  where groups.id = new.group_id;
  return null;
end
$$;

create trigger group_convergence_record_event_on_insert after insert on group_convergence
  for each row
  execute function event_triggers.group_convergence_insert();

create trigger group_convergence_record_event_on_update after update on group_convergence
  for each row when ((new.is_on, new.rings, new.criteria, new.time_zone, new.expected_computers, new.expected_percent,
    new.max_removals, new.max_repairs_per_day) is distinct from (old.is_on, old.rings, old.criteria, old.time_zone,
    old.expected_computers, old.expected_percent, old.max_removals, old.max_repairs_per_day))
  execute function event_triggers.group_convergence_insert();

create function event_triggers.group_convergence_delete() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.group.convergence-changed', '/api/group/' || old.group_id,
    jsonb_build_object('groupId', old.group_id, 'groupName', groups.name, 'state', 'Inherited')
  from groups
  where groups.id = old.group_id;
  return null;
end
$$;

create trigger group_convergence_record_event_on_delete after delete on group_convergence
  for each row
  execute function event_triggers.group_convergence_delete();

create function event_triggers.group_packages_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'Package', 'assignedId',
      changed.package_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_packages_record_event_on_insert after insert on group_packages
  referencing new table as changed for each statement execute function event_triggers.group_packages_insert();

create trigger group_packages_record_event_on_update after update on group_packages
  referencing new table as changed for each statement execute function event_triggers.group_packages_insert();

create function event_triggers.group_language_packs_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'LanguagePack',
      'assignedId', changed.package_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_language_packs_record_event_on_insert after insert on group_language_packs
  referencing new table as changed for each statement execute function event_triggers.group_language_packs_insert();

create trigger group_language_packs_record_event_on_update after update on group_language_packs
  referencing new table as changed for each statement execute function event_triggers.group_language_packs_insert();

create function event_triggers.group_software_classes_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'SoftwareClass',
      'assignedId', changed.class_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_software_classes_record_event_on_insert after insert on group_software_classes
  referencing new table as changed for each statement execute function event_triggers.group_software_classes_insert();

create trigger group_software_classes_record_event_on_update after update on group_software_classes
  referencing new table as changed for each statement execute function event_triggers.group_software_classes_insert();

create function event_triggers.group_agent_templates_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'AgentTemplate',
      'assignedId', changed.package_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_agent_templates_record_event_on_insert after insert on group_agent_templates
  referencing new table as changed for each statement execute function event_triggers.group_agent_templates_insert();

create trigger group_agent_templates_record_event_on_update after update on group_agent_templates
  referencing new table as changed for each statement execute function event_triggers.group_agent_templates_insert();

create function event_triggers.group_os_image_skus_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'OperatingSystem',
      'assignedId', changed.sku_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_os_image_skus_record_event_on_insert after insert on group_os_image_skus
  referencing new table as changed for each statement execute function event_triggers.group_os_image_skus_insert();

create trigger group_os_image_skus_record_event_on_update after update on group_os_image_skus
  referencing new table as changed for each statement execute function event_triggers.group_os_image_skus_insert();

create function event_triggers.group_pxe_boot_images_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'PxeBootImage',
      'assignedId', changed.image_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_pxe_boot_images_record_event_on_insert after insert on group_pxe_boot_images
  referencing new table as changed for each statement execute function event_triggers.group_pxe_boot_images_insert();

create trigger group_pxe_boot_images_record_event_on_update after update on group_pxe_boot_images
  referencing new table as changed for each statement execute function event_triggers.group_pxe_boot_images_insert();

create function event_triggers.group_variable_configurations_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'VariableConfiguration',
      'assignedId', changed.configuration_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_variable_configurations_record_event_on_insert after insert on group_variable_configurations
  referencing new table as changed for each statement execute function event_triggers.group_variable_configurations_insert();

create trigger group_variable_configurations_record_event_on_update after update on group_variable_configurations
  referencing new table as changed for each statement execute function event_triggers.group_variable_configurations_insert();

create function event_triggers.pm_group_assignments_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'PatchManagementGroup',
      'assignedId', changed.pm_group_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger pm_group_assignments_record_event_on_insert after insert on pm_group_assignments
  referencing new table as changed for each statement execute function event_triggers.pm_group_assignments_insert();

create trigger pm_group_assignments_record_event_on_update after update on pm_group_assignments
  referencing new table as changed for each statement execute function event_triggers.pm_group_assignments_insert();

create function event_triggers.patch_policy_assignments_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.created', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'PatchPolicy',
      'assignedId', changed.policy_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger patch_policy_assignments_record_event_on_insert after insert on patch_policy_assignments
  referencing new table as changed for each statement execute function event_triggers.patch_policy_assignments_insert();

create trigger patch_policy_assignments_record_event_on_update after update on patch_policy_assignments
  referencing new table as changed for each statement execute function event_triggers.patch_policy_assignments_insert();

create function event_triggers.group_packages_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'Package', 'assignedId',
      changed.package_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_packages_record_event_on_delete after delete on group_packages
  referencing old table as changed for each statement execute function event_triggers.group_packages_delete();

create function event_triggers.group_language_packs_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'LanguagePack',
      'assignedId', changed.package_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_language_packs_record_event_on_delete after delete on group_language_packs
  referencing old table as changed for each statement execute function event_triggers.group_language_packs_delete();

create function event_triggers.group_software_classes_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'SoftwareClass',
      'assignedId', changed.class_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_software_classes_record_event_on_delete after delete on group_software_classes
  referencing old table as changed for each statement execute function event_triggers.group_software_classes_delete();

create function event_triggers.group_agent_templates_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'AgentTemplate',
      'assignedId', changed.package_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_agent_templates_record_event_on_delete after delete on group_agent_templates
  referencing old table as changed for each statement execute function event_triggers.group_agent_templates_delete();

create function event_triggers.group_os_image_skus_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'OperatingSystem',
      'assignedId', changed.sku_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_os_image_skus_record_event_on_delete after delete on group_os_image_skus
  referencing old table as changed for each statement execute function event_triggers.group_os_image_skus_delete();

create function event_triggers.group_pxe_boot_images_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'PxeBootImage',
      'assignedId', changed.image_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_pxe_boot_images_record_event_on_delete after delete on group_pxe_boot_images
  referencing old table as changed for each statement execute function event_triggers.group_pxe_boot_images_delete();

create function event_triggers.group_variable_configurations_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'VariableConfiguration',
      'assignedId', changed.configuration_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger group_variable_configurations_record_event_on_delete after delete on group_variable_configurations
  referencing old table as changed for each statement execute function event_triggers.group_variable_configurations_delete();

create function event_triggers.pm_group_assignments_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'PatchManagementGroup',
      'assignedId', changed.pm_group_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger pm_group_assignments_record_event_on_delete after delete on pm_group_assignments
  referencing old table as changed for each statement execute function event_triggers.pm_group_assignments_delete();

create function event_triggers.patch_policy_assignments_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.assignment.removed', '/api/group/' || changed.group_id,
    jsonb_build_object('groupId', changed.group_id, 'groupName', permanent_groups.name, 'kind', 'PatchPolicy',
      'assignedId', changed.policy_id::text)
  from changed
  join permanent_groups on permanent_groups.id = changed.group_id;
  return null;
end
$$;

create trigger patch_policy_assignments_record_event_on_delete after delete on patch_policy_assignments
  referencing old table as changed for each statement execute function event_triggers.patch_policy_assignments_delete();

create function event_triggers.package_trials_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.package-trial.started', '/api/package-trials/' || new.id,
    jsonb_build_object('trialId', new.id, 'packageId', new.package_id, 'packageName', packages.name, 'packageVersion',
      packages.version, 'computerId', new.computer_id, 'computerName', new.computer_name, 'startedBy', new.started_by)
  from packages
  where packages.id = new.package_id;
  return null;
end
$$;

create trigger package_trials_record_event_on_insert after insert on package_trials
  for each row
  execute function event_triggers.package_trials_insert();

create function event_triggers.package_trials_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.package-trial.ended', '/api/package-trials/' || new.id,
    jsonb_build_object('trialId', new.id, 'packageId', new.package_id, 'packageName', packages.name, 'packageVersion',
      packages.version, 'computerId', new.computer_id, 'computerName', new.computer_name, 'startedBy', new.started_by,
      'state', new.state, 'errorText', new.error_text)
  from packages
  where packages.id = new.package_id;
  return null;
end
$$;

create trigger package_trials_record_event_on_update after update on package_trials
  for each row when (new.state is distinct from old.state)
  execute function event_triggers.package_trials_update();

create function event_triggers.packages_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.package.imported', '/api/packages/' || changed.id,
    jsonb_build_object('packageId', changed.id, 'packageName', changed.name, 'packageVersion', changed.version, 'kind',
      changed.kind)
  from changed
  order by changed.name;
  return null;
end
$$;

create trigger packages_record_event_on_insert after insert on packages
  referencing new table as changed for each statement execute function event_triggers.packages_insert();

create function event_triggers.packages_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.package.changed', '/api/packages/' || new.id,
    jsonb_build_object('packageId', new.id, 'packageName', new.name, 'packageVersion', new.version, 'kind', new.kind,
      'changes', changed_properties(jsonb_build_object('name', old.name, 'version', old.version, 'revision',
      old.revision, 'isReadyToInstall', old.is_operational, 'hashState', old.hash_state, 'content',
      encode(old.content_hash, 'hex')), jsonb_build_object('name', new.name, 'version', new.version, 'revision',
      new.revision, 'isReadyToInstall', new.is_operational, 'hashState', new.hash_state, 'content',
      encode(new.content_hash, 'hex'))));
  return null;
end
$$;

create trigger packages_record_event_on_update after update on packages
  for each row when ((new.name, new.version, new.revision, new.is_operational, new.hash_state,
    new.content_hash) is distinct from (old.name, old.version, old.revision, old.is_operational, old.hash_state,
    old.content_hash))
  execute function event_triggers.packages_update();

create function event_triggers.packages_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.package.deleted', '/api/packages/' || changed.id,
    jsonb_build_object('packageId', changed.id, 'packageName', changed.name, 'packageVersion', changed.version, 'kind',
      changed.kind)
  from changed
  order by changed.name;
  return null;
end
$$;

create trigger packages_record_event_on_delete after delete on packages
  referencing old table as changed for each statement execute function event_triggers.packages_delete();

create function event_triggers.computer_patches_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.patch.missing', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'count', grouped.count,
      'patches', grouped.patches, 'list', '/api/computer/' || grouped.computer_id || '/patch-status')
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('patchId', numbered.patch_id, 'key',
      numbered.patches_key, 'product', numbered.patch_products_name, 'severity',
      numbered.patches_vendor_severity) order by numbered.patches_severity_rank desc,
      numbered.patches_key) filter (where number <= 50) as patches
    from (
      select changed.computer_id, changed.patch_id, patches.key as patches_key,
        patch_products.name as patch_products_name, patches.vendor_severity as patches_vendor_severity,
        patches.severity_rank as patches_severity_rank,
        row_number() over (partition by changed.computer_id order by patches.severity_rank desc, patches.key) as number
      from changed
      join patches on patches.id = changed.patch_id
      join patch_products on patch_products.id = changed.product_id
      where changed.is_missing
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger computer_patches_record_event_on_insert after insert on computer_patches
  referencing new table as changed for each statement execute function event_triggers.computer_patches_insert();

create function event_triggers.computer_patches_update() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select grouped.type, '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'count', grouped.count,
      'patches', grouped.patches, 'list', '/api/computer/' || grouped.computer_id || '/patch-status')
  from (
    select numbered.type, numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('patchId',
      numbered.patch_id, 'key', numbered.patches_key, 'product', numbered.patch_products_name, 'severity',
      numbered.patches_vendor_severity) order by numbered.patches_severity_rank desc,
      numbered.patches_key) filter (where number <= 50) as patches
    from (
      select news.type, news.computer_id, news.patch_id, patches.key as patches_key,
        patch_products.name as patch_products_name, patches.vendor_severity as patches_vendor_severity,
        patches.severity_rank as patches_severity_rank, row_number() over (partition by news.type,
        news.computer_id order by patches.severity_rank desc, patches.key) as number
      from (
        select case
          when changed.is_missing <> before.is_missing and changed.is_missing then 'muster.patch.missing'
          when changed.is_missing <> before.is_missing and not changed.is_missing then 'muster.patch.fixed'
        end as type, changed.*
        from changed join before using (computer_id, patch_id, product_id)
      ) as news
      join patches on patches.id = news.patch_id
      join patch_products on patch_products.id = news.product_id
      where news.type is not null
    ) as numbered
    group by numbered.type, numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger computer_patches_record_event_on_update after update on computer_patches
  referencing old table as before new table as changed for each statement execute function event_triggers.computer_patches_update();

create function event_triggers.computer_patches_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.patch.fixed', '/api/computer/' || grouped.computer_id, grouped.computer_id,
    jsonb_build_object('computerId', grouped.computer_id, 'computerName', computers.name, 'count', grouped.count,
      'patches', grouped.patches, 'list', '/api/computer/' || grouped.computer_id || '/patch-status')
  from (
    select numbered.computer_id, count(*) as count, jsonb_agg(jsonb_build_object('patchId', numbered.patch_id, 'key',
      numbered.patches_key, 'product', numbered.patch_products_name, 'severity',
      numbered.patches_vendor_severity) order by numbered.patches_severity_rank desc,
      numbered.patches_key) filter (where number <= 50) as patches
    from (
      select changed.computer_id, changed.patch_id, patches.key as patches_key,
        patch_products.name as patch_products_name, patches.vendor_severity as patches_vendor_severity,
        patches.severity_rank as patches_severity_rank,
        row_number() over (partition by changed.computer_id order by patches.severity_rank desc, patches.key) as number
      from changed
      join patches on patches.id = changed.patch_id
      join patch_products on patch_products.id = changed.product_id
      where changed.is_missing
    ) as numbered
    group by numbered.computer_id
  ) as grouped
  join computers on computers.id = grouped.computer_id;
  return null;
end
$$;

create trigger computer_patches_record_event_on_delete after delete on computer_patches
  referencing old table as changed for each statement execute function event_triggers.computer_patches_delete();

create function event_triggers.patch_links_update_patch_approved() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.approved', '/api/patches/' || new.patch_id,
    jsonb_build_object('patchId', new.patch_id, 'key', patches.key, 'product', patch_products.name, 'severity',
      patches.vendor_severity, 'name', patches.name)
  from patches, patch_products
  where patches.id = new.patch_id and patch_products.id = new.product_id;
  return null;
end
$$;

create trigger patch_links_record_event_on_update_patch_approved after update on patch_links
  for each row when (old.approved_at is null and new.approved_at is not null)
  execute function event_triggers.patch_links_update_patch_approved();

create function event_triggers.patch_links_update_patch_approval_revoked() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.approval-revoked', '/api/patches/' || new.patch_id,
    jsonb_build_object('patchId', new.patch_id, 'key', patches.key, 'product', patch_products.name, 'severity',
      patches.vendor_severity, 'name', patches.name)
  from patches, patch_products
  where patches.id = new.patch_id and patch_products.id = new.product_id;
  return null;
end
$$;

create trigger patch_links_record_event_on_update_patch_approval_revoked after update on patch_links
  for each row when (old.approved_at is not null and new.approved_at is null)
  execute function event_triggers.patch_links_update_patch_approval_revoked();

create function event_triggers.patch_policies_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.policy-changed', '/api/patch-policies/' || new.id,
    jsonb_build_object('policyId', new.id, 'policyName', new.name, 'state', 'Created');
  return null;
end
$$;

create trigger patch_policies_record_event_on_insert after insert on patch_policies
  for each row
  execute function event_triggers.patch_policies_insert();

create function event_triggers.patch_policies_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.policy-changed', '/api/patch-policies/' || new.id,
    jsonb_build_object('policyId', new.id, 'policyName', new.name, 'state', 'Changed');
  return null;
end
$$;

create trigger patch_policies_record_event_on_update after update on patch_policies
  for each row when ((new.name, new.priority, new.rules, new.rings, new.restart) is distinct from (old.name,
    old.priority, old.rules, old.rings, old.restart))
  execute function event_triggers.patch_policies_update();

create function event_triggers.patch_policies_delete() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.policy-changed', '/api/patch-policies/' || old.id,
    jsonb_build_object('policyId', old.id, 'policyName', old.name, 'state', 'Deleted');
  return null;
end
$$;

create trigger patch_policies_record_event_on_delete after delete on patch_policies
  for each row
  execute function event_triggers.patch_policies_delete();

create function event_triggers.patch_ring_progress_update_patch_ring_opened() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.ring-opened', '/api/patch-policies/' || new.policy_id,
    jsonb_build_object('policyId', new.policy_id, 'policyName', patch_policies.name, 'patchId', new.patch_id, 'key',
      patches.key, 'product', patch_products.name, 'severity', patches.vendor_severity, 'ring', new.ring, 'pause',
      new.pause, 'stoppedBy', new.stopped_by, 'rollsBack', new.rolls_back, 'reason', new.stop_reason)
  from patch_policies, patches, patch_products
  where patch_policies.id = new.policy_id and patches.id = new.patch_id and patch_products.id = new.product_id;
  return null;
end
$$;

create trigger patch_ring_progress_record_event_on_update_patch_ring_opened after update on patch_ring_progress
  for each row when (new.ring > old.ring and new.completed_at is null)
  execute function event_triggers.patch_ring_progress_update_patch_ring_opened();

create function event_triggers.patch_ring_progress_update_patch_ring_paused() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.ring-paused', '/api/patch-policies/' || new.policy_id,
    jsonb_build_object('policyId', new.policy_id, 'policyName', patch_policies.name, 'patchId', new.patch_id, 'key',
      patches.key, 'product', patch_products.name, 'severity', patches.vendor_severity, 'ring', new.ring, 'pause',
      new.pause, 'stoppedBy', new.stopped_by, 'rollsBack', new.rolls_back, 'reason', new.stop_reason)
  from patch_policies, patches, patch_products
  where patch_policies.id = new.policy_id and patches.id = new.patch_id and patch_products.id = new.product_id;
  return null;
end
$$;

create trigger patch_ring_progress_record_event_on_update_patch_ring_paused after update on patch_ring_progress
  for each row when (old.paused_at is null and new.paused_at is not null)
  execute function event_triggers.patch_ring_progress_update_patch_ring_paused();

create function event_triggers.patch_ring_progress_update_patch_ring_resumed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.ring-resumed', '/api/patch-policies/' || new.policy_id,
    jsonb_build_object('policyId', new.policy_id, 'policyName', patch_policies.name, 'patchId', new.patch_id, 'key',
      patches.key, 'product', patch_products.name, 'severity', patches.vendor_severity, 'ring', new.ring, 'pause',
      new.pause, 'stoppedBy', new.stopped_by, 'rollsBack', new.rolls_back, 'reason', new.stop_reason)
  from patch_policies, patches, patch_products
  where patch_policies.id = new.policy_id and patches.id = new.patch_id and patch_products.id = new.product_id;
  return null;
end
$$;

create trigger patch_ring_progress_record_event_on_update_patch_ring_resumed after update on patch_ring_progress
  for each row when (new.resumed_at is distinct from old.resumed_at)
  execute function event_triggers.patch_ring_progress_update_patch_ring_resumed();

create function event_triggers.patch_ring_progress_update_patch_stopped() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.patch.stopped', '/api/patch-policies/' || new.policy_id,
    jsonb_build_object('policyId', new.policy_id, 'policyName', patch_policies.name, 'patchId', new.patch_id, 'key',
      patches.key, 'product', patch_products.name, 'severity', patches.vendor_severity, 'ring', new.ring, 'pause',
      new.pause, 'stoppedBy', new.stopped_by, 'rollsBack', new.rolls_back, 'reason', new.stop_reason)
  from patch_policies, patches, patch_products
  where patch_policies.id = new.policy_id and patches.id = new.patch_id and patch_products.id = new.product_id;
  return null;
end
$$;

create trigger patch_ring_progress_record_event_on_update_patch_stopped after update on patch_ring_progress
  for each row when (old.stopped_at is null and new.stopped_at is not null or new.rolls_back and not old.rolls_back)
  execute function event_triggers.patch_ring_progress_update_patch_stopped();

create function event_triggers.vulnerabilities_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.vulnerability.exploited', '/api/vulnerabilities/' || new.key,
    jsonb_build_object('key', new.key, 'title', new.title, 'severity', new.severity, 'kevDueOn', new.kev_due_on::text,
      'computers', new.open_computers);
  return null;
end
$$;

create trigger vulnerabilities_record_event_on_update after update on vulnerabilities
  for each row when (new.kev_added_on is not null and new.open_computers > 0
          and (old.kev_added_on is null or old.open_computers = 0))
  execute function event_triggers.vulnerabilities_update();

create function event_triggers.local_principals_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.created', '/api/admin/principals/' || new.principal_id,
    jsonb_build_object('principalId', new.principal_id, 'kind', new.kind, 'name', new.client_id);
  return null;
end
$$;

create trigger local_principals_record_event_on_insert after insert on local_principals
  for each row
  execute function event_triggers.local_principals_insert();

create function event_triggers.identity_principals_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.created', '/api/admin/principals/' || new.principal_id,
    jsonb_build_object('principalId', new.principal_id, 'kind', new.subject_type, 'name', coalesce(new.display_name,
      new.subject_id));
  return null;
end
$$;

create trigger identity_principals_record_event_on_insert after insert on identity_principals
  for each row
  execute function event_triggers.identity_principals_insert();

create function event_triggers.local_principals_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || new.principal_id,
    jsonb_build_object('principalId', new.principal_id, 'changes',
      changed_properties(to_jsonb(old) - '{principal_id,kind}'::text[], to_jsonb(new) - '{principal_id,kind}'::text[]));
  return null;
end
$$;

create trigger local_principals_record_event_on_update after update on local_principals
  for each row when (new is distinct from old)
  execute function event_triggers.local_principals_update();

create function event_triggers.identity_principals_update() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || new.principal_id,
    jsonb_build_object('principalId', new.principal_id, 'changes',
      changed_properties(to_jsonb(old) - '{principal_id}'::text[], to_jsonb(new) - '{principal_id}'::text[]));
  return null;
end
$$;

create trigger identity_principals_record_event_on_update after update on identity_principals
  for each row when (new is distinct from old)
  execute function event_triggers.identity_principals_update();

create function event_triggers.principal_roles_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || grouped.principal_id,
    jsonb_build_object('principalId', grouped.principal_id, 'rolesAdded', grouped.roles_added)
  from (
    select changed.principal_id, jsonb_agg(changed.role order by changed.role) as roles_added
    from changed
    group by changed.principal_id
  ) as grouped
  join principals on principals.id = grouped.principal_id;
  return null;
end
$$;

create trigger principal_roles_record_event_on_insert after insert on principal_roles
  referencing new table as changed for each statement execute function event_triggers.principal_roles_insert();

create function event_triggers.principal_secrets_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || grouped.principal_id,
    jsonb_build_object('principalId', grouped.principal_id, 'secretsAdded', grouped.secrets_added)
  from (
    select changed.principal_id, count(*) as secrets_added
    from changed
    group by changed.principal_id
  ) as grouped
  join principals on principals.id = grouped.principal_id;
  return null;
end
$$;

create trigger principal_secrets_record_event_on_insert after insert on principal_secrets
  referencing new table as changed for each statement execute function event_triggers.principal_secrets_insert();

create function event_triggers.principal_roles_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || grouped.principal_id,
    jsonb_build_object('principalId', grouped.principal_id, 'rolesRemoved', grouped.roles_removed)
  from (
    select changed.principal_id, jsonb_agg(changed.role order by changed.role) as roles_removed
    from changed
    group by changed.principal_id
  ) as grouped
  join principals on principals.id = grouped.principal_id;
  return null;
end
$$;

create trigger principal_roles_record_event_on_delete after delete on principal_roles
  referencing old table as changed for each statement execute function event_triggers.principal_roles_delete();

create function event_triggers.principal_secrets_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || grouped.principal_id,
    jsonb_build_object('principalId', grouped.principal_id, 'secretsRemoved', grouped.secrets_removed)
  from (
    select changed.principal_id, count(*) as secrets_removed
    from changed
    group by changed.principal_id
  ) as grouped
  join principals on principals.id = grouped.principal_id;
  return null;
end
$$;

create trigger principal_secrets_record_event_on_delete after delete on principal_secrets
  referencing old table as changed for each statement execute function event_triggers.principal_secrets_delete();

create function event_triggers.principals_delete() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.deleted', '/api/admin/principals/' || old.id,
    jsonb_build_object('principalId', old.id, 'kind', old.kind);
  return null;
end
$$;

create trigger principals_record_event_on_delete after delete on principals
  for each row
  execute function event_triggers.principals_delete();

create function event_triggers.audit_entries_insert_sign_in_succeeded() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.sign-in.succeeded', new.target,
    jsonb_build_object('principalId', new.principal_id, 'principalName', new.principal_name, 'method',
      case new.operation when 'requestToken' then 'Token' else 'Console' end, 'address', new.request ->> 'address',
      'status', new.status);
  return null;
end
$$;

create trigger audit_entries_record_event_on_insert_sign_in_succeeded after insert on audit_entries
  for each row when (new.operation in ('signIn', 'requestToken') and new.status < 400)
  execute function event_triggers.audit_entries_insert_sign_in_succeeded();

create function event_triggers.audit_entries_insert_sign_in_failed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.sign-in.failed', new.target,
    jsonb_build_object('principalId', new.principal_id, 'principalName', new.principal_name, 'method',
      case new.operation when 'requestToken' then 'Token' else 'Console' end, 'address', new.request ->> 'address',
      'status', new.status);
  return null;
end
$$;

create trigger audit_entries_record_event_on_insert_sign_in_failed after insert on audit_entries
  for each row when (new.operation in ('signIn', 'requestToken') and new.status >= 400)
  execute function event_triggers.audit_entries_insert_sign_in_failed();

create function event_triggers.audit_anchors_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.audit.anchored', '/api/audit',
    jsonb_build_object('takenAtUtc', to_char(new.taken_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'document', new.document);
  return null;
end
$$;

create trigger audit_anchors_record_event_on_insert after insert on audit_anchors
  for each row
  execute function event_triggers.audit_anchors_insert();

create function event_triggers.approvals_insert() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.approval.requested', '/api/approvals/' || new.id,
    jsonb_build_object('approvalId', new.id, 'operation', new.operation, 'target', new.target, 'subjects', new.subjects,
      'computers', new.computer_count, 'requesterId', new.requester_id, 'requesterName', new.requester_name,
      'expiresAtUtc', to_char(new.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  return null;
end
$$;

create trigger approvals_record_event_on_insert after insert on approvals
  for each row
  execute function event_triggers.approvals_insert();

create function event_triggers.approvals_update_approval_approved() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.approval.approved', '/api/approvals/' || new.id,
    jsonb_build_object('approvalId', new.id, 'operation', new.operation, 'target', new.target, 'subjects', new.subjects,
      'computers', new.computer_count, 'requesterId', new.requester_id, 'requesterName', new.requester_name,
      'expiresAtUtc', to_char(new.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'decidedBy',
      new.decided_by, 'state', new.state, 'problemCode', new.problem_code);
  return null;
end
$$;

create trigger approvals_record_event_on_update_approval_approved after update on approvals
  for each row when (new.state is distinct from old.state and new.state in ('Executed', 'Failed'))
  execute function event_triggers.approvals_update_approval_approved();

create function event_triggers.approvals_update_approval_denied() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.approval.denied', '/api/approvals/' || new.id,
    jsonb_build_object('approvalId', new.id, 'operation', new.operation, 'target', new.target, 'subjects', new.subjects,
      'computers', new.computer_count, 'requesterId', new.requester_id, 'requesterName', new.requester_name,
      'expiresAtUtc', to_char(new.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'decidedBy',
      new.decided_by);
  return null;
end
$$;

create trigger approvals_record_event_on_update_approval_denied after update on approvals
  for each row when (new.state is distinct from old.state and new.state in ('Denied'))
  execute function event_triggers.approvals_update_approval_denied();

create function event_triggers.approvals_update_approval_expired() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.approval.expired', '/api/approvals/' || new.id,
    jsonb_build_object('approvalId', new.id, 'operation', new.operation, 'target', new.target, 'subjects', new.subjects,
      'computers', new.computer_count, 'requesterId', new.requester_id, 'requesterName', new.requester_name,
      'expiresAtUtc', to_char(new.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  return null;
end
$$;

create trigger approvals_record_event_on_update_approval_expired after update on approvals
  for each row when (new.state is distinct from old.state and new.state in ('Expired'))
  execute function event_triggers.approvals_update_approval_expired();

