import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { approvedContentChanged } from '../../platform/general-problems.ts'
import type { AnyOperation, RequestParts } from '../../platform/operation.ts'
import type { GivenApproval, OperationRun } from '../../platform/pipeline/run-context.ts'

/** Lists what a change gives to computers, once it is made. Null for a change that gives them nothing. */
export async function listContent(
  db: Database,
  operation: AnyOperation,
  request: FastifyRequest,
  approvedComputerIds?: readonly number[],
): Promise<string[] | null> {
  const content = operation.content?.(request as RequestParts, approvedComputerIds)
  if (!content) return null
  const { rows } = await sql<{ line: string }>`
    select distinct line from (${content}) as content order by line`.execute(db)
  return rows.map(({ line }) => line)
}

/** Who approved a request has seen what its computers get. They must not get anything else. */
export async function requireApprovedContent(
  db: Database,
  { operation, request }: OperationRun,
  approved: GivenApproval,
): Promise<void> {
  const content = await listContent(db, operation, request, approved.computerIds)
  const others = content?.filter((line) => !approved.content?.includes(line)) ?? []
  if (others.length > 0) throw approvedContentChanged({ otherContent: others.slice(0, maxNamedLines) })
}

const maxNamedLines = 20
