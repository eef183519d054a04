import { sql } from 'kysely'
import { advisoryLocks } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import { isFrozen } from '../../blast-radius/freeze.ts'
import { applyRule } from './apply-rule.ts'
import { auditRule } from './audit-rule.ts'
import {
  type ComputerCondition,
  computersWith,
  type EvaluatedMember,
  evaluateRules,
  listRuleEffects,
  storedRules,
} from './evaluate-rules.ts'
import { type ActiveRule, lockActiveRules, recordRuleChanges, stopRule } from './rule-limits.ts'
import { isSweepDue, nextSweep, recordSweep } from './sweeps.ts'

/** How many changed computers are evaluated at once. */
const maxCandidates = 1_000

const lockTimeoutMs = 2_000

/**
 * Follows the rules for one slice of computers: those that have changed or, if there are none, the next ones of a look at the
 * whole fleet. One transaction, on one node at a time. Returns the number of computers that have joined or left; undefined
 * if nothing was to do.
 */
export async function followRules(db: Database): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isDue: boolean }>`
      select pg_try_advisory_xact_lock(${advisoryLocks.groupRules}) and not ${isFrozen}
        and (exists (select from rule_candidates) or ${isSweepDue}) as "isDue",
        set_config('jit', 'off', true), set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
    if (!rows[0]?.isDue) return undefined
    const rules = await lockActiveRules(tx)
    const candidates = await takeCandidates(tx)
    if (candidates.length > 0) {
      const isCandidate: ComputerCondition = (id) => sql`${id} = any (${candidates}::integer[])`
      const evaluated = evaluateRules(storedRules(rules.map(({ id }) => id)), isCandidate)
      return changeMembers(tx, rules, await listRuleEffects(tx, evaluated))
    }
    const sweep = await nextSweep(tx)
    if (!sweep) return undefined
    await recordSweep(tx, sweep)
    const evaluated = evaluateRules(storedRules([sweep.groupId]), sweep.computers)
    return changeMembers(tx, rules, await listRuleEffects(tx, evaluated))
  })
}

async function takeCandidates(db: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from rule_candidates where id in (select id from rule_candidates order by id limit ${maxCandidates})
    returning computer_id as id`.execute(db)
  return [...new Set(rows.map(({ id }) => id))]
}

/** Applies each rule that stays within its limit, and stops the others. */
async function changeMembers(
  db: Database,
  rules: readonly ActiveRule[],
  evaluated: readonly EvaluatedMember[],
): Promise<number> {
  const changes = Map.groupBy(
    evaluated.filter(({ effect }) => effect !== 'Blocked'),
    ({ key }) => key,
  )
  const due = rules.flatMap((rule) => {
    const members = changes.get(rule.id)
    return members ? [{ rule, members }] : []
  })
  const within = due.filter(({ rule, members }) => members.length <= rule.allowed)
  // Several groups change in one transaction. A transaction that locks a computer for update needs no order for what belongs to it.
  const computerIds = within.flatMap(({ members }) => members.map(({ computerId }) => computerId))
  if (computerIds.length > 0)
    await sql`
      select from computers where id = any(${computerIds}::integer[]) order by id for update`.execute(db)
  let changed = 0
  const entries: Parameters<typeof auditRule>[1][] = []
  for (const { rule, members } of due) {
    if (members.length > rule.allowed) {
      const stopped = {
        joining: computersWith('Join', members).length,
        leaving: computersWith('Leave', members).length,
      }
      await stopRule(db, rule, stopped)
      entries.push({ groupId: rule.id, stopped })
      continue
    }
    const { joined, left } = await applyRule(db, rule, members)
    await recordRuleChanges(db, rule, joined.length + left.length)
    changed += joined.length + left.length
    entries.push({ groupId: rule.id, joined, left })
  }
  for (const entry of entries) await auditRule(db, entry)
  return changed
}
