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

/** The content of a section. `hashed` is the part whose change is worth reporting, if not all of it is. */
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
 * Collects the inventory of this computer by section. Sections that cannot be determined are omitted, so the server
 * keeps what it has. A failing section does not affect the others.
 */
export async function collectSections(
  system: SystemAccess = accessTo('/'),
  onFailure: (section: string, error: unknown) => void = () => {},
): Promise<Record<string, CollectedSection>> {
  const sections: Record<string, CollectedSection> = {}
  // Sequential: nobody waits for the inventory, and the user of the computer has priority.
  for (const [name, collect] of Object.entries(collectors)) {
    const found = await collect(system).catch((error: unknown) => onFailure(name, error))
    if (!found) continue
    const { hashed, ...body } = found
    sections[name] = { hash: canonicalHash(hashed ?? body), body }
  }
  return sections
}
