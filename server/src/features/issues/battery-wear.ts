import { sql } from 'kysely'
import { closed, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { fewOf, listOf } from './sql.ts'

const defaultHealth = 60

const WornBattery = closed(
  {
    name: nullable(text(255, 'BAT0')),
    deviceId: nullable(text(255, 'LGC-5B10W13930')),
    designedCapacityMwh: nullable({ ...Int32, examples: [57000] }),
    fullChargedCapacityMwh: nullable({ ...Int32, examples: [28500] }),
    healthPercent: Type.Number({ examples: [50], description: 'Full charge against the design, with one decimal' }),
  },
  { title: 'WornBattery' },
)

export const batteryWear = issue({
  name: 'battery-wear',
  thresholds: {
    maxHealthPercent: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultHealth,
      examples: [defaultHealth],
      description: 'Batteries of this health or less, in percent of what they were designed for',
    }),
  },
  findings: ({ maxHealthPercent = defaultHealth }) => sql`
    select battery.computer_id, battery.position, battery.name, battery.device_id, battery.designed_capacity_mwh,
      battery.full_charged_capacity_mwh, battery.health_percent
    from batteries battery
    where battery.health_percent <= ${maxHealthPercent}::double precision`,
  shape: { wornBatteries: Type.Array(WornBattery) },
  show: {
    wornBatteries: listOf(
      {
        name: sql`found.name`,
        deviceId: sql`found.device_id`,
        designedCapacityMwh: sql`found.designed_capacity_mwh`,
        fullChargedCapacityMwh: sql`found.full_charged_capacity_mwh`,
        healthPercent: sql`found.health_percent`,
      },
      sql`found.position`,
    ),
  },
  detail: fewOf(sql`concat_ws(' ', found.name, found.health_percent || ' %')`, sql`found.position`),
})
