import { listDisks } from '../../src/features/inventory/api/list-disks.ts'
import { listMonitors } from '../../src/features/inventory/api/list-monitors.ts'
import { listNetworkAdapters } from '../../src/features/inventory/api/list-network-adapters.ts'
import { listPrinters } from '../../src/features/inventory/api/list-printers.ts'
import { listProcessors } from '../../src/features/inventory/api/list-processors.ts'
import { listVideoControllers } from '../../src/features/inventory/api/list-video-controllers.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'

/** The sections that are paged lists, each with the operation that reads it. */
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
