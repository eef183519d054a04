import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { effectiveVariables } from '../variable-resolution/effective-variables.ts'
import { lastModified } from './computer-changes.ts'
import { uuidOrEmpty } from './computer-uuid.ts'
import { computerNotFound } from './computers.ts'
import { isConnectedNow } from './connected-now.ts'
import { ouVariableId } from './organizational-unit.ts'

/** PXE is active on a computer, which is a row of `computers`, while one of its activations has the PXE bit. */
export const isPxeActive = sql<boolean>`
  exists (select from activations where activations.computer_id = computers.id and activations.pxe)`

/** Computers with the properties of the API. The effective OU is expensive: `pageOf` computes it for the page only. */
export function computerRows(db: Database) {
  const effectiveOu = effectiveVariables('computer', sql`select computers.id as owner_id`, ouVariableId)
  return db
    .selectFrom('computers')
    .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
    .leftJoin('bios_records', 'bios_records.computer_id', 'computers.id')
    .select([
      'computers.id',
      'computers.name as hostname',
      'computers.domain',
      'computers.is_domain as isDomain',
      'computers.mac_address as macAddress',
      uuidOrEmpty('computers.uuid').as('uuid'),
      'computer_contacts.last_seen_at as lastSeenUtc',
      isConnectedNow('computers.id').as('connectedNow'),
      'bios_records.serial_number as serialNumber',
      lastModified.as('lastModified'),
      'computers.inventory_at as inventoryDate',
      'computers.inventory_id as inventoryId',
      sql<string | null>`(select ou.value from (${effectiveOu}) as ou)`.as('ou'),
      'computers.pxe_support as pxeSupport',
      isPxeActive.as('isPxeActive'),
      sql<Record<string, string | null>>`(
        select coalesce(jsonb_object_agg(slot, computers.custom -> slot), '{}') from custom_fields where is_active
      )`.as('custom'),
    ])
}

const selectComputerRow = preparedStatement((db, id: number) =>
  computerRows(db).where('computers.id', '=', id).compile(),
)

export async function getComputerById(db: Database, id: number) {
  const [found] = await selectComputerRow(db, id)
  if (!found) throw computerNotFound({ clientId: id })
  return found
}
