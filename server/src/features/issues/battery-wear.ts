import { type Selectable, sql } from 'kysely'
import type { Batteries } from '../../database/tables.ts'
import { closed, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

const defaultHealth = 60

const WornBattery = closed(
  {
    name: nullable(text(255, 'BAT0')),
    deviceId: nullable(text(255, 'LGC-5B10W13930')),
    designedCapacityMwh: nullable({ ...Int32, examples: [57000] }),
    fullChargedCapacityMwh: nullable({ ...Int32, examples: [28500] }),
    healthPercent: Type.Number({
      examples: [50],
      description: 'Capacity when fully charged, in percent of the designed capacity, rounded to one decimal',
    }),
  },
  { title: 'WornBattery' },
)

type Battery = Pick<
  Selectable<Batteries>,
  | 'computer_id'
  | 'position'
  | 'name'
  | 'device_id'
  | 'designed_capacity_mwh'
  | 'full_charged_capacity_mwh'
  | 'health_percent'
>

export const batteryWear = issue({
  name: 'battery-wear',
  thresholds: {
    maxHealthPercent: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultHealth,
      examples: [defaultHealth],
      description: 'Report batteries with at most this health, in percent of the designed capacity.',
    }),
  },
  occurrences: ({ maxHealthPercent = defaultHealth }) => sql<Battery>`
    select battery.computer_id, battery.position, battery.name, battery.device_id, battery.designed_capacity_mwh,
      battery.full_charged_capacity_mwh, battery.health_percent
    from batteries battery
    where battery.health_percent <= ${maxHealthPercent}::double precision`,
  properties: { wornBatteries: Type.Array(WornBattery) },
  values: (column) => ({
    wornBatteries: jsonList(
      {
        name: column.name,
        deviceId: column.device_id,
        designedCapacityMwh: column.designed_capacity_mwh,
        fullChargedCapacityMwh: column.full_charged_capacity_mwh,
        healthPercent: column.health_percent,
      },
      column.position,
    ),
  }),
  detail: (column) =>
    textList(sql<string>`concat_ws(' ', ${column.name}, ${column.health_percent} || ' %')`, column.position),
  cause: {
    kind: 'Model',
    id: (column) => sql<string | null>`(
      select owner.model from computers owner where owner.id = ${column.computer_id})`,
  },
})
