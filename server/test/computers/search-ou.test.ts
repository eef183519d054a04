import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('computer.read')

const variable = await db
  .selectFrom('variable_definitions')
  .select('id')
  .where('designation', '=', 'OuForComputerAccounts')
  .executeTakeFirstOrThrow()

const own = (computer: { id: number }, value: string) =>
  db.insertInto('computer_variables').values({ computer_id: computer.id, variable_id: variable.id, value }).execute()
const ofGroup = (group: { id: string }, value: string, is_forced = false) =>
  db.insertInto('group_variables').values({ group_id: group.id, variable_id: variable.id, value, is_forced }).execute()
const setDefault = (default_value: string | null) =>
  db.updateTable('variable_definitions').set({ default_value }).where('id', '=', variable.id).execute()

const top = await given.group({ name: 'Top' })
const below = await given.group({ name: 'Below', parent: top })
const assignment = await given.group({ tree: 'AssignmentGroups' })
const configuration = await given.variableConfiguration([{ variable, value: 'OU=Configured' }])
await db
  .insertInto('group_variable_configurations')
  .values({ group_id: assignment.id, configuration_id: configuration.id })
  .execute()
const { rows: packages } = await sql<{ id: string }>`insert into packages (name) values ('p') returning id`.execute(db)
const software = packages[0]?.id ?? ''
const packaged = await given.group({ tree: 'AssignmentGroups' })
await db.insertInto('group_packages').values({ group_id: packaged.id, package_id: software }).execute()
await db
  .insertInto('package_variables')
  .values({ package_id: software, variable_id: variable.id, value: 'OU=Packaged' })
  .execute()

const forcedTop = await given.group({ name: 'Forced' })
await ofGroup(top, 'OU=Top')
await ofGroup(forcedTop, 'OU=Forced', true)

/** Every combination of places that a value can come from. */
const places = [undefined, top, below, forcedTop]
for (const place of places)
  for (const other of [undefined, assignment, packaged])
    for (const value of [undefined, 'OU=Own']) {
      const computer = await given.computer()
      if (place) await given.member(place, computer)
      if (other) await given.member(other, computer)
      if (value) await own(computer, value)
    }

const all = async () => (await reader.call(listComputers, { query: { top: 1000 } })).body.items
const search = async (ou: string) =>
  (await reader.call(searchComputers, { query: { top: 1000 }, body: { ou } })).body.items.map(({ id }) => id)

test.each([null, 'OU=Default', 'OU=Top'])(
  'whatever the text and the default (%s), those are found whose OU is shown with it',
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
          'nobody',
        ),
        async (text) => {
          const expected = shown.filter(({ ou }) => ou?.toLowerCase().includes(text.toLowerCase())).map(({ id }) => id)
          expect(await search(text)).toEqual(expected)
        },
      ),
      { numRuns: 30 },
    )
    await setDefault(null)
  },
)

test('a value that another one overrides is not found', async () => {
  const computer = await given.computer()
  await given.member(forcedTop, computer)
  await own(computer, 'OU=Overridden')

  expect(await search('overridden')).toEqual([])
})

test('it is one of several criteria', async () => {
  const [one] = await all()

  const found = await reader.call(searchComputers, { body: { ou: 'own', clientId: one?.id ?? 0 } })

  expect(found.body.totalCount).toBe(0)
})
