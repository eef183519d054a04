import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../expected-error.ts'
import { log } from '../../../log.ts'
import type { SharedCommands } from '../../platform.ts'
import { files } from '../files.ts'
import { runVersion } from '../launcher.ts'
import { dataFolder } from '../paths.ts'
import { becomeService, requestStop } from '../service.ts'
import { connectToServiceManager, restartAfterFailures } from '../win32/service-manager.ts'
import { removeToken } from './configure.ts'

const firstPauseMs = 5_000
const maxPauseMs = 5 * 60_000
/** A stop waits this long for a running command. After that, the next start finds out what became of the command. */
const maxStopMs = 20_000

/** What the service manager of Windows starts: enrols the computer if that is to be done, and runs the agent. */
export async function serve(agent: SharedCommands): Promise<void> {
  const stopping = new AbortController()
  const connection = await connectToServiceManager((reason) => {
    stopping.abort()
    requestStop(reason)
    setTimeout(() => {
      connection.reportStopped()
      process.exit(0)
    }, maxStopMs).unref()
  })
  await files.makePrivateFolder(dataFolder())
  becomeService()
  try {
    restartAfterFailures()
  } catch (error) {
    log(messageOf(error))
  }
  await serveUntil(stopping.signal, agent)
  connection.reportStopped()
}

async function serveUntil(stopping: AbortSignal, agent: SharedCommands): Promise<void> {
  let pauseMs = firstPauseMs
  while (!stopping.aborted) {
    try {
      await enrolIfRequested(agent)
      if (await agent.isEnrolled()) await runVersion(agent, stopping)
      pauseMs = firstPauseMs
    } catch (error) {
      log(`${messageOf(error)} Next attempt in ${Math.round(pauseMs / 1000)} s.`)
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    }
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

async function enrolIfRequested(agent: SharedCommands): Promise<void> {
  if (await agent.isEnrolled()) return
  agent.loadConfiguration()
  if (!process.env.MUSTER_AGENT_TOKEN) return
  await agent.enrol()
  await removeToken()
  log('The computer is enrolled.')
}
