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
      unnest($3::text[], $4::bytea[], $5::timestamptz[]) as reported (section, hash, collected_at)
    where
      not exists (
        select
        from
          inventory_sections stored
        where
          stored.computer_id = $6
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
      id = $7
      and coalesce(
        inventory_at < now() - case
          when exists (
            select
            from
              changed
          ) then interval '5 minutes'
          else interval '1 day'
        end,
        true
      )
  )
select
  section
from
  changed;

update "computers"
set
  "os_name" = $1,
  "os_edition" = $2,
  "os_version" = $3,
  "os_build" = $4,
  "platform" = $5,
  "language" = $6,
  "architecture" = $7,
  "memory_mb" = $8,
  "reported_ip_address" = $9
where
  "id" = $10;

insert into
  "system_records" (
    "computer_id",
    "fqdn",
    "operating_system",
    "os_login",
    "bit_version",
    "processor_name",
    "processor_count",
    "processor_mhz",
    "bios_version",
    "bios_date",
    "logged_on_user",
    "user_is_admin",
    "time_zone",
    "display_adapter",
    "screen_resolution",
    "vm_type",
    "temp_dir_size_mb"
  )
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
on conflict ("computer_id") do update
set
  "fqdn" = $18,
  "operating_system" = $19,
  "os_login" = $20,
  "bit_version" = $21,
  "processor_name" = $22,
  "processor_count" = $23,
  "processor_mhz" = $24,
  "bios_version" = $25,
  "bios_date" = $26,
  "logged_on_user" = $27,
  "user_is_admin" = $28,
  "time_zone" = $29,
  "display_adapter" = $30,
  "screen_resolution" = $31,
  "vm_type" = $32,
  "temp_dir_size_mb" = $33;

insert into
  "bios_records" ("computer_id", "caption", "manufacturer", "sm_bios_version", "serial_number", "version", "uuid")
values
  ($1, $2, $3, $4, $5, $6, $7)
on conflict ("computer_id") do update
set
  "caption" = "excluded"."caption",
  "manufacturer" = "excluded"."manufacturer",
  "sm_bios_version" = "excluded"."sm_bios_version",
  "serial_number" = "excluded"."serial_number",
  "version" = "excluded"."version",
  "uuid" = "excluded"."uuid";

update "computers"
set
  "manufacturer" = $1,
  "model" = $2
where
  "id" = $3;

