import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import { readStored, writeDurably } from '../state/durable-file.ts'

type Reporter = Pick<Agent, 'patches' | 'state' | 'client'>

/** Scans for patches and tells the server; whether this computer can be scanned at all. */
export async function sendPatchScan({ patches, state, client }: Reporter): Promise<boolean> {
  const known = (await readStored<string[]>(state.patches)) ?? []
  const scan = await patches.scan(new Set(known))
  if (!scan) return false
  // Before the server hears of it: what was missing once is an update as soon as it is installed.
  const keys = scan.patches.map(({ key }) => key).sort()
  if (JSON.stringify(keys) !== JSON.stringify(known)) await writeDurably(state.patches, keys)
  await client.putPatchScan(scan)
  return true
}

/** Why the patches could not be scanned, or null. */
export async function patchScanFault(agent: Reporter): Promise<string | null> {
  try {
    if (await sendPatchScan(agent)) return null
    return 'The patches of this computer cannot be scanned: it has no apt, or the agent was told to send nothing.'
  } catch (error) {
    return `The patch scan has failed: ${messageOf(error)}`
  }
}

/** After other work, whose success does not depend on it. */
export async function refreshPatchScan(agent: Reporter): Promise<void> {
  await sendPatchScan(agent).catch((error: unknown) => log(`The patches could not be scanned. ${messageOf(error)}`))
}
