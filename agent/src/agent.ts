import type { ContentCache } from './files/content-cache.ts'
import type { InventorySource } from './inventory-source.ts'
import type { PatchSource } from './patches/scan.ts'
import type { Environment, WorkOrder } from './protocol.ts'
import type { ServerClient } from './server-client.ts'
import type { Journal } from './state/journal.ts'
import type { StateFolder } from './state/state-folder.ts'

/** What every part of the running agent has at hand. */
export type Agent = {
  state: StateFolder
  journal: Journal
  cache: ContentCache
  inventory: InventorySource
  patches: PatchSource
  client: ServerClient
  /** Random for each process, so that the server notices two with one identity. */
  runId: string
  environment: Environment
  /** What this process was handed and has not brought to an end. */
  orders: WorkOrder[]
  /** Given on the command line or in the environment; goes before the setting. */
  rebootCommand: string | undefined
  /** The agent is to end: nothing new is begun. */
  stopping: AbortSignal
}
