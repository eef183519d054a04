import { ComputerSystem } from '../items.ts'
import { objectSection } from './section.ts'

export const computerSystemSection = objectSection('computerSystem', ComputerSystem, async (db, computerId, report) => {
  await db
    .updateTable('computers')
    .set({ manufacturer: report.manufacturer, model: report.model })
    .where('id', '=', computerId)
    .execute()
})
