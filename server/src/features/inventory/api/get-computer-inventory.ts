import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { getComputerById } from '../../computers/computer-rows.ts'
import { computerNotFound } from '../../computers/computers.ts'
import {
  batteryRows,
  diskRows,
  monitorRows,
  networkAdapterRows,
  printerRows,
  processorRows,
  videoControllerRows,
} from '../hardware.ts'
import { biosOf, systemInfoOf } from '../queries.ts'
import { ComputerInventory } from './schemas.ts'

const mostRows = 500

export const getComputerInventory = operation({
  id: 'getComputerInventory',
  route: 'GET /api/computer/:id/inventory',
  summary: 'Read the hardware of a computer as a whole',
  description: `Each list ends after ${mostRows} items; the operation of the list has them all. Installed software and services, health, security posture and patch status have operations of their own.`,
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerInventory),
  problems: [computerNotFound],
  async handle({ params: { id }, db }) {
    const computer = await getComputerById(db, id)
    const systemInfo = await systemInfoOf(db, id)
    const { manufacturer, model } = systemInfo
    const bios = await biosOf(db, id)
    return { computer, systemInfo, bios, computerSystem: { manufacturer, model }, ...(await hardwareOf(db, id)) }
  },
})

function hardwareOf(db: Database, id: number) {
  return db
    .selectNoFrom([
      jsonArrayFrom(diskRows(db, id).orderBy('position').limit(mostRows)).as('disks'),
      jsonArrayFrom(networkAdapterRows(db, id).orderBy('position').limit(mostRows)).as('networkAdapters'),
      jsonArrayFrom(batteryRows(db, id).orderBy('position').limit(mostRows)).as('batteries'),
      jsonArrayFrom(printerRows(db, id).orderBy('position').limit(mostRows)).as('printers'),
      jsonArrayFrom(videoControllerRows(db, id).orderBy('position').limit(mostRows)).as('videoControllers'),
      jsonArrayFrom(monitorRows(db, id).orderBy('position').limit(mostRows)).as('monitors'),
      jsonArrayFrom(processorRows(db, id).orderBy('position').limit(mostRows)).as('processors'),
    ])
    .executeTakeFirstOrThrow()
}
