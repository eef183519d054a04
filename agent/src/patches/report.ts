import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import { readStored, writeDurably } from '../state/durable-file.ts'

type Reporter = Pick<Agent, 'patches' | 'state' | 'client'>

/** Scans for patches and sends the result. Returns whether this computer can be scanned. */
export async function sendPatchScan({ patches, state, client }: Reporter): Promise<boolean> {
  const known = (await readStored<string[]>(state.patches)) ?? []
  const scan = await patches.scan(new Set(known))
  if (!scan) return false
  // Stored before it is sent: a patch that was missing once counts as an update when it is installed later.
  const keys = scan.patches.map(({ key }) => key).sort()
  if (JSON.stringify(keys) !== JSON.stringify(known)) await writeDurably(state.platform.files, state.patches, keys)
  const receipt = await client.putPatchScan(scan)
  if (receipt?.message) log(`The server ignored ${receipt.ignoredPatches} patches of the scan. ${receipt.message}`)
  return true
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
