import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../expected-error.ts'
import { log } from '../../../log.ts'
import type { SharedCommands } from '../../platform.ts'
import { writeEvent } from '../event-log.ts'
import { makeDataFolder } from '../files.ts'
import { runVersion } from '../launcher.ts'
import { becomeService, requestStop } from '../service.ts'
import { connectToServiceManager } from '../win32/service-manager.ts'
import { configureRecovery } from '../win32/service-recovery.ts'
import { removeToken } from './configure.ts'

/** Between two versions of the agent. A version that ends at once must not keep the computer busy. */
const versionPauseMs = 1_000
const enrolmentPollMs = 10_000
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
  try {
    await makeDataFolder()
    agent.loadConfiguration()
  } catch (error) {
    // There is no folder for the log.
    writeEvent(messageOf(error), 'ConfigurationRefused')
    connection.reportStopped(1)
    throw error
  }
  becomeService()
  try {
    configureRecovery()
  } catch (error) {
    log(messageOf(error), 'ConfigurationRefused')
  }
  await serveUntil(stopping.signal, agent)
  connection.reportStopped()
  // At once: an installer that has stopped the service replaces the program next, and could not while this process runs.
  process.exit(0)
}

async function serveUntil(stopping: AbortSignal, agent: SharedCommands): Promise<void> {
  let failures = 0
  while (!stopping.aborted) {
    const pauseMs = await serveOnce(stopping, agent).then(
      (pause) => {
        failures = 0
        return pause
      },
      (error: unknown) => {
        const event = failures === 0 ? 'StartFailed' : undefined
        const pause = Math.min(firstPauseMs * 2 ** failures++, maxPauseMs)
        log(`${messageOf(error)} Next attempt in ${Math.round(pause / 1000)} s.`, event)
        return pause
      },
    )
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Returns the time to wait before the next round, in milliseconds. */
async function serveOnce(stopping: AbortSignal, agent: SharedCommands): Promise<number> {
  await enrolIfRequested(agent)
  if (!(await agent.isEnrolled())) return enrolmentPollMs
  await runVersion(agent, stopping)
  return versionPauseMs
}

async function enrolIfRequested(agent: SharedCommands): Promise<void> {
  // The service may have ended after the enrolment and before the removal of the token.
  if (await agent.isEnrolled()) return await removeToken()
  agent.loadConfiguration()
  if (!process.env.MUSTER_AGENT_TOKEN) return
  await agent.enrol()
  await removeToken()
  log('The computer is enrolled.', 'Enrolled')
}
