import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const operator = as('activation.execute', 'computer.read', 'package.read')

const commands = { install: { argv: ['sh', 'install.sh'] }, uninstall: { argv: ['sh', 'uninstall.sh'] } }

/** A computer with a known inventory, and a package with these conditions that is assigned to it. */
async function computerWithConditions(onlyFor: object) {
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  const software = await readyPackage({ manifest: JSON.stringify({ commands, onlyFor }) })
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
    activate: () => operator.call(activateComputer, { params, body: { software: true } }),
    explain: async () => (await operator.call(explainComputer, { params, query: { packageId: software.id } })).body,
    deployments: async () => (await operator.call(listSoftwareDeployments, { params })).body,
    leased: async () => (await computer.contact()).body.work,
  }
}

/** Leaves so much free space on the only drive of the computer. */
async function fill({ id: computer_id }: { id: number }, free_space_gb: number) {
  await db.deleteFrom('disk_drives').where('computer_id', '=', computer_id).execute()
  const drive = { position: 0, volume: 'C:', drive_type_code: 3, bitlocker_status: 'Unknown', total_space_gb: 100 }
  await db
    .insertInto('disk_drives')
    .values({ computer_id, free_space_gb, ...drive })
    .execute()
}

const { designation } = await db
  .selectFrom('custom_fields')
  .select('designation')
  .where('slot', '=', 'Custom01')
  .executeTakeFirstOrThrow()

test.each([
  [{ osVersion: { min: '10.0.26100' } }, 'It is for version 10.0.26100 of the operating system or later; the computer has 10.0.22631.'],
  [{ osVersion: { below: '10.0.9999' } }, 'It is for versions of the operating system below 10.0.9999; the computer has 10.0.22631.'],
  [{ osEditions: ['Enterprise'] }, 'It is for other editions of the operating system than Professional.'],
  [{ architectures: ['arm64'] }, 'It is for other architectures than AMD64.'],
  [{ minMemoryMb: 16_384 }, 'It needs 16384 MB of memory; the computer has 8192 MB.'],
  [{ minFreeDiskGb: 60 }, 'It needs 60 GB of free space on a fixed drive; the computer has 50.0 GB.'],
  [{ customFields: [{ name: designation, values: ['Paris'] }] }, `It is for other computers: their field ${designation} has another value.`],
])('a package with the conditions %j is not applicable, and nothing fails', async (conditions, sentence) => {
  const computer = await computerWithConditions(conditions)

  const { body } = await computer.activate()

  expect(body.trackingId).toBeNull()
  expect(await computer.explain()).toMatchObject({ verdict: 'NotApplicable', message: sentence })
  expect(await computer.deployments()).toMatchObject([{ status: 'Success', notApplicable: sentence }])
  const status = await operator.call(getPackageStatus, { params: { id: computer.software.id } })
  expect(status.body).toMatchObject({ notApplicable: 1, failed: 0, pending: 0 })
})

test('a package comes to a computer that meets all its conditions, or about which nothing is known', async () => {
  const conditions = {
    ...{ osVersion: { min: '10.0.22000', below: '11' }, osEditions: ['professional'], architectures: ['x64'] },
    ...{ minMemoryMb: 8192, minFreeDiskGb: 50, customFields: [{ name: designation, values: ['Paris', 'berlin'] }] },
    software: [{ name: 'A product that no scan has reported' }],
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
      .values({ computer_id: computer.id, section: 'installedSoftware', hash: Buffer.alloc(32), collected_at: new Date() })
      .execute()
    await db.insertInto('installed_software').values({ computer_id: computer.id, product_id: product.id }).execute()
    await computer.activate()
    verdicts.push((await computer.explain()).verdict)
  }

  expect(verdicts).toEqual(['Due', 'Due', 'NotApplicable', 'NotApplicable', 'NotApplicable'])
})

test('a condition that is no longer met at the hand-out makes the work wait with the reason', async () => {
  const computer = await computerWithConditions({ minFreeDiskGb: 40 })
  await computer.activate()
  await fill(computer, 10)

  expect(await computer.leased()).toEqual([])
  expect((await computer.explain()).blockers).toMatchObject([{ reason: 'ConditionUnmet' }])
  await fill(computer, 45)
  expect(await computer.leased()).toHaveLength(1)
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
