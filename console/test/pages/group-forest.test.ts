import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TreeGroup } from '../../src/pages/groups/group-queries.ts'
import {
  buildForest,
  countBelow,
  listAncestors,
  listPossibleParents,
  listRows,
} from '../../src/pages/groups/tree/forest.ts'

const group = (id: number, parent: number | null) =>
  ({
    ...{ id: String(id), name: `Group ${id}`, assignedToTree: 'AssignmentGroups', kind: 'Ordinary' },
    parentId: parent === null ? null : String(parent),
  }) as TreeGroup

/** Groups of which each has any parent: another one, itself, one that is not there, or none. */
const answers = fc
  .array(fc.option(fc.nat({ max: 12 })), { minLength: 1, maxLength: 10 })
  .map((parents) => parents.map((parent, id) => group(id, parent)))

test('every group of any answer is shown once, even if parents form a circle', () => {
  fc.assert(
    fc.property(answers, (groups) => {
      const forest = buildForest(groups, (a, b) => (a < b ? -1 : 1))
      const shown = listRows(forest, () => true).map(({ group: { id } }) => id)

      expect(shown.toSorted()).toEqual(groups.map(({ id }) => id).toSorted())
      for (const { id } of groups) {
        expect(listAncestors(forest, id).map((ancestor) => ancestor.id)).not.toContain(id)
        expect(countBelow(forest, id)).toBeLessThan(groups.length)
        expect(listPossibleParents(forest, id).map((parent) => parent.id)).not.toContain(id)
      }
    }),
  )
})
