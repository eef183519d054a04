import { listDisks } from '../../src/areas/computers/inventory/list-disks.ts'
import { listMonitors } from '../../src/areas/computers/inventory/list-monitors.ts'
import { listNetworkAdapters } from '../../src/areas/computers/inventory/list-network-adapters.ts'
import { listPrinters } from '../../src/areas/computers/inventory/list-printers.ts'
import { listProcessors } from '../../src/areas/computers/inventory/list-processors.ts'
import { listVideoControllers } from '../../src/areas/computers/inventory/list-video-controllers.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'

/** The sections that are paged lists, with the operation that reads each. */
export const hardwareLists: readonly [
  'disks' | 'networkAdapters' | 'printers' | 'videoControllers' | 'monitors' | 'processors',
  AnyOperation,
][] = [
  ['disks', listDisks],
  ['networkAdapters', listNetworkAdapters],
  ['printers', listPrinters],
  ['videoControllers', listVideoControllers],
  ['monitors', listMonitors],
  ['processors', listProcessors],
]
