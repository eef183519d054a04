import { batteryWear } from '../battery-wear.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listWornBatteryComputers = issueSweep(batteryWear, {
  id: 'listWornBatteryComputers',
  route: 'GET /api/computer/issues/battery-wear',
  item: 'WornBatteryComputer',
  summary: 'List computers with worn batteries',
  description:
    'Reports batteries whose full charge is at most 60 % of the designed capacity, or at most `maxHealthPercent`. Batteries ' +
    'without known capacities are not reported.',
})
