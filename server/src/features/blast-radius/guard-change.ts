import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { approvedComputersChanged, unexpectedCount } from '../../platform/general-problems.ts'
import type { AnyOperation, RequestParts } from '../../platform/operation.ts'
import { type ExpectedCount, isExpected, parseExpectedCount } from '../../platform/pipeline/expected-count.ts'
import { QuotaExceeded } from '../../platform/pipeline/quota-exceeded.ts'
import type { ChangeGuard, GivenApproval, OperationRun, WatchedChange } from '../../platform/pipeline/run-context.ts'
import { affectedBy } from './affected-computers.ts'
import { listContent, requireApprovedContent } from './approved-content.ts'
import { collectRemovals, countUndeclared } from './counted-removals.ts'
import { findQuota, spendQuota } from './quota.ts'
import { requestApproval } from './request-approval.ts'

type ExpectingQuery = { expectedCount?: number; expectedCountTolerance?: string }

const nothingToCheck = async () => {}

/**
 * Checks how many computers the change will affect before it is made, so a mistake costs little. Returns the check
 * for afterwards: computers may have joined a group in the meantime. The quota is checked only then, because a change
 * that the operation itself refuses must not wait for an approval.
 */
async function guardChange(run: OperationRun, tx: Database): Promise<WatchedChange> {
  const { operation, request } = run
  if (run.approval) return guardApproved(run, run.approval, tx)
  const { massAction } = operation
  const isCounted = isDestructive(operation, request)
  const quota = isCounted || operation.removals ? await findQuota(tx, request.caller) : null
  const removals = collectRemovals(tx, quota !== null)
  const expected = massAction && parseExpectedCount(request.query as ExpectingQuery)
  if (!expected && quota === null) return { countRemovals: removals.count, finish: nothingToCheck }
  await massAction?.lock?.(tx, request as RequestParts)
  const count = expected || massAction?.lock ? await countAffected(tx, run) : undefined
  // What does not exist affects no computer. The operation says so better.
  if (expected && count) requireExpected(expected, count)
  return {
    countRemovals: removals.count,
    async finish(tx) {
      const finalCount = massAction?.lock && count !== undefined ? count : await countAffected(tx, run)
      if (expected) requireExpected(expected, finalCount)
      if (quota === null) return
      const principalId = request.caller.principal.id
      const spent = isCounted ? finalCount : await countUndeclared(tx, principalId, removals.computerIds)
      const declared = isCounted && operation.removals === 'Declared' ? affectedBy(operation, request) : undefined
      await spendQuota(tx, principalId, quota, spent, declared).catch(async (error: unknown) => {
        // The change is still made: what its computers get can be seen now, and is undone afterwards.
        if (error instanceof QuotaExceeded) error.content = await listContent(tx, operation, request)
        throw error
      })
    },
  }
}

/** Who approved a request has seen its computers. It must not affect others, however many it expected. */
async function guardApproved(run: OperationRun, approval: GivenApproval, tx: Database): Promise<WatchedChange> {
  const { massAction } = run.operation
  const isCheckedAfterwards = massAction && !massAction.restrictsToApproved && !massAction.lock
  if (massAction?.lock && !massAction.restrictsToApproved) {
    await massAction.lock(tx, run.request as RequestParts)
    await requireApproved(tx, run, approval)
  }
  return {
    // What is removed later is bound to the approved computers as well.
    countRemovals: collectRemovals(tx, true).count,
    async finish(tx) {
      if (isCheckedAfterwards) await requireApproved(tx, run, approval)
      await requireApprovedContent(tx, run, approval)
    },
  }
}

async function requireApproved(db: Database, run: OperationRun, { computerIds }: GivenApproval): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select computer_id from (${affectedBy(run.operation, run.request)}) as affected
      except select unnest(${computerIds}::integer[])
    ) as others`.execute(db)
  const otherComputers = rows[0]?.count ?? 0
  if (otherComputers > 0) throw approvedComputersChanged({ otherComputers })
}

function isDestructive({ destructive = false }: AnyOperation, request: FastifyRequest): boolean {
  return typeof destructive === 'boolean' ? destructive : destructive(request as RequestParts)
}

function requireExpected(expected: ExpectedCount, actualCount: number): void {
  if (!isExpected(expected, actualCount))
    throw unexpectedCount({ expectedCount: expected.count, tolerance: expected.tolerance, actualCount })
}

/**
 * How many computers the change would affect, and how many of them have not been seen for a week, as headers. Those without a
 * contact count from the day on which they were added.
 */
async function reachOf({ operation, request }: OperationRun, tx: Database): Promise<Record<string, string>> {
  const affected = affectedBy(operation, request)
  if (!affected) return {}
  const { rows } = await sql<{ computers: number; away: number }>`
    select
      count(*)::integer as computers,
      count(*) filter (where coalesce(last_seen_at, created_at) < now() - interval '7 days')::integer as away
    from (select distinct computer_id from (${affected}) as listed) as affected
      left join computers on computers.id = affected.computer_id
      left join computer_contacts using (computer_id)`.execute(tx)
  const { computers, away } = rows[0] ?? { computers: 0, away: 0 }
  return { 'muster-affected-computers': String(computers), 'muster-away-computers': String(away) }
}

async function countAffected(db: Database, { operation, request }: OperationRun): Promise<number> {
  if (!operation.massAction) return 1
  const { rows } = await sql<{ count: number }>`
    select count(distinct computer_id)::integer as count
    from (${operation.massAction.computers(request as RequestParts)}) as affected`.execute(db)
  return rows[0]?.count ?? 0
}

export const changeGuard: ChangeGuard = { watch: guardChange, reachOf, requestApproval }
