import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Computers with the properties that all issues show of them. */
export function issueComputerRows(db: Database) {
  return db
    .selectFrom('computers')
    .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
    .leftJoin('bios_records', 'bios_records.computer_id', 'computers.id')
    .select([
      'computers.id',
      'computers.name as hostname',
      'computers.domain',
      'computers.mac_address as macAddress',
      sql<string>`coalesce(computers.uuid, '00000000-0000-0000-0000-000000000000')`.as('uuid'),
      'computer_contacts.last_seen_at as lastSeenUtc',
      'bios_records.serial_number as serialNumber',
    ])
}
