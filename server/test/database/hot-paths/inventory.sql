select
  computer_id,
  secret_hash,
  next_secret_hash
from
  agents
where
  computer_id = any (
    array(
      select
        jsonb_array_elements_text($1::jsonb)::integer
    )
  );

begin;

with
  locked as materialized (
    select
      id
    from
      computers
    where
      id = $1
    for no key update
  ),
  changed as (
    insert into
      inventory_sections as target (computer_id, section, hash, collected_at, received_at)
    select
      $2,
      section,
      hash,
      collected_at,
      clock_timestamp()
    from
      (
        select
          count(*)
        from
          locked
      ) as first_lock,
      (
        select
          pg_advisory_xact_lock_shared(hashtextextended ($3, 0))
      ) as dictionary_lock,
      unnest($4::text[], $5::bytea[], $6::timestamptz[]) as reported (section, hash, collected_at)
    where
      not exists (
        select
        from
          inventory_sections stored
        where
          stored.computer_id = $7
          and stored.section = reported.section
          and stored.hash = reported.hash
      )
    order by
      section
    on conflict (computer_id, section) do update
    set
      hash = excluded.hash,
      collected_at = excluded.collected_at,
      received_at = excluded.received_at
    where
      target.hash <> excluded.hash
    returning
      section
  ),
  dated as (
    update computers
    set
      inventory_at = now()
    where
      id = $8
      and not exists (
        select
        from
          changed
      )
      and coalesce(inventory_at < now() - interval '1 day', true)
  )
select
  section
from
  changed;

select
  array_agg(
    stored.id
    order by
      item.place
  ) as ids
from
  unnest($1::text[], $2::text[], $3::text[]) with ordinality as item (name, version, publisher, place)
  left join "software_products" stored on stored.name = item.name
  and stored.version is not distinct from item.version
  and stored.publisher is not distinct from item.publisher;

insert into
  "software_products" (name, version, publisher)
select distinct
  name,
  version,
  publisher
from
  unnest($1::text[], $2::text[], $3::text[]) with ordinality as item (name, version, publisher, place)
order by
  name,
  version,
  publisher
on conflict (name, version, publisher) do nothing;

select
  array_agg(
    stored.id
    order by
      item.place
  ) as ids
from
  unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as item (name, display_name, start_mode, account, place)
  left join "service_definitions" stored on stored.name = item.name
  and stored.display_name is not distinct from item.display_name
  and stored.start_mode is not distinct from item.start_mode
  and stored.account is not distinct from item.account;

insert into
  "service_definitions" (name, display_name, start_mode, account)
select distinct
  name,
  display_name,
  start_mode,
  account
from
  unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as item (name, display_name, start_mode, account, place)
order by
  name,
  display_name,
  start_mode,
  account
on conflict (name, display_name, start_mode, account) do nothing;

