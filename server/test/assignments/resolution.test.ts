import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listAgentTemplateGroups } from '../../src/features/assignments/api/assigned-groups/list-agent-template-groups.ts'
import { listLanguagePackImportGroups } from '../../src/features/assignments/api/assigned-groups/list-language-pack-import-groups.ts'
import { listOsImageSkuGroups } from '../../src/features/assignments/api/assigned-groups/list-os-image-sku-groups.ts'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { listPxeBootImageGroups } from '../../src/features/assignments/api/assigned-groups/list-pxe-boot-image-groups.ts'
import { listSoftwareClassGroups } from '../../src/features/assignments/api/assigned-groups/list-software-class-groups.ts'
import { getComputerAgentTemplate } from '../../src/features/assignments/api/effective/get-computer-agent-template.ts'
import { getComputerOsImageSku } from '../../src/features/assignments/api/effective/get-computer-os-image-sku.ts'
import { getComputerPxeBootImage } from '../../src/features/assignments/api/effective/get-computer-pxe-boot-image.ts'
import { listComputerLanguagePacks } from '../../src/features/assignments/api/effective/list-computer-language-packs.ts'
import { listComputerPackageGroups } from '../../src/features/assignments/api/effective/list-computer-package-groups.ts'
import { listGroupAssignments } from '../../src/features/assignments/api/groups/list-group-assignments.ts'
import { listGroupPackages } from '../../src/features/assignments/api/groups/list-group-packages.ts'
import type { AssignmentKind } from '../../src/features/assignments/effective-assignments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { getOsDeploymentReadiness } from '../../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'
import { pick, type RandomGroup } from '../world/random-groups.ts'
import {
  directGroupsOf,
  type EffectiveObject,
  membersBelow,
  objectsOfGroup,
  reachedBy,
  winner,
  winners,
} from './assignment-model.ts'
import { type Assignable, type Assignments, carryOut, plans } from './assignment-world.ts'

const { as, db, given } = await openWorld()
const [computerReader, packageReader, groupReader] = [as('computer.read'), as('package.read'), as('group.read')]
const all = { top: 1000 }

const kinds: AssignmentKind[] = [
  'package',
  'softwareClass',
  'languagePack',
  'agentTemplate',
  'osImageSku',
  'pxeBootImage',
]

/** An effective object as the operations answer it, with the group that assigns it. */
type Answered = { kind: AssignmentKind; id: number | string; groupId: string; path: string }

const toAnswer = ({ object: { kind, id }, group }: EffectiveObject): Answered => ({
  kind,
  id,
  groupId: group.id,
  path: group.path,
})

type AssigningGroup = { assignedGroupId: string; assignedGroupPath: string }

const singles: { kind: AssignmentKind; read: AnyOperation; none: string; idOf(body: never): number | string }[] = [
  {
    kind: 'agentTemplate',
    read: getComputerAgentTemplate,
    none: 'NoAgentTemplateAssigned',
    idOf: ({ template }: { template: { id: string } }) => template.id,
  },
  {
    kind: 'osImageSku',
    read: getComputerOsImageSku,
    none: 'NoOsImageSkuAssigned',
    idOf: ({ skuId }: { skuId: number }) => skuId,
  },
  {
    kind: 'pxeBootImage',
    read: getComputerPxeBootImage,
    none: 'NoPxeBootImageAssigned',
    idOf: ({ imageId }: { imageId: number }) => imageId,
  },
]

/** Checks what the computer gets, and returns what the operations answered. */
async function checkComputer(world: Assignments, computer: number): Promise<Answered[]> {
  const params = { id: computer }
  const found: Answered[] = []
  for (const { kind, read, none, idOf } of singles) {
    const expected = winner(world, computer, kind)
    const answer = await computerReader.call(read, { params })
    if (!expected) {
      expect(answer).toMatchObject({ status: 404, problem: none })
      continue
    }
    const { assignedGroupId, assignedGroupPath } = answer.body as AssigningGroup
    found.push({ kind, id: idOf(answer.body as never), groupId: assignedGroupId, path: assignedGroupPath })
    expect(found.at(-1)).toEqual(toAnswer(expected))
  }
  const packs = await computerReader.call(listComputerLanguagePacks, { params, query: all })
  const listed = packs.body.items.map(
    (one): Answered => ({
      kind: 'languagePack',
      id: one.packageId,
      groupId: one.assignedGroupId,
      path: one.assignedGroupPath,
    }),
  )
  const expected = winners(world, computer, 'languagePack').map(toAnswer)
  expect(listed).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  return [...found, ...listed]
}

async function checkReadiness(world: Assignments, computer: number): Promise<void> {
  const [sku, image] = [winner(world, computer, 'osImageSku'), winner(world, computer, 'pxeBootImage')]

  const { body } = await computerReader.call(getOsDeploymentReadiness, { params: { id: computer } })

  expect(body).toMatchObject({
    ready: Boolean(sku && image),
    skuId: sku?.object.id ?? null,
    skuGroupId: sku?.group.id ?? null,
    pxeImageId: image?.object.id ?? null,
    pxeGroupId: image?.group.id ?? null,
    missing: [...(sku ? [] : ['OsImageSku']), ...(image ? [] : ['PxeBootImage'])],
  })
}

const packagesOf = ({ objects }: Assignments) => [...new Set(objects.flatMap(({ packages }) => packages))]

