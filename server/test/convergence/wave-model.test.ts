import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openConvergenceWorld } from './convergence-world.ts'

const world = await openConvergenceWorld()
const { assign, converge, convergedFleet, db, doWork, given, join, operator, readyPackage } = world

type Step =
  | { kind: 'Converge' | 'JoinPilots' | 'JoinOthers' }
  | { kind: 'Assign' | 'Install' | 'Uninstall'; package: number }
  | { kind: 'Work'; agent: number }

const ofPackage = (kind: 'Assign' | 'Install' | 'Uninstall') =>
  fc.record({ kind: fc.constant(kind), package: fc.nat({ max: 1 }) })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'Converge' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('Work' as const), agent: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: ofPackage('Assign') },
  { weight: 2, arbitrary: ofPackage('Install') },
  { weight: 1, arbitrary: ofPackage('Uninstall') },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'JoinPilots' as const }, { kind: 'JoinOthers' as const }) },
)

/** Each change of a package has a number, which its options and so its work show. */
type Change = { revokeCount: number; command: 'Install' | 'Uninstall'; at: Date }

type Planned = { id: string; changes: Change[] }

/** A converged group whose waves begin with the pilots, and what was changed in it. */
async function openModel() {
  const pilots = await given.group({ tree: 'AssignmentGroups' })
  const { group, agents } = await convergedFleet(3, {
    rings: [{ groupId: pilots.id }, {}],
    ...{ expectedComputers: 1000, maxRemovals: 1000 },
  })
  await given.member(pilots, agents[0] ?? expect.fail())
  const packages: Planned[] = []
  for (let made = 0; made < 2; made++) packages.push({ id: (await readyPackage()).id, changes: [] })
  let changeCount = 0

  async function change(planned: Planned, command: Change['command']): Promise<void> {
    const isFirst = planned.changes.length === 0
    if (isFirst) await assign(group, planned)
    const revokeCount = isFirst ? 0 : ++changeCount
    if (!isFirst)
      await operator.call(setDistributionOptions, {
        params: { id: group.id },
        query: { packageId: planned.id },
        body: { commands: [command], revokeCount },
      })
    planned.changes.push({ revokeCount, command: isFirst ? 'Install' : command, at: await timeOfDatabase() })
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'Converge') return converge()
    if (step.kind === 'Work') {
      await doWork(agents.slice(step.agent, step.agent + 1))
      return
    }
    if ('package' in step) {
      const planned = packages[step.package] ?? expect.fail()
      if (step.kind !== 'Assign' || planned.changes.length === 0)
        await change(planned, step.kind === 'Uninstall' ? 'Uninstall' : 'Install')
      return
    }
    const agent = await join(group)
    if (step.kind === 'JoinPilots') await given.member(pilots, agent)
    agents.push(agent)
  }

  return { group, agents, packages, take }
}

type Model = Awaited<ReturnType<typeof openModel>>

async function timeOfDatabase(): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? expect.fail()
}

type WorkRow = { id: number; packageId: string; revokeCount: number; isEnded: boolean; releasedBy: Date | null }

/**
 * The work of the computers that waits, or that a wave has ended because it was not due any more. `releasedBy` is when the last wave
 * began that has released the computer, in a ring that had begun after all rings before it were done.
 */
async function listWork({ agents, group }: Model): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select work.id, work.package_id as "packageId", work.revoke_count as "revokeCount",
      work.closed_at is not null as "isEnded", (
        select max(wave.created_at)
        from rollouts wave
          join rollout_computers placed on placed.rollout_id = wave.id and placed.computer_id = work.computer_id
          join rollout_rings ring on ring.rollout_id = wave.id and ring.ring = placed.ring
        where wave.is_wave and wave.group_id = ${group.id} and placed.released_at is not null and ring.state <> 'Waiting'
          and not exists (
            select from rollout_rings before
            where before.rollout_id = wave.id and before.ring < ring.ring and before.state <> 'Done')
      ) as "releasedBy"
    from work
    where computer_id = any(${agents.map(({ id }) => id)}::integer[])
      and (closed_at is null or cancel_reason = 'NotDue')
    order by work.id`.execute(db)
  return rows
}

/** Fails if a computer has something that was changed after every wave which has released it. */
async function expectOwnRings(model: Model): Promise<void> {
  for (const { packageId, revokeCount, releasedBy } of await listWork(model)) {
    const { changes } = model.packages.find(({ id }) => id === packageId) ?? expect.fail()
    const changedAt = changes.find((change) => change.revokeCount === revokeCount)?.at ?? expect.fail()
    expect(releasedBy?.getTime()).toBeGreaterThanOrEqual(changedAt.getTime())
  }
}

/** Work that has been cancelled since the last step: only a wave that began after the last change may have done that. */
async function expectOwnCancellations(model: Model, known: Set<number>): Promise<void> {
  const ended = (await listWork(model)).filter(({ id, isEnded }) => isEnded && !known.has(id))
  for (const { id, packageId, releasedBy } of ended) {
    known.add(id)
    const { changes } = model.packages.find((planned) => planned.id === packageId) ?? expect.fail()
    expect(releasedBy?.getTime()).toBeGreaterThanOrEqual(changes.at(-1)?.at.getTime() ?? Number.POSITIVE_INFINITY)
  }
}

/**
 * Everybody is there and everything succeeds, so all changes arrive. What a computer has done while its ring was not released is compared
 * within an hour: no change marks it.
 */
async function expectConverged({ agents, group, packages }: Model): Promise<void> {
  for (let idle = 0; idle < 3; ) {
    await converge()
    if ((await doWork(agents)) > 0) idle = 0
    else idle++
    if (idle === 2) await sql`update group_convergence set compared_at = null where group_id = ${group.id}`.execute(db)
  }
  for (const { id, changes } of packages) {
    const { rows } = await sql<{ id: number }>`
      select computer_id as id from deployments
      where package_id = ${id} and installation_state = 'Installed' order by computer_id`.execute(db)
    const expected =
      changes.at(-1)?.command === 'Install' ? agents.map((agent) => agent.id).toSorted((a, b) => a - b) : []
    expect(rows.map((row) => row.id)).toEqual(expected)
  }
}

test('whatever changes while waves are open, nothing reaches a computer before its ring of the wave that brings it, and everything arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const model = await openModel()
      const cancelled = new Set<number>()
      for (const next of [{ kind: 'Assign', package: 0 } as const, { kind: 'Converge' } as const, ...steps]) {
        await model.take(next)
        await expectOwnRings(model)
        await expectOwnCancellations(model, cancelled)
      }
      await expectConverged(model)
    }),
    { numRuns: modelRuns(2) },
  )
})
