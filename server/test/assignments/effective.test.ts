import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getComputerAgentTemplate } from '../../src/features/assignments/api/effective/get-computer-agent-template.ts'
import { getComputerOsImageSku } from '../../src/features/assignments/api/effective/get-computer-os-image-sku.ts'
import { getComputerPxeBootImage } from '../../src/features/assignments/api/effective/get-computer-pxe-boot-image.ts'
import { listComputerLanguagePacks } from '../../src/features/assignments/api/effective/list-computer-language-packs.ts'
import { listComputerPackageGroups } from '../../src/features/assignments/api/effective/list-computer-package-groups.ts'
import { getOsDeploymentReadiness } from '../../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const reader = as('computer.read')

/** A computer in a subgroup. */
async function computerInSubgroup() {
  const computer = await given.computer()
  const upper = await given.group()
  const lower = await given.group({ parent: upper })
  await given.member(lower, computer)
  return { upper, lower, computer, params: { id: computer.id } }
}

test('the effective agent template is shown with its settings and the group that assigns it', async () => {
  const { upper, params } = await computerInSubgroup()
  const template = await given.agentTemplate({ name: 'Calm', settings: { contactIntervalMinutes: 90 } })
  await given.assignment(upper, template, 'agentTemplate')

  const read = await reader.call(getComputerAgentTemplate, { params })

  expect(read.body).toEqual({
    template: {
      id: template.id,
      name: 'Calm',
      version: '1.0',
      description: null,
      operational: true,
      settings: { contactIntervalMinutes: 90 },
    },
    assignedGroupId: upper.id,
    assignedGroupPath: upper.path,
  })
})

test('the edition of the nearest group is effective, and is shown with the properties of its image', async () => {
  const { upper, lower, params } = await computerInSubgroup()
  const system = await given.osImage({ folder: 'images/near', editions: ['Home', 'Pro'] })
  const [home = { id: 0 }, pro = { id: 0 }] = system.skus
  await given.assignment(upper, home, 'osImageSku')
  await given.assignment(lower, pro, 'osImageSku')

  const read = await reader.call(getComputerOsImageSku, { params })

  expect(read.body).toEqual({
    skuId: pro.id,
    skuIndex: 2,
    edition: 'Pro',
    imageName: system.name,
    imagePath: 'images/near/install.wim',
    osLanguage: 'de-DE',
    os: 'Windows 11',
    osType: 'Workstation',
    osArchitecture: 'x64',
    assignedGroupId: lower.id,
    assignedGroupPath: lower.path,
  })
})

test('at equal distance the boot image of the configuration tree is effective', async () => {
  const { lower, computer, params } = await computerInSubgroup()
  const other = await given.group({ tree: 'AssignmentGroups', name: '!first by name' })
  await given.member(other, computer)
  const [near, far] = [await given.pxeBootImage(), await given.pxeBootImage()]
  await given.assignment(other, far, 'pxeBootImage')
  await given.assignment(lower, near, 'pxeBootImage')

  const read = await reader.call(getComputerPxeBootImage, { params })

  expect(read.body).toEqual({
    imageId: near.id,
    imageName: near.name,
    assignedGroupId: lower.id,
    assignedGroupPath: lower.path,
  })
})

test('between assignment groups at equal distance the path that sorts first by bytes wins', async () => {
  const parents = [
    await given.group({ tree: 'AssignmentGroups', name: 'b' }),
    await given.group({ tree: 'AssignmentGroups', name: 'a-b' }),
    await given.group({ tree: 'AssignmentGroups', name: 'C' }),
    await given.group({ tree: 'AssignmentGroups', name: 'a b' }),
  ]
  const [outer, inner] = [await given.computer(), await given.computer()]
  for (const parent of parents) {
    const group = await given.group({ parent, name: 'same' })
    await given.member(parent, outer)
    await given.member(group, inner)
    for (const one of [parent, group]) await given.assignment(one, await given.pxeBootImage(), 'pxeBootImage')
  }

  const reads = [outer, inner].map(({ id }) => reader.call(getComputerPxeBootImage, { params: { id } }))

  const paths = (await Promise.all(reads)).map(({ body }) => body.assignedGroupPath)
  expect(paths).toEqual(['Assignment/C', 'Assignment/C/same'])
})

