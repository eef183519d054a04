import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { setFreeze } from '../../../src/features/blast-radius/api/set-freeze.ts'
import { contactResult, openAgentWorld } from './agent-world.ts'
import { leasedWorkIn } from './leased-work.ts'

const world = await openAgentWorld()
const { agent, as, db, given, letTimePass, readyPackage, state, work } = world
const { leasedReinstall } = leasedWorkIn(world)

const freeze = (frozen: boolean) =>
  as('admin.manage').call(setFreeze, { body: { frozen, reason: frozen ? 'Wrong package' : null } })
afterEach(() => freeze(false))

/** An agent with work on as many packages, which a contact has brought. */
async function busyAgent(count: number) {
  const computer = await agent()
  const packages = []
  const works: number[] = []
  for (let n = 0; n < count; n++) {
    const software = await readyPackage({ files: { 'setup.sh': `number ${n}` } })
    packages.push(software)
    works.push(await work(computer, software))
  }
  const handedOut = (await computer.exchange()).body
  return { ...computer, packages, works, handedOut }
}

describe('the hand-out', () => {
  test('an agent that asks for it gets the content of its work, and what all work shares once', async () => {
    const variable = await given.variable({ default_value: 'of everybody' })
    const { handedOut, start, works } = await busyAgent(2)

    const started = await Promise.all(works.map(async (workId) => (await start(workId)).body))

    expect(handedOut.beginWithinSeconds).toBe(30)
    expect(handedOut.environment?.variables).toMatchObject({ [variable.dotted_name]: 'of everybody' })
    expect(handedOut.work.map(({ content }) => ({ ...content, ...handedOut.environment }))).toEqual(
      started.map(({ leaseSeconds, secrets, patches, ...content }) => content),
    )
  })

  test('an agent that does not ask for it gets none of it', async () => {
    const computer = await agent()
    await work(computer, await readyPackage())

    const { body } = await computer.contact()

    expect(body.work).toHaveLength(1)
    expect(body.work[0]).not.toHaveProperty('content')
    expect(body).not.toHaveProperty('environment')
    expect(body).not.toHaveProperty('beginWithinSeconds')
  })

  test.each([
    { what: 'a package with secrets', columns: { manifest: JSON.stringify({ commands: {}, secrets: ['A.Key'] }) } },
    {
      what: 'a package with many files',
      columns: { files: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, ''])) },
    },
  ])('$what has to be started', async ({ columns }) => {
    const computer = await agent()
    const workId = await work(computer, await readyPackage(columns))

    const { work: leased } = (await computer.exchange()).body

    expect(leased).toMatchObject([{ workId }])
    expect(leased[0]).not.toHaveProperty('content')
    expect((await computer.start(workId)).status).toBe(200)
  })

  test('the content of a package that was replaced is read again', async () => {
    const { exchange, works, packages, handedOut } = await busyAgent(1)
    await db
      .updateTable('packages')
      .set({ manifest: JSON.stringify({ commands: { install: { shell: 'new' } } }), content_hash: Buffer.alloc(32, 7) })
      .where('id', '=', packages[0]?.id ?? '')
      .execute()
    await letTimePass(works[0] ?? 0)

    const again = (await exchange()).body

    expect(handedOut.work[0]?.content?.commands.install).toMatchObject({ argv: ['sh', 'install.sh'] })
    expect(again.work[0]?.content?.commands.install).toMatchObject({ shell: 'new' })
  })
})