with
  "stored_system_records" as (
    insert into
      "system_records" (
        computer_id,
        fqdn,
        operating_system,
        os_login,
        bit_version,
        processor_name,
        processor_count,
        processor_mhz,
        bios_version,
        bios_date,
        logged_on_user,
        user_is_admin,
        time_zone,
        display_adapter,
        screen_resolution,
        vm_type,
        temp_dir_size_mb
      )
    values
      ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    on conflict (computer_id) do update
    set
      fqdn = excluded.fqdn,
      operating_system = excluded.operating_system,
      os_login = excluded.os_login,
      bit_version = excluded.bit_version,
      processor_name = excluded.processor_name,
      processor_count = excluded.processor_count,
      processor_mhz = excluded.processor_mhz,
      bios_version = excluded.bios_version,
      bios_date = excluded.bios_date,
      logged_on_user = excluded.logged_on_user,
      user_is_admin = excluded.user_is_admin,
      time_zone = excluded.time_zone,
      display_adapter = excluded.display_adapter,
      screen_resolution = excluded.screen_resolution,
      vm_type = excluded.vm_type,
      temp_dir_size_mb = excluded.temp_dir_size_mb
    where
      row (
        system_records.fqdn,
        system_records.operating_system,
        system_records.os_login,
        system_records.bit_version,
        system_records.processor_name,
        system_records.processor_count,
        system_records.processor_mhz,
        system_records.bios_version,
        system_records.bios_date,
        system_records.logged_on_user,
        system_records.user_is_admin,
        system_records.time_zone,
        system_records.display_adapter,
        system_records.screen_resolution,
        system_records.vm_type,
        system_records.temp_dir_size_mb
      ) is distinct from row (
        excluded.fqdn,
        excluded.operating_system,
        excluded.os_login,
        excluded.bit_version,
        excluded.processor_name,
        excluded.processor_count,
        excluded.processor_mhz,
        excluded.bios_version,
        excluded.bios_date,
        excluded.logged_on_user,
        excluded.user_is_admin,
        excluded.time_zone,
        excluded.display_adapter,
        excluded.screen_resolution,
        excluded.vm_type,
        excluded.temp_dir_size_mb
      )
  ),
  "stored_bios_records" as (
    insert into
      "bios_records" (computer_id, caption, manufacturer, sm_bios_version, serial_number, version, uuid)
    values
      ($18, $19, $20, $21, $22, $23, $24)
    on conflict (computer_id) do update
    set
      caption = excluded.caption,
      manufacturer = excluded.manufacturer,
      sm_bios_version = excluded.sm_bios_version,
      serial_number = excluded.serial_number,
      version = excluded.version,
      uuid = excluded.uuid
    where
      row (
        bios_records.caption,
        bios_records.manufacturer,
        bios_records.sm_bios_version,
        bios_records.serial_number,
        bios_records.version,
        bios_records.uuid
      ) is distinct from row (
        excluded.caption,
        excluded.manufacturer,
        excluded.sm_bios_version,
        excluded.serial_number,
        excluded.version,
        excluded.uuid
      )
  ),
  "gone_disk_drives" as (
    delete from "disk_drives"
    where
      computer_id = $25
      and position >= $26
  ),
  "stored_disk_drives" as (
    insert into
      "disk_drives" (
        computer_id,
        position,
        volume,
        drive_type_code,
        total_space_gb,
        free_space_gb,
        label,
        bitlocker_status,
        bitlocker_key_protectors
      )
    select
      $27,
      position,
      volume,
      drive_type_code,
      total_space_gb,
      free_space_gb,
      label,
      bitlocker_status,
      bitlocker_key_protectors
    from
      jsonb_populate_recordset(null::"disk_drives", $28::jsonb)
    on conflict (computer_id, position) do update
    set
      volume = excluded.volume,
      drive_type_code = excluded.drive_type_code,
      total_space_gb = excluded.total_space_gb,
      free_space_gb = excluded.free_space_gb,
      label = excluded.label,
      bitlocker_status = excluded.bitlocker_status,
      bitlocker_key_protectors = excluded.bitlocker_key_protectors
    where
      row (
        disk_drives.volume,
        disk_drives.drive_type_code,
        disk_drives.total_space_gb,
        disk_drives.free_space_gb,
        disk_drives.label,
        disk_drives.bitlocker_status,
        disk_drives.bitlocker_key_protectors
      ) is distinct from row (
        excluded.volume,
        excluded.drive_type_code,
        excluded.total_space_gb,
        excluded.free_space_gb,
        excluded.label,
        excluded.bitlocker_status,
        excluded.bitlocker_key_protectors
      )
  ),
  "gone_network_adapters" as (
    delete from "network_adapters"
    where
      computer_id = $29
      and position >= $30
  ),
  "stored_network_adapters" as (
    insert into
      "network_adapters" (
        computer_id,
        position,
        service_name,
        description,
        ip_address,
        mac_address,
        subnet_mask,
        default_gateway,
        dns_server,
        connection_type,
        is_dhcp
      )
    select
      $31,
      position,
      service_name,
      description,
      ip_address,
      mac_address,
      subnet_mask,
      default_gateway,
      dns_server,
      connection_type,
      is_dhcp
    from
      jsonb_populate_recordset(null::"network_adapters", $32::jsonb)
    on conflict (computer_id, position) do update
    set
      service_name = excluded.service_name,
      description = excluded.description,
      ip_address = excluded.ip_address,
      mac_address = excluded.mac_address,
      subnet_mask = excluded.subnet_mask,
      default_gateway = excluded.default_gateway,
      dns_server = excluded.dns_server,
      connection_type = excluded.connection_type,
      is_dhcp = excluded.is_dhcp
    where
      row (
        network_adapters.service_name,
        network_adapters.description,
        network_adapters.ip_address,
        network_adapters.mac_address,
        network_adapters.subnet_mask,
        network_adapters.default_gateway,
        network_adapters.dns_server,
        network_adapters.connection_type,
        network_adapters.is_dhcp
      ) is distinct from row (
        excluded.service_name,
        excluded.description,
        excluded.ip_address,
        excluded.mac_address,
        excluded.subnet_mask,
        excluded.default_gateway,
        excluded.dns_server,
        excluded.connection_type,
        excluded.is_dhcp
      )
  ),
  "gone_batteries" as (
    delete from "batteries"
    where
      computer_id = $33
      and position >= $34
  ),
  "stored_batteries" as (
    insert into
      "batteries" (
        computer_id,
        position,
        name,
        chemistry,
        device_id,
        battery_status,
        designed_capacity_mwh,
        full_charged_capacity_mwh,
        remaining_capacity_percent
      )
    select
      $35,
      position,
      name,
      chemistry,
      device_id,
      battery_status,
      designed_capacity_mwh,
      full_charged_capacity_mwh,
      remaining_capacity_percent
    from
      jsonb_populate_recordset(null::"batteries", $36::jsonb)
    on conflict (computer_id, position) do update
    set
      name = excluded.name,
      chemistry = excluded.chemistry,
      device_id = excluded.device_id,
      battery_status = excluded.battery_status,
      designed_capacity_mwh = excluded.designed_capacity_mwh,
      full_charged_capacity_mwh = excluded.full_charged_capacity_mwh,
      remaining_capacity_percent = excluded.remaining_capacity_percent
    where
      row (
        batteries.name,
        batteries.chemistry,
        batteries.device_id,
        batteries.battery_status,
        batteries.designed_capacity_mwh,
        batteries.full_charged_capacity_mwh,
        batteries.remaining_capacity_percent
      ) is distinct from row (
        excluded.name,
        excluded.chemistry,
        excluded.device_id,
        excluded.battery_status,
        excluded.designed_capacity_mwh,
        excluded.full_charged_capacity_mwh,
        excluded.remaining_capacity_percent
      )
  ),
  "gone_printers" as (
    delete from "printers"
    where
      computer_id = $37
      and position >= $38
  ),
  "stored_printers" as (
    insert into
      "printers" (
        computer_id,
        position,
        name,
        port,
        share_name,
        driver_name,
        driver_version,
        comment,
        caption,
        capability_descriptions,
        is_network_printer,
        is_default,
        horizontal_resolution,
        vertical_resolution
      )
    select
      $39,
      position,
      name,
      port,
      share_name,
      driver_name,
      driver_version,
      comment,
      caption,
      capability_descriptions,
      is_network_printer,
      is_default,
      horizontal_resolution,
      vertical_resolution
    from
      jsonb_populate_recordset(null::"printers", $40::jsonb)
    on conflict (computer_id, position) do update
    set
      name = excluded.name,
      port = excluded.port,
      share_name = excluded.share_name,
      driver_name = excluded.driver_name,
      driver_version = excluded.driver_version,
      comment = excluded.comment,
      caption = excluded.caption,
      capability_descriptions = excluded.capability_descriptions,
      is_network_printer = excluded.is_network_printer,
      is_default = excluded.is_default,
      horizontal_resolution = excluded.horizontal_resolution,
      vertical_resolution = excluded.vertical_resolution
    where
      row (
        printers.name,
        printers.port,
        printers.share_name,
        printers.driver_name,
        printers.driver_version,
        printers.comment,
        printers.caption,
        printers.capability_descriptions,
        printers.is_network_printer,
        printers.is_default,
        printers.horizontal_resolution,
        printers.vertical_resolution
      ) is distinct from row (
        excluded.name,
        excluded.port,
        excluded.share_name,
        excluded.driver_name,
        excluded.driver_version,
        excluded.comment,
        excluded.caption,
        excluded.capability_descriptions,
        excluded.is_network_printer,
        excluded.is_default,
        excluded.horizontal_resolution,
        excluded.vertical_resolution
      )
  ),
  "gone_video_controllers" as (
    delete from "video_controllers"
    where
      computer_id = $41
      and position >= $42
  ),
  "stored_video_controllers" as (
    insert into
      "video_controllers" (
        computer_id,
        position,
        name,
        adapter_compatibility,
        adapter_ram,
        video_processor,
        video_mode_description,
        current_refresh_rate
      )
    select
      $43,
      position,
      name,
      adapter_compatibility,
      adapter_ram,
      video_processor,
      video_mode_description,
      current_refresh_rate
    from
      jsonb_populate_recordset(null::"video_controllers", $44::jsonb)
    on conflict (computer_id, position) do update
    set
      name = excluded.name,
      adapter_compatibility = excluded.adapter_compatibility,
      adapter_ram = excluded.adapter_ram,
      video_processor = excluded.video_processor,
      video_mode_description = excluded.video_mode_description,
      current_refresh_rate = excluded.current_refresh_rate
    where
      row (
        video_controllers.name,
        video_controllers.adapter_compatibility,
        video_controllers.adapter_ram,
        video_controllers.video_processor,
        video_controllers.video_mode_description,
        video_controllers.current_refresh_rate
      ) is distinct from row (
        excluded.name,
        excluded.adapter_compatibility,
        excluded.adapter_ram,
        excluded.video_processor,
        excluded.video_mode_description,
        excluded.current_refresh_rate
      )
  ),
  "gone_desktop_monitors" as (
    delete from "desktop_monitors"
    where
      computer_id = $45
      and position >= $46
  ),
  "stored_desktop_monitors" as (
    insert into
      "desktop_monitors" (
        computer_id,
        position,
        caption,
        manufacturer,
        monitor_type,
        monitor_name,
        serial_number,
        vendor_id,
        monitor_size,
        screen_width,
        screen_height,
        pixels_per_x_logical_inch,
        pixels_per_y_logical_inch,
        manufacturing_year,
        manufacturing_week
      )
    select
      $47,
      position,
      caption,
      manufacturer,
      monitor_type,
      monitor_name,
      serial_number,
      vendor_id,
      monitor_size,
      screen_width,
      screen_height,
      pixels_per_x_logical_inch,
      pixels_per_y_logical_inch,
      manufacturing_year,
      manufacturing_week
    from
      jsonb_populate_recordset(null::"desktop_monitors", $48::jsonb)
    on conflict (computer_id, position) do update
    set
      caption = excluded.caption,
      manufacturer = excluded.manufacturer,
      monitor_type = excluded.monitor_type,
      monitor_name = excluded.monitor_name,
      serial_number = excluded.serial_number,
      vendor_id = excluded.vendor_id,
      monitor_size = excluded.monitor_size,
      screen_width = excluded.screen_width,
      screen_height = excluded.screen_height,
      pixels_per_x_logical_inch = excluded.pixels_per_x_logical_inch,
      pixels_per_y_logical_inch = excluded.pixels_per_y_logical_inch,
      manufacturing_year = excluded.manufacturing_year,
      manufacturing_week = excluded.manufacturing_week
    where
      row (
        desktop_monitors.caption,
        desktop_monitors.manufacturer,
        desktop_monitors.monitor_type,
        desktop_monitors.monitor_name,
        desktop_monitors.serial_number,
        desktop_monitors.vendor_id,
        desktop_monitors.monitor_size,
        desktop_monitors.screen_width,
        desktop_monitors.screen_height,
        desktop_monitors.pixels_per_x_logical_inch,
        desktop_monitors.pixels_per_y_logical_inch,
        desktop_monitors.manufacturing_year,
        desktop_monitors.manufacturing_week
      ) is distinct from row (
        excluded.caption,
        excluded.manufacturer,
        excluded.monitor_type,
        excluded.monitor_name,
        excluded.serial_number,
        excluded.vendor_id,
        excluded.monitor_size,
        excluded.screen_width,
        excluded.screen_height,
        excluded.pixels_per_x_logical_inch,
        excluded.pixels_per_y_logical_inch,
        excluded.manufacturing_year,
        excluded.manufacturing_week
      )
  ),
  "gone_processors" as (
    delete from "processors"
    where
      computer_id = $49
      and position >= $50
  ),
  "stored_processors" as (
    insert into
      "processors" (
        computer_id,
        position,
        name,
        manufacturer,
        processor_id,
        number_of_cores,
        number_of_logical_processors,
        max_clock_speed_mhz,
        current_clock_speed_mhz
      )
    select
      $51,
      position,
      name,
      manufacturer,
      processor_id,
      number_of_cores,
      number_of_logical_processors,
      max_clock_speed_mhz,
      current_clock_speed_mhz
    from
      jsonb_populate_recordset(null::"processors", $52::jsonb)
    on conflict (computer_id, position) do update
    set
      name = excluded.name,
      manufacturer = excluded.manufacturer,
      processor_id = excluded.processor_id,
      number_of_cores = excluded.number_of_cores,
      number_of_logical_processors = excluded.number_of_logical_processors,
      max_clock_speed_mhz = excluded.max_clock_speed_mhz,
      current_clock_speed_mhz = excluded.current_clock_speed_mhz
    where
      row (
        processors.name,
        processors.manufacturer,
        processors.processor_id,
        processors.number_of_cores,
        processors.number_of_logical_processors,
        processors.max_clock_speed_mhz,
        processors.current_clock_speed_mhz
      ) is distinct from row (
        excluded.name,
        excluded.manufacturer,
        excluded.processor_id,
        excluded.number_of_cores,
        excluded.number_of_logical_processors,
        excluded.max_clock_speed_mhz,
        excluded.current_clock_speed_mhz
      )
  ),
  installed as materialized (
    select
      id
    from
      unnest($53::integer[]) as product (id)
  ),
  gone_software as (
    delete from installed_software
    where
      computer_id = $54
      and product_id not in (
        select
          id
        from
          installed
      )
  ),
  new_software as (
    insert into
      installed_software (computer_id, product_id)
    select
      $55,
      id
    from
      installed
    where
      id not in (
        select
          product_id
        from
          installed_software
        where
          computer_id = $56
      )
  ),
  new_sources as (
    insert into
      software_sources (product_id, name, version, language, reported_by)
    select distinct
      product_id,
      name,
      version,
      language,
      $57::integer
    from
      unnest($58::integer[], $59::text[], $60::text[], $61::text[]) as reported (product_id, name, version, language)
    where
      not exists (
        select
        from
          software_sources known
        where
          known.product_id = reported.product_id
          and known.name = reported.name
          and known.version = reported.version
          and known.language is not distinct from reported.language
      )
      and (
        select
          count(*)
        from
          software_sources
        where
          reported_by = $62
      ) < $63
    order by
      product_id,
      name,
      version,
      language
    on conflict on constraint software_sources_key do nothing
  ),
  current_services as materialized (
    select
      id,
      status
    from
      unnest($64::integer[], $65::text[]) as service (id, status)
  ),
  gone_services as (
    delete from computer_services
    where
      computer_id = $66
      and definition_id not in (
        select
          id
        from
          current_services
      )
  ),
  stored_services as (
    insert into
      computer_services (computer_id, definition_id, status)
    select
      $67,
      id,
      status
    from
      current_services
    where
      (id, status) not in (
        select
          definition_id,
          status
        from
          computer_services
        where
          computer_id = $68
      )
    on conflict on constraint computer_services_pkey do update
    set
      status = excluded.status
  ),
  "stored_security_records" as (
    insert into
      "security_records" (
        computer_id,
        antivirus_name,
        antivirus_version,
        antivirus_enabled,
        antivirus_up_to_date,
        antivirus_definitions_at,
        firewall_name,
        firewall_enabled,
        firewall_domain_enabled,
        firewall_private_enabled,
        firewall_public_enabled,
        secure_boot_supported,
        secure_boot_enabled,
        script_policy_name,
        script_policy
      )
    values
      ($69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83)
    on conflict (computer_id) do update
    set
      antivirus_name = excluded.antivirus_name,
      antivirus_version = excluded.antivirus_version,
      antivirus_enabled = excluded.antivirus_enabled,
      antivirus_up_to_date = excluded.antivirus_up_to_date,
      antivirus_definitions_at = excluded.antivirus_definitions_at,
      firewall_name = excluded.firewall_name,
      firewall_enabled = excluded.firewall_enabled,
      firewall_domain_enabled = excluded.firewall_domain_enabled,
      firewall_private_enabled = excluded.firewall_private_enabled,
      firewall_public_enabled = excluded.firewall_public_enabled,
      secure_boot_supported = excluded.secure_boot_supported,
      secure_boot_enabled = excluded.secure_boot_enabled,
      script_policy_name = excluded.script_policy_name,
      script_policy = excluded.script_policy
    where
      row (
        security_records.antivirus_name,
        security_records.antivirus_version,
        security_records.antivirus_enabled,
        security_records.antivirus_up_to_date,
        security_records.antivirus_definitions_at,
        security_records.firewall_name,
        security_records.firewall_enabled,
        security_records.firewall_domain_enabled,
        security_records.firewall_private_enabled,
        security_records.firewall_public_enabled,
        security_records.secure_boot_supported,
        security_records.secure_boot_enabled,
        security_records.script_policy_name,
        security_records.script_policy
      ) is distinct from row (
        excluded.antivirus_name,
        excluded.antivirus_version,
        excluded.antivirus_enabled,
        excluded.antivirus_up_to_date,
        excluded.antivirus_definitions_at,
        excluded.firewall_name,
        excluded.firewall_enabled,
        excluded.firewall_domain_enabled,
        excluded.firewall_private_enabled,
        excluded.firewall_public_enabled,
        excluded.secure_boot_supported,
        excluded.secure_boot_enabled,
        excluded.script_policy_name,
        excluded.script_policy
      )
  ),
  computer as (
    update computers
    set
      (
        "os_name",
        "os_edition",
        "os_version",
        "os_build",
        "platform",
        "language",
        "architecture",
        "memory_mb",
        "pxe_support",
        "reported_ip_address",
        "manufacturer",
        "model",
        "inventory_at"
      ) = row (
        $84::text,
        $85::text,
        $86::text,
        $87::text,
        $88::text,
        $89::text,
        $90::text,
        $91::integer,
        pxe_support
        and not coalesce($92::text ~* $93, false),
        coalesce($94, reported_ip_address),
        $95::text,
        $96::text,
        case
          when inventory_at > greatest(now() - interval '5 minutes', os_installed_at) then inventory_at
          else now()
        end
      )
    where
      id = $97
      and row (
        "os_name",
        "os_edition",
        "os_version",
        "os_build",
        "platform",
        "language",
        "architecture",
        "memory_mb",
        "pxe_support",
        "reported_ip_address",
        "manufacturer",
        "model",
        "inventory_at"
      ) is distinct from row (
        $98::text,
        $99::text,
        $100::text,
        $101::text,
        $102::text,
        $103::text,
        $104::text,
        $105::integer,
        pxe_support
        and not coalesce($106::text ~* $107, false),
        coalesce($108, reported_ip_address),
        $109::text,
        $110::text,
        case
          when inventory_at > greatest(now() - interval '5 minutes', os_installed_at) then inventory_at
          else now()
        end
      )
    returning
      platform,
      os_name,
      os_edition,
      os_version,
      architecture
  )
select
  exists (
    select
      platform,
      os_name,
      os_edition,
      os_version,
      architecture
    from
      computer
    except
    select
      platform,
      os_name,
      os_edition,
      os_version,
      architecture
    from
      computers
    where
      id = $111
      and (
        os_installed_at is null
        or inventory_at > os_installed_at
      )
  )
  and (
    exists (
      select
      from
        deployments
      where
        computer_id = $112
        and status <> 'Success'
    )
    -- An offer is open work without a deployment.
    or exists (
      select
      from
        work
      where
        computer_id = $113
        and "state" in ('Due', 'Leased')
    )
  ) as "isOtherPlatform";

commit;
