import koffi from '../koffi.ts'
import { library } from '../win32/library.ts'
import { checkStatus } from '../win32/system-error.ts'

const netapi32 = library('netapi32.dll', {
  NetUserGetLocalGroups: [
    'uint32',
    ...(['str16', 'str16', 'uint32', 'uint32', 'void *', 'uint32', 'void *', 'void *'] as const),
  ],
  NetApiBufferFree: ['uint32', 'uintptr'],
})

const includeIndirect = 1
const maxLength = 0xffffffff
const pointerSize = 8n

/** The local groups of a user such as `CORP\jdoe`, including those by membership in other groups. */
export function localGroupsOf(user: string): string[] {
  const [list, count, total] = [Buffer.alloc(8), Buffer.alloc(4), Buffer.alloc(4)]
  const status = netapi32.NetUserGetLocalGroups(null, user, 0, includeIndirect, list, maxLength, count, total)
  checkStatus(`The groups of ${user}`, status)
  const address = list.readBigUInt64LE(0)
  try {
    return Array.from({ length: count.readUInt32LE(0) }, (_, index) =>
      koffi.decode.string16(koffi.decode.uint64(address + BigInt(index) * pointerSize)),
    )
  } finally {
    netapi32.NetApiBufferFree(address)
  }
}
