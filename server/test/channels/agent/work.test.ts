import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { getWorkFile } from '../../../src/channels/agent/get-work-file.ts'
import { setGroupDepotServers } from '../../../src/features/depots/api/set-group-depot-servers.ts'
import { explainComputer } from '../../../src/features/explain/api/explain-computer.ts'
import { addressOf } from '../../world/caller.ts'
import { fingerprints } from '../../world/tables.ts'
import { openAgentWorld, type PackageColumns, sha256Of } from './agent-world.ts'
import { leasedWorkIn } from './leased-work.ts'

const agentWorld = await openAgentWorld()
const { agent, as, db, given, letTimePass, readyPackage, state, work } = agentWorld
const world = leasedWorkIn(agentWorld)

const manifest = (properties: object = {}) =>
  JSON.stringify({
    commands: {
      install: { argv: ['sh', 'install.sh'], timeLimitMinutes: 5 },
      detect: { shell: 'test -e x', successCodes: [0, 1] },
    },
    ...properties,
  })

const leasedWork = (columns: PackageColumns = {}) => world.leasedWork({ manifest: manifest(), ...columns })

describe('the start of work', () => {
  test('starting work returns the commands with their defaults, and the files', async () => {
    const { start, workId } = await leasedWork({ files: { 'install.sh': 'exit 0', 'lib/a': 'a' } })

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

  test('what a package declares is returned beside commands that fail in agents that do not know it', async () => {
    const install = { shell: 'touch it-ran' }
    const detect = { dpkg: { package: 'hello', minVersion: '2.10' } }
    const msi = { file: 'a.msi', properties: { ALLUSERS: '1' } }
    const { start, workId } = await leasedWork({ manifest: JSON.stringify({ commands: { install, detect }, msi }) })

    const { body } = await start(workId)

    const defaults = { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] }
    expect(body.declared).toEqual({
      commands: { install: { ...install, ...defaults }, detect: { ...detect, ...defaults } },
      msi: { ...msi, timeLimitMinutes: 60 },
    })
    expect(Object.keys(body.commands)).toEqual(['install', 'update', 'uninstall'])
    for (const command of Object.values(body.commands)) {
      const { status, stderr } = spawnSync('/bin/sh', ['-c', command?.shell ?? ''], { encoding: 'utf8' })
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining('newer version of the Muster agent'),
      })
    }
  })

  test('the explanation of a package for which the agent is too old says that the agent must be updated', async () => {
    const detect = { file: { path: '/opt/a' } }
    const { id, software, start, report, workId } = await leasedWork({ manifest: manifest({ commands: { detect } }) })
    const { body } = await start(workId)
    const { stderr } = spawnSync('/bin/sh', ['-c', body.commands.install?.shell ?? ''], { encoding: 'utf8' })

    await report(workId, {
      status: 'Failed',
      exitCode: 1,
      output: stderr,
      errorText: 'The command exited with code 1.',
    })

    const explained = await as('computer.read').call(explainComputer, {
      params: { id },
      query: { packageId: software.id },
    })
    expect(explained.body.failure?.errorText).toBe(
      'This package needs a newer version of the Muster agent. Update the agent, then activate the computer.',
    )
  })

  test('depots are listed before or after the server, according to the position of the master server in the list', async () => {
    const { id, start, workId } = await leasedWork()
    const group = await given.group()
    await given.member(group, { id })
    const master = await given.computer({ role: 'MasterServer' })
    const depots: { id: number; url: string }[] = []
    for (const url of ['http://first.example.org', 'http://second.example.org']) {
      const depot = await given.computer({ role: 'DepotServer' })
      await db.insertInto('depots').values({ computer_id: depot.id, url, heartbeat_at: new Date() }).execute()
      depots.push({ id: depot.id, url })
    }
    const [first = { id: 0, url: '' }, second = first] = depots
    const startWith = async (list: { id: number }[]) => {
      const body = { depotServers: list.map((one) => one.id) }
      await as('group.write').call(setGroupDepotServers, { params: { id: group.id }, body })
      const started = await start(workId)
      return [started.body.depots, started.body.depotsAfterServer]
    }

    expect(await startWith([master, first, second])).toEqual([[], [{ url: first.url }, { url: second.url }]])
    expect(await startWith([second, master, first])).toEqual([[{ url: second.url }], [{ url: first.url }]])
    expect(await startWith([second, first])).toEqual([[{ url: second.url }, { url: first.url }], []])
  })

  test('the first start of each attempt is an event', async () => {
    const { computer, start, workId } = await leasedWork()

    await start(workId)
    await start(workId)
    await letTimePass(workId)
    await computer.contact()
    await start(workId, 2)

    expect((await state.events(computer)).map(({ result }) => result)).toEqual(['Running', 'Running'])
  })

  test('starting a reboot returns neither commands nor files', async () => {
    const computer = await agent()
    const workId = await work(computer, { id: null }, { kind: 'Power', power_action: 'Reboot' })
    await computer.contact()

    const { body } = await computer.start(workId)

    expect(body).toEqual({
      leaseSeconds: 900,
      commands: {},
      files: [],
      depots: [],
      depotsAfterServer: [],
      variables: {},
      collections: {},
      secrets: {},
      patches: [],
    })
  })

  test('starting work returns the depots of the nearest group that has depots', async () => {
    const { computer, start, workId } = await leasedWork()
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
    ['was never leased', async () => {}, 1],
    ['is at another attempt', async ({ contact }: { contact(): Promise<unknown> }) => contact(), 2],
  ])('starting work that %s is refused', async (_, prepare, attempt) => {
    const computer = await agent()
    const workId = await work(computer, await readyPackage())
    await prepare(computer)
    const before = await fingerprints(db)

    expect(await computer.start(workId, attempt)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('starting cancelled work is refused', async () => {
    const { start, workId, cancel } = await world.leasedReinstall()
    await cancel()

    expect(await start(workId)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
  })
})

describe('a file of a package', () => {
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

  test('a file of the package is served completely and in ranges, with its hash as ETag', async () => {
    const { itself, workId } = await leasedWork({ files: { 'a.txt': 'abcdef' } })

    const [whole, part] = [
      await fetchFile(itself, workId, 'abcdef'),
      await fetchFile(itself, workId, 'abcdef', 'bytes=2-3'),
    ]

    expect(whole).toMatchObject({ status: 200, raw: 'abcdef', headers: { etag: `"${sha256Of('abcdef')}"` } })
    expect(part).toMatchObject({ status: 206, raw: 'cd' })
  })

  test('a file is served only to the agent with the lease, and only while the lease lasts', async () => {
    const computer = await agent()
    const workId = await work(computer, await readyPackage({ files: { a: 'mine' } }))
    await readyPackage({ files: { b: 'of another package' } })
    const other = await agent()

    const before = await fetchFile(computer.itself, workId, 'mine')
    await computer.contact()
    const leased = await fetchFile(computer.itself, workId, 'mine')
    const foreign = await fetchFile(other.itself, workId, 'mine')
    const unrelated = await fetchFile(computer.itself, workId, 'of another package')
    await computer.report(workId)
    const after = await fetchFile(computer.itself, workId, 'mine')

    expect(leased.status).toBe(200)
    for (const refused of [before, foreign, unrelated, after])
      expect(refused).toMatchObject({ status: 404, problem: 'FileNotHanded' })
  })

  test('a file that differs from the imported one is not served', async () => {
    const { itself, workId } = await leasedWork({ files: { a: 'was longer' } })
    await db
      .updateTable('package_files')
      .set({ size: 3 })
      .where('sha256', '=', Buffer.from(sha256Of('was longer'), 'hex'))
      .execute()

    expect(await fetchFile(itself, workId, 'was longer')).toMatchObject({ status: 409, problem: 'FileMissing' })
  })

  test('fetching a file renews the lease at most once a minute', async () => {
    const { itself, workId } = await leasedWork({ files: { a: 'a file' } })
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
  test('reported progress is stored and renews the lease', async () => {
    const { progress, workId } = await leasedWork()
    await letTimePass(workId)

    const { body } = await progress(workId, 40)

    expect(body).toEqual({ leaseSeconds: 900, cancelled: false })
    const { progress: percent, leased_until } = await state.work(workId)
    expect(percent).toBe(40)
    expect(leased_until?.getTime()).toBeGreaterThan(Date.now() + 800_000)
  })

  test('progress in small steps writes nothing', async () => {
    const { progress, workId } = await leasedWork()
    await progress(workId, 40)
    const before = await fingerprints(db)

    for (const percent of [41, 42, 43]) await progress(workId, percent)

    expect(await fingerprints(db)).toEqual(before)
  })

  test('an agent that reports progress learns that its work was cancelled', async () => {
    const { progress, workId, cancel } = await world.leasedReinstall()
    await cancel()

    expect((await progress(workId)).body).toEqual({ leaseSeconds: 0, cancelled: true })
  })

  test('progress is refused for work that the agent has not leased', async () => {
    const { report, progress, workId } = await leasedWork()
    const other = await agent()

    expect(await other.progress(workId)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
    expect(await progress(workId, 50, 2)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
    await report(workId)

    expect(await progress(workId)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
  })
})
