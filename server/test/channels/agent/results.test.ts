import { describe, expect, test } from 'vitest'
import { fingerprints } from '../../world/tables.ts'
import { openAgentWorld } from './agent-world.ts'
import { leasedWorkIn } from './leased-work.ts'

const world = await openAgentWorld()
const { agent, db, letTimePass, readyPackage, state, work } = world
const { leasedReinstall, leasedWork } = leasedWorkIn(world)

async function lease(
  computer: Awaited<ReturnType<typeof agent>>,
  software: { id: string },
  columns: Parameters<typeof work>[2] = {},
) {
  const workId = await work(computer, software, columns)
  await computer.contact()
  return workId
}

describe('a success', () => {
  test('a successful result closes the work and marks the package as installed', async () => {
    const { computer, software, report, workId, deployment } = await leasedWork({}, { commands: 3 })

    const { body } = await report(workId, { commandLine: 'sh install.sh' })

    expect(body).toEqual({ accepted: true })
    expect(await state.work(workId)).toMatchObject({
      state: 'Success',
      closed_at: expect.any(Date),
      leased_until: null,
    })
    expect(await deployment()).toMatchObject({
      status: 'Success',
      installation_state: 'Installed',
      current_mode: 3,
      installed_hash: expect.any(Buffer),
      installed_at: expect.any(Date),
      failed_at: null,
      error_text: null,
    })
    expect(await state.events(computer)).toEqual([
      {
        package_id: software.id,
        result: 'Success',
        classification: 'Report',
        install_mode: 'Install',
        info: 'sh install.sh',
      },
    ])
  })

  test.each([
    ['Install', null, 'Installed'],
    ['Update', null, 'Installed'],
    ['Reinstall', null, 'Installed'],
    ['Uninstall', null, 'Uninstalled'],
    ['Install', 'NotInstalled', 'NotInstalled'],
    ['Uninstall', 'Installed', 'Installed'],
  ] as const)('a successful %s that reports the state %s leaves the package %s', async (kind, reported, expected) => {
    const { report, workId, deployment } = await leasedWork({}, { kind })

    await report(workId, { installationState: reported })

    const { installation_state, installed_hash } = await deployment()
    expect(installation_state).toBe(expected)
    expect(installed_hash !== null).toBe(expected === 'Installed')
  })

  test('a successful update marks other versions of the package as not installed', async () => {
    const computer = await agent()
    const [old, fresh] = [
      await readyPackage({ package_name: 'editor', version: '1' }),
      await readyPackage({ package_name: 'Editor', version: '2' }),
    ]
    const [first, second] = [await work(computer, old), await work(computer, fresh, { kind: 'Update' })]
    await computer.contact()
    await computer.report(first)

    await computer.report(second)

    expect(await state.deployment(computer, old)).toMatchObject({
      status: 'Success',
      installation_state: 'NotInstalled',
      installed_hash: null,
    })
    expect(await state.deployment(computer, fresh)).toMatchObject({ installation_state: 'Installed' })
    expect(await state.events(computer)).toMatchObject([
      { package_id: old.id, classification: 'Report' },
      { package_id: old.id, classification: 'Dependency', result: 'Success' },
      { package_id: fresh.id, classification: 'Report' },
    ])
  })

  test('a success clears the error of an earlier failure', async () => {
    const { computer, report, workId, deployment } = await leasedWork()
    await report(workId, { status: 'Failed', errorText: 'No space.' })
    await letTimePass(workId)
    await computer.contact()

    await report(workId, { attempt: 2 })

    expect(await deployment()).toMatchObject({ status: 'Success', failed_at: null, error_text: null })
  })

  test('a result can report that the computer requires a reboot', async () => {
    const { computer, software, report, workId } = await leasedWork()

    await report(workId, { rebootRequired: true })

    expect(await state.agent(computer)).toMatchObject({
      is_reboot_required: true,
      reboot_required_source: software.name,
    })
  })

  test.each([
    ['Refresh', {}],
    ['Power', { power_action: 'Reboot' }],
  ])('a success closes work of the kind %s without an event', async (kind, columns) => {
    const computer = await agent()
    const workId = await work(computer, { id: null }, { kind, ...columns })
    await computer.contact()

    expect((await computer.report(workId)).body).toEqual({ accepted: true })

    expect(await state.work(workId)).toMatchObject({ state: 'Success' })
    expect(await state.events(computer)).toEqual([])
  })
})

