import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fingerprints } from '../../world/tables.ts'
import { openAgentWorld, type PackageColumns } from './agent-world.ts'

const { agent, db, letTimePass, readyPackage, state, work } = await openAgentWorld()

type WorkColumns = Parameters<typeof work>[2]
type Computer = Awaited<ReturnType<typeof agent>>

/** An agent that has one piece of work in its hands. */
async function heldWork(packageColumns: PackageColumns = {}, workColumns: WorkColumns = {}) {
  const computer = await agent()
  const made = await readyPackage(packageColumns)
  const workId = await work(computer, made, workColumns)
  await computer.contact()
  return { ...computer, computer, made, workId, deployment: () => state.deployment(computer, made) }
}

async function handed(computer: Computer, made: Parameters<typeof work>[1], columns: WorkColumns = {}) {
  const workId = await work(computer, made, columns)
  await computer.contact()
  return workId
}

async function cancel(workId: number): Promise<void> {
  await sql`update work set state = 'Cancelled', closed_at = now(), leased_until = null where id = ${workId}`.execute(
    db,
  )
  await sql`
    update deployments d set pending_since = null from work w
    where w.id = ${workId} and d.computer_id = w.computer_id and d.package_id = w.package_id`.execute(db)
}

describe('a success', () => {
  test('closes the work, and the package is installed', async () => {
    const { computer, made, report, workId, deployment } = await heldWork({}, { commands: 3 })

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
        package_id: made.id,
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
  ] as const)('of %s with the state %s leaves the package %s', async (kind, said, expected) => {
    const { report, workId, deployment } = await heldWork({}, { kind })

    await report(workId, { installationState: said })

    const { installation_state, installed_hash } = await deployment()
    expect(installation_state).toBe(expected)
    expect(installed_hash !== null).toBe(expected === 'Installed')
  })

  test('ends the installation of other versions of the package', async () => {
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

  test('clears what an earlier failure left', async () => {
    const { computer, report, workId, deployment } = await heldWork()
    await report(workId, { status: 'Failed', errorText: 'No space.' })
    await letTimePass(workId)
    await computer.contact()

    await report(workId, { attempt: 2 })

    expect(await deployment()).toMatchObject({ status: 'Success', failed_at: null, error_text: null })
  })

  test('tells that the computer has to be restarted', async () => {
    const { computer, made, report, workId } = await heldWork()

    await report(workId, { rebootRequired: true })

    expect(await state.agent(computer)).toMatchObject({ is_reboot_required: true, reboot_required_source: made.name })
  })

  test.each([
    ['Refresh', {}],
    ['Power', { power_action: 'Reboot' }],
  ])('closes the work of the kind %s', async (kind, columns) => {
    const computer = await agent()
    const workId = await work(computer, { id: null }, { kind, ...columns })
    await computer.contact()

    expect((await computer.report(workId)).body).toEqual({ accepted: true })

    expect(await state.work(workId)).toMatchObject({ state: 'Success' })
    expect(await state.events(computer)).toEqual([])
  })
})

describe('a report', () => {
  test('a second time is acknowledged and changes nothing', async () => {
    const { report, workId } = await heldWork()
    await report(workId)
    const before = await fingerprints(db)

    expect((await report(workId)).body).toEqual({ accepted: false })
    expect((await report(workId, { status: 'Failed' })).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('of a failure a second time does not count as another try', async () => {
    const { report, workId } = await heldWork()
    await report(workId, { status: 'Failed' })
    const before = await fingerprints(db)

    expect((await report(workId, { status: 'Failed' })).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('of an attempt that is over is acknowledged and changes nothing', async () => {
    const { computer, report, workId } = await heldWork()
    await letTimePass(workId)
    await computer.contact()
    const before = await fingerprints(db)

    expect((await report(workId, { attempt: 1 })).body).toEqual({ accepted: false })

    expect(await fingerprints(db)).toEqual(before)
    expect((await report(workId, { attempt: 2 })).body).toEqual({ accepted: true })
  })

  test('counts when the lease has run out but nobody was handed the work since', async () => {
    const { report, workId } = await heldWork()
    await letTimePass(workId)

    expect((await report(workId)).body).toEqual({ accepted: true })
  })

  test('of work that was cancelled meanwhile is a fact about the computer, once', async () => {
    const { computer, report, workId, deployment } = await heldWork()
    await cancel(workId)

    const first = await report(workId)
    const before = await fingerprints(db)
    const second = await report(workId)

    expect([first.body, second.body]).toEqual([{ accepted: true }, { accepted: false }])
    expect(await state.work(workId)).toMatchObject({ state: 'Cancelled' })
    expect(await deployment()).toMatchObject({ result: null, installation_state: 'Installed' })
    expect(await state.events(computer)).toMatchObject([{ result: 'Success', classification: 'Report' }])
    expect(await fingerprints(db)).toEqual(before)
  })

  test('of a failure of cancelled work neither brings it back nor changes what is installed', async () => {
    const { report, workId, deployment } = await heldWork()
    await cancel(workId)

    await report(workId, { status: 'Failed' })

    expect(await state.work(workId)).toMatchObject({ state: 'Cancelled' })
    expect(await deployment()).toMatchObject({ result: null, installation_state: 'None' })
  })

  test('of work that waited for its next try when it was cancelled changes nothing', async () => {
    const { report, workId } = await heldWork()
    await report(workId, { status: 'Failed' })
    await cancel(workId)

    expect((await report(workId)).body).toEqual({ accepted: false })
  })

  test('of work that failed with a required package meanwhile is a fact about the computer, once', async () => {
    const computer = await agent()
    const base = await readyPackage({ package_name: 'needed' })
    const made = await readyPackage({ requires: ['needed'] })
    await computer.report(await handed(computer, base))
    const workId = await handed(computer, made)
    const removal = await handed(computer, base, { kind: 'Reinstall', failures: 2 })
    await computer.report(removal, { status: 'Failed', installationState: 'NotInstalled' })

    const [first, second] = [await computer.report(workId), await computer.report(workId)]

    expect([first.body, second.body]).toEqual([{ accepted: true }, { accepted: false }])
    expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
    expect(await state.deployment(computer, made)).toMatchObject({ status: 'Failed', installation_state: 'Installed' })
  })

  test('tells of the content that the agent began with, whatever was imported since', async () => {
    const { made, report, start, workId, deployment } = await heldWork()
    const renew = (content_hash: Buffer) =>
      db.updateTable('packages').set({ content_hash }).where('id', '=', made.id).execute()
    await renew(Buffer.alloc(32, 1))
    await start(workId)
    await renew(Buffer.alloc(32, 2))

    await report(workId)

    expect((await deployment()).installed_hash).toEqual(Buffer.alloc(32, 1))
  })

  test('about work that was never the agent’s is refused', async () => {
    const { workId } = await heldWork()
    const other = await agent()
    const before = await fingerprints(db)

    for (const id of [workId, 2_000_000])
      expect(await other.report(id)).toMatchObject({ status: 404, problem: 'WorkNotFound' })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('ten times at once counts once', async () => {
    const { computer, report, workId } = await heldWork()

    const answers = await Promise.all(Array.from({ length: 10 }, () => report(workId)))

    expect(answers.filter(({ body }) => body.accepted)).toHaveLength(1)
    expect(await state.events(computer)).toHaveLength(1)
  })
})
