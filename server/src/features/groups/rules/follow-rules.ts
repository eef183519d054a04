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
import {
  type ActiveRule,
  listEarlierChanges,
  lockActiveRules,
  maxMovesPerComputer,
  recordRuleChanges,
  stopRule,
} from './rule-limits.ts'
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
  const planned = await planMoves(db, due)
  // Several groups change in one transaction. A transaction that locks a computer for update needs no order for what belongs to it.
  const computerIds = planned.flatMap(({ isWithin, moving, restless }) =>
    isWithin ? [...idsOf(moving), ...idsOf(restless)] : [],
  )
  if (computerIds.length > 0)
    await sql`
      select from computers where id = any(${computerIds}::integer[]) order by id for update`.execute(db)
  let changed = 0
  const entries: Parameters<typeof auditRule>[1][] = []
  for (const { rule, moving, restless, added, isWithin } of planned) {
    if (!isWithin) {
      const stopped = {
        joining: computersWith('Join', moving).length,
        leaving: computersWith('Leave', moving).length,
      }
      await stopRule(db, rule, stopped)
      entries.push({ groupId: rule.id, stopped })
      continue
    }
    if (moving.length + restless.length === 0) continue
    const { joined, left } = await applyRule(db, rule, moving)
    const moved = new Set([...joined, ...left])
    const counted = added.filter((id) => moved.has(id)).length
    await recordRuleChanges(db, rule, [...moved, ...idsOf(restless)], counted)
    changed += moved.size
    entries.push({ groupId: rule.id, joined, left, restless: idsOf(restless) })
  }
  for (const entry of entries) await auditRule(db, entry)
  return changed
}

type DueChange = { rule: ActiveRule; members: readonly EvaluatedMember[] }

type PlannedMoves = {
  rule: ActiveRule
  moving: EvaluatedMember[]
  /** Computers that have just come and gone too often. They stay where they are, which is audited once. */
  restless: EvaluatedMember[]
  /** Those that the rule has not moved yet in the current hour. Its limit counts these. */
  added: number[]
  isWithin: boolean
}

const idsOf = (members: readonly EvaluatedMember[]) => members.map(({ computerId }) => computerId)

async function planMoves(db: Database, due: readonly DueChange[]): Promise<PlannedMoves[]> {
  const earlier = await listEarlierChanges(
    db,
    due.map(({ rule }) => rule.id),
    due.flatMap(({ members }) => idsOf(members)),
  )
  return due.map(({ rule, members }) => {
    const movesOf = ({ computerId }: EvaluatedMember) => earlier(rule.id, computerId)
    const moving = members.filter((member) => movesOf(member) < maxMovesPerComputer)
    const added = idsOf(moving.filter((member) => movesOf(member) === 0))
    const restless = members.filter((member) => movesOf(member) === maxMovesPerComputer)
    return { rule, moving, restless, added, isWithin: added.length <= rule.allowed }
  })
}
