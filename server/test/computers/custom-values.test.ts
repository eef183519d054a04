import { expect, test } from 'vitest'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
await db.updateTable('custom_fields').set({ is_active: true }).where('slot', 'in', ['Custom01', 'Custom30']).execute()

test('custom fields are set and cleared one by one, by null and by an empty text', async () => {
  const { id } = await given.computer()

  const steps = [
    { Custom01: 'Room 12', Custom30: 'é'.repeat(50) },
    { Custom01: null },
    { Custom01: 'Room 13', Custom30: '' },
    {},
  ]
  const shown = []
  for (const custom of steps)
    shown.push((await writer.call(updateComputer, { params: { id }, body: { custom } })).body.custom)

  expect(shown).toEqual([
    { Custom01: 'Room 12', Custom30: 'é'.repeat(50) },
    { Custom01: null, Custom30: 'é'.repeat(50) },
    { Custom01: 'Room 13', Custom30: null },
    { Custom01: 'Room 13', Custom30: null },
  ])
})

test.each([
  ['custom.Custom02', { Custom01: 'x', Custom02: 'inactive' }],
  ['custom.Custom02', { Custom02: null }],
  ['custom.Custom31', { Custom31: 'x' }],
  ['custom.Custom00', { Custom00: 'x' }],
  ['custom.custom01', { custom01: 'x' }],
  ['custom.Custom1', { Custom1: 'x' }],
  ['custom.Custom01', { Custom01: 'x'.repeat(51) }],
  ['custom.Custom01', { Custom01: 5 }],
  ['custom', []],
])('a wrong slot or value is refused as %s', async (name, custom) => {
  const { id } = await given.computer()
  const before = await fingerprints(db)

  const refused = await writer.send({
    method: 'PATCH',
    url: `/api/computer/${id}`,
    payload: { name: 'not-this', custom },
  })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
  expect(await fingerprints(db)).toEqual(before)
})

test('the value of a slot outlives the time in which the slot is not active', async () => {
  const { id } = await given.computer()
  const setActive = (is_active: boolean) =>
    db.updateTable('custom_fields').set({ is_active }).where('slot', '=', 'Custom30').execute()
  const patched = async (body: object) => (await writer.call(updateComputer, { params: { id }, body })).body.custom

  await patched({ custom: { Custom30: 'kept' } })
  await setActive(false)
  const hidden = await patched({ custom: { Custom01: 'other' } })
  await setActive(true)

  expect(hidden).toEqual({ Custom01: 'other' })
  expect(await patched({})).toEqual({ Custom01: 'other', Custom30: 'kept' })
})
