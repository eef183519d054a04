import { batteryWear } from '../battery-wear.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listWornBatteryComputers = issueSweep(batteryWear, {
  id: 'listWornBatteryComputers',
  route: 'GET /api/computer/issues/battery-wear',
  item: 'WornBatteryComputer',
  summary: 'List computers with batteries that hold much less than they were designed for',
})