/** The nearest effective assignment through which the computer gets the package. */
function effectiveAssignmentOf(world: Assignments, computer: number, packageId: string): EffectiveObject | undefined {
  const single = singles.map(({ kind }) => kind)
  return reachedBy(world, computer, kinds).find(
    ({ object }) =>
      object.packages.includes(packageId) &&
      (!single.includes(object.kind) || winner(world, computer, object.kind)?.object === object),
  )
}

/** Checks the computers that get the package, and through which group: all of them, and those below one group. */
async function checkStatus(world: Assignments, packageId: string, below: RandomGroup): Promise<void> {
  const expected = world.computers.flatMap((id) => {
    const won = effectiveAssignmentOf(world, id, packageId)
    return won ? [{ id, assignedGroupId: won.group.id, assignedGroupPath: won.group.path }] : []
  })
  const inside = membersBelow(world, below.id)
  const read = async (query: object) => {
    const { body } = await packageReader.call(getPackageStatus, {
      params: { id: packageId },
      query: { ...all, ...query },
    })
    expect(body.total).toBe(body.devices.totalCount)
    return body.devices.items.map(({ id, assignedGroupId, assignedGroupPath }) => ({
      id,
      assignedGroupId,
      assignedGroupPath,
    }))
  }

  expect(await read({})).toEqual(expected)
  expect(await read({ groupId: below.id })).toEqual(expected.filter(({ id }) => inside.has(id)))
}

/** Checks which groups assign the package to each computer. */
async function checkPackage(world: Assignments, packageId: string): Promise<void> {
  const assignsPackage = ({ object }: EffectiveObject) => object.packages.includes(packageId)
  for (const computer of world.computers) {
    const reached = reachedBy(world, computer, kinds).filter(assignsPackage)
    const params = { id: computer, packageId }
    const { body } = await computerReader.call(listComputerPackageGroups, { params, query: all })
    expect(body.items.map(({ groupId }) => groupId)).toEqual(
      [...new Set(reached.map(({ group }) => group.id))].toSorted(),
    )
  }
}

/** The kinds in the list of all assignments of a group, by the names that the list uses. */
const listedKinds: Partial<Record<string, AssignmentKind>> = {
  Package: 'package',
  AgentTemplate: 'agentTemplate',
  LanguagePackImport: 'languagePack',
  OsImageSku: 'osImageSku',
  PxeBootImage: 'pxeBootImage',
}

/** Checks the objects of the group, with or without inherited ones, and its computers. */
async function checkGroup(world: Assignments, groupId: string, includeInherited: boolean): Promise<void> {
  const request = { params: { id: groupId }, query: { ...all, includeInherited } }
  const expected = objectsOfGroup(world, groupId, includeInherited).filter(({ kind }) => kind !== 'softwareClass')
  const members = world.memberships.filter(({ group }) => group === groupId)

  const { body } = await groupReader.call(listGroupAssignments, { ...request, query: { includeInherited } })
  const packages = await groupReader.call(listGroupPackages, request)

  const listed = body.map(({ type, id, intId, skuId }) => [listedKinds[type] ?? type, id ?? intId ?? skuId].join(' '))
  expect(listed.toSorted()).toEqual(
    [
      ...expected.map(({ kind, id }) => `${kind} ${id}`),
      ...members.map(({ computer }) => `Computer ${computer}`),
    ].toSorted(),
  )
  expect(packages.body.items.map(({ id }) => id).toSorted()).toEqual(
    expected.flatMap(({ kind, id }) => (kind === 'package' ? [id] : [])).toSorted(),
  )
}

const listGroupsOperations: Partial<Record<AssignmentKind, AnyOperation>> = {
  package: listPackageGroups,
  softwareClass: listSoftwareClassGroups,
  languagePack: listLanguagePackImportGroups,
  agentTemplate: listAgentTemplateGroups,
  pxeBootImage: listPxeBootImageGroups,
  osImageSku: listOsImageSkuGroups,
}

/** Checks where the object is assigned, and that computers get it only from one of these groups. */
async function checkObject(world: Assignments, object: Assignable, answered: Answered[]): Promise<void> {
  const list = listGroupsOperations[object.kind]
  if (!list) throw new Error(`No operation lists the groups of one ${object.kind}.`)
  const params = object.kind === 'osImageSku' ? { id: object.packages[0], skuId: object.id } : { id: object.id }

  const { body } = await packageReader.call(list, { params, query: all })

  const groups = (body as { items: { id: string }[] }).items.map(({ id }) => id)
  expect(groups).toEqual(directGroupsOf(world, object))
  for (const { kind, id, groupId } of answered)
    if (kind === object.kind && id === object.id) expect(groups).toContain(groupId)
}

test('every operation that resolves assignments agrees with the rules of inheritance, for any trees and assignments', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const world = await carryOut(db, given, plan)

      const answered = (await Promise.all(world.computers.map((one) => checkComputer(world, one)))).flat()

      await Promise.all([
        ...world.computers.map((one) => checkReadiness(world, one)),
        ...packagesOf(world).map((one) => checkPackage(world, one)),
        ...packagesOf(world).map((one, at) => checkStatus(world, one, pick(world.groups, at))),
        ...world.groups.flatMap(({ id }) => [checkGroup(world, id, false), checkGroup(world, id, true)]),
        ...world.objects.map((one) => checkObject(world, one, answered)),
      ])
    }),
    { numRuns: modelRuns(3) },
  )
}, 600_000)
