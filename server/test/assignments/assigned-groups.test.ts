import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { listAgentTemplateGroups } from '../../src/features/assignments/api/assigned-groups/list-agent-template-groups.ts'
import { listLanguagePackImportGroups } from '../../src/features/assignments/api/assigned-groups/list-language-pack-import-groups.ts'
import { listOsImageSkuGroups } from '../../src/features/assignments/api/assigned-groups/list-os-image-sku-groups.ts'
import { listPxeBootImageGroups } from '../../src/features/assignments/api/assigned-groups/list-pxe-boot-image-groups.ts'
import { listSoftwareClassGroups } from '../../src/features/assignments/api/assigned-groups/list-software-class-groups.ts'
import type { AssignmentKind } from '../../src/features/assignments/effective-assignments.ts'
import { getAgentTemplate } from '../../src/features/packages/api/agent-templates/get-agent-template.ts'
import { getLanguagePackImport } from '../../src/features/packages/api/language-packs/get-language-pack-import.ts'
import { getOperatingSystemImport } from '../../src/features/packages/api/operating-systems/get-operating-system-import.ts'
import { getPxeBootImage } from '../../src/features/packages/api/pxe-boot-images/get-pxe-boot-image.ts'
import { getSoftwareClass } from '../../src/features/packages/api/software-classes/get-software-class.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read')

type Assigned = { params: { id: number | string; skuId?: number }; object: { id: number | string } }

const byId = (object: { id: number | string }): Assigned => ({ params: { id: object.id }, object })

async function makeSku(): Promise<Assigned> {
  const { id, skus } = await given.osImage()
  const [sku = { id: 0 }] = skus
  return { params: { id, skuId: sku.id }, object: sku }
}

const objects: { kind: AssignmentKind; list: AnyOperation; make(): Promise<Assigned> }[] = [
  { kind: 'osImageSku', list: listOsImageSkuGroups, make: makeSku },
  { kind: 'pxeBootImage', list: listPxeBootImageGroups, make: async () => byId(await given.pxeBootImage()) },
  { kind: 'languagePack', list: listLanguagePackImportGroups, make: async () => byId(await given.languagePack()) },
  { kind: 'agentTemplate', list: listAgentTemplateGroups, make: async () => byId(await given.agentTemplate()) },
  { kind: 'softwareClass', list: listSoftwareClassGroups, make: async () => byId(await given.softwareClass()) },
]

describe.each(objects)('groups with one $kind', ({ kind, list, make }) => {
  test('the list contains the groups of both trees that have the object directly, and no subgroups', async () => {
    const { params, object } = await make()
    const [one, other] = [await given.group({ description: 'Here' }), await given.group({ tree: 'AssignmentGroups' })]
    const [below, foreign] = [await given.group({ parent: one }), await make()]
    for (const group of [one, other]) await given.assignment(group, object, kind)
    await given.assignment(below, foreign.object, kind)

    const listed = await reader.call(list, { params })
    const first = await reader.call(list, { params, query: { top: 1 } })

    const roots = [await given.root('ConfigurationGroups'), await given.root('AssignmentGroups')]
    expect(listed.body.items).toEqual([
      { id: one.id, name: one.name, assignedToTree: one.tree, parentId: roots[0]?.id, description: 'Here' },
      { id: other.id, name: other.name, assignedToTree: other.tree, parentId: roots[1]?.id, description: null },
    ])
    expect(first.body).toMatchObject({ items: [{ id: one.id }], totalCount: 2, hasMore: true })
  })

  test('the list is empty while the object is assigned nowhere', async () => {
    const { params } = await make()

    const listed = await reader.call(list, { params })

    expect(listed.body).toMatchObject({ items: [], totalCount: 0 })
  })
})

describe('unknown and malformed ids', async () => {
  const software = await given.package()
  const system = await given.osImage()
  const other = await given.osImage()
  const sku = (params: { id: string; skuId: number }) => params
  const unknownId = randomUUID()
  const unknown: [AnyOperation, object, string][] = [
    [getOperatingSystemImport, { id: unknownId }, 'OperatingSystemImportNotFound'],
    [getOperatingSystemImport, { id: software.id }, 'OperatingSystemImportNotFound'],
    [listOsImageSkuGroups, sku({ id: unknownId, skuId: system.skus[0]?.id ?? 0 }), 'OperatingSystemImportNotFound'],
    [listOsImageSkuGroups, sku({ id: system.id, skuId: 2_000_000_000 }), 'OsImageSkuNotFound'],
    [listOsImageSkuGroups, sku({ id: system.id, skuId: other.skus[0]?.id ?? 0 }), 'OsImageSkuNotFound'],
    [getPxeBootImage, { id: 2_000_000_000 }, 'PxeBootImageNotFound'],
    [listPxeBootImageGroups, { id: 2_000_000_000 }, 'PxeBootImageNotFound'],
    [getLanguagePackImport, { id: system.id }, 'LanguagePackNotFound'],
    [listLanguagePackImportGroups, { id: unknownId }, 'LanguagePackNotFound'],
    [getAgentTemplate, { id: system.id }, 'AgentTemplateNotFound'],
    [listAgentTemplateGroups, { id: unknownId }, 'AgentTemplateNotFound'],
    [getSoftwareClass, { id: 2_000_000_000 }, 'SoftwareClassNotFound'],
    [listSoftwareClassGroups, { id: 2_000_000_000 }, 'SoftwareClassNotFound'],
  ]

  test.each(unknown.map(([operation, params, code]) => ({ operation, params, code })))(
    '$operation.id answers unknown ids with $code: $params',
    async ({ operation, params, code }) => {
      const before = await fingerprints(db)

      const refused = await reader.call(operation, { params })

      expect(refused).toMatchObject({ status: 404, problem: code })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each([getPxeBootImage, getSoftwareClass])('$id refuses an id that is not a number', async (operation) => {
    const refused = await reader.send({ method: 'GET', url: operation.path.replace(':id', 'one') })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'path', name: 'id' }] } })
  })

  test.each([getAgentTemplate, getLanguagePackImport, getOperatingSystemImport])(
    '$id refuses an id that is not a UUID',
    async (operation) => {
      const refused = await reader.send({ method: 'GET', url: operation.path.replace(':id', '17') })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'path', name: 'id' }] } })
    },
  )
})
