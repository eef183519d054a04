import { randomUUID } from 'node:crypto'
import { kernel32, withHandle } from './win32/kernel.ts'
import { check, WindowsError } from './win32/system-error.ts'

const extendedLimits = 9
/** The size of JOBOBJECT_EXTENDED_LIMIT_INFORMATION, and where its LimitFlags are. */
const limitsSize = 144
const flagsOffset = 16
const killOnClose = 0x2000

const terminate = 0x8
const sameAccess = 0x2
const exitCodeOfEnded = 1

/** A named job object, whose processes can be ended together by its name. */
export type Job = { name: string; handle: number }

export function createJob(): Job {
  const name = `Global\\Muster-${randomUUID()}`
  return { name, handle: check('A job object could not be created', kernel32.CreateJobObjectW(null, name)) }
}

/** Whether the processes end with the last handle of the job, which is what happens when the agent is killed. */
export function setEndsWithAgent({ handle }: Job, endsWithAgent: boolean): void {
  const limits = Buffer.alloc(limitsSize)
  limits.writeUInt32LE(endsWithAgent ? killOnClose : 0, flagsOffset)
  check(
    'The job object could not be changed',
    kernel32.SetInformationJobObject(handle, extendedLimits, limits, limits.length),
  )
}

/** Gives the process a handle of its job. Without any handle, the name would be gone when the agent is. */
export function keepJobWith(process: number, { handle }: Job): void {
  const own = kernel32.GetCurrentProcess()
  // Fails only if the process has ended already.
  kernel32.DuplicateHandle(own, handle, process, [0], 0, 0, sameAccess)
}

/** Ends everything in the job. Returns whether there is such a job. */
export function endJob(name: string): boolean {
  const handle = kernel32.OpenJobObjectW(terminate, 0, name)
  if (handle === 0) return false
  return withHandle(handle, () => {
    if (kernel32.TerminateJobObject(handle, exitCodeOfEnded) !== 0) return true
    throw new WindowsError('The processes of a command could not be ended')
  })
}
