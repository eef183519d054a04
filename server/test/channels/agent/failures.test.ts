import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openAgentWorld, type PackageColumns } from './agent-world.ts'

const { agent, db, given, letTimePass, readyPackage, state, work } = await openAgentWorld()

type WorkColumns = Parameters<typeof work>[2]

/** An agent that has one piece of work in its hands. */
async function heldWork(packageColumns: PackageColumns = {}, workColumns: WorkColumns = {}) {
  const computer = await agent()
  const made = await readyPackage(packageColumns)
  const workId = await work(computer, made, workColumns)
  await computer.contact()
  return { ...computer, computer, made, workId, deployment: () => state.deployment(computer, made) }
}

const setupErrors = (workId: number) =>
  db
    .selectFrom('setup_errors')
    .select(['attempt', 'exit_code', 'command_line', 'output'])
    .where('work_id', '=', workId)
    .orderBy('id')
    .execute()

describe('a failure', () => {
  test('is shown with its reason and output, and the work is tried again after 5 and 25 minutes', async () => {
    const { computer, made, workId, deployment } = await heldWork()
    const minutesToWait = async () => ((await state.work(workId)).not_before.getTime() - Date.now()) / 60_000
    const said = { status: 'Failed' as const, exitCode: 7, output: 'Error 7' }

    await computer.report(workId, { ...said, errorText: 'No space.' })
    const first = { wait: await minutesToWait(), ...(await deployment()) }
    await letTimePass(workId)
    await computer.contact()
    await computer.report(workId, { ...said, attempt: 2 })
    const second = { wait: await minutesToWait(), ...(await deployment()) }
    await letTimePass(workId)
    await computer.contact()
    await computer.report(workId, { ...said, attempt: 3, exitCode: 4_294_967_295 })

    expect(first).toMatchObject({ status: 'Failed', error_text: 'No space.', failed_at: expect.any(Date) })
    expect([first.wait, second.wait].map(Math.round)).toEqual([5, 25])
    expect(second.error_text).toBe('The command ended with the code 7.')
    expect(await state.work(workId)).toMatchObject({ state: 'Failed', attempt: 3, closed_at: expect.any(Date) })
    expect(await deployment()).toMatchObject({ status: 'Failed', installation_state: 'None' })
    expect(await setupErrors(workId)).toMatchObject([
      { attempt: 1, exit_code: 7, command_line: 'sh install.sh', output: 'Error 7' },
      { attempt: 2 },
      { attempt: 3, exit_code: -1 },
    ])
    expect((await state.events(computer)).map((one) => [one.package_id, one.result])).toEqual(
      Array(3).fill([made.id, 'Failed']),
    )
  })

  test('is the first one, however often the agent was lost before', async () => {
    const { computer, workId } = await heldWork()
    for (let lost = 0; lost < 5; lost++) await computer.contact({ runId: randomUUID() })

    await computer.report(workId, { attempt: 6, status: 'Failed' })

    expect(await state.work(workId)).toMatchObject({ state: 'Due', attempt: 6, failures: 1 })
  })

  test('for good closes the open work that requires the package, also through others', async () => {
    const computer = await agent()
    const base = await readyPackage({ package_name: 'base', version: '1.0' })
    const middle = await readyPackage({ package_name: 'middle', requires: ['BASE'] })
    const top = await readyPackage({ requires: ['Middle'] })
    const bystander = await readyPackage()
    const workId = await work(computer, base)
    const dependents = [await work(computer, middle), await work(computer, top)]
    const other = await work(computer, bystander)
    await computer.contact()

    for (let attempt = 1; attempt <= 3; attempt++) {
      await computer.report(workId, { attempt, status: 'Failed' })
      await letTimePass(workId)
      await computer.contact()
    }

    for (const id of dependents) expect(await state.work(id)).toMatchObject({ state: 'Failed', attempt: 0 })
    for (const made of [middle, top])
      expect(await state.deployment(computer, made)).toMatchObject({
        status: 'Failed',
        error_text: `The required package ${base.name} 1.0 could not be installed.`,
      })
    expect((await state.work(other)).state).toBe('Leased')
    const closed = (await state.events(computer)).filter((one) => one.classification === 'Dependency')
    expect(closed.map((one) => [one.package_id, one.result]).toSorted()).toEqual(
      [middle, top].map(({ id }) => [id, 'Failed']).toSorted(),
    )
  })

  test('leaves dependents alone as long as it is tried again, or another version is there', async () => {
    const computer = await agent()
    const [old, fresh] = [
      await readyPackage({ package_name: 'shared', version: '1' }),
      await readyPackage({ package_name: 'shared', version: '2' }),
    ]
    const needing = await work(computer, await readyPackage({ requires: ['shared', 'never there'] }))
    const [first, second] = [await work(computer, old), await work(computer, fresh)]
    await computer.contact()

    await computer.report(second, { status: 'Failed' })
    const whileTried = (await state.work(needing)).state
    await computer.report(first)
    for (const attempt of [2, 3]) {
      await letTimePass(second)
      await computer.contact()
      await computer.report(second, { attempt, status: 'Failed' })
    }

    expect(whileTried).toBe('Due')
    expect((await state.work(second)).state).toBe('Failed')
    expect((await state.work(needing)).state).toBe('Due')
  })

  test('keeps what is known to be installed, unless the agent says otherwise', async () => {
    const { computer, made, report, workId, deployment } = await heldWork()
    await report(workId)
    const again = await work(computer, made, { kind: 'Update' })
    await computer.contact()

    await report(again, { status: 'Failed' })
    const kept = await deployment()
    await letTimePass(again)
    await computer.contact()
    await report(again, { attempt: 2, status: 'Failed', installationState: 'NotInstalled' })

    expect(kept).toMatchObject({
      status: 'Failed',
      installation_state: 'Installed',
      installed_hash: expect.any(Buffer),
    })
    expect(await deployment()).toMatchObject({ installation_state: 'NotInstalled', installed_hash: null })
  })
})

describe('a reinstall that was asked for', () => {
  async function reinstall() {
    const computer = await agent()
    const made = await readyPackage()
    const group = await given.group({ kind: 'Reinstall' })
    await db
      .insertInto('reinstall_groups')
      .values({ group_id: group.id, computer_id: computer.id, package_id: made.id })
      .execute()
    const workId = await work(computer, made, { kind: 'Reinstall', commands: 8, reinstall_group_id: group.id })
    await computer.contact()
    const groups = () => db.selectFrom('groups').select('id').where('id', '=', group.id).execute()
    return { ...computer, computer, workId, groups }
  }

  test('loses its group when it succeeded', async () => {
    const { report, workId, groups } = await reinstall()

    await report(workId)

    expect(await groups()).toEqual([])
    expect(await state.work(workId)).toMatchObject({ state: 'Success' })
  })

  test('keeps its group while it is tried again, and loses it when it failed for good', async () => {
    const { computer, report, workId, groups } = await reinstall()

    await report(workId, { status: 'Failed' })
    const meanwhile = await groups()
    for (const attempt of [2, 3]) {
      await letTimePass(workId)
      await computer.contact()
      await report(workId, { attempt, status: 'Failed' })
    }

    expect(meanwhile).toHaveLength(1)
    expect(await groups()).toEqual([])
    expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
    expect((await state.events(computer)).map((one) => one.result)).toEqual(['Failed', 'Failed', 'Failed'])
  })
})
