import type { AnyOperation } from '../../../platform/operation.ts'
import { getBios } from './get-bios.ts'
import { getComputerInventory } from './get-computer-inventory.ts'
import { getComputerSystem } from './get-computer-system.ts'
import { getSecurityPosture } from './get-security-posture.ts'
import { getSystemInfo } from './get-system-info.ts'
import { listBatteries } from './list-batteries.ts'
import { listDisks } from './list-disks.ts'
import { listInstalledSoftware } from './list-installed-software.ts'
import { listMonitors } from './list-monitors.ts'
import { listNetworkAdapters } from './list-network-adapters.ts'
import { listPrinters } from './list-printers.ts'
import { listProcessors } from './list-processors.ts'
import { listServices } from './list-services.ts'
import { listVideoControllers } from './list-video-controllers.ts'
import { searchSoftware } from './search-software.ts'

export const inventoryApi: readonly AnyOperation[] = [
  getComputerInventory,
  listDisks,
  listBatteries,
  listNetworkAdapters,
  listPrinters,
  getBios,
  getComputerSystem,
  listVideoControllers,
  listMonitors,
  listProcessors,
  listInstalledSoftware,
  listServices,
  getSystemInfo,
  getSecurityPosture,
  searchSoftware,
]
