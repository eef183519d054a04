import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { AnyOperation, RequestParts } from '../../platform/operation.ts'
import { pathComputerId } from './affected-computers.ts'

export const requestSubjectKinds = ['Group', 'Computer', 'Package'] as const

/** Something that a request names by its id, with its name at that time. The name of a group is its path. */
export type RequestSubject = { kind: (typeof requestSubjectKinds)[number]; id: string; name: string }

export type NamedComputer = { computerId: number; name: string }

/** How many of the affected computers are named. */
const maxNamedComputers = 20

/** Lists the groups, the computer and the package of a request, for those who decide about it. */
export async function listSubjects(
  db: Database,
  operation: AnyOperation,
  request: FastifyRequest,
): Promise<RequestSubject[]> {
  const groups = operation.massAction?.groups?.(request as RequestParts) ?? sql`select null::uuid`
  const { rows } = await sql<RequestSubject>`
    select 'Group' as kind, id::text, path as name from groups where id in (${groups})
    union all
    select 'Computer', id::text, name from computers where id = ${pathComputerId(operation, request) ?? null}::integer
    union all
    select 'Package', id::text, concat_ws(' ', name, nullif(version, '')) from packages
    where id = ${packageIdOf(request) ?? null}::uuid`.execute(db)
  return rows
}

/** Lists the first computers by name. */
export async function listFirstComputers(db: Database, ids: readonly number[]): Promise<NamedComputer[]> {
  const { rows } = await sql<NamedComputer>`
    select id as "computerId", name from computers where id = any(${ids}::integer[])
    order by lower(name), id limit ${maxNamedComputers}`.execute(db)
  return rows
}

function packageIdOf({ query, body }: FastifyRequest): string | undefined {
  const inQuery = query as { packageId?: string } | undefined
  const inBody = body as { packageId?: string } | null | undefined
  return inQuery?.packageId ?? inBody?.packageId
}
