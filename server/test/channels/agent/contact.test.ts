import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, app, as, db, given, readyPackage, state, work } = await openAgentWorld()

/** How many statements run while an agent contacts the service. */
async function statementsOf(run: () => Promise<{ status: number }>): Promise<number> {
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  try {
    expect((await run()).status).toBe(200)
    return statements.mock.calls.length
  } finally {
    statements.mockRestore()
  }
}

/** Changes whenever the row is written. */
async function rowVersion(table: 'agents' | 'computers', id: number) {
  const key = table === 'agents' ? sql`computer_id` : sql`id`
  const { rows } = await sql<{ xmin: string }>`
    select xmin::text from ${sql.table(table)} where ${key} = ${id}`.execute(db)
  return rows[0]?.xmin
}

describe('a contact', () => {
  test('without work costs one statement, whatever it tells', async () => {
    const { contact } = await agent()

    expect(await statementsOf(() => contact())).toBe(1)
    expect(await statementsOf(() => contact({ rebootRequired: true, ipAddress: '10.0.0.1' }))).toBe(1)
  })

  test('shares its statement with others that come at the same time, and each gets its own answer', async () => {
    const agents = await Promise.all(Array.from({ length: 12 }, () => agent()))
    const busy = agents[7] ?? (await agent())
    const pack = await readyPackage()
    await work(busy, pack)
    const statements = vi.spyOn(pg.Client.prototype, 'query')

    const answers = await Promise.all([...agents, ...agents].map(({ contact }) => contact()))
    const count = statements.mock.calls.length
    statements.mockRestore()

    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200))
    expect(answers.flatMap(({ body }, at) => (body.work.length > 0 ? [at] : []))).toEqual([7])
    expect(count).toBeLessThan(24)
  })

  test('is when the computer was last seen', async () => {
    const { id, contact } = await agent()
    const seen = async () => (await as('computer.read').call(getComputer, { params: { id } })).body.lastSeenUtc

    const before = await seen()
    await contact()
    const first = await seen()
    await contact()

    expect(before).toBeNull()
    expect(first).toEqual(expect.any(String))
    expect(Date.parse((await seen()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
  })

  test('keeps what the agent says about itself', async () => {
    const { id, contact, runId } = await agent()
    const untilUtc = '2099-01-01T00:00:00.000Z'

    await contact({
      agentVersion: '2.0',
      platform: 'Linux',
      rebootRequired: true,
      rebootRequiredSource: 'kernel',
      suspension: { mode: 'PresentationMode', untilUtc },
      loggedOnUser: 'mia',
      ipAddress: '10.1.2.3',
      settingsHash: 'abc',
    })

    expect(await state.agent({ id })).toMatchObject({
      version: '2.0',
      platform: 'Linux',
      boot_at: new Date('2026-03-14T09:26:53Z'),
      is_reboot_required: true,
      reboot_required_source: 'kernel',
      suspension_mode: 'PresentationMode',
      suspended_until: new Date(untilUtc),
      logged_on_user: 'mia',
      settings_hash: 'abc',
      recent_runs: [runId],
      state_changed_at: expect.any(Date),
    })
    const computer = await db
      .selectFrom('computers')
      .select('reported_ip_address')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(computer.reported_ip_address).toBe('10.1.2.3')
  })

  test('that tells nothing new rewrites neither the agent nor the computer', async () => {
    const { id, contact } = await agent()
    const versions = async () => [await rowVersion('agents', id), await rowVersion('computers', id)]
    await contact({ ipAddress: '10.0.0.1' })
    const before = await versions()

    await contact({ ipAddress: '10.0.0.1' })
    await contact({ ipAddress: '10.0.0.1', bootTimeUtc: '2026-03-14T09:26:58.123Z' })
    await contact({ ipAddress: null })
    const unchanged = await versions()
    await contact({ ipAddress: '10.0.0.2', rebootRequired: true })

    expect(unchanged).toEqual(before)
    expect((await versions()).filter((version, at) => version === before[at])).toEqual([])
  })

  test('with a wrong secret is refused and leaves no trace', async () => {
    const { id, contact } = await agent()
    await contact()
    await db
      .updateTable('agents')
      .set({ secret_hash: Buffer.alloc(32) })
      .where('computer_id', '=', id)
      .execute()
    const before = await rowVersion('agents', id)

    const refused = await contact({ rebootRequired: true })

    expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="muster-agent"')
    expect(await rowVersion('agents', id)).toBe(before)
  })
})

describe('the identity of an agent', () => {
  test('is shared when a process comes back after another one was seen', async () => {
    const { id, contact } = await agent()
    const [one, other] = [randomUUID(), randomUUID()]
    const seen = async () => (await state.agent({ id })).duplicate_seen_at

    for (const runId of [one, one, other]) await contact({ runId })
    const afterRestart = await seen()
    await contact({ runId: one })

    expect(afterRestart).toBeNull()
    expect(await seen()).toEqual(expect.any(Date))
  })

  test('is remembered for the newest processes only', async () => {
    const { id, contact } = await agent()
    const runs = Array.from({ length: 7 }, () => randomUUID())

    for (const runId of runs) await contact({ runId })

    expect((await state.agent({ id })).recent_runs).toEqual(runs.toReversed().slice(0, 5))
  })
})

describe('settings', () => {
  test('come from the effective template, and only when the agent does not have them', async () => {
    const { id, contact } = await agent()
    const [group, values] = [await given.group(), { contactIntervalMinutes: 30, showNotifications: false }]
    await given.member(group, { id })

    const without = (await contact()).body.settings
    await given.assignment(group, await given.agentTemplate({ settings: values }), 'agentTemplate')
    const changed = (await contact({ settingsHash: without?.hash ?? '' })).body.settings
    const current = (await contact({ settingsHash: changed?.hash ?? '' })).body.settings

    expect(without).toEqual({ hash: expect.stringMatching(/^[\da-f]{64}$/), values: {} })
    expect(changed?.values).toEqual(values)
    expect(current).toBeNull()
  })

  test('say when the agent is to come again, give or take a tenth', async () => {
    const { id, contact } = await agent()
    const group = await given.group()
    await given.member(group, { id })
    const next = async () => (await contact()).body.nextContactSeconds

    const usual = await next()
    await given.assignment(
      group,
      await given.agentTemplate({ settings: { contactIntervalMinutes: 0.01 } }),
      'agentTemplate',
    )
    const short = await next()

    expect(usual).toBeGreaterThanOrEqual(3240)
    expect(usual).toBeLessThanOrEqual(3960)
    expect(short).toBeLessThan(1)
  })

  test('without a sensible interval leave it at an hour', async () => {
    const { id, contact } = await agent()
    const group = await given.group()
    await given.member(group, { id })
    await given.assignment(
      group,
      await given.agentTemplate({ settings: { contactIntervalMinutes: 'often' } }),
      'agentTemplate',
    )

    expect((await contact()).body.nextContactSeconds).toBeGreaterThan(3000)
  })
})

describe('the next contact', () => {
  test('is up to four times later while the service is busy', async () => {
    const { contact } = await agent()
    const stretch = vi.spyOn(app.services.pressure, 'stretch').mockReturnValue(4)

    const { nextContactSeconds } = (await contact()).body
    stretch.mockRestore()

    expect(nextContactSeconds).toBeGreaterThan(4 * 3200)
  })

  test('is earlier when work becomes due before', async () => {
    const computer = await agent()
    await work(computer, await readyPackage(), { not_before: new Date(Date.now() + 300_000) })

    const { nextContactSeconds, work: handed } = (await computer.contact()).body

    expect(handed).toEqual([])
    expect(nextContactSeconds).toBeGreaterThan(250)
    expect(nextContactSeconds).toBeLessThan(300 + 361)
  })
})
