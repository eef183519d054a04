import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { getPackageUpgrade } from '../../src/features/package-lines/api/get-package-upgrade.ts'
import { purgeUpgrades } from '../../src/features/package-lines/jobs/purge-upgrades.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { openLineWorld } from './line-world.ts'

const world = await openLineWorld()
const { activate, assignedTo, converge, db, doWork, fail, given, groupWith, installed, openWork } = world
const { person, readUpgrade, readyPackage, rollBack, setConvergence, tickAll, upgrade, versions } = world

/** An upgrade whose first ring, of `done` computers, has the new version. */
async function upgraded(size: number, done: number, columns: Parameters<typeof readyPackage>[0] = {}) {
  const [old, current] = await versions(['1.0', '2.0'], columns)
  const { group, agents } = await groupWith(old, size)
  const { upgradeId } = (await upgrade(current, [group], { rings: [{ count: done }, {}] })).body
  await tickAll()
  return { old, current, group, agents, upgradeId }
}

test('a rollback brings the previous version to exactly the computers that have the new one', async () => {
  const { old, current, group, agents, upgradeId } = await upgraded(4, 2)
  await doWork(agents)
  const before = await installed(agents)
  const having = agents.filter((_, index) => before[index]?.[0] === current.id)
  expect(having).toHaveLength(2)

  const back = await rollBack(upgradeId)
  await tickAll()

  expect(back).toMatchObject({
    status: 200,
    body: { computerCount: 2, withdrawnCount: 0, groups: [{ obstacle: null }] },
  })
  expect(await assignedTo(group)).toEqual([old.id])
  const work = await openWork(agents)
  expect(work.map(({ computer_id }) => computer_id)).toEqual(
    having.flatMap(({ id }) => [id, id]).toSorted((a, b) => a - b),
  )
  for (let round = 0; round < 2; round++) {
    await doWork(agents)
    await tickAll()
  }
  expect(await installed(agents)).toEqual(agents.map(() => [old.id]))
  expect((await readUpgrade(upgradeId)).state).toBe('RolledBack')
})

test('the new version is uninstalled before the previous one is installed', async () => {
  const { old, agents, upgradeId } = await upgraded(1, 1)
  await doWork(agents)
  await rollBack(upgradeId)
  await tickAll()
  const [agent] = agents

  const [removal, ...withIt] = (await agent.contact()).body.work
  expect(removal).toMatchObject({ kind: 'Uninstall', package: { version: '2.0' } })
  expect(withIt).toEqual([])
  await agent.start(removal?.workId ?? 0)
  expect((await agent.contact()).body.work).toEqual([])
  await agent.report(removal?.workId ?? 0)

  const [installation] = (await agent.contact()).body.work
  expect(installation).toMatchObject({ kind: 'Install', package: { version: '1.0' } })
  await agent.start(installation?.workId ?? 0)
  await agent.report(installation?.workId ?? 0)
  expect(await installed(agents)).toEqual([[old.id]])
})

test('a version without an uninstall command is replaced by installing the previous one over it', async () => {
  const manifest = JSON.stringify({ commands: { install: { argv: ['sh', 'install.sh'] } } })
  const { old, agents, upgradeId } = await upgraded(1, 1, { manifest })
  await doWork(agents)
  await rollBack(upgradeId)
  await tickAll()

  expect((await openWork(agents)).map(({ kind, package_id }) => [kind, package_id])).toEqual([['Install', old.id]])
})

test('if the new version cannot be uninstalled, the previous one is not installed over it', async () => {
  const { agents, upgradeId } = await upgraded(1, 1)
  await doWork(agents)
  await rollBack(upgradeId)
  await tickAll()

  await fail(agents)

  expect(await openWork(agents)).toEqual([])
  const { rows } = await sql<{ error_text: string }>`
    select error_text from deployments where computer_id = ${agents[0].id} and error_text like '%take its place%'`.execute(
    db,
  )
  expect(rows[0]?.error_text).toContain('could not be uninstalled')
})

test('a rollback in the middle of the first ring withdraws what is pending', async () => {
  const { old, current, group, agents, upgradeId } = await upgraded(4, 3)
  const pending = (await openWork(agents)).map(({ computer_id }) => computer_id)
  expect(pending).toHaveLength(3)
  await doWork(agents.filter(({ id }) => id === pending[0]))

  const back = await rollBack(upgradeId)

  expect(back.body).toMatchObject({ computerCount: 1, withdrawnCount: 2 })
  expect((await openWork(agents)).filter(({ package_id }) => package_id === current.id)).toEqual([])
  for (let round = 0; round < 3; round++) {
    await tickAll()
    await doWork(agents)
  }
  expect(await installed(agents)).toEqual(agents.map(() => [old.id]))
  expect(await assignedTo(group)).toEqual([old.id])
})

test('a computer whose agent was installing the new version during the rollback gets the previous one after it has reported', async () => {
  const { old, current, agents, upgradeId } = await upgraded(1, 1)
  const [agent] = agents
  const [item] = (await agent.contact()).body.work
  await agent.start(item?.workId ?? 0)

  const back = await rollBack(upgradeId)
  await tickAll()
  expect(back.body.computerCount).toBe(1)
  expect(await openWork(agents)).toEqual([])

  await agent.report(item?.workId ?? 0)
  expect(await installed(agents)).toEqual([[current.id]])
  await tickAll()
  await doWork(agents)
  await doWork(agents)
  expect(await installed(agents)).toEqual([[old.id]])
})