with
  "gone" as (
    delete from "disk_drives"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "disk_drives" (
    "computer_id",
    "position",
    "volume",
    "drive_type_code",
    "total_space_gb",
    "free_space_gb",
    "label",
    "bitlocker_status",
    "bitlocker_key_protectors"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict ("computer_id", "position") do update
set
  "volume" = "excluded"."volume",
  "drive_type_code" = "excluded"."drive_type_code",
  "total_space_gb" = "excluded"."total_space_gb",
  "free_space_gb" = "excluded"."free_space_gb",
  "label" = "excluded"."label",
  "bitlocker_status" = "excluded"."bitlocker_status",
  "bitlocker_key_protectors" = "excluded"."bitlocker_key_protectors"
where
  (
    "disk_drives"."volume",
    "disk_drives"."drive_type_code",
    "disk_drives"."total_space_gb",
    "disk_drives"."free_space_gb",
    "disk_drives"."label",
    "disk_drives"."bitlocker_status",
    "disk_drives"."bitlocker_key_protectors"
  ) is distinct from (
    "excluded"."volume",
    "excluded"."drive_type_code",
    "excluded"."total_space_gb",
    "excluded"."free_space_gb",
    "excluded"."label",
    "excluded"."bitlocker_status",
    "excluded"."bitlocker_key_protectors"
  );

with
  "gone" as (
    delete from "network_adapters"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "network_adapters" (
    "computer_id",
    "position",
    "service_name",
    "description",
    "ip_address",
    "mac_address",
    "subnet_mask",
    "default_gateway",
    "dns_server",
    "connection_type",
    "is_dhcp"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict ("computer_id", "position") do update
set
  "service_name" = "excluded"."service_name",
  "description" = "excluded"."description",
  "ip_address" = "excluded"."ip_address",
  "mac_address" = "excluded"."mac_address",
  "subnet_mask" = "excluded"."subnet_mask",
  "default_gateway" = "excluded"."default_gateway",
  "dns_server" = "excluded"."dns_server",
  "connection_type" = "excluded"."connection_type",
  "is_dhcp" = "excluded"."is_dhcp"
where
  (
    "network_adapters"."service_name",
    "network_adapters"."description",
    "network_adapters"."ip_address",
    "network_adapters"."mac_address",
    "network_adapters"."subnet_mask",
    "network_adapters"."default_gateway",
    "network_adapters"."dns_server",
    "network_adapters"."connection_type",
    "network_adapters"."is_dhcp"
  ) is distinct from (
    "excluded"."service_name",
    "excluded"."description",
    "excluded"."ip_address",
    "excluded"."mac_address",
    "excluded"."subnet_mask",
    "excluded"."default_gateway",
    "excluded"."dns_server",
    "excluded"."connection_type",
    "excluded"."is_dhcp"
  );

with
  "gone" as (
    delete from "batteries"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "batteries" (
    "computer_id",
    "position",
    "name",
    "chemistry",
    "device_id",
    "battery_status",
    "designed_capacity_mwh",
    "full_charged_capacity_mwh",
    "remaining_capacity_percent"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict ("computer_id", "position") do update
set
  "name" = "excluded"."name",
  "chemistry" = "excluded"."chemistry",
  "device_id" = "excluded"."device_id",
  "battery_status" = "excluded"."battery_status",
  "designed_capacity_mwh" = "excluded"."designed_capacity_mwh",
  "full_charged_capacity_mwh" = "excluded"."full_charged_capacity_mwh",
  "remaining_capacity_percent" = "excluded"."remaining_capacity_percent"
where
  (
    "batteries"."name",
    "batteries"."chemistry",
    "batteries"."device_id",
    "batteries"."battery_status",
    "batteries"."designed_capacity_mwh",
    "batteries"."full_charged_capacity_mwh",
    "batteries"."remaining_capacity_percent"
  ) is distinct from (
    "excluded"."name",
    "excluded"."chemistry",
    "excluded"."device_id",
    "excluded"."battery_status",
    "excluded"."designed_capacity_mwh",
    "excluded"."full_charged_capacity_mwh",
    "excluded"."remaining_capacity_percent"
  );

with
  "gone" as (
    delete from "printers"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "printers" (
    "computer_id",
    "position",
    "name",
    "port",
    "share_name",
    "driver_name",
    "driver_version",
    "comment",
    "caption",
    "capability_descriptions",
    "is_network_printer",
    "is_default",
    "horizontal_resolution",
    "vertical_resolution"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
on conflict ("computer_id", "position") do update
set
  "name" = "excluded"."name",
  "port" = "excluded"."port",
  "share_name" = "excluded"."share_name",
  "driver_name" = "excluded"."driver_name",
  "driver_version" = "excluded"."driver_version",
  "comment" = "excluded"."comment",
  "caption" = "excluded"."caption",
  "capability_descriptions" = "excluded"."capability_descriptions",
  "is_network_printer" = "excluded"."is_network_printer",
  "is_default" = "excluded"."is_default",
  "horizontal_resolution" = "excluded"."horizontal_resolution",
  "vertical_resolution" = "excluded"."vertical_resolution"
where
  (
    "printers"."name",
    "printers"."port",
    "printers"."share_name",
    "printers"."driver_name",
    "printers"."driver_version",
    "printers"."comment",
    "printers"."caption",
    "printers"."capability_descriptions",
    "printers"."is_network_printer",
    "printers"."is_default",
    "printers"."horizontal_resolution",
    "printers"."vertical_resolution"
  ) is distinct from (
    "excluded"."name",
    "excluded"."port",
    "excluded"."share_name",
    "excluded"."driver_name",
    "excluded"."driver_version",
    "excluded"."comment",
    "excluded"."caption",
    "excluded"."capability_descriptions",
    "excluded"."is_network_printer",
    "excluded"."is_default",
    "excluded"."horizontal_resolution",
    "excluded"."vertical_resolution"
  );

with
  "gone" as (
    delete from "video_controllers"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "video_controllers" (
    "computer_id",
    "position",
    "name",
    "adapter_compatibility",
    "adapter_ram",
    "video_processor",
    "video_mode_description",
    "current_refresh_rate"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10)
on conflict ("computer_id", "position") do update
set
  "name" = "excluded"."name",
  "adapter_compatibility" = "excluded"."adapter_compatibility",
  "adapter_ram" = "excluded"."adapter_ram",
  "video_processor" = "excluded"."video_processor",
  "video_mode_description" = "excluded"."video_mode_description",
  "current_refresh_rate" = "excluded"."current_refresh_rate"
where
  (
    "video_controllers"."name",
    "video_controllers"."adapter_compatibility",
    "video_controllers"."adapter_ram",
    "video_controllers"."video_processor",
    "video_controllers"."video_mode_description",
    "video_controllers"."current_refresh_rate"
  ) is distinct from (
    "excluded"."name",
    "excluded"."adapter_compatibility",
    "excluded"."adapter_ram",
    "excluded"."video_processor",
    "excluded"."video_mode_description",
    "excluded"."current_refresh_rate"
  );

with
  "gone" as (
    delete from "desktop_monitors"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "desktop_monitors" (
    "computer_id",
    "position",
    "caption",
    "manufacturer",
    "monitor_type",
    "monitor_name",
    "serial_number",
    "vendor_id",
    "monitor_size",
    "screen_width",
    "screen_height",
    "pixels_per_x_logical_inch",
    "pixels_per_y_logical_inch",
    "manufacturing_year",
    "manufacturing_week"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
on conflict ("computer_id", "position") do update
set
  "caption" = "excluded"."caption",
  "manufacturer" = "excluded"."manufacturer",
  "monitor_type" = "excluded"."monitor_type",
  "monitor_name" = "excluded"."monitor_name",
  "serial_number" = "excluded"."serial_number",
  "vendor_id" = "excluded"."vendor_id",
  "monitor_size" = "excluded"."monitor_size",
  "screen_width" = "excluded"."screen_width",
  "screen_height" = "excluded"."screen_height",
  "pixels_per_x_logical_inch" = "excluded"."pixels_per_x_logical_inch",
  "pixels_per_y_logical_inch" = "excluded"."pixels_per_y_logical_inch",
  "manufacturing_year" = "excluded"."manufacturing_year",
  "manufacturing_week" = "excluded"."manufacturing_week"
where
  (
    "desktop_monitors"."caption",
    "desktop_monitors"."manufacturer",
    "desktop_monitors"."monitor_type",
    "desktop_monitors"."monitor_name",
    "desktop_monitors"."serial_number",
    "desktop_monitors"."vendor_id",
    "desktop_monitors"."monitor_size",
    "desktop_monitors"."screen_width",
    "desktop_monitors"."screen_height",
    "desktop_monitors"."pixels_per_x_logical_inch",
    "desktop_monitors"."pixels_per_y_logical_inch",
    "desktop_monitors"."manufacturing_year",
    "desktop_monitors"."manufacturing_week"
  ) is distinct from (
    "excluded"."caption",
    "excluded"."manufacturer",
    "excluded"."monitor_type",
    "excluded"."monitor_name",
    "excluded"."serial_number",
    "excluded"."vendor_id",
    "excluded"."monitor_size",
    "excluded"."screen_width",
    "excluded"."screen_height",
    "excluded"."pixels_per_x_logical_inch",
    "excluded"."pixels_per_y_logical_inch",
    "excluded"."manufacturing_year",
    "excluded"."manufacturing_week"
  );

with
  "gone" as (
    delete from "processors"
    where
      "computer_id" = $1
      and "position" >= $2
  )
insert into
  "processors" (
    "computer_id",
    "position",
    "name",
    "manufacturer",
    "processor_id",
    "number_of_cores",
    "number_of_logical_processors",
    "max_clock_speed_mhz",
    "current_clock_speed_mhz"
  )
values
  ($3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict ("computer_id", "position") do update
set
  "name" = "excluded"."name",
  "manufacturer" = "excluded"."manufacturer",
  "processor_id" = "excluded"."processor_id",
  "number_of_cores" = "excluded"."number_of_cores",
  "number_of_logical_processors" = "excluded"."number_of_logical_processors",
  "max_clock_speed_mhz" = "excluded"."max_clock_speed_mhz",
  "current_clock_speed_mhz" = "excluded"."current_clock_speed_mhz"
where
  (
    "processors"."name",
    "processors"."manufacturer",
    "processors"."processor_id",
    "processors"."number_of_cores",
    "processors"."number_of_logical_processors",
    "processors"."max_clock_speed_mhz",
    "processors"."current_clock_speed_mhz"
  ) is distinct from (
    "excluded"."name",
    "excluded"."manufacturer",
    "excluded"."processor_id",
    "excluded"."number_of_cores",
    "excluded"."number_of_logical_processors",
    "excluded"."max_clock_speed_mhz",
    "excluded"."current_clock_speed_mhz"
  );

select
  pg_advisory_xact_lock_shared(hashtextextended ($1, 0));

select
  array_agg(
    stored.id
    order by
      item.place
  ) as ids
from
  unnest($1::text[], $2::text[], $3::text[]) with ordinality as "item" (name, version, publisher, place)
  left join software_products stored on stored.name = item.name
  and stored.version is not distinct from item.version
  and stored.publisher is not distinct from item.publisher;

insert into
  software_products (name, version, publisher)
select distinct
  name,
  version,
  publisher
from
  unnest($1::text[], $2::text[], $3::text[]) with ordinality as "item" (name, version, publisher, place)
order by
  name,
  version,
  publisher
on conflict on constraint software_products_name_version_publisher_key do nothing;

select
  array_agg(
    stored.id
    order by
      item.place
  ) as ids
from
  unnest($1::text[], $2::text[], $3::text[]) with ordinality as "item" (name, version, publisher, place)
  left join software_products stored on stored.name = item.name
  and stored.version is not distinct from item.version
  and stored.publisher is not distinct from item.publisher;

with
  installed as materialized (
    select
      id
    from
      unnest($1::integer[]) as product (id)
  ),
  gone as (
    delete from installed_software
    where
      computer_id = $2
      and product_id not in (
        select
          id
        from
          installed
      )
  )
insert into
  installed_software (computer_id, product_id)
select
  $3,
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
      computer_id = $4
  );

select
  pg_advisory_xact_lock_shared(hashtextextended ($1, 0));

insert into
  service_definitions (name, display_name, start_mode, account)
select
  name,
  display_name,
  start_mode,
  account
from
  (
    select distinct
      on (name, display_name, start_mode, account) name,
      display_name,
      start_mode,
      account,
      status
    from
      unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as item (name, display_name, start_mode, account, status)
    order by
      name,
      display_name,
      start_mode,
      account,
      status
  ) as reported
where
  not exists (
    select
    from
      service_definitions definition
    where
      definition.name = reported.name
      and definition.display_name is not distinct from reported.display_name
      and definition.start_mode is not distinct from reported.start_mode
      and definition.account is not distinct from reported.account
  )
order by
  name,
  display_name,
  start_mode,
  account
on conflict on constraint service_definitions_key do nothing;

with
  current as materialized (
    select
      definition.id,
      reported.status
    from
      (
        select distinct
          on (name, display_name, start_mode, account) name,
          display_name,
          start_mode,
          account,
          status
        from
          unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as item (name, display_name, start_mode, account, status)
        order by
          name,
          display_name,
          start_mode,
          account,
          status
      ) as reported
      join service_definitions definition on definition.name = reported.name
      and definition.display_name is not distinct from reported.display_name
      and definition.start_mode is not distinct from reported.start_mode
      and definition.account is not distinct from reported.account
  ),
  gone as (
    delete from computer_services
    where
      computer_id = $6
      and definition_id not in (
        select
          id
        from
          current
      )
  )
insert into
  computer_services (computer_id, definition_id, status)
select
  $7,
  id,
  status
from
  current
where
  (id, status) not in (
    select
      definition_id,
      status
    from
      computer_services
    where
      computer_id = $8
  )
on conflict on constraint computer_services_pkey do update
set
  status = excluded.status;

insert into
  "security_records" (
    "computer_id",
    "antivirus_name",
    "antivirus_version",
    "antivirus_enabled",
    "antivirus_up_to_date",
    "antivirus_definitions_at",
    "firewall_name",
    "firewall_enabled",
    "firewall_domain_enabled",
    "firewall_private_enabled",
    "firewall_public_enabled",
    "secure_boot_supported",
    "secure_boot_enabled",
    "script_policy_name",
    "script_policy"
  )
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
on conflict ("computer_id") do update
set
  "antivirus_name" = $16,
  "antivirus_version" = $17,
  "antivirus_enabled" = $18,
  "antivirus_up_to_date" = $19,
  "antivirus_definitions_at" = $20,
  "firewall_name" = $21,
  "firewall_enabled" = $22,
  "firewall_domain_enabled" = $23,
  "firewall_private_enabled" = $24,
  "firewall_public_enabled" = $25,
  "secure_boot_supported" = $26,
  "secure_boot_enabled" = $27,
  "script_policy_name" = $28,
  "script_policy" = $29;

commit;
