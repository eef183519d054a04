import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { explainGroup } from '../../src/features/explain/api/explain-group.ts'
import { getGroupPage } from '../../src/features/fleet/api/get-group-page.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const operator = as('activation.execute', 'computer.read', 'package.read', 'group.read')

const commands = { install: { argv: ['sh', 'install.sh'] }, uninstall: { argv: ['sh', 'uninstall.sh'] } }

let count = 0

/** A computer with a known inventory, and a package with these conditions that is assigned to it. */
async function computerWithConditions(onlyFor: object) {
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  const package_name = `conditional-${++count}`
  const software = await readyPackage({ package_name, manifest: JSON.stringify({ commands, onlyFor }) })
  await given.assignment(group, software, 'package')
  await db
    .updateTable('computers')
    .set({
      ...{ os_version: '10.0.22631', os_edition: 'Professional', architecture: 'AMD64', memory_mb: 8192 },
      custom: JSON.stringify({ Custom01: 'Berlin' }),
    })
    .where('id', '=', computer.id)
    .execute()
  await fill(computer, 50)
  const params = { id: computer.id }
  return {
    ...computer,
    group,
    software,
    package_name,
    activate: (dryRun = false) =>
      operator.call(activateComputer, { params, query: { dryRun }, body: { software: true } }),
    explain: async ({ id } = software) =>
      (await operator.call(explainComputer, { params, query: { packageId: id } })).body,
    deployments: async () => (await operator.call(listSoftwareDeployments, { params })).body,
    leased: async () => (await computer.contact()).body.work,
  }
}

/** Leaves so much free space on the only drive of the computer. */
async function fill({ id: computer_id }: { id: number }, free_space_gb: number) {
  await db.deleteFrom('disk_drives').where('computer_id', '=', computer_id).execute()
  const drive = { position: 0, volume: 'C:', drive_type_code: 3, bitlocker_status: 'NotAvailable', total_space_gb: 100 }
  await db
    .insertInto('disk_drives')
    .values({ computer_id, free_space_gb, ...drive })
    .execute()
}

const [channel, secret] = [await given.variable({ default_value: 'Stable' }), await given.variable({ is_secret: true })]

const { designation } = await db
  .selectFrom('custom_fields')
  .select('designation')
  .where('slot', '=', 'Custom01')
  .executeTakeFirstOrThrow()

test.each([
  [
    { osVersion: { min: '10.0.26100' } },
    'It is for version 10.0.26100 of the operating system or later; the computer has 10.0.22631.',
  ],
  [
    { osVersion: { below: '10.0.9999' } },
    'It is for versions of the operating system below 10.0.9999; the computer has 10.0.22631.',
  ],
  [{ osEditions: ['Enterprise'] }, 'It is not for the edition Professional of the operating system.'],
  [{ architectures: ['arm64'] }, 'It is not for the architecture AMD64.'],
  [{ minMemoryMb: 16_384 }, 'It needs 16384 MB of memory; the computer has 8192 MB.'],
  [{ minFreeDiskGb: 60 }, 'It needs 60 GB of free space on a fixed drive; the computer has 50.0 GB.'],
  [
    { customFields: [{ name: designation, values: ['Paris'] }] },
    `It is for computers whose field ${designation} has another value.`,
  ],
  [
    { customFields: [{ name: 'A field of the past', values: ['Berlin'] }] },
    'It is for computers whose field A field of the past has another value.',
  ],
  [
    { variables: [{ name: channel.dotted_name, values: ['Beta'] }] },
    `It is for computers whose variable ${channel.dotted_name} has another value.`,
  ],
  [
    { variables: [{ name: secret.dotted_name, values: ['Stable'] }] },
    `It is for computers whose variable ${secret.dotted_name} has another value.`,
  ],
])('a package with the conditions %j is not applicable, and nothing fails', async (conditions, sentence) => {
  const computer = await computerWithConditions(conditions)

  const { body } = await computer.activate()

  expect(body.trackingId).toBeNull()
  expect(await computer.explain()).toMatchObject({ verdict: 'NotApplicable', message: sentence })
  expect(await computer.deployments()).toMatchObject([{ status: 'Success', notApplicable: sentence }])
  const counts = { total: 1, notApplicable: 1, success: 0, failed: 0, pending: 0 }
  const status = await operator.call(getPackageStatus, { params: { id: computer.software.id } })
  expect(status.body).toMatchObject(counts)
  const params = { id: computer.group.id }
  const page = await operator.call(getGroupPage, { params })
  expect(page.body.assignments).toMatchObject([{ objectId: computer.software.id, status: counts }])
  const ofGroup = await operator.call(explainGroup, { params, query: { packageId: computer.software.id } })
  expect(ofGroup.body).toMatchObject({ notApplicable: 1, nothingToDo: 0, notActivated: 0 })
  const dryRun = await computer.activate(true)
  expect(dryRun.body.plan).toMatchObject({
    ...{ install: 0, notApplicable: 1, nothingToDo: 1 },
    packages: [{ packageId: computer.software.id, install: 0, notApplicable: 1, nothingToDo: 0 }],
  })
})

