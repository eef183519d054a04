import { kernel32, withHandle } from './kernel.ts'
import { library } from './library.ts'

const sessions = library('kernel32.dll', { ProcessIdToSessionId: ['int', 'uint32', '_Out_ uint32 *'] })

const queryLimited = 0x1000
const terminate = 0x1

/** The session in which a process runs; undefined if it has ended. */
export function findSession(pid: number): number | undefined {
  const session = [0]
  return sessions.ProcessIdToSessionId(pid, session) === 0 ? undefined : session[0]
}

/** The time at which a process was created, in units of 100 ns; undefined if it has ended. */
export function startTicksOfProcess(pid: number): string | undefined {
  const handle = kernel32.OpenProcess(queryLimited, 0, pid)
  if (handle === 0) return undefined
  return withHandle(handle, () => {
    const created = [0n]
    return kernel32.GetProcessTimes(handle, created, [0n], [0n], [0n]) === 0 ? undefined : String(created[0])
  })
}

export function endProcess(pid: number): void {
  const handle = kernel32.OpenProcess(terminate, 0, pid)
  if (handle !== 0) withHandle(handle, () => kernel32.TerminateProcess(handle, 1))
}
