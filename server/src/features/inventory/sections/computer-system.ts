import { sql } from 'kysely'
import { ComputerSystem } from '../items.ts'
import { objectSection } from './section.ts'

export const computerSystemSection = objectSection('computerSystem', ComputerSystem, (_, report) => ({
  computer: { manufacturer: sql`${report.manufacturer}::text`, model: sql`${report.model}::text` },
}))
