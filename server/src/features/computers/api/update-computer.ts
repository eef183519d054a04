import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { requireConsistent, wantedColumns } from '../computer-columns.ts'
import { getComputerById } from '../computer-rows.ts'
import { computerNotFound } from '../computers.ts'
import { writeOwnOu } from '../organizational-unit.ts'
import { writeSerialNumber } from '../serial-number.ts'
import { getComputer } from './get-computer.ts'
import { duplicateComputerName, duplicateMac } from './problems.ts'
import { Computer, ComputerPatchRequest, ComputerPath } from './schemas.ts'

export const updateComputer = operation({
  id: 'updateComputer',
  route: 'PATCH /api/computer/:id',
  summary: 'Change some fields of a computer',
  description:
    'A field that is left out or null keeps its value, an empty text clears it, and so does the empty GUID the uuid. An empty ou deletes the own value of the variable, an empty serialNumber the BIOS record. What comes out must be a computer that could be created.',
  role: 'computer.write',
  params: ComputerPath,
  body: ComputerPatchRequest,
  returns: ok(Computer),
  problems: [computerNotFound, duplicateComputerName, duplicateMac],
  changes: getComputer,
  async handle({ params: { id }, body, db }) {
    const wanted = wantedColumns(body)
    const stored = await db
      .selectFrom('computers')
      .select(['mac_address', 'uuid', 'ip_address', 'subnet_mask', 'standard_gateway'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!stored) throw computerNotFound({ clientId: id })
    requireConsistent({ ...stored, ...wanted })
    const custom = body.custom ?? {}
    await requireActiveSlots(db, Object.keys(custom))
    await db
      .updateTable('computers')
      .set({
        ...wanted,
        custom: sql`jsonb_strip_nulls(custom || ${JSON.stringify(withNulls(custom))}::jsonb)`,
        // Not the start of the transaction, which may have waited for another change of this computer.
        modified_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    await writeOwnOu(db, id, body.ou)
    await writeSerialNumber(db, id, body.serialNumber)
    return getComputerById(db, id)
  },
})

function withNulls(custom: Record<string, string | null>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(custom).map(([slot, value]) => [slot, value === '' ? null : value]))
}

async function requireActiveSlots(db: Database, slots: string[]): Promise<void> {
  if (slots.length === 0) return
  const active = await db
    .selectFrom('custom_fields')
    .select('slot')
    .where('slot', 'in', slots)
    .where('is_active', '=', true)
    .forShare()
    .execute()
  const inactive = slots.find((slot) => !active.some((field) => field.slot === slot))
  if (inactive) throw invalidPart('body', `custom.${inactive}`, 'is not an active custom field')
}
