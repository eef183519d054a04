import { expect, test } from 'vitest'
import { updateCustomField } from '../../server/src/features/custom-fields/api/update-custom-field.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openWorld()
const { as, db, given } = world
const { muster } = await commandsIn(world)
await as('computer.write').call(updateCustomField, {
  params: { slot: 'Custom01' },
  body: { designation: 'Room', isActive: true },
})
await given.computer({ name: 'till-1', model: 'Desk 500', custom: JSON.stringify({ Custom01: '4.17' }) })
await given.computer({ name: 'till-2', model: 'Desk 500' })
await given.computer({ name: 'desk-1', model: 'Tower 7', custom: JSON.stringify({ Custom01: '4.17' }) })
await refreshFleetStatistics(db)

const namesIn = (csv: string) =>
  csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0])

test('computers are listed by model, custom field and next contact', async () => {
  const byModel = await muster('computers', '--model', 'Desk 500', '-o', 'csv')
  const byField = await muster('computers', '--field', 'room=4.17', '--next-contact', 'None', '-o', 'csv')
  const both = await muster('computers', '--field', 'Custom01=4.17', '--model', 'Desk 500', '-o', 'csv')
  const unknown = await muster('computers', '--field', 'Floor=4')
  const incomplete = await muster('computers', '--field', 'Room')

  expect(namesIn(byModel.out)).toEqual(['till-1', 'till-2'])
  expect(namesIn(byField.out)).toEqual(['desk-1', 'till-1'])
  expect(namesIn(both.out)).toEqual(['till-1'])
  expect([unknown.code, unknown.err]).toEqual([1, 'No custom field has the name Floor.\n'])
  expect(incomplete.code).toBe(2)
})

test('a view is saved, listed, used, shared and deleted by its name', async () => {
  const filters = ['--model', 'Desk 500', '--search', 'till', '--descending']
  const tried = await muster('views', 'create', 'Tills', ...filters, '--dry-run')
  const created = await muster('views', 'create', 'Tills', ...filters)
  const used = await muster('computers', '--view', 'tills', '-o', 'csv')
  const narrowed = await muster('computers', '--view', 'Tills', '--field', 'Room=4.17', '-o', 'csv')
  const shared = await muster('views', 'share', 'Tills', 'computer.read')
  const listed = await muster('views', 'list', '-o', 'csv')
  const hidden = await muster('views', 'share', 'Tills')
  const deleted = await muster('views', 'delete', 'Tills')
  const absent = await muster('computers', '--view', 'Tills')

  expect(tried.out).toBe('The view Tills would be saved.\n')
  expect(created.out).toBe('The view Tills is saved.\n')
  expect(namesIn(used.out)).toEqual(['till-2', 'till-1'])
  expect(namesIn(narrowed.out)).toEqual(['till-1'])
  expect(shared.out).toBe('Tills is shared with computer.read.\n')
  expect(listed.out).toContain('search=till model=Desk 500')
  expect(hidden.out).toBe('Tills is private.\n')
  expect(deleted.out).toBe('Tills is deleted.\n')
  expect([absent.code, absent.err]).toEqual([2, 'No view is named "Tills".\n'])
})
