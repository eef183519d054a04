import { describe, expect, test } from 'vitest'
import { getWorkFile } from '../../../src/channels/agent/get-work-file.ts'
import { setComputerVariable } from '../../../src/features/variables/api/computers/set-computer-variable.ts'
import { addressOf } from '../../world/caller.ts'
import { fingerprints } from '../../world/tables.ts'
import { openAgentWorld, sha256Of } from './agent-world.ts'

const { agent, as, db, given, letTimePass, readyPackage, state, work } = await openAgentWorld()

const manifest = (properties: object = {}) =>
  JSON.stringify({
    commands: {
      install: { argv: ['sh', 'install.sh'], timeLimitMinutes: 5 },
      detect: { shell: 'test -e x', successCodes: [0, 1] },
    },
    ...properties,
  })

async function heldWork(columns: Parameters<typeof readyPackage>[0] = {}) {
  const computer = await agent()
  const made = await readyPackage({ manifest: manifest(), ...columns })
  const workId = await work(computer, made)
  await computer.contact()
  return { ...computer, computer, made, workId }
}

describe('the start of work', () => {
  test('tells the commands with what they leave open, and the files', async () => {
    const { start, workId } = await heldWork({ files: { 'install.sh': 'exit 0', 'lib/a': 'a' } })

    const { body } = await start(workId)

    expect(body.commands).toEqual({
      install: { argv: ['sh', 'install.sh'], timeLimitMinutes: 5, successCodes: [0], rebootCodes: [] },
      detect: { shell: 'test -e x', timeLimitMinutes: 60, successCodes: [0, 1], rebootCodes: [] },
    })
    expect(body.files).toEqual([
      { path: 'install.sh', size: 6, sha256: sha256Of('exit 0') },
      { path: 'lib/a', size: 1, sha256: sha256Of('a') },
    ])
    expect(body.depots).toEqual([])
  })

  test('is an event, once for each attempt', async () => {
    const { computer, start, workId } = await heldWork()

    await start(workId)
    await start(workId)
    await letTimePass(workId)
    await computer.contact()
    await start(workId, 2)

    expect((await state.events(computer)).map((one) => one.result)).toEqual(['Running', 'Running'])
  })

  test('of a restart needs nothing', async () => {
    const computer = await agent()
    const workId = await work(computer, { id: null }, { kind: 'Power', power_action: 'Reboot' })
    await computer.contact()

    const { body } = await computer.start(workId)

    expect(body).toEqual({
      leaseSeconds: 900,
      commands: {},
      files: [],
      depots: [],
      variables: {},
      secrets: {},
      patches: [],
    })
  })

  test('names the depots of the nearest group that has some', async () => {
    const { computer, start, workId } = await heldWork()
    const group = await given.group()
    await given.member(group, computer)
    const { id: computer_id } = await given.computer({ role: 'DepotServer' })
    await db
      .insertInto('depots')
      .values({ computer_id, url: 'http://near.example.org', heartbeat_at: new Date() })
      .execute()
    await db.insertInto('group_depot_servers').values({ group_id: group.id, priority: 1, computer_id }).execute()

    expect((await start(workId)).body.depots).toEqual([{ url: 'http://near.example.org' }])
  })

  test.each([
    ['was handed out never', async () => {}, 1],
    ['has another attempt', async ({ contact }: { contact(): Promise<unknown> }) => contact(), 2],
  ])('is refused for work that %s', async (_, prepare, attempt) => {
    const computer = await agent()
    const workId = await work(computer, await readyPackage())
    await prepare(computer)
    const before = await fingerprints(db)

    expect(await computer.start(workId, attempt)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('is refused for work that was cancelled', async () => {
    const { start, workId } = await heldWork()
    await db.updateTable('work').set({ state: 'Cancelled', closed_at: new Date() }).where('id', '=', workId).execute()

    expect(await start(workId)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
  })
})

describe('variables', () => {
  test('are the effective ones, but of the secret ones only those that the manifest names', async () => {
    const [open, named, other] = [
      await given.variable({ default_value: 'by default' }),
      await given.variable({ is_secret: true }),
      await given.variable({ is_secret: true }),
    ]
    const secrets = [named.dotted_name.toUpperCase(), open.dotted_name, 'Not.There']
    const { id, start, workId } = await heldWork({ manifest: manifest({ secrets }) })
    for (const variable of [named, other])
      await as('computer.write').call(setComputerVariable, {
        params: { id, varId: variable.id },
        body: { value: `secret of ${variable.dotted_name}` },
      })

    const { body } = await start(workId)

    expect(body.variables).toMatchObject({ [open.dotted_name]: 'by default' })
    expect(body.variables).not.toHaveProperty(named.dotted_name)
    expect(body.secrets).toEqual({ [named.dotted_name]: `secret of ${named.dotted_name}` })
  })
})

describe('a file', () => {
  const fetchFile = (
    itself: Awaited<ReturnType<typeof agent>>['itself'],
    workId: number,
    content: string,
    range?: string,
  ) =>
    itself.send({
      method: 'GET',
      url: addressOf(getWorkFile, { workId, sha256: sha256Of(content) }),
      ...(range && { headers: { range } }),
    })

  test('of the package is served whole and in parts, with its hash as tag', async () => {
    const { itself, workId } = await heldWork({ files: { 'a.txt': 'abcdef' } })

    const [whole, part] = [
      await fetchFile(itself, workId, 'abcdef'),
      await fetchFile(itself, workId, 'abcdef', 'bytes=2-3'),
    ]

    expect(whole).toMatchObject({ status: 200, raw: 'abcdef', headers: { etag: `"${sha256Of('abcdef')}"` } })
    expect(part).toMatchObject({ status: 206, raw: 'cd' })
  })

  test('is not for others, not before, and not afterwards', async () => {
    const computer = await agent()
    const workId = await work(computer, await readyPackage({ files: { a: 'mine' } }))
    await readyPackage({ files: { b: 'of another package' } })
    const other = await agent()

    const before = await fetchFile(computer.itself, workId, 'mine')
    await computer.contact()
    const held = await fetchFile(computer.itself, workId, 'mine')
    const foreign = await fetchFile(other.itself, workId, 'mine')
    const unrelated = await fetchFile(computer.itself, workId, 'of another package')
    await computer.report(workId)
    const after = await fetchFile(computer.itself, workId, 'mine')

    expect(held.status).toBe(200)
    for (const refused of [before, foreign, unrelated, after])
      expect(refused).toMatchObject({ status: 404, problem: 'FileNotHanded' })
  })

  test('that is not as it was imported is not served', async () => {
    const { itself, workId } = await heldWork({ files: { a: 'was longer' } })
    await db
      .updateTable('package_files')
      .set({ size: 3 })
      .where('sha256', '=', Buffer.from(sha256Of('was longer'), 'hex'))
      .execute()

    expect(await fetchFile(itself, workId, 'was longer')).toMatchObject({ status: 409, problem: 'FileMissing' })
  })

  test('renews the lease, but not more often than once a minute', async () => {
    const { itself, workId } = await heldWork({ files: { a: 'a file' } })
    const lease = async () => (await state.work(workId)).leased_until?.getTime() ?? 0

    const first = await lease()
    await fetchFile(itself, workId, 'a file')
    const unchanged = await lease()
    await letTimePass(workId)
    await fetchFile(itself, workId, 'a file')

    expect(unchanged).toBe(first)
    expect(await lease()).toBeGreaterThan(Date.now() + 800_000)
  })
})

describe('progress', () => {
  test('is kept and renews the lease', async () => {
    const { progress, workId } = await heldWork()
    await letTimePass(workId)

    const { body } = await progress(workId, 40)

    expect(body).toEqual({ leaseSeconds: 900, cancelled: false })
    const { progress: percent, leased_until } = await state.work(workId)
    expect(percent).toBe(40)
    expect(leased_until?.getTime()).toBeGreaterThan(Date.now() + 800_000)
  })

  test('in small steps writes nothing', async () => {
    const { progress, workId } = await heldWork()
    await progress(workId, 40)
    const before = await fingerprints(db)

    for (const percent of [41, 42, 43]) await progress(workId, percent)

    expect(await fingerprints(db)).toEqual(before)
  })

  test('tells that the work was cancelled', async () => {
    const { progress, workId } = await heldWork()
    await db.updateTable('work').set({ state: 'Cancelled', closed_at: new Date() }).where('id', '=', workId).execute()

    expect((await progress(workId)).body).toEqual({ leaseSeconds: 0, cancelled: true })
  })

  test('is refused for work that the agent does not have', async () => {
    const { report, progress, workId } = await heldWork()
    const other = await agent()

    expect(await other.progress(workId)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
    expect(await progress(workId, 50, 2)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
    await report(workId)

    expect(await progress(workId)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
  })
})
