import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type AnyOperation, noContent, operation } from '../../platform/operation.ts'
import { computerGone } from './problems.ts'
import type { Report, Section } from './section.ts'

/** The operation that takes one section: each has a body of its own, which the description of the channel shows. */
export function putInventorySection(section: Section): AnyOperation {
  return operation({
    id: `putInventory${section.name.charAt(0).toUpperCase()}${section.name.slice(1)}`,
    route: `PUT /agent/v1/inventory/${section.name}`,
    summary: `Send the section ${section.name} of the inventory, because its content has changed`,
    description: 'The content replaces the one before. Under the hash that is stored already, nothing is written.',
    role: 'machine',
    body: section.body,
    returns: noContent,
    problems: [computerGone],
    async handle({ body, db, machine }) {
      const report = body as Report
      const isNew = await takeHash(db, machine.clientId, section.name, report)
      if (isNew) await section.store(db, machine.clientId, report)
      await noteInventory(db, machine.clientId, isNew)
    },
  })
}

/** Whether the content is another than the stored one. Then the row is locked, and two reports follow one another. */
async function takeHash(db: Database, computerId: number, section: string, report: Report): Promise<boolean> {
  const hash = Buffer.from(report.hash, 'hex')
  const stored = await db
    .selectFrom('inventory_sections')
    .select('hash')
    .where('computer_id', '=', computerId)
    .where('section', '=', section)
    .executeTakeFirst()
  if (stored?.hash.equals(hash)) return false
  const row = { hash, collected_at: report.collectedUtc, received_at: sql<Date>`clock_timestamp()` }
  await db
    .insertInto('inventory_sections')
    .values({ computer_id: computerId, section, ...row })
    .onConflict((conflict) => conflict.columns(['computer_id', 'section']).doUpdateSet(row))
    .execute()
  return true
}

/**
 * Moves the date of the inventory: once for all sections that come together, and once a day where nothing is new. The
 * server's clock counts, since nobody knows how wrong that of a computer is.
 */
async function noteInventory(db: Database, computerId: number, isNew: boolean): Promise<void> {
  const age = isNew ? '5 minutes' : '1 day'
  await sql`
    update computers set inventory_at = now()
    where id = ${computerId} and coalesce(inventory_at < now() - ${age}::interval, true)`.execute(db)
}
