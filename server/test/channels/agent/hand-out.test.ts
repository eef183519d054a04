import { describe, expect, test } from 'vitest'
import { openAgentWorld, type PackageColumns } from './agent-world.ts'

const { agent, letTimePass, readyPackage, state, work } = await openAgentWorld()

const laterRun = '0190b6a5-7c1e-7000-8000-000000000002'

const past = () => new Date(Date.now() - 60_000)
const future = () => new Date(Date.now() + 3_600_000)

/** An agent with one piece of work. */
async function oneWork(packageColumns: PackageColumns = {}, workColumns: Parameters<typeof work>[2] = {}) {
  const computer = await agent()
  const made = await readyPackage(packageColumns)
  const workId = await work(computer, made, workColumns)
  const handed = async (said: Parameters<typeof computer.contact>[0] = {}) =>
    (await computer.contact(said)).body.work.map((one) => one.workId)
  return { ...computer, computer, made, workId, handed }
}

describe('work that is due', () => {
  test('is handed out once, with everything that the agent must know before it starts', async () => {
    const { contact, workId, made, runId } = await oneWork(
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
          packageId: made.id,
          name: made.name,
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

  test('is handed out again with the next attempt when the lease has run out', async () => {
    const { contact, workId } = await oneWork()
    await contact()

    await letTimePass(workId)

    expect((await contact()).body.work).toMatchObject([{ workId, attempt: 2 }])
  })

  test('comes back at once to a later process of the agent, even if the earlier one had begun', async () => {
    const { computer, contact, workId } = await oneWork()
    await contact()
    await computer.start(workId)

    const [later, again] = [await contact({ runId: laterRun }), await contact({ runId: laterRun })]

    expect(later.body.work).toMatchObject([{ workId, attempt: 2 }])
    expect(again.body.work).toEqual([])
    expect(await computer.start(workId, 1)).toMatchObject({ problem: 'WorkNotHeld' })
    expect(await state.work(workId)).toMatchObject({ attempt: 2, run_id: laterRun })
  })

  test('stays with the process that has it when two of them come in turns', async () => {
    const { handed, workId, runId } = await oneWork()
    await handed()
    await handed({ runId: laterRun, suspension: { mode: 'Suspended', untilUtc: null } })

    expect([await handed({ runId }), await handed({ runId: laterRun })]).toEqual([[], []])

    expect(await state.work(workId)).toMatchObject({ attempt: 1, run_id: runId })
  })

  test('comes again to a process that has nothing, unless it has begun: an answer got lost', async () => {
    const { computer, handed, workId } = await oneWork()
    await handed()

    const again = await handed({ emptyHanded: true })
    await computer.start(workId, 2)

    expect(again).toEqual([workId])
    expect(await handed({ emptyHanded: true })).toEqual([])
  })

  test('is leased once to 50 contacts at once', async () => {
    const computer = await agent()
    const pieces = await Promise.all(Array.from({ length: 5 }, async () => work(computer, await readyPackage())))

    const answers = await Promise.all(Array.from({ length: 50 }, () => computer.contact()))

    const handed = answers.flatMap(({ body }) => body.work.map(({ workId }) => workId))
    expect(handed.toSorted()).toEqual(pieces.toSorted())
  })

  test('is never the work of another agent', async () => {
    const { handed } = await oneWork()
    const other = await agent()

    expect((await other.contact()).body.work).toEqual([])
    expect(await handed()).toHaveLength(1)
  })

  test('is handed out twenty pieces at a time', async () => {
    const computer = await agent()
    for (let count = 0; count < 23; count++) await work(computer, await readyPackage())

    const sizes = [await computer.contact(), await computer.contact()].map(({ body }) => body.work.length)

    expect(sizes).toEqual([20, 3])
  })
})

describe('work is held back', () => {
  test.each([
    ['until its time has come', {}, { not_before: future() }],
    ['while the package is not ready to install', { is_operational: false }, {}],
    ['while the files of the package are not those that were imported', { hash_state: 'Mismatch' }, {}],
    ['while the files of the package are not hashed', { hash_state: 'None' }, {}],
    ['while a required package is missing', { requires: ['not there'] }, {}],
    ['when it is an operating system, which is not for the agent', {}, { kind: 'OperatingSystem' }],
    ['when it was cancelled', {}, { state: 'Cancelled', closed_at: new Date() }],
  ])('%s', async (_, packageColumns, workColumns) => {
    const { handed, workId } = await oneWork(packageColumns, workColumns)

    expect(await handed()).toEqual([])

    expect((await state.work(workId)).attempt).toBe(0)
  })

  test.each(['Suspended', 'PresentationMode', 'MaintenanceMode'] as const)(
    'while the agent is in the mode %s, and no longer',
    async (mode) => {
      const { handed, workId } = await oneWork()

      expect(await handed({ suspension: { mode, untilUtc: null } })).toEqual([])
      expect(await handed({ suspension: { mode, untilUtc: future().toISOString() } })).toEqual([])
      expect(await handed({ suspension: { mode, untilUtc: past().toISOString() } })).toEqual([workId])
    },
  )

  test('until the required package is installed in any version, whatever the case of its name', async () => {
    const { computer, handed, workId } = await oneWork({ requires: ['Base Library'] })
    const base = await readyPackage({ package_name: 'base library', version: '3' })
    const needed = await work(computer, base)

    const first = await handed()
    await computer.report(needed)

    expect(first).toEqual([needed])
    expect(await handed()).toEqual([workId])
  })

  test('from uninstalling a package as long as one that requires it is to be uninstalled', async () => {
    const { computer, handed, workId } = await oneWork({ package_name: 'the base' }, { kind: 'Uninstall' })
    const above = await work(computer, await readyPackage({ requires: ['The Base'] }), { kind: 'Uninstall' })

    const first = await handed()
    await computer.report(above)

    expect(first).toEqual([above])
    expect(await handed()).toEqual([workId])
  })
})

describe('the order', () => {
  test('is: what goes, what comes in the order of its making, a refresh', async () => {
    const { computer, workId, handed } = await oneWork()
    const refresh = await work(computer, { id: null }, { kind: 'Refresh' })
    const next = await work(computer, await readyPackage(), { kind: 'Update' })
    const gone = await work(computer, await readyPackage(), { kind: 'Uninstall' })

    expect(await handed()).toEqual([gone, workId, next, refresh])
  })

  test('has a restart alone and last, when the agent has nothing else in its hands', async () => {
    const { computer, workId, handed } = await oneWork()
    const power = await work(
      computer,
      { id: null },
      {
        kind: 'Power',
        power_action: 'Reboot',
        timeout_minutes: 15,
        reminder_minutes: 5,
      },
    )

    const [first, meanwhile] = [await handed(), await handed()]
    await computer.report(workId)
    const last = (await computer.contact()).body.work

    expect([first, meanwhile]).toEqual([[workId], []])
    expect(last).toMatchObject([
      { workId: power, package: null, power: { action: 'Reboot', timeoutMinutes: 15, reminderMinutes: 5 } },
    ])
  })

  test('does not let a restart wait for work that cannot be handed out', async () => {
    const { computer, handed } = await oneWork({ is_operational: false })
    const power = await work(computer, { id: null }, { kind: 'Power', power_action: 'Shutdown' })

    expect(await handed()).toEqual([power])
  })
})

describe('a package for before the operating system', () => {
  test('is handed only there, where nothing else is', async () => {
    const { computer, workId, handed } = await oneWork({ is_pre_os: true })
    const usual = await work(computer, await readyPackage())

    expect(await handed()).toEqual([usual])
    expect(await handed({ environment: 'PreOs' })).toEqual([workId])
  })
})

describe('an optional package', () => {
  const optional = 1 | 64

  test('is offered, and handed out when the user asks for it', async () => {
    const until = future()
    const { contact, made, workId } = await oneWork({ version: '2' }, { commands: optional, optional_date: until })

    const offered = (await contact()).body
    const wanted = (await contact({ wants: [made.id] })).body

    const offer = { packageId: made.id, name: made.name, version: '2', untilUtc: until.toISOString() }
    expect([offered.work, offered.offers]).toEqual([[], [offer]])
    expect(wanted.work).toMatchObject([{ workId }])
    expect(wanted.offers).toEqual([])
  })

  test('is neither offered nor handed out when its time is over', async () => {
    const { contact, made } = await oneWork({}, { commands: optional, optional_date: past() })

    expect((await contact({ wants: [made.id] })).body).toMatchObject({ work: [], offers: [] })
  })
})

describe('a schedule', () => {
  test('whose window is over is moved to the next one', async () => {
    const schedule = 'CRON=0 3 1 1 *;DURATION=60'
    const { handed, workId } = await oneWork({}, { schedule, not_before: past(), window_ends_at: past() })

    expect(await handed()).toEqual([])

    const { not_before, window_ends_at } = await state.work(workId)
    expect(not_before.toISOString()).toMatch(/-01-01T03:00:00/)
    expect(window_ends_at?.toISOString()).toMatch(/-01-01T04:00:00/)
  })

  test('whose next window is open already lets the work go', async () => {
    const schedule = 'CRON=* * * * *;DURATION=10'
    const { handed, workId } = await oneWork({}, { schedule, not_before: past(), window_ends_at: past() })

    expect(await handed()).toEqual([workId])

    expect((await state.work(workId)).window_ends_at?.getTime()).toBeGreaterThan(Date.now())
  })

  test('that has ended holds the work back', async () => {
    const schedule = 'UNTIL=2026-01-01T00:00:00Z'
    const { contact, handed } = await oneWork({}, { schedule, not_before: past(), window_ends_at: past() })

    expect(await handed()).toEqual([])
    expect(await handed()).toEqual([])
    expect((await contact()).body.nextContactSeconds).toBeGreaterThan(3000)
  })

  test('with an open window lets the work go', async () => {
    const schedule = 'CRON=0 3 1 1 *;DURATION=60'
    const { handed, workId } = await oneWork({}, { schedule, not_before: past(), window_ends_at: future() })

    expect(await handed()).toEqual([workId])
  })
})