test('every language pack is listed once, with the nearest group that assigns it', async () => {
  const { upper, lower, params } = await computerInSubgroup()
  const [both, above] = [await given.languagePack({ folder: 'images/both' }), await given.languagePack()]
  for (const group of [upper, lower]) await given.assignment(group, both, 'languagePack')
  await given.assignment(upper, above, 'languagePack')

  const listed = await reader.call(listComputerLanguagePacks, { params })
  const second = await reader.call(listComputerLanguagePacks, { params, query: { skip: 1, top: 1 } })

  expect(listed.body.items).toMatchObject([
    { packageId: both.id, imagePath: 'images/both/lp.cab', assignedGroupId: lower.id, assignedGroupPath: lower.path },
    { packageId: above.id, assignedGroupId: upper.id },
  ])
  expect(second.body).toMatchObject({ items: [{ packageId: above.id }], totalCount: 2, hasMore: false })
})

test('a computer without language packs has an empty list', async () => {
  const { params } = await computerInSubgroup()

  const listed = await reader.call(listComputerLanguagePacks, { params })

  expect(listed.body).toMatchObject({ items: [], totalCount: 0 })
})

describe('getOsDeploymentReadiness', () => {
  const nothing = { skuId: null, edition: null, skuGroupId: null, pxeImageId: null, pxeGroupId: null }

  test('a computer is not ready for an operating system while something is not assigned, and the answer names it', async () => {
    const { upper, params } = await computerInSubgroup()
    const before = await reader.call(getOsDeploymentReadiness, { params })
    const image = await given.pxeBootImage()
    await given.assignment(upper, image, 'pxeBootImage')

    const read = await reader.call(getOsDeploymentReadiness, { params })

    expect(before.body).toEqual({ ready: false, ...nothing, missing: ['OsImageSku', 'PxeBootImage'] })
    const found = { pxeImageId: image.id, pxeGroupId: upper.id }
    expect(read.body).toEqual({ ready: false, ...nothing, ...found, missing: ['OsImageSku'] })
  })

  test('a computer is ready for an operating system once an edition and a boot image are effective, from any groups', async () => {
    const { upper, lower, params } = await computerInSubgroup()
    const [sku = { id: 0 }] = (await given.osImage({ editions: ['Pro'] })).skus
    const image = await given.pxeBootImage()
    await given.assignment(lower, sku, 'osImageSku')
    await given.assignment(upper, image, 'pxeBootImage')

    const read = await reader.call(getOsDeploymentReadiness, { params })

    expect(read.body).toEqual({
      ready: true,
      skuId: sku.id,
      edition: 'Pro',
      skuGroupId: lower.id,
      pxeImageId: image.id,
      pxeGroupId: upper.id,
      missing: [],
    })
  })
})

describe('getOsDeploymentReadiness of what is assigned but cannot be installed', () => {
  test('packages that are not Ready to Install or have no current hash are missing', async () => {
    const { lower, params } = await computerInSubgroup()
    const [sku = { id: 0 }] = (await given.osImage({ is_operational: false })).skus
    await given.assignment(lower, sku, 'osImageSku')
    await given.assignment(lower, await given.pxeBootImage({ hash_state: 'Mismatch' }), 'pxeBootImage')

    const { body } = await reader.call(getOsDeploymentReadiness, { params })

    expect(body).toMatchObject({
      ready: false,
      skuId: sku.id,
      missing: ['OsImageReadyToInstall', 'PxeBootImageReadyToInstall'],
    })
  })

  test('the MAC address of a computer is missing if it is unknown', async () => {
    const computer = await given.computer({ mac: null, uuid: randomUUID() })
    const group = await given.group()
    await given.member(group, computer)
    const [sku = { id: 0 }] = (await given.osImage()).skus
    await given.assignment(group, sku, 'osImageSku')
    await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')

    const { body } = await reader.call(getOsDeploymentReadiness, { params: { id: computer.id } })

    expect(body).toMatchObject({ ready: false, missing: ['MacAddress'] })
  })
})

