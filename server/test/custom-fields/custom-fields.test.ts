import { describe, expect, test } from 'vitest'
import { listCustomFields } from '../../src/features/custom-fields/api/list-custom-fields.ts'
import { updateCustomField } from '../../src/features/custom-fields/api/update-custom-field.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db } = await openWorld()
const reader = as('computer.read')
const writer = as('computer.write')
const slots = async () => (await reader.call(listCustomFields)).body
const slot = async (name: string) => (await slots()).find((one) => one.slot === name)

test('thirty custom field slots are listed in the order of their names, and are inactive at first', async () => {
  const listed = await slots()

  expect(listed.map((one) => one.slot)).toEqual(
    Array.from({ length: 30 }, (_, index) => `Custom${String(index + 1).padStart(2, '0')}`),
  )
  expect(listed.every(({ isActive }) => !isActive)).toBe(true)
  expect(new Set(listed.map(({ position }) => position)).size).toBe(30)
})

describe('updating a slot', () => {
  test('a slot can be renamed and activated together or separately', async () => {
    const both = await writer.call(updateCustomField, {
      params: { slot: 'Custom01' },
      body: { designation: 'Room', isActive: true },
    })
    const renamed = await writer.call(updateCustomField, {
      params: { slot: 'Custom01' },
      body: { designation: 'Desk', isActive: null },
    })
    const hidden = await writer.call(updateCustomField, { params: { slot: 'Custom01' }, body: { isActive: false } })

    expect(both).toMatchObject({ status: 200, body: { slot: 'Custom01', designation: 'Room', isActive: true } })
    expect(renamed.body).toMatchObject({ designation: 'Desk', isActive: true })
    expect(hidden.body).toMatchObject({ designation: 'Desk', isActive: false })
    expect(await slot('Custom01')).toEqual(hidden.body)
  })

  test.each(['2', '02', 'Custom02'])('a slot can be addressed as %s', async (name) => {
    const updated = await writer.call(updateCustomField, { params: { slot: name }, body: { isActive: true } })

    expect(updated.body.slot).toBe('Custom02')
  })

  test('a slot can be renamed to its own designation in another case', async () => {
    await writer.call(updateCustomField, { params: { slot: 'Custom03' }, body: { designation: 'Owner' } })

    const again = await writer.call(updateCustomField, { params: { slot: 'Custom03' }, body: { designation: 'OWNER' } })

    expect(again).toMatchObject({ status: 200, body: { designation: 'OWNER' } })
  })
})

describe('invalid updates of a slot', () => {
  const updateUnchanged = async (name: string, body: object) => {
    const before = await fingerprints(db)
    const refused = await writer.send({
      method: 'PATCH',
      url: `/api/custom-field-configuration/${name}`,
      payload: body,
    })
    expect(await fingerprints(db)).toEqual(before)
    return refused
  }

  test.each(['Custom00', 'Custom31', 'custom01', '0', '31', 'Room'])(
    'updating the unknown slot %s answers 404, and nothing changes',
    async (name) => {
      expect(await updateUnchanged(name, { isActive: true })).toMatchObject({
        status: 404,
        problem: 'CustomFieldNotFound',
      })
    },
  )

  test('renaming a slot to the designation of another slot in any case is refused with 409, and nothing changes', async () => {
    await writer.call(updateCustomField, { params: { slot: 'Custom10' }, body: { designation: 'Cost Centre' } })

    const refused = await updateUnchanged('Custom11', { designation: 'cost centre' })

    expect(refused).toMatchObject({ status: 409, problem: 'DuplicateDesignation' })
  })

  test.each([
    {},
    { designation: null, isActive: null },
    { designation: '' },
    { designation: '  ' },
    { designation: 'x'.repeat(51) },
  ])('updating a slot with the body %j is refused with 400, and nothing changes', async (body) => {
    expect(await updateUnchanged('Custom12', body)).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  })
})
