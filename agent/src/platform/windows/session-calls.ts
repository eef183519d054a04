import { dirname } from 'node:path'
import { toCommandLine } from './command-line.ts'
import type { SessionCalls } from './presentation.ts'
import { readValue } from './registry.ts'
import { library } from './win32/library.ts'
import { readNotificationState } from './win32/notification-state.ts'
import { serviceName } from './win32/service-manager.ts'
import { check, WindowsError } from './win32/system-error.ts'
import { runAsUser } from './win32/user-process.ts'

const kernel32 = library('kernel32.dll', {
  ProcessIdToSessionId: ['int', 'uint32', '_Out_ uint32 *'],
  WTSGetActiveConsoleSessionId: ['uint32'],
})

const noSession = 0xffff_ffff
const noToken = 1008
const answerLimitMs = 10_000

export const sessionCalls: SessionCalls = {
  ownSession() {
    const session = [0]
    check('The session of the agent could not be found', kernel32.ProcessIdToSessionId(process.pid, session))
    return session[0] ?? 0
  },
  screenSession() {
    const session = kernel32.WTSGetActiveConsoleSessionId()
    return session === noSession ? undefined : session
  },
  readState: readNotificationState,
  async askInSession(session, command) {
    const program = findInstalledProgram()
    const line = toCommandLine([program, command])
    try {
      return await runAsUser(session, { program, line, folder: dirname(program), limitMs: answerLimitMs })
    } catch (error) {
      // Nobody is signed in there.
      if (error instanceof WindowsError && error.number === noToken) return null
      throw error
    }
  },
}

/** Users can run the program that is installed, but not a later version of the agent, which is in its state folder. */
function findInstalledProgram(): string {
  return programIn(serviceLine() ?? '') ?? process.execPath
}

/** The command line with which Windows starts the service; undefined if it is not installed. */
export function serviceLine(): string | undefined {
  const line = readValue('HKLM', `SYSTEM\\CurrentControlSet\\Services\\${serviceName}`, 'ImagePath', 64)
  return typeof line === 'string' ? line : undefined
}

/** The program in the command line of a service. */
export function programIn(line: string): string | undefined {
  return (/^"([^"]+)"/.exec(line) ?? /^(.+?\.exe)(?:\s|$)/i.exec(line))?.[1]
}
