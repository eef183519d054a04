import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { explainGroup } from '../../src/features/explain/api/explain-group.ts'
import { getGroupPage } from '../../src/features/fleet/api/get-group-page.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { exampleContent } from '../inventory/inventory-world.ts'

const { agent, as, db, given, letTimePass, readyPackage } = await openAgentWorld()
const [operator, reader] = [as('activation.execute'), as('computer.read', 'group.read', 'package.read')]

let count = 0
const newName = (prefix: string) => `${prefix}-${++count}`

/** A computer in a group of its own, to which a package is assigned that requires these. */
async function computerRequiring(...requires: string[]) {
  const [computer, group, software] = [await agent(), await given.group(), await readyPackage({ requires })]
  await given.member(group, computer)
  await given.assignment(group, software, 'package')
  const params = { id: computer.id }
  return {
    ...computer,
    group,
    software,
    activate: () => operator.call(activateComputer, { params, body: { software: true } }),
    unassign: (packageId: string) =>
      as('group.write').call(removeGroupPackage, { params: { id: group.id, packageId } }),
    explain: async (packageId: string) => (await reader.call(explainComputer, { params, query: { packageId } })).body,
    /** The packages that the agent gets at its next contact. */
    async leased() {
      const { body } = await computer.contact()
      return body.work.map(({ workId, package: leased }) => ({ workId, packageId: leased?.packageId }))
    },
  }
}

test('a required package that is assigned to no group is installed first, then the package that requires it', async () => {
  const names = [newName('runtime'), newName('library')] as const
  const library = await readyPackage({ package_name: names[1] })
  const runtime = await readyPackage({ package_name: names[0], requires: [names[1].toUpperCase()] })
  const computer = await computerRequiring(names[0])
  await computer.activate()

  for (const { id } of [library, runtime, computer.software]) {
    const [item, ...others] = await computer.leased()
    expect({ packageId: item?.packageId, others }).toEqual({ packageId: id, others: [] })
    await computer.report(item?.workId ?? 0)
  }
  expect(await computer.leased()).toEqual([])
})

test('a package that was imported when requirements only waited still waits, until it is imported again', async () => {
  const package_name = newName('awaited')
  const required = await readyPackage({ package_name })
  const computer = await computerRequiring(package_name)
  const setPulls = (pulls: boolean) =>
    db.updateTable('package_requirements').set({ pulls }).where('package_id', '=', computer.software.id).execute()
  await setPulls(false)
  await computer.activate()

  expect(await computer.leased()).toEqual([])
  expect(await computer.explain(computer.software.id)).toMatchObject({
    verdict: 'Waiting',
    blockers: [{ reason: 'RequirementMissing', packages: [package_name] }],
    requirements: [{ name: package_name, state: 'Awaited', packageId: null }],
  })
  // As an import does.
  await setPulls(true)
  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ packageId: required.id }])
})

test('of several versions, the highest that is Ready to Install is pulled in', async () => {
  const package_name = newName('versions')
  await readyPackage({ package_name, version: '9.0' })
  const { id } = await readyPackage({ package_name, version: '10.2' })
  await readyPackage({ package_name, version: '11.0', is_operational: false })
  const computer = await computerRequiring(package_name)

  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ packageId: id }])
})

test('a version that is assigned to the computer is not replaced by a higher one', async () => {
  const package_name = newName('assigned')
  const assigned = await readyPackage({ package_name, version: '1.0' })
  await readyPackage({ package_name, version: '2.0' })
  const computer = await computerRequiring(package_name)
  await given.assignment(computer.group, assigned, 'package')

  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ packageId: assigned.id }])
})

test('what is pulled in comes with the schedule of the package that requires it', async () => {
  const package_name = newName('scheduled')
  const required = await readyPackage({ package_name })
  const computer = await computerRequiring(package_name)
  await as('group.write').call(setDistributionOptions, {
    params: { id: computer.group.id },
    query: { packageId: computer.software.id },
    body: { distCommands: 1, schedule: { from: '2099-01-01T00:00:00Z' } },
  })

  await computer.activate()

  expect(await computer.leased()).toEqual([])
  expect((await computer.explain(required.id)).work).toMatchObject({
    kind: 'Install',
    schedule: expect.stringContaining('2099'),
  })
})

test('if the assignment of a package ends, so does the work with what it has pulled in', async () => {
  const package_name = newName('withdrawn')
  const required = await readyPackage({ package_name })
  const computer = await computerRequiring(package_name)
  await computer.activate()

  await computer.unassign(computer.software.id)
  expect(await computer.leased()).toEqual([])
  expect(await computer.explain(required.id)).toMatchObject({ verdict: 'NotAssigned', work: null })
})

test('work with an assigned package ends with its assignment even after the hand-out, and the next activation brings it for another one', async () => {
  const package_name = newName('both')
  const required = await readyPackage({ package_name })
  const computer = await computerRequiring(package_name)
  await given.assignment(computer.group, required, 'package')
  await computer.activate()
  const [leased] = await computer.leased()

  await computer.unassign(required.id)

  expect((await computer.start(leased?.workId ?? 0)).status).toBe(409)
  expect(await computer.explain(required.id)).toMatchObject({
    ...{ verdict: 'NotActivated', work: null, cancellation: { reason: 'Unassigned' } },
    requiredBy: [{ packageId: computer.software.id }],
  })
  await computer.activate()
  expect(await computer.leased()).toMatchObject([{ packageId: required.id }])
})

