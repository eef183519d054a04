import { randomUUID } from 'node:crypto'
import { trackActivity } from '../activity.ts'
import type { Agent } from '../agent.ts'
import { ExpectedError, messageOf } from '../expected-error.ts'
import { openBandwidth } from '../files/bandwidth.ts'
import { contentCache } from '../files/content-cache.ts'
import { openConnections } from '../http/connections.ts'
import { trustedAuthorities } from '../http/trust.ts'
import type { InventorySource } from '../inventory/source.ts'
import { log } from '../log.ts'
import { runLoop, runOnce, type Wake } from '../loop.ts'
import type { Service } from '../platform/machine.ts'
import type { PatchSource } from '../platform/reports.ts'
import { openPreDownloads } from '../pre-download/pre-downloads.ts'
import { Refused, ServerUnavailable, serverClient } from '../server-client.ts'
import { pinKeysOfSettings, rememberPinnedKeys } from '../signing/pinned-keys.ts'
import { type EnrolledIdentity, readCertificates, requireEnrolledIdentity } from '../state/identity.ts'
import { openJournal } from '../state/journal.ts'
import { knownSettings, readSettings } from '../state/settings.ts'
import { claimFolder } from '../state/single-run.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { isUpdateWaiting } from '../update/versions.ts'
import { type DeskParts, openDesk } from '../user-channel/desk.ts'
import { serveUsers, type UserServer } from '../user-channel/serve.ts'
import { agentVersion } from '../version.ts'
import { startWakeChannel, type WakeChannel } from '../wake-channel.ts'
import { openOutbox } from '../work/outbox.ts'
import { reportFinished } from '../work/results.ts'
import { openWorkTraces } from '../work/work-traces.ts'

export type RunOptions = {
  once: boolean
  preOs: boolean
  rebootCommand: string | undefined
}

/** What the agent reports about the computer. */
export type Sources = { inventory: InventorySource; patches: PatchSource }

export async function run(state: StateFolder, options: RunOptions, sources: Sources): Promise<void> {
  const identity = await requireEnrolledIdentity(state)
  await prepareStateFolder(state)
  const wake = wakeUps()
  const claim = await claimFolder(state, wake.wake)
  const { stopping, release } = stopOnRequest(state.platform.service)
  try {
    await runWithClaim({ state, identity, options, sources, wake, stopping })
  } finally {
    claim.close()
    release()
  }
  if (await isUpdateWaiting(state.platform)) log('The agent ends so that its new version is started.')
  else log('The agent has stopped.', 'Stopped')
}

type ClaimedRun = {
  state: StateFolder
  identity: EnrolledIdentity
  options: RunOptions
  sources: Sources
  wake: Wake & { wake(): void }
  stopping: AbortSignal
}

async function runWithClaim({ state, identity, options, sources, wake, stopping }: ClaimedRun): Promise<void> {
  const { platform } = state
  const certificates = await readCertificates(state, identity)
  const connections = openConnections(trustedAuthorities(platform, identity.server, certificates))
  // An earlier version of the agent may have stored the keys of the template without pinning them.
  await pinKeysOfSettings(state, knownSettings(await readSettings(state))).catch((error: unknown) =>
    log(messageOf(error)),
  )
  const traces = openWorkTraces()
  const client = async () => {
    const { server, credential } = await requireEnrolledIdentity(state)
    return serverClient(connections, server, credential, traces)
  }
  const activity = trackActivity()
  const users = options.once ? undefined : await openUserChannel({ state, client, activity, wake: wake.wake })
  const cache = contentCache(state.cache, state.incoming)
  const fixed = {
    ...sources,
    platform,
    connections,
    state,
    journal: openJournal(state),
    cache,
    bandwidth: openBandwidth(),
    preDownloads: openPreDownloads({
      ...{ state, cache, isEnabled: !options.once, onEnd: wake.wake },
      currentAgent: () => currentAgent(),
    }),
    runId: randomUUID(),
    environment: options.preOs ? ('PreOs' as const) : ('OperatingSystem' as const),
    leasedItems: [],
    terms: { mayBeginUntil: 0, takesResults: false, hasMoreResults: false, hasUpcoming: false, plainUntil: 0 },
    outbox: openOutbox(),
    activity,
    questions: { notBefore: 0, isOpen: false },
    rebootCommand: options.rebootCommand,
    wakeChannel: options.once ? noWakeChannel : startWakeChannel({ client, onCall: wake.wake, stopping }),
    stopping,
  } satisfies Omit<Agent, 'client' | 'credential'>
  // Read every time so that a new enrolment or credential takes effect without a restart.
  const currentAgent = async (): Promise<Agent> => {
    await rememberPinnedKeys(state)
    const { server, credential } = await requireEnrolledIdentity(state)
    return { ...fixed, credential, client: serverClient(connections, server, credential, traces) }
  }
  log(`Agent ${agentVersion} of computer ${identity.clientId} is running for ${identity.server}.`, 'Started')
  if (options.once)
    await runOnce(platform, currentAgent, stopping).catch((error: unknown) => stopping.aborted || rethrowForUser(error))
  else await runLoop(platform, currentAgent, wake, stopping)
  await fixed.preDownloads.pause()
  fixed.wakeChannel.close()
  users?.close()
  await reportBeforeEnd(currentAgent)
}

const noWakeChannel: WakeChannel = { isConnected: () => false, close() {} }

/** The agent works without it, for example if another agent has its place. */
async function openUserChannel(parts: DeskParts): Promise<UserServer | undefined> {
  try {
    return await serveUsers(parts.state, openDesk(parts))
  } catch (error) {
    log(`The users of this computer cannot reach the agent: ${messageOf(error)}`)
    return undefined
  }
}

/** No contact follows that would carry the results, and the last one may have been interrupted. */
async function reportBeforeEnd(currentAgent: () => Promise<Agent>): Promise<void> {
  try {
    const agent = await currentAgent()
    await agent.outbox.takeOver()
    await reportFinished(agent)
  } catch (error) {
    log(`Results could not be reported yet. ${messageOf(error)}`)
  }
}

function rethrowForUser(error: unknown): never {
  throw error instanceof ServerUnavailable || error instanceof Refused ? new ExpectedError(error.message) : error
}

function wakeUps() {
  let current = new AbortController()
  return {
    wake: () => current.abort(),
    signal(): AbortSignal {
      current = new AbortController()
      return current.signal
    },
  }
}

/** The first request lets a running command finish; the second leaves it to the next start. */
function stopOnRequest(service: Service): { stopping: AbortSignal; release(): void } {
  const stopping = new AbortController()
  const release = service.onStop((reason) => {
    if (stopping.signal.aborted) process.exit(1)
    log(`${reason}: finishing the work in progress`)
    stopping.abort()
  })
  return { stopping: stopping.signal, release }
}
