import koffi from '../koffi.ts'
import { library } from '../win32/library.ts'
import { checkResult } from './hresult.ts'
import type { Memory } from './variant.ts'

const ole32 = library('ole32.dll', {
  CoInitializeEx: ['int32', 'void *', 'uint32'],
  CoInitializeSecurity: [
    'int32',
    ...(['void *', 'int32', 'void *', 'void *', 'uint32', 'uint32', 'void *', 'uint32', 'void *'] as const),
  ],
  CoCreateInstance: ['int32', 'void *', 'void *', 'uint32', 'void *', 'void *'],
  CoSetProxyBlanket: [
    'int32',
    ...(['uintptr', 'uint32', 'uint32', 'void *', 'uint32', 'uint32', 'void *', 'uint32'] as const),
  ],
  CLSIDFromProgID: ['int32', 'str16', 'void *'],
})

const oleaut32 = library('oleaut32.dll', {
  SysAllocString: ['uintptr', 'str16'],
  SysFreeString: ['void', 'uintptr'],
  SysStringLen: ['uint32', 'uintptr'],
  VariantClear: ['int32', 'void *'],
})

const multithreaded = 0
const packetPrivacy = 6
const impersonate = 3
const alreadyDone = 0x80010119
const modeChanged = 0x80010106

let isInitialised = false

/**
 * COM, initialised for this process. All threads share one apartment, so slow calls can run on other threads. The
 * namespaces of BitLocker and TPM answer only to encrypted calls, hence the level of authentication.
 */
export function com(): typeof ole32 {
  if (isInitialised) return ole32
  const code = ole32.CoInitializeEx(null, multithreaded)
  if (code >>> 0 !== modeChanged) checkResult('CoInitializeEx', code)
  const security = ole32.CoInitializeSecurity(null, -1, null, null, packetPrivacy, impersonate, null, 0, null)
  if (security >>> 0 !== alreadyDone) checkResult('CoInitializeSecurity', security)
  isInitialised = true
  return ole32
}

/** A BSTR of the text, which must be freed. */
export function allocateText(text: string): bigint {
  return BigInt(oleaut32.SysAllocString(text))
}

export function freeText(address: bigint): void {
  oleaut32.SysFreeString(address)
}

/** Frees what a VARIANT refers to. */
export function clearVariant(variant: Buffer): void {
  oleaut32.VariantClear(variant)
}

/** Calls `use` with a BSTR of the text, and frees it. */
export async function withText<T>(text: string, use: (address: bigint) => T | Promise<T>): Promise<T> {
  const address = allocateText(text)
  try {
    return await use(address)
  } finally {
    freeText(address)
  }
}

/** Reads the memory of this process. */
export const processMemory: Memory = {
  bytes: (address, length) => Buffer.from(koffi.decode(address, koffi.array('uint8', length, 'Typed')) as Uint8Array),
  text: (address) => {
    const length = Number(oleaut32.SysStringLen(address))
    return length === 0 ? '' : processMemory.bytes(address, 2 * length).toString('utf16le')
  },
}