describe('a report', () => {
  test('a repeated report is acknowledged and changes nothing', async () => {
    const { report, workId } = await leasedWork()
    await report(workId)
    const before = await fingerprints(db)

    expect((await report(workId)).body).toEqual({ accepted: false })
    expect((await report(workId, { status: 'Failed' })).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('a repeated report of a failure does not count as another failure', async () => {
    const { report, workId } = await leasedWork()
    await report(workId, { status: 'Failed' })
    const before = await fingerprints(db)

    expect((await report(workId, { status: 'Failed' })).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('a report about an earlier attempt is acknowledged and changes nothing', async () => {
    const { computer, report, workId } = await leasedWork()
    await letTimePass(workId)
    await computer.contact()
    const before = await fingerprints(db)

    expect((await report(workId, { attempt: 1 })).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
    expect((await report(workId, { attempt: 2 })).body).toEqual({ accepted: true })
  })

  test('a report is accepted after the lease has expired if the work was not leased again', async () => {
    const { report, workId } = await leasedWork()
    await letTimePass(workId)

    expect((await report(workId)).body).toEqual({ accepted: true })
  })

  test('a success of cancelled work is recorded once as a fact, and the work stays cancelled', async () => {
    const { computer, report, workId, deployment, cancel } = await leasedReinstall()
    await cancel()

    const first = await report(workId)
    const before = await fingerprints(db)
    const second = await report(workId)

    expect([first.body, second.body]).toEqual([{ accepted: true }, { accepted: false }])
    expect(await state.work(workId)).toMatchObject({ state: 'Cancelled' })
    expect(await deployment()).toMatchObject({ result: null, installation_state: 'Installed' })
    expect(await state.events(computer)).toMatchObject([
      { result: 'Pending', classification: 'Request' },
      { result: 'Cancelled', classification: 'Cancellation' },
      { result: 'Success', classification: 'Report' },
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test('a failure of cancelled work neither reopens it nor changes what is installed', async () => {
    const { report, workId, deployment, cancel } = await leasedReinstall()
    await cancel()

    await report(workId, { status: 'Failed' })

    expect(await state.work(workId)).toMatchObject({ state: 'Cancelled' })
    expect(await deployment()).toMatchObject({ result: null, installation_state: 'None' })
  })

  test('a report about work that was cancelled while it waited for a retry changes nothing', async () => {
    const { report, workId, cancel } = await leasedReinstall()
    await report(workId, { status: 'Failed' })
    await cancel()
    const before = await fingerprints(db)

    expect((await report(workId)).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('a report about work that failed with a required package is recorded once as a fact', async () => {
    const computer = await agent()
    const base = await readyPackage({ package_name: 'needed' })
    const software = await readyPackage({ requires: ['needed'] })
    await computer.report(await lease(computer, base))
    const workId = await lease(computer, software)
    const removal = await lease(computer, base, { kind: 'Reinstall', failures: 2 })
    await computer.report(removal, { status: 'Failed', installationState: 'NotInstalled' })

    const [first, second] = [await computer.report(workId), await computer.report(workId)]

    expect([first.body, second.body]).toEqual([{ accepted: true }, { accepted: false }])
    expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
    expect(await state.deployment(computer, software)).toMatchObject({
      status: 'Failed',
      installation_state: 'Installed',
    })
  })

  test('a success records the package content that the agent began with, even after a newer import', async () => {
    const { software, report, start, workId, deployment } = await leasedWork()
    const importContent = (content_hash: Buffer) =>
      db.updateTable('packages').set({ content_hash }).where('id', '=', software.id).execute()
    await importContent(Buffer.alloc(32, 1))
    await start(workId)
    await importContent(Buffer.alloc(32, 2))

    await report(workId)

    expect((await deployment()).installed_hash).toEqual(Buffer.alloc(32, 1))
  })

  test('a report about work of another agent is refused', async () => {
    const { workId } = await leasedWork()
    const other = await agent()
    const before = await fingerprints(db)

    for (const id of [workId, 2_000_000])
      expect(await other.report(id)).toMatchObject({ status: 404, problem: 'WorkNotFound' })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('ten concurrent reports of the same result count once', async () => {
    const { computer, report, workId } = await leasedWork()

    const answers = await Promise.all(Array.from({ length: 10 }, () => report(workId)))

    expect(answers.filter(({ body }) => body.accepted)).toHaveLength(1)
    expect(await state.events(computer)).toHaveLength(1)
  })
})
