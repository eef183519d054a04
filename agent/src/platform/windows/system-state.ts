import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import type { SystemState } from '../machine.ts'
import { findRebootSource } from './reboot-source.ts'
import { library } from './win32/library.ts'
import { checkStatus } from './win32/system-error.ts'

const advapi32 = library('advapi32.dll', {
  RegCloseKey: ['int', 'intptr'],
  RegCreateKeyExW: [
    'int',
    'intptr',
    'str16',
    'uint32',
    'str16',
    'uint32',
    'uint32',
    'void *',
    '_Out_ intptr *',
    '_Out_ uint32 *',
  ],
  RegQueryValueExW: ['int', 'intptr', 'str16', 'void *', '_Out_ uint32 *', '_Out_ void *', '_Inout_ uint32 *'],
  RegSetValueExW: ['int', 'intptr', 'str16', 'uint32', 'uint32', 'void *', 'uint32'],
})

const localMachine = 0x8000_0002
const volatileOption = 1
const readWrite64 = 0x2_0019 | 0x2_0006 | 0x100
const textType = 1

let known: string | undefined

/**
 * Windows has no number of a start that a program can read. A volatile key of the registry exists until the system ends, so
 * what the first agent after a start writes there identifies the start.
 */
export function bootId(): string {
  known ??= readBootId()
  return known
}

function readBootId(): string {
  const key = [0]
  checkStatus(
    'The registry key of this start could not be opened',
    advapi32.RegCreateKeyExW(
      localMachine,
      'SOFTWARE\\Muster\\ThisStart',
      0,
      null,
      volatileOption,
      readWrite64,
      null,
      key,
      [0],
    ),
  )
  const handle = key[0] ?? 0
  try {
    const found = Buffer.alloc(256)
    const size = [found.length]
    const name = 'Id'
    if (advapi32.RegQueryValueExW(handle, name, null, [0], found, size) === 0)
      return found.toString('utf16le', 0, size[0]).replace(/\0+$/, '')
    const id = randomUUID()
    const text = Buffer.from(`${id}\0`, 'utf16le')
    checkStatus(
      'The start could not be identified',
      advapi32.RegSetValueExW(handle, name, 0, textType, text, text.length),
    )
    return id
  } finally {
    advapi32.RegCloseKey(handle)
  }
}

export const system: SystemState = {
  bootId,
  bootTime: async () => new Date(Date.now() - uptime() * 1000),
  findRebootSource,
}
