import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { problem } from '../../platform/problem.ts'
import { effectiveVariables } from '../variable-resolution/effective-variables.ts'

export const computerNotFound = problem('ComputerNotFound', 404, 'No computer has this id.')

/** The dotted name of the variable that a computer's organizational unit is. */
export const ouVariable = 'DomainJoin.OuForComputerAccounts'

export const ouVariableId: RawBuilder<unknown> = sql`
  select id as variable_id from variable_definitions where lower(dotted_name) = ${ouVariable.toLowerCase()}`

/** Stands for no uuid on the wire. */
export const emptyUuid = '00000000-0000-0000-0000-000000000000'

/** The uuid of a computer as the API shows it. */
export const shownUuid = sql<string>`coalesce(computers.uuid, ${sql.lit(emptyUuid)})`

/** Computers as the API shows them. What is costly is computed for the rows of the page only. */
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
      shownUuid.as('uuid'),
      'computer_contacts.last_seen_at as lastSeenUtc',
      'bios_records.serial_number as serialNumber',
      'computers.modified_at as lastModified',
      'computers.inventory_at as inventoryDate',
      'computers.inventory_id as inventoryId',
      sql<string | null>`(select ou.value from (${effectiveOu}) as ou)`.as('ou'),
      'computers.pxe_support as pxeSupport',
      'computers.is_pxe_active as isPxeActive',
      sql<Record<string, string | null>>`(
        select coalesce(jsonb_object_agg(slot, computers.custom -> slot), '{}') from custom_fields where is_active
      )`.as('custom'),
    ])
}

const rowsOfId = preparedStatement((db, id: number) => computerRows(db).where('computers.id', '=', id).compile())

export async function getComputerById(db: Database, id: number) {
  const [found] = await rowsOfId(db, id)
  if (!found) throw computerNotFound({ clientId: id })
  return found
}

/** For operations on parts of a computer that say 404 when there is no such computer. */
export async function requireComputer(db: Database, id: number): Promise<void> {
  const found = await db.selectFrom('computers').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: id })
}

/** Requests on one computer, one after the other: until the transaction ends, it stays, and others who hold it wait. */
export async function lockComputer(db: Database, id: number): Promise<void> {
  const held = await db.selectFrom('computers').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!held) throw computerNotFound({ clientId: id })
}
