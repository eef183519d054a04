import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { agentInventory } from '../../src/channels/agent/inventory/index.ts'
import { auditTrail } from '../../src/features/audit/audit-trail.ts'
import { changeGuard } from '../../src/features/blast-radius/guard-change.ts'
import { unauthorized } from '../../src/platform/general-problems.ts'
import { addJsonParser } from '../../src/platform/http/json-body.ts'
import { newRequestId, observeRequests } from '../../src/platform/http/observe-requests.ts'
import { addProblemAnswers } from '../../src/platform/http/send-problem.ts'
import { mount } from '../../src/platform/mount.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { caller } from '../world/caller.ts'
import { openWorld, type World } from '../world/open-world.ts'

export const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** A world in which computers send inventories with their id as credential. */
export const openInventoryWorld = async () => withInventories(await openWorld())

/** A world in which computers send inventories, with what it could do before. */
export function withInventories<W extends World>(world: W) {
  const { services } = world.app
  const http = Fastify({ bodyLimit: services.configuration.bodyLimitBytes, genReqId: newRequestId })
  observeRequests(http, services)
  addProblemAnswers(http)
  addJsonParser(http)
  mount(http, agentInventory, {
    lanes: world.database.lanes,
    lane: 'machines',
    services,
    auditTrail,
    changeGuard,
    authenticate: () => Promise.reject(unauthorized()),
    authenticateMachine: async ({ headers }) => ({ clientId: Number(headers.authorization?.split(' ')[1]) }),
  })
  afterAll(() => http.close())
  const channel = { ...world.app, http }

  /** Sends a section as its computer does: an object as the item, an array as the list of items. */
  function report(computer: { id: number }, section: string, content: object, head: object = {}) {
    const body = { hash: hashOf(content), collectedUtc: '2026-03-14T09:00:00Z', ...head }
    return caller(channel, String(computer.id)).send({
      method: 'PUT',
      url: `/agent/v1/inventory/${section}`,
      payload: { ...body, ...(Array.isArray(content) ? { items: content } : { item: content }) },
    })
  }

  return { ...world, channel, report }
}

/** The example content of a section in the OpenAPI document, with some properties changed. */
export function exampleContent(section: string, changes: object = {}): Record<string, unknown> {
  const operation = agentInventory.find(({ path }) => path.endsWith(`/${section}`))
  const body = exampleOf(operation?.body) as { item?: object; items?: object[] }
  return { ...(body.item ?? body.items?.[0]), ...changes }
}

/** Location and transaction of each inventory row, which change as soon as the row is written again. */
export async function rowVersions(db: Awaited<ReturnType<typeof openWorld>>['db']): Promise<Record<string, string>> {
  const tables = [
    ...['computers', 'inventory_sections', 'system_records', 'security_records', 'bios_records', 'disk_drives'],
    ...['batteries', 'network_adapters', 'printers', 'video_controllers', 'desktop_monitors', 'processors'],
    ...['software_products', 'installed_software', 'service_definitions', 'computer_services'],
  ]
  const parts = tables.map(
    (name) => sql`
      select ${name}::text as name, coalesce(string_agg(concat_ws(' ', ctid, xmin), ',' order by ctid), '') as rows
      from ${sql.table(name)}`,
  )
  const { rows } = await sql<{ name: string; rows: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}
