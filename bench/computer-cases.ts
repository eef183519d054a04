import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { listComputers } from '../server/src/features/computers/api/list-computers.ts'
import { searchComputers } from '../server/src/features/computers/api/search-computers.ts'
import { operations } from '../server/src/features/index.ts'
import { effectiveVariables } from '../server/src/features/variable-resolution/effective-variables.ts'
import type { AnyOperation } from '../server/src/platform/operation.ts'
import type { BenchService } from './service.ts'
import { statementsOf } from './timing.ts'

export type Case = {
  name: string
  /** The request may take at most 1.3 times its statements, plus the framework. */
  hasTarget?: boolean
  /** The filter is selective, so the cost must not grow with the fleet. */
  isSelective?: boolean
  request?: () => Promise<void>
  statement: () => Promise<void>
}

type Page = { skip?: number; cursor?: string }

export async function computerCases(service: BenchService, size: number): Promise<Case[]> {
  const deep = Math.floor(size * 0.9)
  const read = readCases(service)
  const cursor = Buffer.from(`[${deep}]`).toString('base64url')
  const modifiedAfter = new Date(Date.UTC(2026, 0, 1) + (size - 500) * 60_000)
  const lastSeenAfter = new Date(Date.UTC(2026, 5, 1) + (size - 500) * 10_000)
  const search = (name: string, body: object, page: Page = {}) => read(name, searchComputers, body, page)
  const selective = async (name: string, body: object) => ({ ...(await search(name, body)), isSelective: true })
  return [
    emptyRequest(service),
    await read('list, first page', listComputers),
    await read('list, deep page by skip', listComputers, undefined, { skip: deep }),
    await read('list, deep page by cursor', listComputers, undefined, { cursor }),
    await selective('search clientId', { clientId: 777 }),
    await selective('search hostname', { hostname: '0007771' }),
    await selective('search serialNumber', { serialNumber: '2E6F2' }),
    await selective('search macAddress', { macAddress: '00-00-03-A7' }),
    await selective('search manufacturer, none', { manufacturer: 'nobody makes it' }),
    await selective('search ipAddress', { ipAddress: '10.0.30.9' }),
    await selective('search uuid', { uuid: 'c4ca4238-a0b9-2382-0dcc-509a6f75849b' }),
    await selective('search ou, own value', { ou: 'OU=Own7750,' }),
    await selective('search modifiedAfter', { modifiedAfter }),
    await search('search minRamGb', { minRamGb: 480 }),
    await search('search isPxeActive', { isPxeActive: true }),
    await search('search lastSeenAfter', { lastSeenAfter }),
    await search('search neverSeen', { neverSeen: true }),
    await search('search osBuild, 1 in 700', { osBuild: '22613' }),
    await search('search ou of a group', { ou: 'OU=Site 0003' }),
    await search('search hostname, all', { hostname: 'pc-' }),
    await search('search hostname, all, by skip', { hostname: 'pc-' }, { skip: deep }),
    ...(await changeCases(service)),
    effectiveValues(service),
    await bulkMembership(service),
  ]
}

/** A request that does nothing: it shows the cost of the framework. */
function emptyRequest({ app, database: { pool }, headers }: BenchService): Case {
  return {
    name: 'framework alone',
    request: async () => {
      requireSuccess('whoami', await app.http.inject({ method: 'GET', url: '/api/service/whoami', headers }))
    },
    statement: async () => {
      await pool.query('select')
    },
  }
}

/** Compares a read to the statements that it runs. */
function readCases({ app, database: { pool }, headers }: BenchService) {
  return async (name: string, operation: AnyOperation, body?: object, page: Page = {}): Promise<Case> => {
    const input = { query: { skip: 0, top: 50, ...page }, ...(body && { body }) }
    const statements = await statementsOf(pool, operation, input)
    const query = new URLSearchParams(
      Object.entries(page).map(([key, value]): [string, string] => [key, String(value)]),
    )
    return {
      name,
      hasTarget: true,
      request: async () => {
        const { method, path } = operation
        const url = `${path}?${query}`
        requireSuccess(name, await app.http.inject({ method, url, headers, ...(body && { payload: body }) }))
      },
      statement: async () => {
        for (const statement of statements) await pool.query(statement)
      },
    }
  }
}

