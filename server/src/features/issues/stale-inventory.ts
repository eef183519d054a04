import { sql } from 'kysely'
import { ago, daysSince } from '../../database/sql-time.ts'
import { Int32, nullable, Type } from '../../platform/schema.ts'
import { issue } from './issue.ts'

const defaultDays = 14

export const staleInventory = issue({
  name: 'stale-inventory',
  thresholds: {
    minDaysStale: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultDays,
      examples: [defaultDays],
      description: 'Computers whose last inventory is so many days old or older, and those that never had one',
    }),
  },
  findings: ({ minDaysStale = defaultDays }) => sql`
    select inventoried.id as computer_id, inventoried.inventory_at
    from computers inventoried
    where inventoried.inventory_at is null or inventoried.inventory_at <= ${ago({ days: minDaysStale })}`,
  shape: {
    staleInventoryDays: nullable(
      Type.Number({ examples: [21.3], description: 'Since the last inventory; null when there never was one' }),
    ),
  },
  show: { staleInventoryDays: sql`min(${daysSince('found.inventory_at')})` },
  detail: sql<string>`coalesce('Inventory is ' || min(${daysSince('found.inventory_at')}) || ' days old', 'No inventory yet')`,
})
