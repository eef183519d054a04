import { collectorsOf, type SectionReaders } from '../../inventory-sections.ts'
import type { SourceAnswer } from '../../reports.ts'
import { collectBatteries } from './batteries.ts'
import { collectDisks } from './disks.ts'
import { collectBios, collectComputerSystem, collectProcessors, collectVideoControllers } from './hardware.ts'
import { collectInstalledSoftware } from './installed-software.ts'
import { collectMonitors } from './monitors.ts'
import { collectNetworkAdapters } from './network-adapters.ts'
import { collectPrinters } from './printers.ts'
import { collectSecurity } from './security.ts'
import { collectServices } from './services.ts'
import { askOnce, type WindowsAccess, type WindowsSources } from './sources.ts'
import { collectSystem } from './system.ts'

const readers: SectionReaders<WindowsSources> = {
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

/** The sections of the inventory. They share the answers of their sources. */
export function windowsSections(access: WindowsAccess, record?: (answer: SourceAnswer) => void) {
  return collectorsOf(readers, askOnce(access, record))
}
