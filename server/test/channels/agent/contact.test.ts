import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { getRebootStatus } from '../../../src/features/agents/api/get-reboot-status.ts'
import { getUemAgent } from '../../../src/features/agents/api/get-uem-agent.ts'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { getPackageStatus } from '../../../src/features/deployments/api/package-status/get-package-status.ts'
import { getSystemInfo } from '../../../src/features/inventory/api/get-system-info.ts'
import { countStatements } from '../../world/statements.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, agentWith, app, as, db, given, readyPackage, state, work } = await openAgentWorld()

// The machine that runs the tests may be busy, which makes intervals longer.
const stretch = vi.spyOn(app.services.pressure, 'stretch')
beforeEach(() => void stretch.mockReturnValue(1))

/** How many statements one contact runs. */
const countOf = (run: () => Promise<{ status: number }>) =>
  countStatements(async () => expect((await run()).status).toBe(200))

/** Changes whenever the row is written. */
async function rowVersion(table: 'agents' | 'computers', id: number) {
  const key = table === 'agents' ? sql`computer_id` : sql`id`
  const { rows } = await sql<{ xmin: string }>`
    select xmin::text from ${sql.table(table)} where ${key} = ${id}`.execute(db)
  return rows[0]?.xmin
}

const agentInfo = async (id: number) => (await as('computer.read').call(getUemAgent, { params: { id } })).body

describe('contacts', () => {
  test('a contact without work costs one statement, whatever it reports', async () => {
    const { contact } = await agent()

    expect(await countOf(() => contact())).toBe(1)
    expect(await countOf(() => contact({ rebootRequired: true, ipAddress: '10.0.0.1' }))).toBe(1)
  })

  test('concurrent contacts share statements, and each gets its own answer', async () => {
    const agents = await Promise.all(Array.from({ length: 12 }, () => agent()))
    const busy = agents[7] ?? (await agent())
    const pack = await readyPackage()
    await work(busy, pack)
    let answers: Awaited<ReturnType<typeof busy.contact>>[] = []

    const count = await countStatements(async () => {
      answers = await Promise.all([...agents, ...agents].map(({ contact }) => contact()))
    })

    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200))
    expect(answers.flatMap(({ body }, at) => (body.work.length > 0 ? [at] : []))).toEqual([7])
    expect(count).toBeLessThan(24)
  })

  test('a contact sets when the computer was last seen', async () => {
    const { id, contact } = await agent()
    const lastSeen = async () => (await as('computer.read').call(getComputer, { params: { id } })).body.lastSeenUtc

    const enrolled = await lastSeen()
    await contact()

    expect(enrolled).toEqual(expect.any(String))
    expect(Date.parse((await lastSeen()) ?? '')).toBeGreaterThan(Date.parse(enrolled ?? ''))
  })

  test('a contact stores the state that the agent reports', async () => {
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

    expect(await agentInfo(id)).toMatchObject({
      inventory: {
        agentVersion: '2.0',
        platform: 'Linux',
        loggedOnUser: 'mia',
        runsWithSettingsHash: 'abc',
        stateChangedUtc: expect.any(String),
      },
      dailyStatus: { suspensionMode: 'PresentationMode', suspendedUntilUtc: untilUtc },
    })
    const reboot = await as('computer.read').call(getRebootStatus, { params: { id } })
    expect(reboot.body).toMatchObject({
      lastReboot: '2026-03-14T09:26:53.000Z',
      rebootRequired: true,
      rebootRequiredSource: 'kernel',
    })
    const system = await as('computer.read').call(getSystemInfo, { params: { id } })
    expect(system.body.ipAddress).toBe('10.1.2.3')
    expect((await state.agent({ id })).recent_runs).toEqual([runId])
  })

  test('a contact without changes rewrites neither the agent nor the computer', async () => {
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

  test('a contact with a wrong secret is refused and changes nothing', async () => {
    const { id, contact } = await agent()
    await contact()
    const impostor = agentWith({ clientId: id, credential: `agent-${id}.${'x'.repeat(43)}` })
    const before = await rowVersion('agents', id)

    const refused = await impostor.contact({ rebootRequired: true })

    expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="muster-agent"')
    expect(await rowVersion('agents', id)).toBe(before)
  })

  test('contacts with wrong secrets share their statements and do not delay the agent of the computer one by one', async () => {
    const { id, contact } = await agent()
    const impostors = Array.from({ length: 30 }, (_, at) =>
      agentWith({ clientId: id, credential: `agent-${id}.${at}${'x'.repeat(40)}` }),
    )
    const answers: number[] = []
    const send = async (sender: Pick<(typeof impostors)[0], 'contact'>) => answers.push((await sender.contact()).status)

    const count = await countStatements(() => Promise.all([...impostors, { contact }].map(send)))

    expect(answers.filter((status) => status === 401)).toHaveLength(30)
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    expect(count).toBeLessThan(15)
  })

  test('of two credentials that are presented at once, the offered one counts', async () => {
    const { id, credential, contact } = await agent()
    const offered = 'o'.repeat(43)
    const next_secret_hash = app.services.keys.hashSecret(offered)
    await db.updateTable('agents').set({ next_secret_hash }).where('computer_id', '=', id).execute()
    const [first, withOffer] = [await agent(), agentWith({ clientId: id, credential: `agent-${id}.${offered}` })]

    const answers = await Promise.all([first.contact(), contact(), withOffer.contact()])

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200])
    expect((await agentWith({ clientId: id, credential }).contact()).status).toBe(401)
  })
})

