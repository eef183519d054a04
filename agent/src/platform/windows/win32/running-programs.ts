import { kernel32, withHandle } from './kernel.ts'
import { check } from './system-error.ts'

const queryLimited = 0x1000
const maxProcesses = 16_384
const maxPathLength = 32_768

/** The programs that run now, except those about which this process may not know. */
export function listPrograms(): { pid: number; path: string }[] {
  const ids = Buffer.alloc(maxProcesses * 4)
  const size = [0]
  check('The processes could not be listed', kernel32.K32EnumProcesses(ids, ids.length, size))
  const pids = Array.from({ length: (size[0] ?? 0) / 4 }, (_, index) => ids.readUInt32LE(index * 4))
  return pids.flatMap((pid) => {
    const path = pathOf(pid)
    return path === undefined ? [] : [{ pid, path }]
  })
}

function pathOf(pid: number): string | undefined {
  const process = kernel32.OpenProcess(queryLimited, 0, pid)
  if (process === 0) return undefined
  return withHandle(process, () => {
    const path = Buffer.alloc(maxPathLength * 2)
    const length = [maxPathLength]
    if (kernel32.QueryFullProcessImageNameW(process, 0, path, length) === 0) return undefined
    return path.toString('utf16le', 0, (length[0] ?? 0) * 2)
  })
}
