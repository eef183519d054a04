import { spawn } from 'node:child_process'
import { printError } from '@muster/text/print'

/** Informs systemd about the state of the service. Without systemd, nothing is reported. */
export type ServiceManager = {
  reportReady(status: string): void
  reportStopping(): void
}

type Environment = Record<string, string | undefined>

/** A ping may be late by two of three intervals. */
const pingsPerWatchdogInterval = 3

/** Reads what systemd asks for in a unit of `Type=notify`, and pings its watchdog as long as this process handles events. */
export function openServiceManager(environment: Environment): ServiceManager {
  if (!environment.NOTIFY_SOCKET) return { reportReady: () => {}, reportStopping: () => {} }
  const send = openNotifier(environment.NOTIFY_SOCKET, environment.PATH)
  const watchdogMs = Number(environment.WATCHDOG_USEC ?? 0) / 1_000
  if (watchdogMs > 0) setInterval(() => send('WATCHDOG=1'), watchdogMs / pingsPerWatchdogInterval).unref()
  return {
    reportReady(status) {
      send(`STATUS=${status}`)
      send('READY=1')
    },
    reportStopping: () => send('STOPPING=1'),
  }
}

/**
 * Node cannot send datagrams to Unix sockets, so systemd-notify does. A shell that is started once starts it for each
 * line: later, this process may have no file descriptors left, and must not be killed by the watchdog for that.
 */
function openNotifier(socket: string, path: string | undefined): (state: string) => void {
  const script = 'while IFS= read -r state; do systemd-notify "$state"; done'
  const shell = spawn('/bin/sh', ['-c', script], {
    env: { PATH: path, NOTIFY_SOCKET: socket },
    stdio: ['pipe', 'inherit', 'inherit'],
    // Ctrl-C is for the service, which may still have something to report.
    detached: true,
  })
  shell.on('error', (error) => printError(`systemd cannot be notified: ${error.message}`))
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return (state) => shell.stdin.write(`${state}\n`)
}