test('an activation during a rollback neither cancels nor repeats its work', async () => {
  const { old, group, agents, upgradeId } = await upgraded(1, 1)
  await doWork(agents)
  await rollBack(upgradeId)
  await tickAll()
  const before = await openWork(agents)

  await activate(group)

  expect(await openWork(agents)).toEqual(before)
  await doWork(agents)
  await doWork(agents)
  expect(await installed(agents)).toEqual([[old.id]])
})

test('the removal ends with the assignment of the previous version', async () => {
  const { old, group, agents, upgradeId } = await upgraded(1, 1)
  await doWork(agents)
  await rollBack(upgradeId)
  await tickAll()

  await person.call(removeGroupPackage, { params: { id: group.id, packageId: old.id } })

  expect(await openWork(agents)).toEqual([])
})

test('a dry run of a rollback answers the counts, and changes nothing', async () => {
  const { current, group, agents, upgradeId } = await upgraded(2, 1)
  await doWork(agents)

  const tried = await rollBack(upgradeId, { dryRun: true })

  expect(tried.body).toMatchObject({ computerCount: 1, upgrade: { state: 'RollingBack' } })
  expect((await readUpgrade(upgradeId)).rolledBackAtUtc).toBeNull()
  expect(await assignedTo(group)).toEqual([current.id])
})

test('an upgrade is rolled back once', async () => {
  const { agents, upgradeId } = await upgraded(2, 1)
  await doWork(agents)

  const both = await Promise.all([rollBack(upgradeId), rollBack(upgradeId)])

  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)).toMatchObject({ problem: 'UpgradeRolledBack' })
})

const obstacles: [string, (line: Awaited<ReturnType<typeof upgraded>>) => Promise<unknown>][] = [
  ['PackageDeleted', ({ old }) => sql`delete from packages where id = ${old.id}`.execute(db)],
  ['NoContent', ({ old }) => sql`update packages set hash_state = 'Mismatch' where id = ${old.id}`.execute(db)],
  [
    'NotReleased',
    ({ old }) => person.call(setReadyToInstall, { params: { id: old.id }, body: { operational: false } }),
  ],
  [
    'NoExactVersion',
    ({ old }) =>
      sql`update packages set manifest = '{"source": {"package": "deb:nginx"}}' where id = ${old.id}`.execute(db),
  ],
  [
    'AssignmentChanged',
    ({ current, group }) => person.call(removeGroupPackage, { params: { id: group.id, packageId: current.id } }),
  ],
]

test.for(obstacles)('a rollback that is impossible explains itself: %s', async ([obstacle, cause]) => {
  const line = await upgraded(1, 1)
  await doWork(line.agents)
  await cause(line)

  const refused = await rollBack(line.upgradeId)

  expect(refused).toMatchObject({ status: 409, problem: 'RollBackImpossible', raw: { groups: [{ obstacle }] } })
  expect((await readUpgrade(line.upgradeId)).rollouts).toHaveLength(1)
})

test('a computer that gets the new version from another group as well keeps it', async () => {
  const { current, agents, upgradeId } = await upgraded(2, 2)
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(other, current, 'package')
  await given.member(other, agents[0])
  await doWork(agents)

  const back = await rollBack(upgradeId)

  expect(back.body.computerCount).toBe(1)
})

test('computers that had the new version before the upgrade are not rolled back', async () => {
  const { old, current } = await upgraded(1, 1)
  const { group, agents } = await groupWith(old, 1)
  const [early] = (await groupWith(current, 1)).agents
  await given.member(group, early)
  const { upgradeId } = (await upgrade(current, [group], { rings: [{}] })).body
  await tickAll()
  await doWork(agents)
  await tickAll()

  const back = await rollBack(upgradeId)

  expect(back.body.computerCount).toBe(1)
})

test('convergence waits for the rings of an upgrade, and for those of its rollback', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 3)
  await setConvergence(group)
  await converge()
  const { upgradeId } = (await upgrade(current, [group], { rings: [{ count: 1 }, {}] })).body

  await converge()
  expect(await openWork(agents)).toHaveLength(1)
  await doWork(agents)
  await rollBack(upgradeId)
  for (let round = 0; round < 3; round++) {
    await converge()
    await doWork(agents)
  }

  expect(await installed(agents)).toEqual(agents.map(() => [old.id]))
})

test('an upgrade is deleted after its rollouts', async () => {
  const { agents, upgradeId } = await upgraded(1, 1)
  await doWork(agents)
  await sql`update package_upgrades set created_at = now() - interval '31 days' where id = ${upgradeId}`.execute(db)
  await purgeUpgrades(db, 30)
  expect((await person.call(getPackageUpgrade, { params: { id: upgradeId } })).status).toBe(200)

  await sql`delete from rollouts where upgrade_id = ${upgradeId}`.execute(db)
  expect(await rollBack(upgradeId)).toMatchObject({ status: 409, problem: 'UpgradeExpired' })
  await purgeUpgrades(db, 30)

  expect((await person.call(getPackageUpgrade, { params: { id: upgradeId } })).status).toBe(404)
})
