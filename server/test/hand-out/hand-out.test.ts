import { describe, expect, test } from 'vitest'
import { openAgentWorld, type PackageColumns } from '../channels/agent/agent-world.ts'

const { agent, letTimePass, readyPackage, state, work } = await openAgentWorld()

const laterRun = '0190b6a5-7c1e-7000-8000-000000000002'

const past = () => new Date(Date.now() - 60_000)
const future = () => new Date(Date.now() + 3_600_000)

/** An agent with one due work item. `lease` makes a contact and returns the ids of the leased items. */
async function oneWorkItem(packageColumns: PackageColumns = {}, workColumns: Parameters<typeof work>[2] = {}) {
  const computer = await agent()
  const software = await readyPackage(packageColumns)
  const workId = await work(computer, software, workColumns)
  const lease = async (reported: Parameters<typeof computer.contact>[0] = {}) =>
    (await computer.contact(reported)).body.work.map(({ workId }) => workId)
  return { ...computer, computer, software, workId, lease }
}

describe('work that is due', () => {
  test('due work is leased once, with everything that the agent must know before it starts', async () => {
    const { contact, workId, software, runId } = await oneWorkItem(
      { version: '1.2', operating_systems: ['Linux'] },
      { commands: 1 | 32, revoke_count: 2 },
    )

    const first = (await contact()).body
    const second = (await contact()).body

    expect(first.work).toEqual([
      {
        workId,
        attempt: 1,
        kind: 'Install',
        leaseSeconds: 900,
        package: {
          packageId: software.id,
          name: software.name,
          version: '1.2',
          kind: 'Software',
          operatingSystems: ['Linux'],
          contentHash: expect.stringMatching(/^[\da-f]{64}$/),
        },
        postponable: { remaining: 0, untilUtc: null },
        hidden: true,
        forced: false,
        power: null,
      },
    ])
    expect(second.work).toEqual([])
    expect(await state.work(workId)).toMatchObject({ state: 'Leased', attempt: 1, run_id: runId })
  })

  test('work is leased again with the next attempt after its lease has expired', async () => {
    const { contact, workId } = await oneWorkItem()
    await contact()

    await letTimePass(workId)

    expect((await contact()).body.work).toMatchObject([{ workId, attempt: 2 }])
  })

  test('work is leased at once to a later process of the agent, even if the earlier one had begun it', async () => {
    const { computer, contact, workId } = await oneWorkItem()
    await contact()
    await computer.start(workId)

    const [later, again] = [await contact({ runId: laterRun }), await contact({ runId: laterRun })]

    expect(later.body.work).toMatchObject([{ workId, attempt: 2 }])
    expect(again.body.work).toEqual([])
    expect(await computer.start(workId, 1)).toMatchObject({ problem: 'WorkNotHeld' })
    expect(await state.work(workId)).toMatchObject({ attempt: 2, run_id: laterRun })
  })

  test('work stays with its process while two processes take turns', async () => {
    const { lease, workId, runId } = await oneWorkItem()
    await lease()
    await lease({ runId: laterRun, suspension: { mode: 'Suspended', untilUtc: null } })

    expect([await lease({ runId }), await lease({ runId: laterRun })]).toEqual([[], []])

    expect(await state.work(workId)).toMatchObject({ attempt: 1, run_id: runId })
  })

  test('work is leased again to an empty-handed process, unless the process has begun it', async () => {
    const { computer, lease, workId } = await oneWorkItem()
    await lease()

    const again = await lease({ emptyHanded: true })
    await computer.start(workId, 2)

    expect(again).toEqual([workId])
    expect(await lease({ emptyHanded: true })).toEqual([])
  })

  test('work is leased once among 50 concurrent contacts', async () => {
    const computer = await agent()
    const ids = await Promise.all(Array.from({ length: 5 }, async () => work(computer, await readyPackage())))

    const answers = await Promise.all(Array.from({ length: 50 }, () => computer.contact()))

    const leased = answers.flatMap(({ body }) => body.work.map(({ workId }) => workId))
    expect(leased.toSorted()).toEqual(ids.toSorted())
  })

  test('work is never leased to another agent', async () => {
    const { lease } = await oneWorkItem()
    const other = await agent()

    expect((await other.contact()).body.work).toEqual([])
    expect(await lease()).toHaveLength(1)
  })

  test('a contact leases at most twenty work items', async () => {
    const computer = await agent()
    for (let count = 0; count < 23; count++) await work(computer, await readyPackage())

    const sizes = [await computer.contact(), await computer.contact()].map(({ body }) => body.work.length)

    expect(sizes).toEqual([20, 3])
  })
})

