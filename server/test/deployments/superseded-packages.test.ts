import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
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