function requireSuccess(name: string, { statusCode, body }: { statusCode: number; body: string }): void {
  if (statusCode >= 300) throw new Error(`${name}: ${statusCode} ${body}`)
}

/** Compares changes to the one statement that each needs at least. */
async function changeCases({ app, database: { db }, headers }: BenchService): Promise<Case[]> {
  const newIdentity = () => ({ name: `bench-${randomBytes(6).toString('hex')}`, mac: randomBytes(6).toString('hex') })
  const [first] = await db.selectFrom('computers').select('id').orderBy('id').limit(1).execute()
  const id = first?.id ?? 0
  return [
    {
      name: 'create',
      request: async () => {
        const { name, mac } = newIdentity()
        const payload = { name, domain: 'bench', isDomain: true, macAddress: mac }
        requireSuccess(name, await app.http.inject({ method: 'POST', url: '/api/computer', headers, payload }))
      },
      statement: async () => {
        const { name, mac } = newIdentity()
        await sql`insert into computers (name, domain, is_domain, mac_address) values (${name}, 'bench', true, ${mac})`.execute(
          db,
        )
      },
    },
    {
      name: 'patch',
      request: async () => {
        const payload = { inventoryId: randomBytes(6).toString('hex') }
        requireSuccess(
          'patch',
          await app.http.inject({ method: 'PATCH', url: `/api/computer/${id}`, headers, payload }),
        )
      },
      statement: async () => {
        const inventoryId = randomBytes(6).toString('hex')
        await sql`update computers set inventory_id = ${inventoryId}, modified_at = now() where id = ${id}`.execute(db)
      },
    },
  ]
}

function findOperation(method: string, path: string): AnyOperation | undefined {
  return operations.find((one) => one.method === method && one.path === path)
}

/** All variables of one computer, also over HTTP if the API has the operation. */
function effectiveValues({ app, database: { db }, headers }: BenchService): Case {
  const search = findOperation('POST', '/api/computer/:id/variables/search')
  const variables = sql<{
    variable_id: number
  }>`select id as variable_id from variable_definitions where kind = 'Scalar'`
  return {
    name: 'effective variables of one computer',
    ...(search && {
      request: async () => {
        const url = '/api/computer/777/variables/search'
        const payload = { includeInherited: true }
        requireSuccess(search.id, await app.http.inject({ method: 'POST', url, headers, payload }))
      },
    }),
    statement: async () => {
      await effectiveVariables('computer', sql`select 777 as owner_id`, variables).execute(db)
    },
  }
}

/** Adds 500 computers to a group and removes them, also over HTTP if the API has the operation. */
async function bulkMembership({ app, database: { db }, headers }: BenchService): Promise<Case> {
  const add = findOperation('POST', '/api/group/:id/computers')
  const { id } = await sql<{ id: string }>`
    insert into groups (tree, parent_id, name)
    select tree, id, 'bench ' || gen_random_uuid() from groups where tree = 'AssignmentGroups' and parent_id is null
    returning id`
    .execute(db)
    .then(({ rows: [group = { id: '' }] }) => group)
  const computerIds = Array.from({ length: 500 }, (_, n) => n * 17 + 1)
  const removeMembers = () => db.deleteFrom('group_computers').where('group_id', '=', id).execute()
  return {
    name: 'bulk membership of 500',
    ...(add && {
      request: async () => {
        const url = `/api/group/${id}/computers`
        requireSuccess(add.id, await app.http.inject({ method: 'POST', url, headers, payload: { computerIds } }))
        await removeMembers()
      },
    }),
    statement: async () => {
      await sql`
        insert into group_computers (group_id, computer_id, is_exclusive)
        select ${id}, computers.id, false from computers where computers.id = any(${computerIds}::integer[])
        on conflict do nothing`.execute(db)
      await removeMembers()
    },
  }
}
