import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { listUnusedPackages } from '../../src/features/package-lines/api/list-unused-packages.ts'
import { openLineWorld } from './line-world.ts'

const world = await openLineWorld()
const { activate, doWork, given, groupWith, installed, openWork, person, readyPackage } = world
const { rollBack, tickAll, upgrade } = world

type Agent = Awaited<ReturnType<typeof groupWith>>['agents'][number]

const uniqueName = (name: string) => `${name} ${randomBytes(6).toString('hex')}`

/** A package and its name. */
async function namedPackage(name: string, columns: Parameters<typeof readyPackage>[0] = {}) {
  const made = await readyPackage({
    ...{ name, package_name: name, version: '1.0', operating_systems: ['Linux'] },
    ...columns,
  })
  return { ...made, name }
}

/** An old version, and a new one with relations of its own. */
async function versionsWith(columns: Parameters<typeof readyPackage>[0]) {
  const old = await namedPackage(uniqueName('software'))
  const current = await namedPackage(old.name, { version: '2.0', ...columns })
  return { old, current }
}

/** Two computers, of which the first ring of an upgrade has one. The new version pulls a library in. */
async function upgradeWithLibrary() {
  const library = await namedPackage(uniqueName('library'))
  const { old, current } = await versionsWith({ requires: [library.name] })
  const { group, agents } = await groupWith(old, 2)
  await upgrade(current, [group], { rings: [{ count: 1 }, {}] })
  await tickAll()
  await activate(group)
  return { library, current, group, agents }
}

const packagesOf = async (computers: readonly { id: number }[]) =>
  (await openWork(computers)).map(({ kind, package_id }) => `${kind} ${package_id}`).toSorted()

test('what the new version pulls in comes with its ring, and not before', async () => {
  const { library, current, agents } = await upgradeWithLibrary()

  const opened = await openWork(agents)
  expect(new Set(opened.map(({ computer_id }) => computer_id)).size).toBe(1)
  expect(await packagesOf(agents)).toEqual([`Install ${library.id}`, `Update ${current.id}`].toSorted())

  for (let round = 0; round < 4; round++) {
    await doWork(agents)
    await tickAll()
  }
  expect((await installed(agents)).map((ids) => ids.toSorted())).toEqual(
    agents.map(() => [current.id, library.id].toSorted()),
  )
})

test('what the new version pulls in waits for the ring of the computer, and its explanation says so', async () => {
  const { library, current, group, agents } = await upgradeWithLibrary()
  const released = new Set((await openWork(agents)).map(({ computer_id }) => computer_id))
  const waiting = agents.find(({ id }) => !released.has(id)) ?? expect.fail()

  const explain = async () =>
    (await person.call(explainComputer, { params: { id: waiting.id }, query: { packageId: library.id } })).body

  expect(await explain()).toMatchObject({
    verdict: 'Waiting',
    blockers: [{ reason: 'RingNotReleased', message: expect.stringMatching(/ requires it\. Ring \d of the rollout/) }],
    requiredBy: [{ packageId: current.id }],
    rollouts: [{ ringState: 'Waiting' }],
  })

  await given.assignment(group, await namedPackage(uniqueName('user'), { requires: [library.name] }), 'package')

  expect(await explain()).toMatchObject({ verdict: 'NotActivated', blockers: [{ reason: 'NotActivated' }] })
})

test('what the new version supersedes stays on computers that wait for their ring', async () => {
  const earlier = await namedPackage(uniqueName('earlier'))
  const { old, current } = await versionsWith({ supersedes: { [earlier.name]: true } })
  const { group, agents } = await groupWith(old, 2)
  await given.assignment(group, earlier, 'package')
  await activate(group)
  await doWork(agents)
  await upgrade(current, [group], { rings: [{ count: 1 }, {}] })
  await tickAll()
  await activate(group)

  const opened = await openWork(agents)
  expect(new Set(opened.map(({ computer_id }) => computer_id)).size).toBe(1)
  expect(await packagesOf(agents)).toEqual([`Uninstall ${earlier.id}`, `Update ${current.id}`].toSorted())
})

test('a package that the new version will supersede still comes to computers that wait for their ring', async () => {
  const earlier = await namedPackage(uniqueName('earlier'))
  const { old, current } = await versionsWith({ supersedes: { [earlier.name]: false } })
  const { group, agents } = await groupWith(old, 2)
  await upgrade(current, [group], { rings: [{ count: 1 }, {}] })
  await tickAll()
  await given.assignment(group, earlier, 'package')
  await activate(group)

  expect(await packagesOf(agents)).toEqual([`Install ${earlier.id}`, `Update ${current.id}`].toSorted())
})

