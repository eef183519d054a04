import { batteries } from './batteries.ts'
import { bios } from './bios.ts'
import { computerSystem } from './computer-system.ts'
import { disks } from './disks.ts'
import { installedSoftware } from './installed-software.ts'
import { monitors } from './monitors.ts'
import { networkAdapters } from './network-adapters.ts'
import { printers } from './printers.ts'
import { processors } from './processors.ts'
import type { Section } from './section.ts'
import { security } from './security.ts'
import { services } from './services.ts'
import { system } from './system.ts'
import { videoControllers } from './video-controllers.ts'

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
