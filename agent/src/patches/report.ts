import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { PatchScan } from '../protocol.ts'
import { Refused } from '../server-client.ts'
import { readStored, removeDurably, writeDurably } from '../state/durable-file.ts'
import { readUnreported } from './rollbacks.ts'

type Reporter = Pick<Agent, 'patches' | 'state' | 'client'>

/** Scans for patches and sends the result. Returns whether this computer can be scanned. */
export async function sendPatchScan({ patches, state, client }: Reporter): Promise<boolean> {
  const known = (await readStored<string[]>(state.patches)) ?? []
  const scan = await patches.scan(new Set(known))
  if (!scan) return false
  // Stored before it is sent: a patch that was missing once counts as an update when it is installed later.
  const keys = scan.patches.map(({ key }) => key).sort()
  if (JSON.stringify(keys) !== JSON.stringify(known)) await writeDurably(state.platform.files, state.patches, keys)
  const receipt = await sendWithRollbacks({ state, client }, scan)
  if (receipt?.message) log(`The server ignored ${receipt.ignoredPatches} patches of the scan. ${receipt.message}`)
  return true
}

/** What was reported is not reported again. */
async function sendWithRollbacks({ state, client }: Pick<Reporter, 'state' | 'client'>, scan: PatchScan) {
  const rollbacks = await readUnreported(state)
  if (rollbacks.length === 0) return client.putPatchScan(scan)
  const receipt = await client.putPatchScan({ ...scan, rollbacks }).catch((error: unknown) => {
    // An earlier server, to which the installation was taken back, does not know rollbacks.
    if (error instanceof Refused && error.status === 400) return client.putPatchScan(scan)
    throw error
  })
  await removeDurably(state.platform.files, state.rollbacks)
  return receipt
}

/** Sends a patch scan. Returns the error text if that failed, otherwise null. */
export async function sendPatchScanOrError(agent: Reporter): Promise<string | null> {
  try {
    if (await sendPatchScan(agent)) return null
    return `The patches of this computer cannot be scanned: ${agent.patches.unavailable}.`
  } catch (error) {
    return `The patch scan has failed: ${messageOf(error)}`
  }
}

/** Sends a patch scan after other work. A failure is only logged. */
export async function refreshPatchScan(agent: Reporter): Promise<void> {
  await sendPatchScan(agent).catch((error: unknown) => log(`The patches could not be scanned. ${messageOf(error)}`))
}
