-- The stored inventory of a computer, by section. Agents compare the hashes and send only what differs.
create table inventory_sections (
  computer_id integer not null,
  section text not null,
  hash bytea not null,
  collected_at timestamptz not null,
  received_at timestamptz not null default now(),
  constraint inventory_sections_pkey primary key (computer_id, section),
  constraint inventory_sections_hash_check check (length(hash) = 32),
  constraint inventory_sections_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- What the section `system` of an inventory reports beyond the columns of `computers`.
create table system_records (
  computer_id integer not null,
  fqdn text,
  operating_system text,
  os_login text,
  bit_version integer,
  processor_name text,
  processor_count integer,
  processor_mhz integer,
  bios_version text,
  bios_date text,
  logged_on_user text,
  user_is_admin boolean,
  time_zone text,
  display_adapter text,
  screen_resolution text,
  vm_type text,
  -- As reported; 0 is read as unknown.
  temp_dir_size_mb integer,
  constraint system_records_pkey primary key (computer_id),
  constraint system_records_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- The section `bios` of the inventory of a computer.
create table bios_records (
  computer_id integer not null,
  caption text,
  manufacturer text,
  sm_bios_version text,
  serial_number text,
  version text,
  uuid text,
  constraint bios_records_pkey primary key (computer_id),
  constraint bios_records_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- Search for a part of a serial number.
create index bios_records_serial_number_idx on bios_records using gin (serial_number gin_trgm_ops);

-- The section `security` of the inventory of a computer.
create table security_records (
  computer_id integer not null,
  antivirus_name text,
  antivirus_version text,
  antivirus_enabled boolean,
  antivirus_up_to_date boolean,
  antivirus_definitions_at timestamptz,
  firewall_name text,
  firewall_enabled boolean,
  firewall_domain_enabled boolean,
  firewall_private_enabled boolean,
  firewall_public_enabled boolean,
  secure_boot_supported boolean,
  secure_boot_enabled boolean,
  script_policy_name text,
  script_policy text,
  constraint security_records_pkey primary key (computer_id),
  constraint security_records_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A drive of a computer. In this and the following tables, `position` is the place in the report of the agent.
create table disk_drives (
  computer_id integer not null,
  position integer not null,
  volume text not null,
  drive_type_code integer not null,
  total_space_gb double precision,
  free_space_gb double precision,
  free_percent double precision generated always as (100 * free_space_gb / nullif(total_space_gb, 0)) stored,
  label text,
  bitlocker_status text not null,
  bitlocker_key_protectors text,
  constraint disk_drives_pkey primary key (computer_id, position),
  constraint disk_drives_bitlocker_status_check
    check (bitlocker_status in ('Encrypted', 'Unencrypted', 'NotAvailable')),
  constraint disk_drives_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- For the questions about the fleet: fixed disks that are nearly full, or not encrypted.
create index disk_drives_free_percent_idx on disk_drives (free_percent) where drive_type_code = 3;
create index disk_drives_free_space_gb_idx on disk_drives (free_space_gb) where drive_type_code = 3;
create index disk_drives_unencrypted_idx on disk_drives (computer_id)
  where drive_type_code = 3 and bitlocker_status = 'Unencrypted';

-- A battery of a computer.
create table batteries (
  computer_id integer not null,
  position integer not null,
  name text,
  chemistry text,
  device_id text,
  battery_status text,
  designed_capacity_mwh integer,
  full_charged_capacity_mwh integer,
  remaining_capacity_percent integer,
  -- Rounded here so that queries about the fleet compare what a reader sees.
  health_percent double precision generated always as (
      round(100 * nullif(full_charged_capacity_mwh, 0)::numeric / nullif(designed_capacity_mwh, 0), 1)
    ) stored,
  constraint batteries_pkey primary key (computer_id, position),
  constraint batteries_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- Sweep of worn batteries.
create index batteries_health_percent_idx on batteries (health_percent);

-- A network adapter of a computer.
create table network_adapters (
  computer_id integer not null,
  position integer not null,
  service_name text,
  description text,
  ip_address text,
  mac_address text,
  subnet_mask text,
  default_gateway text,
  dns_server text,
  connection_type text,
  is_dhcp boolean not null,
  constraint network_adapters_pkey primary key (computer_id, position),
  constraint network_adapters_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A printer of a computer.
create table printers (
  computer_id integer not null,
  position integer not null,
  name text,
  port text,
  share_name text,
  driver_name text,
  driver_version text,
  comment text,
  caption text,
  capability_descriptions text,
  is_network_printer boolean not null,
  is_default boolean not null,
  horizontal_resolution integer,
  vertical_resolution integer,
  constraint printers_pkey primary key (computer_id, position),
  constraint printers_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A video controller of a computer.
create table video_controllers (
  computer_id integer not null,
  position integer not null,
  name text,
  adapter_compatibility text,
  adapter_ram text,
  video_processor text,
  video_mode_description text,
  current_refresh_rate text,
  constraint video_controllers_pkey primary key (computer_id, position),
  constraint video_controllers_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A monitor of a computer.
create table desktop_monitors (
  computer_id integer not null,
  position integer not null,
  caption text,
  manufacturer text,
  monitor_type text,
  monitor_name text,
  serial_number text,
  vendor_id text,
  monitor_size text,
  screen_width integer,
  screen_height integer,
  pixels_per_x_logical_inch integer,
  pixels_per_y_logical_inch integer,
  -- As reported; 0 is read as unknown.
  manufacturing_year integer,
  manufacturing_week integer,
  constraint desktop_monitors_pkey primary key (computer_id, position),
  constraint desktop_monitors_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A processor of a computer.
create table processors (
  computer_id integer not null,
  position integer not null,
  name text,
  manufacturer text,
  processor_id text,
  number_of_cores integer,
  number_of_logical_processors integer,
  max_clock_speed_mhz integer,
  current_clock_speed_mhz integer,
  constraint processors_pkey primary key (computer_id, position),
  constraint processors_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A product that is installed on at least one computer. It is stored once: the same few thousand products are on all
-- computers.
create table software_products (
  id integer generated always as identity,
  name text not null,
  version text,
  publisher text,
  constraint software_products_pkey primary key (id),
  constraint software_products_name_version_publisher_key unique nulls not distinct (name, version, publisher)
);

-- Search for a part of a name.
create index software_products_name_idx on software_products using gin (name gin_trgm_ops);

-- A product that is installed on a computer. The table is narrow because it has hundreds of rows per computer.
create table installed_software (
  computer_id integer not null,
  product_id integer not null,
  constraint installed_software_pkey primary key (computer_id, product_id),
  constraint installed_software_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint installed_software_product_id_fkey foreign key (product_id) references software_products (id)
);

create index installed_software_product_id_idx on installed_software (product_id, computer_id);

-- A service of an operating system, stored once for the whole fleet. Only its status differs from computer to computer.
create table service_definitions (
  id integer generated always as identity,
  name text not null,
  display_name text,
  start_mode text,
  account text,
  constraint service_definitions_pkey primary key (id),
  constraint service_definitions_key unique nulls not distinct (name, display_name, start_mode, account)
);

-- A service of a computer, with its status.
create table computer_services (
  computer_id integer not null,
  definition_id integer not null,
  status text not null,
  constraint computer_services_pkey primary key (computer_id, definition_id),
  constraint computer_services_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint computer_services_definition_id_fkey foreign key (definition_id) references service_definitions (id)
);

create index computer_services_definition_id_idx on computer_services (definition_id);