describe('listComputerPackageGroups', () => {
  async function groupsOf(params: { id: number; packageId: string }) {
    const { body } = await reader.call(listComputerPackageGroups, { params, query: { top: 1000 } })
    return body.items.map(({ groupId }) => groupId)
  }

  test('the groups that assign a package to a computer are its groups and their ancestors in both trees, and no others', async () => {
    const { upper, lower, computer } = await computerInSubgroup()
    const other = await given.group({ tree: 'AssignmentGroups', description: 'Other' })
    await given.member(other, computer)
    const { id: packageId } = await given.package()
    for (const group of [upper, lower, other, await given.group({ parent: lower }), await given.group()])
      await given.assignment(group, { id: packageId }, 'package')

    const params = { id: computer.id, packageId }
    const listed = await reader.call(listComputerPackageGroups, { params })
    const first = await reader.call(listComputerPackageGroups, { params, query: { top: 1 } })

    expect(listed.body.items).toEqual([
      { groupId: upper.id, name: upper.name, assignedToTree: 'ConfigurationGroups', description: null },
      { groupId: lower.id, name: lower.name, assignedToTree: 'ConfigurationGroups', description: null },
      { groupId: other.id, name: other.name, assignedToTree: 'AssignmentGroups', description: 'Other' },
    ])
    expect(first.body).toMatchObject({ items: [{ groupId: upper.id }], totalCount: 3, hasMore: true })
  })

  test('the groups that assign a package include those that assign its edition, image, template or software class', async () => {
    const { upper, lower, computer } = await computerInSubgroup()
    const system = await given.osImage()
    const image = await given.pxeBootImage()
    const [pack, template, software] = [await given.languagePack(), await given.agentTemplate(), await given.package()]
    await given.assignment(upper, system.skus[0] ?? { id: 0 }, 'osImageSku')
    await given.assignment(lower, image, 'pxeBootImage')
    await given.assignment(upper, pack, 'languagePack')
    await given.assignment(lower, template, 'agentTemplate')
    await given.assignment(lower, await given.softwareClass({ packages: [software] }), 'softwareClass')

    const found = await Promise.all(
      [system.id, image.packageId, pack.id, template.id, software.id].map((packageId) =>
        groupsOf({ id: computer.id, packageId }),
      ),
    )

    expect(found).toEqual([[upper.id], [lower.id], [upper.id], [lower.id], [lower.id]])
  })

  test('a reinstall group does not bring the packages of its ancestors to a computer', async () => {
    const [computer, group] = [await given.computer(), await given.group()]
    await given.member(await given.group({ parent: group, kind: 'Reinstall' }), computer)
    const { id: packageId } = await given.package()
    await given.assignment(group, { id: packageId }, 'package')

    expect(await groupsOf({ id: computer.id, packageId })).toEqual([])
  })
})

describe('unknown objects and missing assignments', async () => {
  const { params } = await computerInSubgroup()
  const { id: packageId } = await given.package()
  const unknown = { id: 2_000_000_000 }
  const cases: { operation: AnyOperation; params: object; code: string }[] = [
    { operation: getComputerAgentTemplate, params: unknown, code: 'ComputerNotFound' },
    { operation: getComputerOsImageSku, params: unknown, code: 'ComputerNotFound' },
    { operation: getComputerPxeBootImage, params: unknown, code: 'ComputerNotFound' },
    { operation: listComputerLanguagePacks, params: unknown, code: 'ComputerNotFound' },
    { operation: getOsDeploymentReadiness, params: unknown, code: 'ComputerNotFound' },
    { operation: listComputerPackageGroups, params: { ...unknown, packageId }, code: 'ComputerNotFound' },
    { operation: listComputerPackageGroups, params: { ...params, packageId: randomUUID() }, code: 'PackageNotFound' },
    { operation: getComputerAgentTemplate, params, code: 'NoAgentTemplateAssigned' },
    { operation: getComputerOsImageSku, params, code: 'NoOsImageSkuAssigned' },
    { operation: getComputerPxeBootImage, params, code: 'NoPxeBootImageAssigned' },
  ]

  test.each(cases)('$operation.id answers 404 with $code', async ({ operation, params: missing, code }) => {
    const before = await fingerprints(db)

    const refused = await reader.call(operation, { params: missing })

    expect(refused).toMatchObject({ status: 404, problem: code })
    expect(await fingerprints(db)).toEqual(before)
  })
})
