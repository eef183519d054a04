import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { unexpectedCount } from '../general-problems.ts'
import type { AnyOperation, RequestParts } from '../operation.ts'
import type { OperationRun } from '../pipeline/operation-run.ts'
import { isExpected, parseExpectedCount, toComputers } from './expected-count.ts'
import { checkQuota, findQuota, spendQuota } from './quota.ts'

/** Checks a change once it is made, before it is committed. */
export type FinishGuard = (tx: Database) => Promise<void>

type ExpectingQuery = { expectedCount?: number; expectedCountTolerance?: string }

/**
 * Checks how many computers the change will affect, before it is made, so that a mistake costs little. Returns the check
 * for afterwards: computers may have joined a group in the meantime.
 */
export async function guardChange(run: OperationRun, tx: Database): Promise<FinishGuard> {
  const { operation, request } = run
  const { massAction } = operation
  const quota = run.approval || !isDestructive(operation, request) ? null : await findQuota(tx, request.caller)
  const requireExpected = expectationOf(run)
  if (!requireExpected && quota === null) return async () => {}
  await massAction?.lock?.(tx, request as RequestParts)
  const count = await countAffected(tx, run)
  const principalId = request.caller.principal.id
  // What does not exist affects no computer. The operation says so better.
  if (count > 0) requireExpected?.(count)
  if (quota !== null) await checkQuota(tx, principalId, quota, count)
  return async (tx) => {
    const finalCount = massAction && !massAction.lock ? await countAffected(tx, run) : count
    requireExpected?.(finalCount)
    if (quota !== null) await spendQuota(tx, principalId, quota, finalCount)
  }
}

export function isDestructive({ destructive = false }: AnyOperation, request: FastifyRequest): boolean {
  return typeof destructive === 'boolean' ? destructive : destructive(request as RequestParts)
}

/** What throws if the number of computers is not the one that the caller, or the approver, expects. */
function expectationOf({ operation, request, approval }: OperationRun): ((actualCount: number) => void) | undefined {
  const query = request.query as ExpectingQuery
  const expected = operation.massAction && parseExpectedCount(query)
  if (!expected && !approval) return undefined
  return (actualCount) => {
    if (expected && !isExpected(expected, actualCount))
      throw unexpectedCount({ expectedCount: expected.count, tolerance: expected.tolerance, actualCount })
    if (!approval) return
    const { computerCount } = approval
    const tolerance = toComputers(query.expectedCountTolerance ?? '0', computerCount)
    if (actualCount > computerCount + tolerance)
      throw unexpectedCount({ expectedCount: computerCount, tolerance, actualCount })
  }
}

/** How many computers the change would affect, and how many of them have not been seen for a week, as headers. */
export async function reachOf({ operation, request }: OperationRun, tx: Database): Promise<Record<string, string>> {
  const affected = affectedBy(operation, request)
  if (!affected) return {}
  const { rows } = await sql<{ computers: number; away: number }>`
    select
      count(*)::integer as computers,
      count(*) filter (where last_seen_at is null or last_seen_at < now() - interval '7 days')::integer as away
    from (select distinct computer_id from (${affected}) as listed) as affected
    left join computer_contacts using (computer_id)`.execute(tx)
  const { computers, away } = rows[0] ?? { computers: 0, away: 0 }
  return { 'muster-affected-computers': String(computers), 'muster-away-computers': String(away) }
}

/** Undefined for a change that is not about computers. */
function affectedBy({ massAction, path }: AnyOperation, request: FastifyRequest) {
  if (massAction) return massAction.computers(request as RequestParts)
  if (!path.startsWith('/api/computer/{id}')) return undefined
  const { id } = request.params as { id: number }
  return sql<{ computer_id: number }>`select id as computer_id from computers where id = ${id}`
}

async function countAffected(db: Database, { operation, request }: OperationRun): Promise<number> {
  if (!operation.massAction) return 1
  const { rows } = await sql<{ count: number }>`
    select count(distinct computer_id)::integer as count
    from (${operation.massAction.computers(request as RequestParts)}) as affected`.execute(db)
  return rows[0]?.count ?? 0
}
