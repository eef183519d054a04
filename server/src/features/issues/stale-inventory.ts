import { sql } from 'kysely'
import { ago, daysSince } from '../../database/sql-time.ts'
import { Int32, Type } from '../../platform/schema.ts'
import { isServerWithoutAgent } from '../agents/agent-status.ts'
import { configurationGroupOf, issue } from './issue.ts'
import { onlyValue } from './occurrence-aggregates.ts'

const defaultDays = 14

type StaleInventory = { computer_id: number; days_stale: number; has_inventory: boolean }

export const staleInventory = issue({
  name: 'stale-inventory',
  thresholds: {
    minDaysStale: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultDays,
      examples: [defaultDays],
      description:
        'Report computers whose last inventory is at least this many days old, and computers that have existed for as long ' +
        'without one.',
    }),
  },
  occurrences: ({ minDaysStale = defaultDays }) => sql<StaleInventory>`
    select inventoried.id as computer_id, ${daysSince('aged.since')} as days_stale,
      inventoried.inventory_at is not null as has_inventory
    from computers inventoried
      cross join lateral (select coalesce(inventoried.inventory_at, inventoried.created_at) as since) as aged
    where inventoried.inventory_at <= ${ago({ days: minDaysStale })}
      or (inventoried.inventory_at is null and inventoried.created_at <= ${ago({ days: minDaysStale })}
        and not ${isServerWithoutAgent('inventoried')})`,
  properties: {
    staleInventoryDays: Type.Number({
      examples: [21.3],
      description: 'Days since the last inventory; without an inventory, since the computer was created',
    }),
  },
  values: (column) => ({ staleInventoryDays: onlyValue(column.days_stale) }),
  detail: (column) =>
    sql<string>`case when bool_and(${column.has_inventory})
      then 'Inventory is ' || ${onlyValue(column.days_stale)} || ' days old' else 'No inventory yet' end`,
  cause: { kind: 'Group', id: (column) => configurationGroupOf(column.computer_id) },
})
