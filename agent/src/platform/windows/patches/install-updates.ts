import { messageOf } from '../../../expected-error.ts'
import type { WorkPatch } from '../../../protocol.ts'
import type { PatchInstallation } from '../../reports.ts'
import { describeHresult } from '../com/hresult.ts'
import { patchKey, patchProduct } from './scanned-patches.ts'
import type { InstalledUpdate, UpdateAgent, WindowsUpdate } from './update-agent.ts'

type ReleasedPatch = Pick<WorkPatch, 'key' | 'product'>

const resultNames: Record<number, string> = { 3: 'succeeded with errors', 4: 'failed', 5: 'was aborted' }
const succeeded = 2
const succeededWithErrors = 3

/**
 * Installs exactly the released patches: an update is chosen by its number and its product, never because Windows offers
 * it. A patch that fails does not stop the others.
 */
export async function installUpdates(
  agent: UpdateAgent,
  released: readonly ReleasedPatch[],
  product: string,
  onProgress: (line: string) => void,
): Promise<PatchInstallation> {
  const updates = await agent.search()
  const failures: PatchInstallation['failures'] = []
  let rebootRequired = false
  for (const patch of released) {
    const fitting = updates.filter((update) => isOf(update, patch, product))
    const missing = fitting.filter(({ isInstalled }) => !isInstalled)
    if (missing.length === 0) {
      onProgress(`${fitting.length > 0 ? 'Installed before' : 'Not needed'}: ${patch.key}`)
      continue
    }
    for (const update of missing) {
      const reason = await installOne(agent, update, (needsRestart) => {
        rebootRequired ||= needsRestart
      })
      onProgress(
        reason === null ? `Installed: ${patch.key} (${update.title})` : `NOT installed: ${patch.key} (${reason})`,
      )
      if (reason !== null) failures.push({ key: patch.key, reason })
    }
  }
  return { rebootRequired, failures }
}

function isOf(update: WindowsUpdate, { key, product }: ReleasedPatch, computerProduct: string): boolean {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return same(patchKey(update), key) && same(patchProduct(update, computerProduct), product)
}

/** Returns why the update was not installed, or null. */
async function installOne(
  agent: UpdateAgent,
  { updateId }: WindowsUpdate,
  onRestart: (needsRestart: boolean) => void,
): Promise<string | null> {
  try {
    const result = await agent.install(updateId)
    onRestart(result.needsRestart)
    return reasonOf(result)
  } catch (error) {
    return messageOf(error)
  }
}

function reasonOf({ resultCode, hresult }: InstalledUpdate): string | null {
  if (resultCode === succeeded || (resultCode === succeededWithErrors && hresult === 0)) return null
  return `it ${resultNames[resultCode] ?? 'did not begin'}: ${describeHresult(hresult)}`
}
