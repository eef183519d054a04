import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { AnyOperation, RequestParts } from '../../platform/operation.ts'

/** Selects the computers that a request affects. Undefined for a change that is not about computers. */
export function affectedBy(
  operation: AnyOperation,
  request: FastifyRequest,
): RawBuilder<{ computer_id: number }> | undefined {
  if (operation.massAction) return operation.massAction.computers(request as RequestParts)
  const id = pathComputerId(operation, request)
  return id === undefined ? undefined : sql`select id as computer_id from computers where id = ${id}`
}

/** The id of the computer in the path of the request. */
export function pathComputerId({ path }: AnyOperation, { params }: FastifyRequest): number | undefined {
  return path.startsWith('/api/computer/:id') ? (params as { id: number }).id : undefined
}

/** Lists the ids of selected computers, each once and in their order. */
export async function listComputerIds(db: Database, computers: RawBuilder<{ computer_id: number }>): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(distinct computer_id order by computer_id), '{}') as ids
    from (${computers}) as selected`.execute(db)
  return rows[0]?.ids ?? []
}
