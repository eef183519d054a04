import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ComponentSets, positionsOfMask } from '../../src/features/vulnerabilities/compare/component-sets.ts'

const ids = (maxLength: number) => fc.uniqueArray(fc.nat(80), { minLength: 1, maxLength })

test('a computer counts for each vulnerability of which it has a component, whatever the others', () => {
  fc.assert(
    fc.property(
      fc.array(ids(40), { minLength: 1, maxLength: 120 }),
      fc.array(ids(30), { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 6 }),
      (affected, computers, packageCount) => {
        const sets = new ComponentSets(
          affected.map((components, id) => ({ components, vulnerabilities: [id] })),
          new Map(Array.from({ length: 81 }, (_, id) => [id, `package ${id % packageCount}`])),
        )
        for (const installed of computers) {
          const members = [...sets.masked, ...sets.others].filter(({ componentId }) => installed.includes(componentId))
          for (const [family, found] of Map.groupBy(members, (member) => member.family))
            sets.count({ family, positions: [...new Set(found.map(({ position }) => position))], computers: 1 })
        }

        const counts = new Map(sets.listCounts().map((one) => [one.vulnerabilityId, one.computers]))
        for (const [id, components] of affected.entries())
          expect(counts.get(id)).toBe(
            computers.filter((installed) => components.some((component) => installed.includes(component))).length,
          )
        expect(Math.max(0, ...sets.masked.map(({ position }) => position))).toBeLessThan(52)
      },
    ),
  )
})

test('a mask is read as the positions of its bits', () => {
  expect(positionsOfMask(0)).toEqual([])
  expect(positionsOfMask(2 ** 51 + 2 ** 3 + 1)).toEqual([0, 3, 51])
})
