import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { searchVariableDefinitions } from '../../src/features/variables/api/definitions/search-variable-definitions.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('computer.read')

const [definition] = (
  await as('package.read').call(searchVariableDefinitions, { body: { name: 'DomainJoin.OuForComputerAccounts' } })
).body.items
const variable = { id: definition?.varId ?? 0 }

const setOnComputer = ({ id }: { id: number }, value: string) =>
  as('computer.write').call(setComputerVariable, { params: { id, varId: variable.id }, body: { value } })
const setOnGroup = ({ id }: { id: string }, value: string, forced = false) =>
  as('group.write').call(setGroupVariable, { params: { id, varId: variable.id }, body: { value, forced } })
const setDefault = (value: string | null) =>
  as('package.write').call(applyCatalog, {
    body: {
      catalog: {
        variableDefinitions: [
          { name: 'DomainJoin', kind: 'Category', children: [{ name: 'OuForComputerAccounts', default: value }] },
        ],
      },
    },
  })

const top = await given.group({ name: 'Top' })
const below = await given.group({ name: 'Below', parent: top })
const assignment = await given.group({ tree: 'AssignmentGroups' })
const configuration = await given.variableConfiguration([{ variable, value: 'OU=Configured' }])
await given.assignment(assignment, configuration)
const software = await given.package()
const packaged = await given.group({ tree: 'AssignmentGroups' })
await given.assignment(packaged, software, 'package')
await db
  .insertInto('package_variables')
  .values({ package_id: software.id, variable_id: variable.id, value: 'OU=Packaged' })
  .execute()

const forcedTop = await given.group({ name: 'Forced' })
await setOnGroup(top, 'OU=Top')
await setOnGroup(forcedTop, 'OU=Forced', true)

/** One computer for each combination of the places that a value can come from. */
const places = [undefined, top, below, forcedTop]
for (const place of places)
  for (const other of [undefined, assignment, packaged])
    for (const value of [undefined, 'OU=Own']) {
      const computer = await given.computer()
      if (place) await given.member(place, computer)
      if (other) await given.member(other, computer)
      if (value) await setOnComputer(computer, value)
    }

const all = async () => (await reader.call(listComputers, { query: { top: 1000 } })).body.items
const search = async (ou: string) =>
  (await reader.call(searchComputers, { query: { top: 1000 }, body: { ou } })).body.items.map(({ id }) => id)

test.each([null, 'OU=Default', 'OU=Top'])(
  'with the default %s, a search by OU finds exactly the computers whose shown OU contains the text',
  async (defaultValue) => {
    await setDefault(defaultValue)
    const shown = await all()

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'ou=',
          'top',
          'Own',
          'FORCED',
          'configured',
          'packaged',
          'default',
          'OU=T',
          '%',
          '_',
          'O_=',
          'no such text',
        ),
        async (text) => {
          const expected = shown.filter(({ ou }) => ou?.toLowerCase().includes(text.toLowerCase())).map(({ id }) => id)
          expect(await search(text)).toEqual(expected)
        },
      ),
      { numRuns: modelRuns(6) },
    )
    await setDefault(null)
  },
)

test('a search by OU does not find a value that another one overrides', async () => {
  const computer = await given.computer()
  await given.member(forcedTop, computer)
  await setOnComputer(computer, 'OU=Overridden')

  expect(await search('overridden')).toEqual([])
})

test('the OU combines with other criteria', async () => {
  const [one] = await all()

  const found = await reader.call(searchComputers, { body: { ou: 'own', clientId: one?.id ?? 0 } })

  expect(found.body.totalCount).toBe(0)
})