describe('results', () => {
  test('one contact reports the results of several work items and gets the work that waited for them', async () => {
    const { exchange, id, works, packages } = await busyAgent(3)
    const dependent = await work({ id }, await readyPackage({ requires: [packages[2]?.name ?? ''] }))

    const { body } = await exchange({ results: works.map((workId) => contactResult(workId, { rebootRequired: true })) })

    expect(body.results).toEqual(works.map((workId) => ({ workId, outcome: 'Accepted' })))
    expect(body.work).toMatchObject([{ workId: dependent }])
    for (const [n, workId] of works.entries()) {
      expect(await state.work(workId)).toMatchObject({ state: 'Success', run_id: null, leased_until: null })
      expect(await state.deployment({ id }, packages[n] ?? expect.fail())).toMatchObject({
        status: 'Success',
        installation_state: 'Installed',
        installed_hash: expect.any(Buffer),
      })
    }
    expect(await state.agent({ id })).toMatchObject({ is_reboot_required: true })
    const events = await state.events({ id })
    expect(events.map(({ result, info }) => `${result} ${info}`)).toEqual(works.map(() => 'Success sh install.sh'))
  })

  test('each result counts by itself: repeated, failed, outdated and foreign ones do not spoil the others', async () => {
    const { exchange, works, id } = await busyAgent(4)
    const other = await busyAgent(1)
    const [done = 0, failed = 0, outdated = 0, success = 0] = works
    await exchange({ results: [contactResult(done)] })

    const { body } = await exchange({
      results: [
        contactResult(done),
        contactResult(failed, { status: 'Failed', exitCode: 3 }),
        contactResult(outdated, { attempt: 7 }),
        contactResult(other.works[0] ?? 0),
        contactResult(success, { installationState: 'NotInstalled' }),
        contactResult(success, { status: 'Failed' }),
      ],
    })

    expect(body.results?.map(({ outcome }) => outcome)).toEqual([
      'Ignored',
      'Accepted',
      'Ignored',
      'Unknown',
      'Accepted',
    ])
    expect(await state.work(failed)).toMatchObject({ state: 'Due', failures: 1 })
    expect(await state.work(outdated)).toMatchObject({ state: 'Leased' })
    expect(await state.work(other.works[0] ?? 0)).toMatchObject({ state: 'Leased' })
    expect(await state.work(success)).toMatchObject({ state: 'Success' })
    const results = (await state.events({ id })).map(({ result }) => result)
    expect(results.toSorted()).toEqual(['Failed', 'Success', 'Success'])
  })

  test('of two versions of a package that one contact reports, the one that was installed last is installed', async () => {
    const computer = await agent()
    const [old, fresh] = [
      await readyPackage({ package_name: 'editor' }),
      await readyPackage({ package_name: 'Editor', version: '2' }),
    ]
    const works = [await work(computer, old), await work(computer, fresh)]
    await computer.exchange()

    const { body } = await computer.exchange({ results: works.map((workId) => contactResult(workId)) })

    expect(body.results?.map(({ outcome }) => outcome)).toEqual(['Accepted', 'Accepted'])
    expect(await state.deployment(computer, old)).toMatchObject({ installation_state: 'NotInstalled' })
    expect(await state.deployment(computer, fresh)).toMatchObject({ installation_state: 'Installed' })
  })

  test('a locked computer delays neither the results of others nor loses its own', async () => {
    const [locked, ...others] = [await busyAgent(2), await busyAgent(2), await busyAgent(2), await busyAgent(2)]
    await work(locked, await readyPackage())
    const report = ({ exchange, works }: typeof locked) =>
      exchange({ results: works.map((workId) => contactResult(workId)) })

    const [answers, own] = await db.transaction().execute(async (transaction) => {
      await sql`select from agents where computer_id = ${locked.id} for update`.execute(transaction)
      const own = report(locked)
      return [await Promise.all(others.map(report)), await own] as const
    })
    const again = (await report(locked)).body

    for (const { body } of answers)
      expect(body.results?.map(({ outcome }) => outcome)).toEqual(['Accepted', 'Accepted'])
    expect(own.body).toMatchObject({ results: [], work: [] })
    expect(again.results?.map(({ outcome }) => outcome)).toEqual(['Accepted', 'Accepted'])
    expect(again.work).toHaveLength(1)
  })

  test('a result that arrives after the work was cancelled is recorded as a fact about the computer', async () => {
    const { computer, workId, cancel, deployment } = await leasedReinstall()
    await cancel()

    const { body } = await computer.exchange({ results: [contactResult(workId)] })

    expect(body.results).toEqual([{ workId, outcome: 'Accepted' }])
    expect(await state.work(workId)).toMatchObject({ state: 'Cancelled' })
    expect(await deployment()).toMatchObject({ installation_state: 'Installed' })
  })
})

describe('work in progress', () => {
  test('the first report of progress records the start, and every report renews the lease', async () => {
    const { exchange, id, works } = await busyAgent(2)
    const [begun = 0, waiting = 0] = works
    await sql`update work set leased_until = now() + interval '1 minute' where id = any(${works})`.execute(db)
    const inProgress = [
      { workId: begun, attempt: 1, percent: 40 },
      { workId: waiting, attempt: 1, percent: null },
    ]

    const { body } = await exchange({ inProgress })

    expect(body.withdrawn).toEqual([])
    expect(await state.work(begun)).toMatchObject({ progress: 40 })
    expect(await state.work(waiting)).toMatchObject({ progress: null })
    for (const workId of works)
      expect((await state.work(workId)).leased_until?.getTime()).toBeGreaterThan(Date.now() + 800_000)
    expect((await state.events({ id })).map(({ result }) => result)).toEqual(['Running'])
  })

  test('an agent gets no more work than fits beside what it has', async () => {
    const { exchange, id, works } = await busyAgent(3)
    for (let n = 0; n < 19; n++) await work({ id }, await readyPackage())

    const { body } = await exchange({ inProgress: works.map((workId) => ({ workId, attempt: 1, percent: null })) })

    expect(body.work).toHaveLength(17)
  })

  test('cancelled and lost work is withdrawn', async () => {
    const { computer, workId, cancel } = await leasedReinstall()
    const foreign = await busyAgent(1)
    await cancel()

    const inProgress = [
      { workId, attempt: 1, percent: 10 },
      { workId: foreign.works[0] ?? 0, attempt: 1, percent: null },
    ]
    const { body } = await computer.exchange({ inProgress })

    expect(body.withdrawn).toEqual([workId, foreign.works[0]])
  })

  test('a freeze withdraws work that has not begun, even from an agent that has its content, and lets the rest go on', async () => {
    const { exchange, works, start } = await busyAgent(3)
    const [started = 0, begun = 0, waiting = 0] = works
    await start(started)
    await freeze(true)

    const inProgress = [
      { workId: started, attempt: 1, percent: null },
      { workId: begun, attempt: 1, percent: 5 },
      { workId: waiting, attempt: 1, percent: null },
    ]
    const { body } = await exchange({ inProgress })
    await freeze(false)
    const after = (await exchange({ emptyHanded: true })).body

    expect(body.withdrawn).toEqual([waiting])
    expect(after.work).toMatchObject([{ workId: waiting, attempt: 2 }])
  })

  test('work whose hand-out never arrived is handed out again, and work that is done is not', async () => {
    const { exchange, works } = await busyAgent(2)
    const [done = 0, lost = 0] = works

    const { body } = await exchange({ emptyHanded: true, results: [contactResult(done)] })

    expect(body.work).toMatchObject([{ workId: lost, attempt: 2 }])
  })
})
