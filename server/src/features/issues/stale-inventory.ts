import { sql } from 'kysely'
import { ago, daysSince } from '../../database/sql-time.ts'
import { Int32, nullable, Type } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { onlyValue } from './occurrence-aggregates.ts'

const defaultDays = 14

type StaleInventory = { computer_id: number; days_stale: number | null }

export const staleInventory = issue({
  name: 'stale-inventory',
  thresholds: {
    minDaysStale: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultDays,
      examples: [defaultDays],
      description:
        'Report computers whose last inventory is at least this many days old, and computers without an inventory.',
    }),
  },
  occurrences: ({ minDaysStale = defaultDays }) => sql<StaleInventory>`
    select inventoried.id as computer_id, ${daysSince('inventoried.inventory_at')} as days_stale
    from computers inventoried
    where inventoried.inventory_at is null or inventoried.inventory_at <= ${ago({ days: minDaysStale })}`,
  properties: {
    staleInventoryDays: nullable(
      Type.Number({ examples: [21.3], description: 'Days since the last inventory; null without an inventory' }),
    ),
  },
  values: (column) => ({ staleInventoryDays: onlyValue(column.days_stale) }),
  detail: (column) =>
    sql<string>`coalesce('Inventory is ' || ${onlyValue(column.days_stale)} || ' days old', 'No inventory yet')`,
})
