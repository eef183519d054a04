import { type RawBuilder, sql } from 'kysely'
import { sections } from './inventory/sections.ts'

const names = sections.map(({ name }) => name)

/**
 * The names, as `section`, of what an agent has told a hash of that is not the stored one: the part of the inventory
 * that it has to send. A query to stand in the statement of a contact.
 */
export function wantedSections(computerId: number, hashes: Record<string, string>): RawBuilder<{ section: string }> {
  return sql`
    select told.key as section
    from jsonb_each_text(${JSON.stringify(hashes)}::jsonb) as told
      left join inventory_sections stored on stored.computer_id = ${computerId} and stored.section = told.key
    where told.key = any (${names}) and encode(stored.hash, 'hex') is distinct from told.value`
}

/**
 * An inventory that is told and is the stored one is as good as a new one. The date moves once a day, and a contact
 * writes nothing else for it. A statement to stand beside `wanted`, the result of `wantedSections`.
 */
export function confirmInventory(computerId: number, hashes: Record<string, string>): RawBuilder<unknown> {
  return sql`
    update computers set inventory_at = now()
    where id = ${computerId} and ${Object.keys(hashes).length > 0}
      and inventory_at < now() - interval '1 day' and not exists (select from wanted)`
}
