import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openAgentWorld } from './agent-world.ts'
import { leasedWorkIn } from './leased-work.ts'

const world = await openAgentWorld()
const { agent, db, letTimePass, readyPackage, state, work } = world
const { leasedReinstall, leasedWork } = leasedWorkIn(world)

const setupErrors = (workId: number) =>
  db
    .selectFrom('setup_errors')
    .select(['attempt', 'exit_code', 'command_line', 'output'])
    .where('work_id', '=', workId)
    .orderBy('id')
    .execute()

describe('a failure', () => {
  test('a failure keeps its reason and output, and the work is retried after 5 and 25 minutes', async () => {
    const { computer, software, workId, deployment } = await leasedWork()
    const minutesToWait = async () => ((await state.work(workId)).not_before.getTime() - Date.now()) / 60_000
    const failure = { status: 'Failed' as const, exitCode: 7, output: 'Error 7' }

    await computer.report(workId, { ...failure, errorText: 'No space.' })
    const first = { wait: await minutesToWait(), ...(await deployment()) }
    await letTimePass(workId)
    await computer.contact()
    await computer.report(workId, { ...failure, attempt: 2 })
    const second = { wait: await minutesToWait(), ...(await deployment()) }
    await letTimePass(workId)
    await computer.contact()
    await computer.report(workId, { ...failure, attempt: 3, exitCode: 4_294_967_295 })

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
    expect((await state.events(computer)).map(({ package_id, result }) => [package_id, result])).toEqual(
      Array(3).fill([software.id, 'Failed']),
    )
  })

  test('lost attempts do not count as failures', async () => {
    const { computer, workId } = await leasedWork()
    for (let lost = 0; lost < 5; lost++) await computer.contact({ runId: randomUUID() })

    await computer.report(workId, { attempt: 6, status: 'Failed' })

    expect(await state.work(workId)).toMatchObject({ state: 'Due', attempt: 6, failures: 1 })
  })

  test('a final failure fails the open work that requires the package, directly or through other packages', async () => {
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
    for (const software of [middle, top])
      expect(await state.deployment(computer, software)).toMatchObject({
        status: 'Failed',
        error_text: `The required package ${base.name} 1.0 could not be installed.`,
      })
    expect((await state.work(other)).state).toBe('Leased')
    const closed = (await state.events(computer)).filter(({ classification }) => classification === 'Dependency')
    expect(closed.map(({ package_id, result }) => [package_id, result]).toSorted()).toEqual(
      [middle, top].map(({ id }) => [id, 'Failed']).toSorted(),
    )
  })

  test('dependent work stays due while the failed work is retried or another version is installed', async () => {
    const computer = await agent()
    const [old, fresh] = [
      await readyPackage({ package_name: 'shared', version: '1' }),
      await readyPackage({ package_name: 'shared', version: '2' }),
    ]
    const dependent = await work(computer, await readyPackage({ requires: ['shared', 'never installed'] }))
    const [first, second] = [await work(computer, old), await work(computer, fresh)]
    await computer.contact()

    await computer.report(second, { status: 'Failed' })
    const duringRetries = (await state.work(dependent)).state
    await computer.report(first)
    for (const attempt of [2, 3]) {
      await letTimePass(second)
      await computer.contact()
      await computer.report(second, { attempt, status: 'Failed' })
    }

    expect(duringRetries).toBe('Due')
    expect((await state.work(second)).state).toBe('Failed')
    expect((await state.work(dependent)).state).toBe('Due')
  })

  test('a failure keeps the installation state unless the agent reports another one', async () => {
    const { computer, software, report, workId, deployment } = await leasedWork()
    await report(workId)
    const again = await work(computer, software, { kind: 'Update' })
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

describe('a requested reinstall', () => {
  test('a successful reinstall deletes its group', async () => {
    const { report, workId, groupStatus, pendingReinstalls } = await leasedReinstall()

    await report(workId)

    expect(await groupStatus()).toBe(404)
    expect(await pendingReinstalls()).toEqual([])
    expect(await state.work(workId)).toMatchObject({ state: 'Success' })
  })

  test('a reinstall keeps its group while it is retried, and its final failure deletes the group', async () => {
    const { computer, report, workId, groupStatus, pendingReinstalls } = await leasedReinstall()

    await report(workId, { status: 'Failed' })
    const duringRetries = { status: await groupStatus(), pending: await pendingReinstalls() }
    for (const attempt of [2, 3]) {
      await letTimePass(workId)
      await computer.contact()
      await report(workId, { attempt, status: 'Failed' })
    }

    expect(duringRetries).toMatchObject({ status: 200, pending: [{}] })
    expect(await groupStatus()).toBe(404)
    expect(await pendingReinstalls()).toEqual([])
    expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
    expect((await state.events(computer)).map(({ result }) => result)).toEqual([
      'Pending',
      'Failed',
      'Failed',
      'Failed',
    ])
  })
})
