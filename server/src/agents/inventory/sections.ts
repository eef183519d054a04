import type { Section } from './section.ts'
import { batteries } from './sections/batteries.ts'
import { bios } from './sections/bios.ts'
import { computerSystem } from './sections/computer-system.ts'
import { disks } from './sections/disks.ts'
import { installedSoftware } from './sections/installed-software.ts'
import { monitors } from './sections/monitors.ts'
import { networkAdapters } from './sections/network-adapters.ts'
import { printers } from './sections/printers.ts'
import { processors } from './sections/processors.ts'
import { security } from './sections/security.ts'
import { services } from './sections/services.ts'
import { system } from './sections/system.ts'
import { videoControllers } from './sections/video-controllers.ts'

export const sections: readonly Section[] = [
  system,
  bios,
  computerSystem,
  disks,
  networkAdapters,
  batteries,
  printers,
  videoControllers,
  monitors,
  processors,
  installedSoftware,
  services,
  security,
]
