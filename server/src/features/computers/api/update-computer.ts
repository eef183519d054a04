import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { withdrawUnjustifiedWork } from '../../work-states/withdraw-work.ts'
import { requireConsistentComputer, requireGatewayInSubnet, toComputerColumns } from '../computer-columns.ts'
import { getComputerById } from '../computer-rows.ts'
import { computerNotFound } from '../computers.ts'
import { setOwnOu } from '../organizational-unit.ts'
import { setSerialNumber } from '../serial-number.ts'
import { getComputer } from './get-computer.ts'
import { duplicateComputerName, duplicateMacAddress } from './problems.ts'
import { Computer, ComputerPatchRequest, ComputerPath } from './schemas.ts'

export const updateComputer = operation({
  id: 'updateComputer',
  route: 'PATCH /api/computer/:id',
  summary: 'Update a computer',
  description:
    'A property that is missing or null keeps its value; an empty text clears it, and the empty GUID clears the `uuid`. An empty `ou` deletes the value that the computer itself has for the variable, an empty `serialNumber` deletes the BIOS record. `pxeSupport=false` cancels an installation that waits for the computer. The rules of createComputer apply to the result.',
  role: 'computer.write',
  params: ComputerPath,
  body: ComputerPatchRequest,
  returns: ok(Computer),
  problems: [computerNotFound, duplicateComputerName, duplicateMacAddress],
  changes: getComputer,
  async handle({ params: { id }, body, db }) {
    const changes = toComputerColumns(body)
    const stored = await db
      .selectFrom('computers')
      .select(['mac_address', 'uuid', 'ip_address', 'subnet_mask', 'standard_gateway'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!stored) throw computerNotFound({ clientId: id })
    requireConsistentComputer({ ...stored, ...changes })
    // An address that was stored before this rule must not keep anybody from changing something else.
    if (['ip_address', 'subnet_mask', 'standard_gateway'].some((column) => column in changes))
      requireGatewayInSubnet({ ...stored, ...changes })
    const custom = body.custom ?? {}
    await requireActiveSlots(db, Object.keys(custom))
    await db
      .updateTable('computers')
      .set({
        ...changes,
        custom: sql`jsonb_strip_nulls(custom || ${JSON.stringify(emptyToNull(custom))}::jsonb)`,
        // now() is the start of the transaction, which may have waited for another change of this computer.
        modified_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    await setOwnOu(db, id, body.ou)
    await setSerialNumber(db, id, body.serialNumber)
    if (changes.pxe_support === false) {
      const computers = sql<{ computer_id: number }>`select ${id}::integer as computer_id`
      await withdrawUnjustifiedWork(db, { computers }, { reason: 'NoPxeSupport' })
    }
    return getComputerById(db, id)
  },
})

function emptyToNull(custom: Record<string, string | null>): Record<string, string | null> {
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
