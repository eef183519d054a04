import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { DownloadFailed, downloadFiles } from '../files/download.ts'
import { assemblePackage, requireValidFiles } from '../files/package-folder.ts'
import type { Source } from '../files/source-pace.ts'
import { sendRequest } from '../http/request.ts'
import type { PackageFile, StartedWork } from '../protocol.ts'
import { isShortage } from '../shortage.ts'
import { isDiskFull } from '../state/durable-file.ts'
import { knownSettings, readSettings } from '../state/settings.ts'

export type Transfer = {
  /** Aborted when the content is not wanted any more. */
  cancelled: AbortSignal
  onProgress(doneBytes: number, allBytes: number): void
  /** Gets the files that were not in the cache before. */
  fetched: PackageFile[]
  /** Whether the time limit of downloads applies. */
  hasTimeLimit: boolean
}

/** Where the files of a work item are, besides the server. */
type Depots = Pick<StartedWork, 'depots'> & Partial<Pick<StartedWork, 'depotsAfterServer'>>

/** Downloads the missing files of a package and assembles its folder. */
export async function fetchPackage(
  agent: Agent,
  workId: number,
  work: StartedWork,
  folder: string,
  transfer: Transfer,
): Promise<void> {
  await downloadContents(agent, workId, work, work.files, transfer, () =>
    assemblePackage(agent.cache, folder, work.files),
  )
}

/** Downloads files into the cache, unless it has them. What happens `afterwards` counts as part of the download. */
export async function downloadContents(
  agent: Agent,
  workId: number,
  { depots, depotsAfterServer = [] }: Depots,
  files: readonly PackageFile[],
  { cancelled, onProgress, fetched, hasTimeLimit }: Transfer,
  afterwards = async () => {},
): Promise<void> {
  requireValidFiles(files)
  const { downloadTimeLimitMinutes } = knownSettings(await readSettings(agent.state))
  const limitMs = hasTimeLimit ? Math.ceil(downloadTimeLimitMinutes * 60_000) : Number.POSITIVE_INFINITY
  const limit = hasTimeLimit ? AbortSignal.timeout(limitMs) : new AbortController().signal
  const fromDepot = ({ url }: { url: string }) => depotSource(agent, url)
  const download = {
    cache: agent.cache,
    sources: [...depots.map(fromDepot), serverSource(agent, workId), ...depotsAfterServer.map(fromDepot)],
    signal: AbortSignal.any([agent.stopping, cancelled, limit]),
    endsAtMs: performance.now() + limitMs,
    onProgress,
    bandwidth: agent.bandwidth,
  }
  try {
    await downloadFiles(download, files, agent.state.root, (missing) => fetched.push(...missing))
    await afterwards()
  } catch (error) {
    if (error instanceof DownloadFailed || agent.stopping.aborted || cancelled.aborted) throw error
    if (isShortage(error)) throw error
    if (limit.aborted)
      throw new DownloadFailed(`The download was stopped after its time limit of ${downloadTimeLimitMinutes} minutes.`)
    const reason = isDiskFull(error) ? 'The disk is full' : 'The package folder could not be assembled'
    throw new DownloadFailed(`${reason}: ${messageOf(error)}.`)
  }
}

/** A depot gets only the hash, never the credential. The hash proves the content. */
function depotSource({ connections }: Agent, url: string): Source {
  return {
    name: url,
    ask: async (sha256, headers, signal) =>
      sendRequest(connections, new URL(`${url.replace(/\/*$/, '')}/files/${sha256}`), { headers, signal }),
  }
}

function serverSource({ client }: Agent, workId: number): Source {
  return { name: 'the server', ask: (sha256, headers, signal) => client.file(workId, sha256, headers, signal) }
}
