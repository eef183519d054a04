import type { Database } from '../../database/connect.ts'
import { uuidOrEmpty } from '../computers/computer-uuid.ts'

/** Computers with the properties that the answers about every issue have in common. */
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
      uuidOrEmpty('computers.uuid').as('uuid'),
      'computer_contacts.last_seen_at as lastSeenUtc',
      'bios_records.serial_number as serialNumber',
    ])
}