describe('the identity of an agent', () => {
  test('two agents share an identity when a process makes contact again after another process did', async () => {
    const { id, contact } = await agent()
    const [one, other] = [randomUUID(), randomUUID()]
    const duplicateSeen = async () => (await agentInfo(id)).inventory?.duplicateIdentitySeenUtc

    for (const runId of [one, one, other]) await contact({ runId })
    const afterRestart = await duplicateSeen()
    await contact({ runId: one })

    expect(afterRestart).toBeNull()
    expect(await duplicateSeen()).toEqual(expect.any(String))
  })

  test('the service remembers the five newest processes of an agent', async () => {
    const { id, contact } = await agent()
    const runs = Array.from({ length: 7 }, () => randomUUID())

    for (const runId of runs) await contact({ runId })

    expect((await state.agent({ id })).recent_runs).toEqual(runs.toReversed().slice(0, 5))
  })
})

describe('settings', () => {
  test('settings come from the effective template, and only when the agent does not have them', async () => {
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

  test('a template is pending on a computer until its agent runs with the settings', async () => {
    const { id, contact } = await agent()
    const [group, template] = [await given.group(), await given.agentTemplate({ settings: { logLevel: 'debug' } })]
    await given.member(group, { id })
    await given.member(group, await given.computer())
    await given.assignment(group, template, 'agentTemplate')
    const status = async () => {
      const { body } = await as('package.read').call(getPackageStatus, { params: { id: template.id } })
      const { pending, success, failed, devices } = body
      return { pending, success, failed, statuses: devices.items.map((device) => device.status) }
    }

    const { settings } = (await contact()).body
    expect(await status()).toEqual({ pending: 2, success: 0, failed: 0, statuses: ['Pending', 'Pending'] })

    await contact({ settingsHash: settings?.hash ?? '' })
    expect(await status()).toEqual({ pending: 1, success: 1, failed: 0, statuses: ['Success', 'Pending'] })
  })

  test.each([{ is_operational: false }, { hash_state: 'Mismatch' }])(
    'settings of a template that may not be distributed are not handed out, but agents keep them: %o',
    async (withheld) => {
      const { id, contact } = await agent()
      const group = await given.group()
      await given.member(group, { id })
      const template = await given.agentTemplate({ settings: { contactIntervalMinutes: 1 } })
      await given.assignment(group, template, 'agentTemplate')
      const { settings } = (await contact()).body
      const current = { settingsHash: settings?.hash ?? '' }

      await db.updateTable('packages').set(withheld).where('id', '=', template.id).execute()
      const [running, others] = [(await contact(current)).body, (await contact()).body]

      expect(running.settings).toBeNull()
      expect(running.nextContactSeconds).toBeLessThan(70)
      expect(others.settings).toBeNull()
      expect(others.nextContactSeconds).toBeGreaterThan(3000)
      const { body } = await as('computer.read').call(getUemAgent, { params: { id } })
      expect(body).toMatchObject({ outOfSync: false, pollingWindows: { intervalMinutes: 60 } })
    },
  )

  test('settings determine the next contact, give or take a tenth', async () => {
    const { id, contact } = await agent()
    const group = await given.group()
    await given.member(group, { id })
    const next = async () => (await contact()).body.nextContactSeconds

    const byDefault = await next()
    await given.assignment(
      group,
      await given.agentTemplate({ settings: { contactIntervalMinutes: 0.01 } }),
      'agentTemplate',
    )
    const short = await next()

    expect(byDefault).toBeGreaterThanOrEqual(3240)
    expect(byDefault).toBeLessThanOrEqual(3960)
    expect(short).toBeLessThan(1)
  })

  test('settings without a valid interval result in one hour', async () => {
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
  test('the next contact is up to four times later while the service is under load', async () => {
    const { contact } = await agent()
    stretch.mockReturnValue(4)

    const { nextContactSeconds } = (await contact()).body

    expect(nextContactSeconds).toBeGreaterThan(4 * 3200)
  })

  test('the next contact is earlier when work becomes due before it', async () => {
    const computer = await agent()
    await work(computer, await readyPackage(), { not_before: new Date(Date.now() + 300_000) })

    const { nextContactSeconds, work: leased } = (await computer.contact()).body

    expect(leased).toEqual([])
    expect(nextContactSeconds).toBeGreaterThan(250)
    expect(nextContactSeconds).toBeLessThan(300 + 361)
  })
})
