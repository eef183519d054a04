import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { getComputerById } from '../../computers/computer-rows.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { requireBios, requireSystemInfo } from '../bios-and-system.ts'
import {
  batteryRows,
  diskRows,
  monitorRows,
  networkAdapterRows,
  printerRows,
  processorRows,
  videoControllerRows,
} from '../hardware.ts'
import { ComputerInventory } from './schemas.ts'

const maxRows = 500

export const getComputerInventory = operation({
  id: 'getComputerInventory',
  route: 'GET /api/computer/:id/inventory',
  summary: 'Get the hardware inventory of a computer',
  description: `Each list ends after ${maxRows} items; the operation for that list returns all of them. Installed software, services, health, security posture and patch status have operations of their own.`,
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerInventory),
  problems: [computerNotFound],
  async handle({ params: { id }, db }) {
    const computer = await getComputerById(db, id)
    const systemInfo = await requireSystemInfo(db, id)
    const { manufacturer, model } = systemInfo
    const bios = await requireBios(db, id)
    return { computer, systemInfo, bios, computerSystem: { manufacturer, model }, ...(await readHardware(db, id)) }
  },
})

function readHardware(db: Database, id: number) {
  return db
    .selectNoFrom([
      jsonArrayFrom(diskRows(db, id).orderBy('position').limit(maxRows)).as('disks'),
      jsonArrayFrom(networkAdapterRows(db, id).orderBy('position').limit(maxRows)).as('networkAdapters'),
      jsonArrayFrom(batteryRows(db, id).orderBy('position').limit(maxRows)).as('batteries'),
      jsonArrayFrom(printerRows(db, id).orderBy('position').limit(maxRows)).as('printers'),
      jsonArrayFrom(videoControllerRows(db, id).orderBy('position').limit(maxRows)).as('videoControllers'),
      jsonArrayFrom(monitorRows(db, id).orderBy('position').limit(maxRows)).as('monitors'),
      jsonArrayFrom(processorRows(db, id).orderBy('position').limit(maxRows)).as('processors'),
    ])
    .executeTakeFirstOrThrow()
}
