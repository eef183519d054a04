import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { evaluateRules, storedRules } from '../../server/src/features/groups/rules/evaluate-rules.ts'
import { followRules } from '../../server/src/features/groups/rules/follow-rules.ts'
import { type Api, apiOf } from '../api.ts'
import { prepareContactLoad } from '../contacts.ts'
import { compare } from '../load.ts'
import { round } from '../round.ts'
import { type BenchService, withFleet } from '../service.ts'
import { reportTarget } from '../target.ts'
import { computers, criteriaOf, groupsWithRules, growRuleFleet, largeState } from './fleet.ts'
import { type Progress, startProgress } from './progress.ts'
import { watchTransactions } from './transactions.ts'

const ruleCounts = [0, 1, 10, 50]
const runs = 5
const changedComputers = 1_000
const teams = 300
const teamRules = 50
const contactRounds = 5
/** A request adds at most this many computers to a group. */
const maxByHand = 500

const targets = {
  /** Of a comparison of each computer with each rule. */
  plan: 0.5,
  /** Of the same members, added by their ids. */
  setRule: 4,
  /** The maximum of a transaction, of the whole apply. */
  transaction: 0.1,
  contactRate: 0.8,
  contactP99: 3,
}

/** Members by rule and the desired state, with a fleet of 100,000 computers. */
export async function benchRules(): Promise<void> {
  const progress = startProgress()
  const grow = (db: Database) => growRuleFleet(db, progress)
  await withFleet(`rules-${computers}`, grow, async (service) => {
    const api = apiOf(service.address, service.headers)
    await removeGroups(service.database.db)
    try {
      progress('setting 50 rules')
      await measureSetting(service, api, progress)
      progress('planning up to 50 rules')
      await measurePlans(service, api)
      progress('following rules')
      await measureFollowing(service.database.db)
      progress('planning and applying a state')
      await measureState(service, api, progress)
      progress('contacts beside plans and applied rules')
      await measureContacts(service, api)
      progress('end')
    } finally {
      await removeGroups(service.database.db)
    }
  })
}

/** What an earlier run has left. */
async function removeGroups(db: Database): Promise<void> {
  await sql`delete from rule_candidates`.execute(db)
  for (const depth of [2, 1])
    await sql`
      delete from groups where tree = 'AssignmentGroups' and depth = ${depth} and path ~ '^Assignment/(By |Area )'`.execute(
      db,
    )
}

async function medianMs(work: () => Promise<unknown>, times = runs): Promise<number> {
  const measured: number[] = []
  for (let run = 0; run < times; run++) {
    const start = performance.now()
    await work()
    measured.push(performance.now() - start)
  }
  return measured.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
}

const plan = (api: Api, groups: object[]) =>
  api.post<{ changes: { fingerprint: string }[] }>('/api/catalog/state/plan', { state: { groups } })

/** Sets 50 rules, and adds the same members to other groups by their ids. */
async function measureSetting({ database: { db } }: BenchService, api: Api, progress: Progress): Promise<void> {
  let [byRule, byHand, joined] = [0, 0, 0]
  for (let n = 0; n < 50; n++) {
    if (n % 10 === 0) progress(`rule ${n}`)
    const withRule = await createGroup(db, api, `By rule ${n}`)
    const withoutRule = await createGroup(db, api, `By hand ${n}`)
    const start = performance.now()
    const set = await api.put<{ joined: number }>(`/api/group/${withRule}/rule`, { criteria: criteriaOf(n) })
    byRule += performance.now() - start
    const members = await sql<{ id: number }>`
      select computer_id as id from group_computers where group_id = ${withRule}`.execute(db)
    const startByHand = performance.now()
    for (let from = 0; from < members.rows.length; from += maxByHand) {
      const computerIds = members.rows.slice(from, from + maxByHand).map(({ id }) => id)
      await api.post(`/api/group/${withoutRule}/computers`, { computerIds })
    }
    byHand += performance.now() - startByHand
    joined += set.joined
  }
  console.log(
    `50 rules set, ${joined} members: ${Math.round(byRule)} ms; the same members by hand ${Math.round(byHand)} ms`,
  )
  const ratio = byRule / byHand
  reportTarget(
    `setting a rule: ${round(ratio)} times adding by hand, target ${targets.setRule}`,
    ratio <= targets.setRule,
  )
}

/** Plans rules for new groups. Their costs are compared to a comparison of each computer with each rule. */
async function measurePlans({ database: { db, lanes } }: BenchService, api: Api): Promise<void> {
  const { rows } = await sql<{ id: string }>`select group_id as id from group_rules`.execute(db)
  const pairs = evaluateRules(storedRules(rows.map(({ id }) => id)), () => sql`true`)
  const statement = sql`select count(*) from (${pairs}) as changed`
  const pairwise = await medianMs(() => statement.execute(lanes.longWork.db), 3)
  const figures = []
  for (const rules of ruleCounts) {
    const groups = groupsWithRules(rules).map(({ path, rule }) => ({ path: path.replace('By', 'By new'), rule }))
    figures.push({ rules, ms: await medianMs(() => plan(api, [{ path: 'Assignment' }, ...groups])) })
  }
  console.table(figures.map(({ rules, ms }) => ({ rules, 'plan ms': Math.round(ms) })))
  const [without, , , all] = figures
  const ratio = ((all?.ms ?? 0) - (without?.ms ?? 0)) / pairwise
  reportTarget(
    `50 rules in a plan: ${round(ratio)} of comparing each computer with each rule (${Math.round(pairwise)} ms), target ${targets.plan}`,
    ratio <= targets.plan,
  )
}