describe('work that is not leased', () => {
  test.each([
    ['before its time', {}, { not_before: future() }],
    ['while the package is not ready to install', { is_operational: false }, {}],
    ['while the files of the package differ from the imported ones', { hash_state: 'Mismatch' }, {}],
    ['while the files of the package are not hashed', { hash_state: 'None' }, {}],
    ['while a required package is missing', { requires: ['not installed'] }, {}],
    ['if it installs an operating system', {}, { kind: 'OperatingSystem' }],
    ['if it was cancelled', {}, { state: 'Cancelled', closed_at: new Date() }],
  ])('work is not leased %s', async (_, packageColumns, workColumns) => {
    const { lease, workId } = await oneWorkItem(packageColumns, workColumns)

    expect(await lease()).toEqual([])

    expect((await state.work(workId)).attempt).toBe(0)
  })

  test.each(['Suspended', 'PresentationMode', 'MaintenanceMode'] as const)(
    'work is not leased while the agent is in the mode %s, but afterwards',
    async (mode) => {
      const { lease, workId } = await oneWorkItem()

      expect(await lease({ suspension: { mode, untilUtc: null } })).toEqual([])
      expect(await lease({ suspension: { mode, untilUtc: future().toISOString() } })).toEqual([])
      expect(await lease({ suspension: { mode, untilUtc: past().toISOString() } })).toEqual([workId])
    },
  )

  test('work waits until the required package is installed in any version, ignoring the case of its name', async () => {
    const { computer, lease, workId } = await oneWorkItem({ requires: ['Base Library'] })
    const base = await readyPackage({ package_name: 'base library', version: '3' })
    const needed = await work(computer, base)

    const first = await lease()
    await computer.report(needed)

    expect(first).toEqual([needed])
    expect(await lease()).toEqual([workId])
  })

  test('a package is uninstalled after the packages that require it', async () => {
    const { computer, lease, workId } = await oneWorkItem({ package_name: 'the base' }, { kind: 'Uninstall' })
    const above = await work(computer, await readyPackage({ requires: ['The Base'] }), { kind: 'Uninstall' })

    const first = await lease()
    await computer.report(above)

    expect(first).toEqual([above])
    expect(await lease()).toEqual([workId])
  })
})

describe('the order', () => {
  test('uninstalls come first, then installations in the order of their creation, then a refresh', async () => {
    const { computer, workId, lease } = await oneWorkItem()
    const refresh = await work(computer, { id: null }, { kind: 'Refresh' })
    const next = await work(computer, await readyPackage(), { kind: 'Update' })
    const uninstall = await work(computer, await readyPackage(), { kind: 'Uninstall' })

    expect(await lease()).toEqual([uninstall, workId, next, refresh])
  })
})

describe('a pre-OS package', () => {
  test('a pre-OS package is leased only before the operating system runs, and nothing else is leased there', async () => {
    const { computer, workId, lease } = await oneWorkItem({ is_pre_os: true })
    const usual = await work(computer, await readyPackage())

    expect(await lease()).toEqual([usual])
    expect(await lease({ environment: 'PreOs' })).toEqual([workId])
  })
})

describe('an optional package', () => {
  const optional = 1 | 64

  test('an optional package is offered, and leased when the user requests it', async () => {
    const until = future()
    const { contact, software, workId } = await oneWorkItem(
      { version: '2' },
      { commands: optional, optional_date: until },
    )

    const offered = (await contact()).body
    const requested = (await contact({ wants: [software.id] })).body

    const offer = { packageId: software.id, name: software.name, version: '2', untilUtc: until.toISOString() }
    expect([offered.work, offered.offers]).toEqual([[], [offer]])
    expect(requested.work).toMatchObject([{ workId }])
    expect(requested.offers).toEqual([])
  })

  test('an optional package is neither offered nor leased after its last date', async () => {
    const { contact, software } = await oneWorkItem({}, { commands: optional, optional_date: past() })

    expect((await contact({ wants: [software.id] })).body).toMatchObject({ work: [], offers: [] })
  })

  test('an optional package is uninstalled without asking the user', async () => {
    const { lease, workId } = await oneWorkItem({}, { kind: 'Uninstall', commands: 4 | 64 })

    expect(await lease()).toEqual([workId])
  })
})

describe('a schedule', () => {
  test('work whose window has ended moves to the next window', async () => {
    const schedule = 'CRON=0 3 1 1 *;DURATION=60'
    const { lease, workId } = await oneWorkItem({}, { schedule, not_before: past(), window_ends_at: past() })

    expect(await lease()).toEqual([])

    const { not_before, window_ends_at } = await state.work(workId)
    expect(not_before.toISOString()).toMatch(/-01-01T03:00:00/)
    expect(window_ends_at?.toISOString()).toMatch(/-01-01T04:00:00/)
  })

  test('work whose window has ended is leased if the next window is already open', async () => {
    const schedule = 'CRON=* * * * *;DURATION=10'
    const { lease, workId } = await oneWorkItem({}, { schedule, not_before: past(), window_ends_at: past() })

    expect(await lease()).toEqual([workId])

    expect((await state.work(workId)).window_ends_at?.getTime()).toBeGreaterThan(Date.now())
  })

  test('work is not leased after its schedule has ended', async () => {
    const schedule = 'UNTIL=2026-01-01T00:00:00Z'
    const { contact, lease } = await oneWorkItem({}, { schedule, not_before: past(), window_ends_at: past() })

    expect(await lease()).toEqual([])
    expect(await lease()).toEqual([])
    expect((await contact()).body.nextContactSeconds).toBeGreaterThan(3000)
  })

  test('work is leased while its window is open', async () => {
    const schedule = 'CRON=0 3 1 1 *;DURATION=60'
    const { lease, workId } = await oneWorkItem({}, { schedule, not_before: past(), window_ends_at: future() })

    expect(await lease()).toEqual([workId])
  })
})