test('what was pulled in stays if it is assigned meanwhile and the package that required it is taken back', async () => {
  const package_name = newName('kept')
  const required = await readyPackage({ package_name })
  const computer = await computerRequiring(package_name)
  await computer.activate()
  await given.assignment(computer.group, required, 'package')
  await computer.unassign(computer.software.id)
  expect(await computer.explain(required.id)).toMatchObject({ verdict: 'Due' })
  await computer.unassign(required.id)
  expect(await computer.explain(required.id)).toMatchObject({ verdict: 'NotAssigned', work: null })
})

test('a package that is not Ready to Install pulls in nothing', async () => {
  const package_name = newName('unreleased')
  await readyPackage({ package_name })
  const computer = await computerRequiring()
  await given.assignment(
    computer.group,
    await readyPackage({ requires: [package_name], is_operational: false }),
    'package',
  )

  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ packageId: computer.software.id }])
})

test('a package whose requirement is for other systems is not applicable, and nothing fails or is pulled in', async () => {
  const [forWindows, forAll] = [newName('for-windows'), newName('for-all')]
  await readyPackage({ package_name: forWindows, operating_systems: ['Windows'] })
  await readyPackage({ package_name: forAll, requires: [forWindows] })
  const computer = await computerRequiring(forAll)
  await computer.itself.call(putInventory, {
    body: {
      sections: {
        system: {
          hash: randomBytes(32).toString('hex'),
          collectedUtc: '2026-03-14T09:00:00Z',
          item: exampleContent('system', { osEdition: null, platform: 'Linux', osName: 'Debian', osVersion: '12' }),
        },
      },
    },
  })

  const { body } = await computer.activate()

  expect(body.trackingId).toBeNull()
  expect(await computer.explain(computer.software.id)).toMatchObject({
    verdict: 'NotApplicable',
    message: `It requires ${forAll}, which requires ${forWindows}. It is for Windows; the computer runs Debian.`,
  })
  const params = { id: computer.group.id }
  const counts = { total: 1, notApplicable: 1, pending: 0, failed: 0 }
  const [page, ofGroup, status, deployments] = [
    await reader.call(getGroupPage, { params }),
    await reader.call(explainGroup, { params, query: { packageId: computer.software.id } }),
    await reader.call(getPackageStatus, { params: { id: computer.software.id } }),
    await reader.call(listSoftwareDeployments, { params: { id: computer.id } }),
  ]
  expect(page.body.assignments).toMatchObject([{ status: counts }])
  expect(ofGroup.body).toMatchObject({ notApplicable: 1, nothingToDo: 0 })
  expect(status.body).toMatchObject(counts)
  expect(deployments.body).toMatchObject([
    { status: 'Success', notApplicable: `It requires ${forWindows}, which is not for the computer.` },
  ])
})

test('a requirement that no package meets is named, and met by a package that is imported later', async () => {
  const package_name = newName('later')
  const computer = await computerRequiring(package_name)
  await computer.activate()
  expect(await computer.explain(computer.software.id)).toMatchObject({
    verdict: 'Waiting',
    blockers: [{ reason: 'RequirementMissing', packages: [package_name] }],
    requirements: [{ name: package_name, state: 'Unknown', packageId: null }],
  })

  const { id } = await readyPackage({ package_name })
  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ packageId: id }])
})

test('an explanation says what a package pulls in and what pulls it in', async () => {
  const package_name = newName('explained')
  const required = await readyPackage({ package_name })
  const computer = await computerRequiring(package_name)
  await computer.activate()

  expect(await computer.explain(computer.software.id)).toMatchObject({
    verdict: 'Waiting',
    requirements: [{ name: package_name, state: 'Pulled', packageId: required.id }],
  })
  expect(await computer.explain(required.id)).toMatchObject({
    verdict: 'Due',
    requiredBy: [{ packageId: computer.software.id, groupId: computer.group.id }],
  })
})

test('a dry run counts what is pulled in and says for which package', async () => {
  const package_name = newName('planned')
  const required = await readyPackage({ package_name, name: 'a required package' })
  const computer = await computerRequiring(package_name)

  const { body } = await as('activation.execute', 'computer.read').call(activateComputer, {
    params: { id: computer.id },
    body: { software: true },
    query: { dryRun: true },
  })

  expect(body.plan).toMatchObject({ install: 1 })
  expect(body.plan?.packages.find(({ packageId }) => packageId === required.id)).toMatchObject({
    install: 1,
    requiredBy: [computer.software.name],
  })
})

test('if a required package fails for good, so does the package that requires it', async () => {
  const package_name = newName('failing')
  await readyPackage({ package_name, name: package_name, version: '1.0' })
  const computer = await computerRequiring(package_name)
  await computer.activate()
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [item] = await computer.leased()
    await computer.report(item?.workId ?? 0, { attempt, status: 'Failed' })
    await letTimePass(item?.workId ?? 0)
  }

  expect(await computer.explain(computer.software.id)).toMatchObject({
    verdict: 'Failed',
    failure: { errorText: `The required package ${package_name} 1.0 could not be installed.` },
  })
})
