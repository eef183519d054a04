import type { CommandStart } from '../../processes.ts'
import { findProgram, systemProgram, toCommandLine, toEnvironmentBlock, toShellLine } from '../command-line.ts'
import { openNothing } from '../output-pipe.ts'
import { findShellFault } from '../shell-fault.ts'
import { kernel32 } from './kernel.ts'
import { check } from './system-error.ts'

/** A process whose first thread waits to be resumed. */
export type Suspended = { pid: number; process: number; thread: number; close(): void }

const createSuspendedFlag = 0x4
const createNoWindow = 0x0800_0000
const createUnicodeEnvironment = 0x400
const useHandles = 0x100
/** The size of STARTUPINFOW, and where its fields are. */
const startupSize = 104
const startup = { flags: 60, input: 80, output: 88, error: 96 }

export function createSuspended(start: CommandStart, output: number): Suspended {
  const { program, commandLine } = toLine(start)
  const input = openNothing()
  try {
    const line = Buffer.from(`${commandLine}\0`, 'utf16le')
    const created = Buffer.alloc(24)
    const flags = createSuspendedFlag | createNoWindow | createUnicodeEnvironment
    const environment = toEnvironmentBlock(start.environment)
    const information = startupInformation(input, output)
    check(
      program,
      kernel32.CreateProcessW(program, line, null, null, 1, flags, environment, start.folder, information, created),
    )
    const [child, thread] = [Number(created.readBigUInt64LE(0)), Number(created.readBigUInt64LE(8))]
    const close = () => {
      kernel32.CloseHandle(thread)
      kernel32.CloseHandle(child)
    }
    return { pid: created.readUInt32LE(16), process: child, thread, close }
  } finally {
    kernel32.CloseHandle(input)
  }
}

function toLine({ argv, shell, system, folder, environment }: CommandStart): { program: string; commandLine: string } {
  if (system) {
    const program = systemProgram(system.name)
    return { program, commandLine: `"${program}" ${system.line}` }
  }
  const fault = findShellFault([shell ?? '', ...(argv ?? [])].join('\n'))
  if (fault) throw new Error(`it ${fault}`)
  if (shell !== undefined) {
    const { program, words } = toShellLine(shell, environment)
    return { program, commandLine: [`"${program}"`, ...words].join(' ') }
  }
  const [name, ...words] = argv ?? []
  if (!name) throw new Error('it is empty')
  const program = findProgram(name, folder, environment)
  return { program, commandLine: toCommandLine([program, ...words]) }
}

function startupInformation(input: number, output: number): Buffer {
  const information = Buffer.alloc(startupSize)
  information.writeUInt32LE(startupSize, 0)
  information.writeUInt32LE(useHandles, startup.flags)
  information.writeBigInt64LE(BigInt(input), startup.input)
  information.writeBigInt64LE(BigInt(output), startup.output)
  information.writeBigInt64LE(BigInt(output), startup.error)
  return information
}
