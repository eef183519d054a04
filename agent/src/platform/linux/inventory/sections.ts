import { collectorsOf, type SectionReaders } from '../../inventory-sections.ts'
import { collectBatteries } from './batteries.ts'
import { collectBios } from './bios.ts'
import { collectComputerSystem } from './computer-system.ts'
import { collectDisks } from './disks.ts'
import { collectInstalledSoftware } from './installed-software.ts'
import { collectMonitors } from './monitors.ts'
import { collectNetworkAdapters } from './network-adapters.ts'
import { collectPrinters } from './printers.ts'
import { collectProcessors } from './processors.ts'
import { collectSecurity } from './security.ts'
import { collectServices } from './services.ts'
import { collectSystem } from './system.ts'
import { accessTo, type SystemAccess } from './system-access.ts'
import { collectVideoControllers } from './video-controllers.ts'

const readers: SectionReaders<SystemAccess> = {
  system: collectSystem,
  bios: collectBios,
  computerSystem: collectComputerSystem,
  disks: collectDisks,
  networkAdapters: collectNetworkAdapters,
  batteries: collectBatteries,
  printers: collectPrinters,
  videoControllers: collectVideoControllers,
  monitors: collectMonitors,
  processors: collectProcessors,
  installedSoftware: collectInstalledSoftware,
  services: collectServices,
  security: collectSecurity,
}

export const linuxSections = (system = accessTo('/')) => collectorsOf(readers, system)