test('a package comes to a computer that meets all its conditions, or about which nothing is known', async () => {
  const conditions = {
    ...{ osVersion: { min: '10.0.22000', below: '11' }, osEditions: ['professional'], architectures: ['x64'] },
    ...{ minMemoryMb: 8192, minFreeDiskGb: 50, customFields: [{ name: designation, values: ['Paris', 'berlin'] }] },
    software: [{ name: 'A product that no scan has reported' }],
    variables: [{ name: channel.dotted_name.toUpperCase(), values: ['Beta', 'stable'] }],
  }
  const known = await computerWithConditions(conditions)
  const unknown = await computerWithConditions({ minMemoryMb: 1_000_000, minFreeDiskGb: 1_000 })
  await db.updateTable('computers').set({ memory_mb: null }).where('id', '=', unknown.id).execute()
  await db.deleteFrom('disk_drives').where('computer_id', '=', unknown.id).execute()

  for (const computer of [known, unknown]) {
    await computer.activate()
    expect(await computer.leased()).toHaveLength(1)
  }
})

test('conditions about installed software compare names and versions with the last scan', async () => {
  const product = await db
    .insertInto('software_products')
    .values({ name: 'Condition Suite', version: '7.4', publisher: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const verdicts = []
  for (const wanted of [{}, { min: '7.4', below: '8' }, { min: '7.10' }, { below: '7.4' }, { absent: true }]) {
    const computer = await computerWithConditions({ software: [{ name: 'condition suite', ...wanted }] })
    await db
      .insertInto('inventory_sections')
      .values({
        computer_id: computer.id,
        section: 'installedSoftware',
        hash: Buffer.alloc(32),
        collected_at: new Date(),
      })
      .execute()
    await db.insertInto('installed_software').values({ computer_id: computer.id, product_id: product.id }).execute()
    await computer.activate()
    verdicts.push((await computer.explain()).verdict)
  }

  expect(verdicts).toEqual(['Due', 'Due', 'NotApplicable', 'NotApplicable', 'NotApplicable'])
})

test('a condition that is no longer met at the hand-out cancels the work and what requires it, and the next activation brings them', async () => {
  const computer = await computerWithConditions({ minFreeDiskGb: 40 })
  const requiring = await readyPackage({ requires: [computer.package_name] })
  await given.assignment(computer.group, requiring, 'package')
  const { body } = await computer.activate()
  await fill(computer, 10)
  expect((await computer.explain()).blockers).toMatchObject([{ reason: 'ConditionUnmet' }])

  expect(await computer.leased()).toEqual([])

  const sentence = 'It needs 40 GB of free space on a fixed drive; the computer has 10.0 GB.'
  expect(await computer.explain()).toMatchObject({
    ...{ verdict: 'NotApplicable', message: sentence, work: null, failure: null },
    cancellation: { reason: 'ConditionUnmet', subject: sentence },
  })
  expect(await computer.explain(requiring)).toMatchObject({
    ...{ verdict: 'NotApplicable', work: null, failure: null },
    cancellation: { subject: `It requires ${computer.package_name}. ${sentence}` },
  })
  const task = await operator.call(getTask, { params: { trackingId: body.trackingId ?? '' } })
  // It has ended, without an error.
  expect(task.body).toMatchObject({ status: 2 })
  await fill(computer, 45)
  await computer.activate()
  expect(await computer.leased()).toMatchObject([{ package: { packageId: computer.software.id } }])
})

test('an installed package is updated on a computer that no longer meets its conditions', async () => {
  const computer = await computerWithConditions({ minFreeDiskGb: 40 })
  await computer.activate()
  const [installation] = await computer.leased()
  await computer.report(installation?.workId ?? 0)
  await fill(computer, 1)
  await as('group.write').call(setDistributionOptions, { params: { id: computer.group.id }, body: { distCommands: 3 } })
  await db
    .updateTable('packages')
    .set({ content_hash: randomBytes(32) })
    .where('id', '=', computer.software.id)
    .execute()

  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ kind: 'Update' }])
})

test('a computer that no longer meets the conditions of an installed package can uninstall it', async () => {
  const computer = await computerWithConditions({ minFreeDiskGb: 40 })
  await computer.activate()
  const [installation] = await computer.leased()
  await computer.report(installation?.workId ?? 0)
  await fill(computer, 1)
  await as('group.write').call(setDistributionOptions, { params: { id: computer.group.id }, body: { distCommands: 4 } })

  await computer.activate()

  expect(await computer.leased()).toMatchObject([{ kind: 'Uninstall' }])
})
