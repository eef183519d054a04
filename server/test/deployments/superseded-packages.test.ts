import { expect, test } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given, letTimePass, readyPackage } = await openAgentWorld()
const { deployment } = deploymentsIn(db, given)
const operator = as('activation.execute', 'computer.read')

let count = 0

/** A computer that has a package, and is assigned the one that supersedes it, and the old one as well if asked for. */
async function computerWithOld({ uninstallFirst = false, isOldAssigned = true, later = {} } = {}) {
  const package_name = `old-${++count}`
  const old = await readyPackage({ name: `a-old-${count}`, package_name })
  const superseding = await readyPackage({
    name: `new-${count}`,
    supersedes: { [package_name.toUpperCase()]: uninstallFirst },
    ...later,
  })
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  await given.assignment(group, superseding, 'package')
  if (isOldAssigned) await given.assignment(group, old, 'package')
  await deployment(computer, old, { installation_state: 'Installed' })
  const params = { id: computer.id }
  return {
    ...computer,
    group,
    old,
    package_name,
    superseding,
    activate: (dryRun = false) =>
      operator.call(activateComputer, { params, query: { dryRun }, body: { software: true } }),
    explain: async ({ id }: { id: string }) =>
      (await operator.call(explainComputer, { params, query: { packageId: id } })).body,
    leased: async () =>
      (await computer.contact()).body.work.map(({ workId, kind, package: leased }) => ({
        workId,
        kind,
        packageId: leased?.packageId,
      })),
  }
}

test('a package that supersedes another in place is an update, and the old one counts as replaced and does not return', async () => {
  const computer = await computerWithOld()
  await computer.activate()

  const [update, ...others] = await computer.leased()
  expect({ update, others }).toMatchObject({
    update: { kind: 'Update', packageId: computer.superseding.id },
    others: [],
  })
  await computer.report(update?.workId ?? 0)
  await computer.activate()

  expect(await computer.leased()).toEqual([])
  expect(await computer.explain(computer.superseding)).toMatchObject({ verdict: 'Installed' })
  expect(await computer.explain(computer.old)).toMatchObject({
    verdict: 'NothingToDo',
    blockers: [{ reason: 'Superseded', message: `${computer.superseding.name} 1.0 supersedes it, and is installed.` }],
  })
})

test('a package that supersedes another after its removal waits until that is uninstalled', async () => {
  const computer = await computerWithOld({ uninstallFirst: true })
  await computer.activate()
  expect((await computer.explain(computer.superseding)).blockers).toMatchObject([
    { reason: 'SupersededInstalled', packages: [computer.package_name] },
  ])

  const steps = []
  for (let contacts = 0; contacts < 3; contacts++)
    for (const { workId, ...step } of await computer.leased()) {
      steps.push(step)
      await computer.report(workId)
    }

  expect(steps).toEqual([
    { kind: 'Uninstall', packageId: computer.old.id },
    { kind: 'Install', packageId: computer.superseding.id },
  ])
  await computer.activate()
  expect(await computer.leased()).toEqual([])
})

test('a dry run counts the removal of what is superseded, and says for which package', async () => {
  const computer = await computerWithOld({ uninstallFirst: true, isOldAssigned: false })

  const { body } = await computer.activate(true)

  expect(body.plan).toMatchObject({ install: 1, remove: 1 })
  expect(body.plan?.packages.find(({ packageId }) => packageId === computer.old.id)).toMatchObject({
    remove: 1,
    requiredBy: [computer.superseding.name],
  })
})

test('a package that is not Ready to Install removes nothing', async () => {
  const computer = await computerWithOld({
    uninstallFirst: true,
    isOldAssigned: false,
    later: { is_operational: false },
  })

  await computer.activate()

  expect(await computer.leased()).toEqual([])
  expect(await computer.explain(computer.old)).toMatchObject({ verdict: 'Installed', work: null })
})

/** What can happen to the package that supersedes another before the removal of that is handed out. */
const obstacles = {
  'loses its release': ({ superseding }: Computer) => changePackage(superseding, { is_operational: false }),
  'is not for the computer any more': ({ superseding }: Computer) =>
    changePackage(superseding, { manifest: onlyElsewhere }),
  'requires what is not for the computer any more': async ({ superseding }: Computer) => {
    const library = await readyPackage({ package_name: `library-${++count}`, manifest: onlyElsewhere })
    await db
      .insertInto('package_requirements')
      .values({ package_id: superseding.id, required_name: `library-${count}` })
      .execute()
    return library
  },
  'has failed': ({ id, superseding }: Computer) =>
    db
      .updateTable('work')
      .set({ state: 'Failed', closed_at: new Date() })
      .where('computer_id', '=', id)
      .where('package_id', '=', superseding.id)
      .execute(),
}

