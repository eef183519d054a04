import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { givenAssignment, givenPackage } from '../depots/given-packages.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const [reader, writer] = [as('group.read'), as('group.write')]
const packages = [await givenPackage(db), await givenPackage(db)] as const

/** A group below an earlier one, with options that are told apart by their number, for itself or for packages. */
type Node = { parent: number; own: number | null; ofPackages: readonly [number | null, number | null] }

const count = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: null })
const trees = fc
  .array(fc.record({ parent: fc.nat(), own: count, ofPackages: fc.tuple(count, count) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((nodes): Node[] => nodes.map((node, index) => ({ ...node, parent: index === 0 ? -1 : node.parent % index })))

/** From the group upwards, the first that says something; about the package before about the whole. */
function expected(nodes: readonly Node[], index: number, which: 0 | 1 | null): number {
  const node = nodes[index]
  if (!node) return 0
  const ofPackage = which === null ? null : node.ofPackages[which]
  return ofPackage ?? node.own ?? expected(nodes, node.parent, which)
}

test('the options that hold are those of the nearest group that has any', async () => {
  await fc.assert(
    fc.asyncProperty(trees, async (nodes) => {
      const groups: Awaited<ReturnType<typeof given.group>>[] = []
      for (const { parent, own, ofPackages } of nodes) {
        const above = groups[parent]
        const group = await given.group(above && { parent: above })
        groups.push(group)
        if (own !== null) await put(group.id, own)
        for (const [which, made] of packages.entries()) {
          const options = ofPackages[which] ?? null
          if (!above || options !== null) await givenAssignment(db, group, made)
          if (options !== null) await put(group.id, options, made.id)
        }
      }

      for (const [index, group] of groups.entries())
        for (const which of [null, 0, 1] as const) {
          const { body } = await reader.call(getDistributionOptions, {
            params: { id: group.id },
            ...(which !== null && { query: { packageId: packages[which].id } }),
          })
          expect(body.groupId).toBe(group.id)
          expect(body.revokeCount).toBe(expected(nodes, index, which))
        }
    }),
    { numRuns: 40 },
  )
})

async function put(id: string, revokeCount: number, packageId?: string) {
  const { status } = await writer.call(setDistributionOptions, {
    params: { id },
    ...(packageId && { query: { packageId } }),
    body: { distCommands: 1, revokeCount },
  })
  expect(status).toBe(200)
}
