import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { DB } from '../../database/tables.ts'
import { shownUuid } from '../computers/computer-rows.ts'

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
      shownUuid.as('uuid'),
      'computer_contacts.last_seen_at as lastSeenUtc',
      'bios_records.serial_number as serialNumber',
    ])
}

/** The computers that a statement has found, for `pageOf`. Whatever has an issue is a computer: it need not be looked up. */
export function foundComputers(db: Database, found: RawBuilder<{ computer_id: number }>) {
  const rows = db.selectFrom(sql<{ computer_id: number }>`(${found})`.as('found')).select('found.computer_id as id')
  return { query: rows as unknown as SelectQueryBuilder<DB, 'computers', { id: number }>, once: true }
}