type Computer = Awaited<ReturnType<typeof computerWithOld>>

const onlyElsewhere = JSON.stringify({ onlyFor: { customFields: [{ name: 'Custom01', values: ['elsewhere'] }] } })

const changePackage = ({ id }: { id: string }, columns: { is_operational?: boolean; manifest?: string }) =>
  db.updateTable('packages').set(columns).where('id', '=', id).execute()

test.each(Object.entries(obstacles))('a package is not uninstalled for one that %s', async (name, obstruct) => {
  const computer = await computerWithOld({ uninstallFirst: true })
  await computer.activate()
  await obstruct(computer)
  const explained = await computer.explain(computer.old)
  expect(explained).toMatchObject({ verdict: 'Waiting', blockers: [{ reason: 'ReplacementMissing' }] })

  expect(await computer.leased()).toEqual([])

  const isAwaited = name === 'loses its release'
  const { work, cancellation } = await computer.explain(computer.old)
  expect({ isWaiting: work !== null, reason: cancellation?.reason }).toEqual({
    isWaiting: isAwaited,
    reason: isAwaited ? undefined : 'NotReplaced',
  })
  await changePackage(computer.superseding, { is_operational: true, manifest: '{}' })
  await db.deleteFrom('package_requirements').where('package_id', '=', computer.superseding.id).execute()
  if (!isAwaited) await computer.activate()
  expect(await computer.leased()).toMatchObject([{ kind: 'Uninstall', packageId: computer.old.id }])
})

test.each([true, false])(
  'a package stays if the one that supersedes it is taken back, whether it is assigned itself (%s) or not',
  async (isOldAssigned) => {
    const computer = await computerWithOld({ uninstallFirst: true, isOldAssigned })
    await computer.activate()
    const [removal] = await computer.leased()

    const packageId = computer.superseding.id
    await as('group.write').call(removeGroupPackage, { params: { id: computer.group.id, packageId } })

    expect(await computer.explain(computer.old)).toMatchObject({ work: null, cancellation: { reason: 'Unassigned' } })
    expect((await computer.start(removal?.workId ?? 0)).status).toBe(409)
    await computer.activate()
    expect(await computer.leased()).toEqual([])
  },
)

test('if the superseded package cannot be uninstalled, the new one and what requires it fail', async () => {
  const computer = await computerWithOld({ uninstallFirst: true, isOldAssigned: false })
  const { package_name } = await db
    .selectFrom('packages')
    .select('package_name')
    .where('id', '=', computer.superseding.id)
    .executeTakeFirstOrThrow()
  const requiring = await readyPackage({ requires: [package_name ?? ''] })
  await given.assignment(computer.group, requiring, 'package')
  await computer.activate()
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [removal] = await computer.leased()
    await computer.report(removal?.workId ?? 0, { attempt, status: 'Failed', installationState: 'Installed' })
    await letTimePass(removal?.workId ?? 0)
  }

  expect(await computer.leased()).toEqual([])
  expect(await computer.explain(computer.superseding)).toMatchObject({
    verdict: 'Failed',
    failure: { errorText: expect.stringContaining('could not be uninstalled') },
  })
  expect(await computer.explain(requiring)).toMatchObject({
    verdict: 'Failed',
    failure: { errorText: expect.stringContaining('The required package') },
  })
})

test('a package that supersedes a required one meets the requirement', async () => {
  const computer = await computerWithOld({ isOldAssigned: false })
  const requiring = await readyPackage({ requires: [computer.package_name] })
  await given.assignment(computer.group, requiring, 'package')
  await computer.activate()

  const first = await computer.leased()
  for (const { workId } of first) await computer.report(workId)

  const installed = [...first, ...(await computer.leased())].map(({ packageId }) => packageId)
  expect(installed.toSorted()).toEqual([computer.superseding.id, requiring.id].toSorted())
})

test('of two required packages, one that the other supersedes is not pulled in', async () => {
  const [oldName, newName] = [`required-old-${++count}`, `required-new-${count}`]
  const old = await readyPackage({ package_name: oldName })
  const later = await readyPackage({ package_name: newName, supersedes: { [oldName]: true } })
  const computer = await computerWithOld()
  const requiring = await readyPackage({ requires: [oldName, newName] })
  await given.assignment(computer.group, requiring, 'package')
  await computer.activate()

  const installed = []
  for (let contacts = 0; contacts < 4; contacts++)
    for (const { workId, packageId } of await computer.leased()) {
      installed.push(packageId)
      await computer.report(workId)
    }

  expect(installed).not.toContain(old.id)
  expect(installed).toEqual(expect.arrayContaining([later.id, requiring.id]))
})
