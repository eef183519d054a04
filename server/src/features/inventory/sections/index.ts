import { batteriesSection } from './batteries.ts'
import { biosSection } from './bios.ts'
import { computerSystemSection } from './computer-system.ts'
import { disksSection } from './disks.ts'
import { installedSoftwareSection } from './installed-software.ts'
import { monitorsSection } from './monitors.ts'
import { networkAdaptersSection } from './network-adapters.ts'
import { printersSection } from './printers.ts'
import { processorsSection } from './processors.ts'
import type { InventorySection } from './section.ts'
import { securitySection } from './security.ts'
import { servicesSection } from './services.ts'
import { systemSection } from './system.ts'
import { videoControllersSection } from './video-controllers.ts'

/** All sections of an inventory. The agent channel has one operation for each. */
export const inventorySections: readonly InventorySection[] = [
  systemSection,
  biosSection,
  computerSystemSection,
  disksSection,
  networkAdaptersSection,
  batteriesSection,
  printersSection,
  videoControllersSection,
  monitorsSection,
  processorsSection,
  installedSoftwareSection,
  servicesSection,
  securitySection,
]
