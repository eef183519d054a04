import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { removeDistributionOptions } from '../../src/features/distribution/api/remove-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const [reader, writer] = [as('group.read'), as('group.write', 'group.read')]
const packages = [await given.package(), await given.package()] as const

/** A subgroup of an earlier group. Its options, for itself and for packages, are identified by their revoke count. */
type Node = { parent: number; own: number | null; ofPackages: readonly [number | null, number | null] }

const count = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: null })
const trees = fc
  .array(fc.record({ parent: fc.nat(), own: count, ofPackages: fc.tuple(count, count) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((nodes): Node[] => nodes.map((node, index) => ({ ...node, parent: index === 0 ? -1 : node.parent % index })))

/** The group that assigns the package to the group: the nearest with options for it, or else the topmost group. */
function assigningIndex(nodes: readonly Node[], index: number, which: 0 | 1): number {
  const node = nodes[index]
  return !node || node.parent < 0 || node.ofPackages[which] !== null ? index : assigningIndex(nodes, node.parent, which)
}

/** The first options from the group upwards; in each group, those of the package before those of the group. */
function firstRevokeCount(nodes: readonly Node[], index: number, which: 0 | 1 | null): number {
  const node = nodes[index]
  if (!node) return 0
  const ofPackage = which === null ? null : node.ofPackages[which]
  return ofPackage ?? node.own ?? firstRevokeCount(nodes, node.parent, which)
}

test('the effective options are those of the nearest group that has any, from the group that assigns the package', async () => {
  await fc.assert(
    fc.asyncProperty(trees, async (nodes) => {
      const groups: Awaited<ReturnType<typeof given.group>>[] = []
      for (const { parent, own, ofPackages } of nodes) {
        const above = groups[parent]
        const group = await given.group(above && { parent: above })
        groups.push(group)
        if (own !== null) await setRevokeCount(group.id, own)
        for (const [which, made] of packages.entries()) {
          const options = ofPackages[which] ?? null
          if (!above || options !== null) await given.assignment(group, made, 'package')
          if (options !== null) await setRevokeCount(group.id, options, made.id)
        }
      }

      for (const [index, group] of groups.entries())
        for (const which of [null, 0, 1] as const) {
          const { body } = await reader.call(getDistributionOptions, {
            params: { id: group.id },
            ...(which !== null && { query: { packageId: packages[which].id } }),
          })
          expect(body.groupId).toBe(group.id)
          const from = which === null ? index : assigningIndex(nodes, index, which)
          expect(body.revokeCount).toBe(firstRevokeCount(nodes, from, which))
        }
    }),
    { numRuns: modelRuns(6) },
  )
})

async function setRevokeCount(id: string, revokeCount: number, packageId?: string) {
  const { status } = await writer.call(setDistributionOptions, {
    params: { id },
    ...(packageId && { query: { packageId } }),
    body: { distCommands: 1, revokeCount },
  })
  expect(status).toBe(200)
}

test('a group whose own options are removed inherits again, and the answer has what it inherits', async () => {
  const parent = await given.group()
  const params = { id: (await given.group({ parent })).id }
  const made = await given.package()
  await given.assignment(params, made, 'package')
  const [ofGroup, ofPackage] = [{}, { packageId: made.id }]
  const set = (group: { id: string }, query: object, command: 'Update' | 'Uninstall' | 'Reinstall') =>
    writer.call(setDistributionOptions, { params: { id: group.id }, query, body: { commands: [command] } })
  const remove = (query: object, headers = {}) => writer.call(removeDistributionOptions, { params, query, headers })
  await set(parent, ofGroup, 'Update')
  await set(params, ofGroup, 'Uninstall')
  await set(params, ofPackage, 'Reinstall')

  expect((await remove(ofPackage, { 'if-match': '"other"' })).status).toBe(412)
  expect(await remove(ofPackage)).toMatchObject({ status: 200, body: { packageId: made.id, commands: ['Uninstall'] } })
  expect(await remove(ofGroup)).toMatchObject({ status: 200, body: { packageId: null, commands: ['Update'] } })
  expect(await remove(ofGroup)).toMatchObject({ status: 200, body: { packageId: null, commands: ['Update'] } })
  expect((await reader.call(getDistributionOptions, { params: parent })).body.commands).toEqual(['Update'])
})
