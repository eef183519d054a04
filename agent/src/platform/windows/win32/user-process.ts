import { setTimeout as sleep } from 'node:timers/promises'
import koffi from '../koffi.ts'
import { kernel32, withHandle } from './kernel.ts'
import { library } from './library.ts'
import { check } from './system-error.ts'

const advapi32 = library('advapi32.dll', {
  CreateProcessAsUserW: [
    'int',
    'intptr',
    'str16',
    'void *',
    'void *',
    'void *',
    'int',
    'uint32',
    'intptr',
    'str16',
    'void *',
    '_Out_ void *',
  ],
})
const userenv = library('userenv.dll', {
  CreateEnvironmentBlock: ['int', '_Out_ intptr *', 'intptr', 'int'],
  DestroyEnvironmentBlock: ['int', 'intptr'],
})
const wtsapi32 = library('wtsapi32.dll', { WTSQueryUserToken: ['int', 'uint32', '_Out_ intptr *'] })

const createNoWindow = 0x0800_0000
const createUnicodeEnvironment = 0x400
const timedOut = 0x102
const pollMs = 20
/** The size of STARTUPINFOW, and where the name of the desktop is. */
const startupSize = 104
const desktopOffset = 16
/** The desktop that the user sees: without its name, the program would be on that of the service. */
const visibleDesktop = 'winsta0\\default\0'

export type UserCommand = { program: string; line: string; folder: string; limitMs: number }

/**
 * Runs a program in the session of a user, with the rights and the variables of that user. It inherits neither handles nor
 * variables of this process. Returns its exit code, or null if it had to be ended at the time limit.
 */
export async function runAsUser(session: number, command: UserCommand): Promise<number | null> {
  const token = [0]
  check(`The user of session ${session} could not be found`, wtsapi32.WTSQueryUserToken(session, token))
  const process = withHandle(token[0] ?? 0, (user) => startAsUser(user, command))
  try {
    return await waitForExit(process, command.limitMs)
  } finally {
    kernel32.CloseHandle(process)
  }
}

function startAsUser(user: number, { program, line, folder }: UserCommand): number {
  const environment = [0]
  check('The variables of the user could not be read', userenv.CreateEnvironmentBlock(environment, user, 0))
  try {
    const created = Buffer.alloc(24)
    const desktop = Buffer.from(visibleDesktop, 'utf16le')
    const startup = Buffer.alloc(startupSize)
    startup.writeUInt32LE(startupSize, 0)
    startup.writeBigUInt64LE(BigInt(koffi.address(desktop)), desktopOffset)
    const [flags, words] = [createNoWindow | createUnicodeEnvironment, Buffer.from(`${line}\0`, 'utf16le')]
    check(
      program,
      advapi32.CreateProcessAsUserW(
        ...[user, program, words, null, null, 0, flags, environment[0], folder, startup, created],
      ),
    )
    kernel32.CloseHandle(Number(created.readBigUInt64LE(8)))
    return Number(created.readBigUInt64LE(0))
  } finally {
    userenv.DestroyEnvironmentBlock(environment[0])
  }
}

async function waitForExit(process: number, limitMs: number): Promise<number | null> {
  const end = Date.now() + limitMs
  while (kernel32.WaitForSingleObject(process, 0) === timedOut) {
    if (Date.now() > end) {
      kernel32.TerminateProcess(process, 1)
      return null
    }
    await sleep(pollMs)
  }
  const code = [0]
  check('The exit code could not be read', kernel32.GetExitCodeProcess(process, code))
  return code[0] ?? null
}
