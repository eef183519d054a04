import { collectBatteries } from './batteries.ts'
import { collectBios } from './bios.ts'
import { canonicalHash } from './canonical-hash.ts'
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

export type CollectedSection = { hash: string; body: { items: unknown[] } | { item: unknown } }

/** What was found and, where parts of it change all the time, what of it counts as news. */
type Found = ({ items: unknown[] } | { item: unknown }) & { hashed?: unknown }

type Collector = (system: SystemAccess) => Promise<Found | undefined>

const collectors: Record<string, Collector> = {
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

/**
 * The inventory of this computer, by section. What cannot be found out is left out, so that the server keeps what it
 * has; one section that fails does not keep back the others.
 */
export async function collectSections(
  system: SystemAccess = accessTo('/'),
  onFailure: (section: string, error: unknown) => void = () => {},
): Promise<Record<string, CollectedSection>> {
  const sections: Record<string, CollectedSection> = {}
  // One after the other: nobody waits for it, and the computer belongs to its user.
  for (const [name, collect] of Object.entries(collectors)) {
    const found = await collect(system).catch((error: unknown) => onFailure(name, error))
    if (!found) continue
    const { hashed, ...body } = found
    sections[name] = { hash: canonicalHash(hashed ?? body), body }
  }
  return sections
}
