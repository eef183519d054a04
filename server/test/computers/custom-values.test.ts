import { expect, test } from 'vitest'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { updateCustomField } from '../../src/features/custom-fields/api/update-custom-field.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
const setActive = (slot: string, isActive: boolean) =>
  writer.call(updateCustomField, { params: { slot }, body: { isActive } })
for (const slot of ['Custom01', 'Custom30']) await setActive(slot, true)

test('custom fields are set and cleared one by one, with null or an empty text', async () => {
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
])('an invalid slot or value is refused by name, and nothing changes: %s %j', async (name, custom) => {
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

test('the value of a slot is kept while the slot is inactive', async () => {
  const { id } = await given.computer()
  const patch = async (body: object) => (await writer.call(updateComputer, { params: { id }, body })).body.custom

  await patch({ custom: { Custom30: 'kept' } })
  await setActive('Custom30', false)
  const hidden = await patch({ custom: { Custom01: 'other' } })
  await setActive('Custom30', true)

  expect(hidden).toEqual({ Custom01: 'other' })
  expect(await patch({})).toEqual({ Custom01: 'other', Custom30: 'kept' })
})
