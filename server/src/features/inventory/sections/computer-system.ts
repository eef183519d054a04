import { ComputerSystem } from '../items.ts'
import { recordSection } from './section.ts'

export const computerSystem = recordSection('computerSystem', ComputerSystem, async (db, computerId, told) => {
  await db
    .updateTable('computers')
    .set({ manufacturer: told.manufacturer, model: told.model })
    .where('id', '=', computerId)
    .execute()
})
