import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { type BlockerReason, blockerReasons } from '../../src/features/hand-out/blockers.ts'
import { weekdays } from '../../src/features/hand-out/rollout-windows.ts'
import { getAgentFacts, listWaitingWork } from '../../src/features/hand-out/waiting-work.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { modelRuns } from '../world/model-runs.ts'
import { exampleComputers, type GeneratedItem, generatedComputer, toSchedule } from './generated-work.ts'

// Set these for a longer search, and to repeat a failed run.
const numRuns = modelRuns(12)
const seed = process.env.MUSTER_MODEL_SEED ? { seed: Number(process.env.MUSTER_MODEL_SEED) } : {}

const { agent, as, db, readyPackage, work } = await openAgentWorld()

/** Blockers that the service knows the end of, so it asks the agent to come back then. */
const timed: readonly BlockerReason[] = [
  'AlreadyLeased',
  'Postponed',
  'RetryLater',
  'NotYetDue',
  'OutsideWindow',
  'RolloutWindow',
]

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)

type Computer = Awaited<ReturnType<typeof agent>>

/** A rollout that has released the computer. Its maintenance windows are two hours long. */
async function insertRollout(computer: Computer, rollout: NonNullable<GeneratedItem['rollout']>): Promise<string> {
  const { state, opensInMinutes } = rollout
  const start = opensInMinutes === null ? null : minutesFromNow(opensInMinutes).toISOString().slice(11, 16)
  const windows = start === null ? [] : [{ days: weekdays, start, durationMinutes: 120 }]
  const { id } = await db
    .insertInto('rollouts')
    .values({
      name: 'test',
      group_id: randomUUID(),
      state,
      pause: state === 'Paused' ? '{}' : null,
      criteria: '{}',
      time_zone: 'UTC',
      created_by: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('rollout_rings')
    .values({ rollout_id: id, ring: 0, name: 'all', size_kind: 'Rest', windows: JSON.stringify(windows) })
    .execute()
  await db
    .insertInto('rollout_computers')
    .values({ rollout_id: id, computer_id: computer.id, ring: 0, position: 0 })
    .execute()
  return id
}

async function insertItem(computer: Computer, item: GeneratedItem, prefix: string): Promise<number> {
  const { isOperational, hashState, isPreOs, name, installed } = item
  const named = (others: readonly string[]) => others.map((other) => `${prefix} ${other}`)
  const software = item.name
    ? await readyPackage({
        is_operational: isOperational,
        hash_state: hashState,
        is_pre_os: isPreOs,
        package_name: `${prefix} ${name}`,
        requires: named(item.requires),
        conflicts: named(item.conflicts),
        supersedes: Object.fromEntries(named(item.supersedes).map((other) => [other, true])),
        ...(!item.isForComputer && {
          manifest: JSON.stringify({ onlyFor: { customFields: [{ name: 'Custom01', values: ['elsewhere'] }] } }),
        }),
      })
    : { id: null }
  const id = await work(computer, software, {
    rollout_id: item.rollout && (await insertRollout(computer, item.rollout)),
    kind: item.kind,
    is_brought: item.isBrought && item.kind === 'Uninstall',
    power_action: item.kind === 'Power' ? 'Reboot' : null,
    commands: item.isOptional ? 65 : 1,
    optional_date: item.optionalMinutes === null ? null : minutesFromNow(item.optionalMinutes),
    attempt: item.attempt,
    not_before: item.notBefore === 'never' ? 'infinity' : minutesFromNow(item.notBefore),
    delayed_by: item.delayedBy,
    schedule: toSchedule(item),
    window_ends_at: item.windowMinutes === null ? null : minutesFromNow(item.windowMinutes),
    ...(item.lease && {
      state: 'Leased',
      leased_until: minutesFromNow(item.lease.minutes),
      run_id: item.lease.isOwnRun ? computer.runId : randomUUID(),
      progress: item.lease.isStarted ? 10 : null,
    }),
  })
  if (installed && software.id)
    await db
      .updateTable('deployments')
      .set({ installation_state: 'Installed' })
      .where('computer_id', '=', computer.id)
      .where('package_id', '=', software.id)
      .execute()
  return id
}

async function freeze(isFrozen: boolean): Promise<void> {
  const frozen = isFrozen ? { frozen_at: new Date(), frozen_by: 'test', freeze_reason: 'test' } : unfrozen
  await db.updateTable('installation').set(frozen).execute()
}

const unfrozen = { frozen_at: null, frozen_by: null, freeze_reason: null }

const seen = new Set<string>()

test(
  'a contact hands out exactly the work items that no blocker is listed for, and asks for the next one in time',
  async () => {
    await fc.assert(
      fc.asyncProperty(generatedComputer, async ({ items, suspendedMinutes, isFrozen }) => {
        const computer = await agent()
        const suspension =
          suspendedMinutes === null
            ? null
            : { mode: 'Suspended' as const, untilUtc: minutesFromNow(suspendedMinutes).toISOString() }
        await computer.contact({ suspension })
        const prefix = randomBytes(4).toString('hex')
        for (const item of items) await insertItem(computer, item, prefix)
        await freeze(isFrozen)

        const explained = await listWaitingWork(db, await getAgentFacts(db, computer.id))
        const answer = (await computer.contact({ suspension })).body

        const free = explained.filter(({ blockers }) => blockers.length === 0)
        expect(answer.work.map(({ workId }) => workId).toSorted()).toEqual(free.map(({ id }) => id).toSorted())
        const blockers = explained.flatMap((item) => item.blockers)
        for (const { reason } of blockers) seen.add(reason)
        expectNextContact(answer.nextContactSeconds, blockers)
      }),
      { numRuns, ...seed, examples: exampleComputers.map((computer) => [computer]) },
    )
    await freeze(false)

    // The others concern agents that make no contact, and other channels.
    const unmet = blockerReasons.filter((reason) => !seen.has(reason))
    expect(unmet).toEqual([
      ...['NoAgent', 'AgentQuarantined', 'AgentSilent', 'HandedOutByPxe', 'RemovalFirst', 'NoPatchReleased'],
    ])
  },
  30_000 + 1_000 * numRuns,
)

/** The agent comes back when the first of its items may be free, unless its regular contact is earlier. */
function expectNextContact(seconds: number, blockers: readonly { reason: string; until: Date | null }[]): void {
  const ends = blockers.flatMap(({ reason, until }) =>
    until && timed.some((known) => known === reason) ? until.getTime() : [],
  )
  const regular = 3_600
  const due = ends.length === 0 ? Number.POSITIVE_INFINITY : (Math.min(...ends) - Date.now()) / 1_000
  const tolerance = 10
  expect(seconds).toBeGreaterThanOrEqual(Math.min(due, 0.9 * regular) - tolerance)
  // The regular interval has no upper bound, because a busy service stretches it.
  expect(seconds).toBeLessThanOrEqual(due + 0.1 * regular + tolerance)
}

test('the API lists the same blockers as the rules of the hand-out', async () => {
  const computer = await agent()
  await computer.contact()
  const software = await readyPackage({ is_operational: false, requires: ['a package that nobody has'] })
  await work(computer, software, { not_before: minutesFromNow(10), delayed_by: 'User' })

  const { body } = await as('computer.read').call(explainComputer, {
    params: { id: computer.id },
    query: { packageId: software.id },
  })

  const [item] = await listWaitingWork(db, await getAgentFacts(db, computer.id))
  expect(item?.blockers).toHaveLength(3)
  expect(body.blockers).toMatchObject(item?.blockers.map(({ reason, message }) => ({ reason, message })) ?? [])
})