test('a computer on which another package requires the software is rolled back as well', async () => {
  const { old, current } = await versionsWith({})
  const { group, agents } = await groupWith(old, 1)
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(other, await namedPackage(uniqueName('user'), { requires: [old.name] }), 'package')
  await given.member(other, agents[0])
  const { upgradeId } = (await upgrade(current, [group], { rings: [{}] })).body
  await tickAll()
  await doWork(agents)

  expect((await rollBack(upgradeId)).body.computerCount).toBe(1)
})

test('a rollback brings what the previous version requires as an activation does, and uninstalls one version only', async () => {
  const library = await namedPackage(uniqueName('library'))
  const current = await namedPackage(uniqueName('software'), { version: '2.0' })
  const old = await namedPackage(current.name, { requires: [library.name] })
  const { group, agents } = await groupWith(old, 1)
  await doWork(agents)
  const { upgradeId } = (await upgrade(current, [group], { rings: [{}] })).body
  await tickAll()
  await doWork(agents)
  await world.db.deleteFrom('deployments').where('package_id', '=', library.id).execute()
  await rollBack(upgradeId)
  await tickAll()

  expect(await packagesOf(agents)).toEqual(
    [`Uninstall ${current.id}`, `Install ${old.id}`, `Install ${library.id}`].toSorted(),
  )
  for (let round = 0; round < 3; round++) {
    await doWork(agents)
    await tickAll()
  }
  expect((await installed(agents)).map((ids) => ids.toSorted())).toEqual([[old.id, library.id].toSorted()])
})

test('a version that supersedes the previous one by its name can be rolled back', async () => {
  const lineName = uniqueName('line')
  const old = await namedPackage(uniqueName('first name'), { line_name: lineName })
  const current = await namedPackage(uniqueName('second name'), {
    ...{ version: '2.0', line_name: lineName, supersedes: { [old.name]: false } },
  })
  const { group, agents } = await groupWith(old, 1)
  const { upgradeId } = (await upgrade(current, [group], { rings: [{}] })).body
  await tickAll()
  await doWork(agents)
  expect(await installed(agents)).toEqual([[current.id]])

  await rollBack(upgradeId)
  await tickAll()
  for (let round = 0; round < 2; round++) {
    await doWork(agents)
    await tickAll()
  }
  expect(await installed(agents)).toEqual([[old.id]])
})

/** An upgrade to a version that has the previous one uninstalled first. */
async function upgradeWithRemoval(size: number) {
  const lineName = uniqueName('line')
  const old = await namedPackage(uniqueName('first name'), { line_name: lineName })
  const current = await namedPackage(uniqueName('second name'), {
    ...{ version: '2.0', line_name: lineName, supersedes: { [old.name]: true } },
  })
  const { group, agents } = await groupWith(old, size)
  const { upgradeId } = (await upgrade(current, [group], { rings: [{}] })).body
  await tickAll()
  return { old, current, agents, upgradeId }
}

test('a previous version that is uninstalled first is not updated', async () => {
  const { old, current, agents } = await upgradeWithRemoval(1)

  expect(await packagesOf(agents)).toEqual([`Install ${current.id}`, `Uninstall ${old.id}`].toSorted())
})

test('a rollback returns computers from which only the previous version was removed, and leaves it on those that have it', async () => {
  const { old, agents, upgradeId } = await upgradeWithRemoval(3)
  const [removed, removing, waiting] = agents as unknown as [Agent, Agent, Agent]
  const lease = async (agent: Agent) => (await agent.contact()).body.work.map(({ workId }) => workId)
  for (const workId of await lease(removed)) {
    await removed.start(workId)
    await removed.report(workId)
  }
  const begun = await lease(removing)
  for (const workId of begun) await removing.start(workId)

  const { body } = await rollBack(upgradeId)
  await tickAll()

  expect(body).toMatchObject({ computerCount: 2, withdrawnCount: 1 })
  expect(await openWork([removing, waiting])).toEqual([])
  for (const workId of begun) await removing.report(workId)
  await tickAll()
  expect(await packagesOf(agents)).toEqual([`Install ${old.id}`, `Install ${old.id}`])
  await doWork(agents)
  expect(await installed(agents)).toEqual([[old.id], [old.id], [old.id]])
})

test('the clean-up keeps the version that a requirement would pull in', async () => {
  const higher = await namedPackage(uniqueName('library'), { version: '10.0' })
  const lower = await namedPackage(higher.name, { version: '9.0' })
  await namedPackage(uniqueName('user'), { requires: [lower.name] })

  const { items } = (await person.call(listUnusedPackages)).body
  const ids = items.map(({ id }) => id)
  expect([ids.includes(lower.id), ids.includes(higher.id)]).toEqual([true, false])
})