/** Changes one computer and many, and follows all rules for them; then looks at a slice of the fleet, as once an hour. */
async function measureFollowing(db: Database): Promise<void> {
  await sql`update group_rules set max_changes_per_hour = 1000000, swept_at = now(), swept_to = 0`.execute(db)
  const follow = async (about: string) => {
    const { ms, result = 0 } = await timed(() => followRules(db))
    console.log(`${about}: ${round(ms)} ms, ${result} members changed`)
  }
  for (const count of [1, changedComputers]) {
    await sql`update computers set model = model || ' ' where id <= ${count}`.execute(db)
    await follow(`${count} changed computers and 50 rules`)
    await sql`update computers set model = rtrim(model) where id <= ${count}`.execute(db)
    await follow('the same computers, changed back')
  }
  await sql`
    update group_rules set swept_at = null
    where group_id = (select id from groups where path = 'Assignment/By rule 2')`.execute(db)
  await follow('one rule and the first 10,000 computers of the fleet')
}

/** Plans, rehearses, applies and exports a folder of several hundred groups. */
async function measureState({ database: { db, url } }: BenchService, api: Api, progress: Progress): Promise<void> {
  const state = largeState(teams, teamRules)
  const planned = await timed(() => plan(api, state.groups))
  const request = { state, plan: planned.result.changes.map(({ fingerprint }) => fingerprint) }
  type Applied = { applied: number; remaining: number; work: unknown[] | null }
  const rehearsed = await timed(() => api.post<Applied>('/api/catalog/state/apply?dryRun=true', request))
  const watch = await watchTransactions(url)
  const parts = []
  for (let remaining = 1; remaining > 0; ) {
    const part = await timed(() => api.post<Applied>('/api/catalog/state/apply', request))
    remaining = part.result.remaining
    progress(`${remaining} changes remain`)
    parts.push(part)
  }
  const { maxDuration, statement } = await watch.stop()
  console.log(`The maximum transaction, when it was seen last: ${statement}`)
  const total = parts.reduce((sum, { ms }) => sum + ms, 0)
  const exported = await timed(() => api.get<{ groups: object[] }>('/api/catalog/state'))
  const again = await timed(() => plan(api, state.groups))
  console.table({
    plan: { ms: Math.round(planned.ms), changes: planned.result.changes.length },
    rehearsal: { ms: Math.round(rehearsed.ms), changes: rehearsed.result.applied },
    apply: { ms: Math.round(total), changes: parts.reduce((sum, { result }) => sum + result.applied, 0) },
    'maximum transaction': { ms: Math.round(maxDuration) },
    export: { ms: Math.round(exported.ms), changes: exported.result.groups.length },
    'plan of what is applied': { ms: Math.round(again.ms), changes: again.result.changes.length },
  })
  reportTarget(
    `apply in ${parts.length} requests: its maximum transaction is ${round(maxDuration / total)} of it, target ${targets.transaction}`,
    maxDuration / total <= targets.transaction && again.result.changes.length === 0,
  )
  await removeGroups(db)
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

/** Contacts of agents while somebody plans rules for the whole fleet, or sets one, again and again. */
async function measureContacts(service: BenchService, api: Api): Promise<void> {
  const contacts = await prepareContactLoad(service)
  const setRule = await prepareSetting(service.database.db, api)
  const beside = (work: () => Promise<unknown>) => async () => {
    const stopping = new AbortController()
    const loop = (async () => {
      while (!stopping.signal.aborted) await work()
    })()
    const load = await contacts()
    stopping.abort()
    await loop
    return load
  }
  const results = await compare(
    {
      undisturbed: contacts,
      'during plans': beside(() => plan(api, groupsWithRules(10))),
      'during changes by rule': beside(setRule),
    },
    contactRounds,
  )
  console.table(results)
  const { undisturbed: before, ...others } = results
  for (const [name, during] of Object.entries(others)) {
    const rate = during.requestsPerSecond / (before?.requestsPerSecond ?? 1)
    const p99 = during.p99 / (before?.p99 || 1)
    reportTarget(
      `contacts ${name}: ${round(rate)} of the undisturbed rate, target ${targets.contactRate}; ` +
        `p99 ${round(p99)} times as long, target ${targets.contactP99}`,
      rate >= targets.contactRate && p99 <= targets.contactP99,
    )
  }
}

/** Returns a function that lets the 1,000 members of a group leave, and another 1,000 computers join. */
async function prepareSetting(db: Database, api: Api): Promise<() => Promise<unknown>> {
  const id = await createGroup(db, api, 'By rule that changes')
  let turn = 0
  return () => api.put(`/api/group/${id}/rule`, { criteria: { names: [`pc-00${10 + (turn++ % 2)}*`] } })
}

async function createGroup(db: Database, api: Api, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from groups where tree = 'AssignmentGroups' and parent_id is null`.execute(db)
  const body = { name, type: 'AssignmentGroups', parentId: rows[0]?.id }
  return (await api.post<{ id: string }>('/api/group', body)).id
}
