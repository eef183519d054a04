import type { Activity } from './activity.ts'
import type { Bandwidth } from './files/bandwidth.ts'
import type { ContentCache } from './files/content-cache.ts'
import type { Connections } from './http/connections.ts'
import type { InventorySource } from './inventory/source.ts'
import type { Platform } from './platform/platform.ts'
import type { PatchSource } from './platform/reports.ts'
import type { PreDownloads } from './pre-download/types.ts'
import type { Environment } from './protocol.ts'
import type { ServerClient } from './server-client.ts'
import type { Journal } from './state/journal.ts'
import type { StateFolder } from './state/state-folder.ts'
import type { WakeChannel } from './wake-channel.ts'
import type { ContactTerms, LeasedItem } from './work/leased-work.ts'
import type { Outbox } from './work/outbox.ts'

/** What every part of the running agent works with. */
export type Agent = {
  platform: Platform
  state: StateFolder
  journal: Journal
  cache: ContentCache
  inventory: InventorySource
  patches: PatchSource
  /** To the server and to depots. */
  connections: Connections
  client: ServerClient
  /** The credential with which the client calls. */
  credential: string
  /** Random per process, so the server notices two agents with the same identity. */
  runId: string
  environment: Environment
  /** The work items leased to this process and not finished yet. */
  leasedItems: LeasedItem[]
  terms: ContactTerms
  outbox: Outbox
  activity: Activity
  bandwidth: Bandwidth
  preDownloads: PreDownloads
  /**
   * Before `notBefore`, by `performance.now()`, the user is not asked whether to postpone packages. While a question is open, no
   * other follows.
   */
  questions: { notBefore: number; isOpen: boolean }
  /** From the command line or the environment; takes precedence over the setting. */
  rebootCommand: string | undefined
  wakeChannel: WakeChannel
  /** Aborted when the agent is to stop: no new work is started. */
  stopping: AbortSignal
}
