import koffi from '../koffi.ts'
import { checkResult } from './hresult.ts'
import type { Memory } from './variant.ts'

/** Functions of ole32.dll and oleaut32.dll. Strings that cross the border are UTF-16. */
function loadOle() {
  const ole32 = koffi.load('ole32.dll')
  const oleaut32 = koffi.load('oleaut32.dll')
  return {
    initialize: ole32.func('CoInitializeEx', 'int32', ['void *', 'uint32']),
    initializeSecurity: ole32.func('CoInitializeSecurity', 'int32', [
      ...['void *', 'int32', 'void *', 'void *', 'uint32', 'uint32', 'void *', 'uint32', 'void *'],
    ]),
    createInstance: ole32.func('CoCreateInstance', 'int32', ['void *', 'void *', 'uint32', 'void *', 'void *']),
    setProxyBlanket: ole32.func('CoSetProxyBlanket', 'int32', [
      ...['uintptr', 'uint32', 'uint32', 'void *', 'uint32', 'uint32', 'void *', 'uint32'],
    ]),
    classOfProgram: ole32.func('CLSIDFromProgID', 'int32', ['str16', 'void *']),
    allocateText: oleaut32.func('SysAllocString', 'uintptr', ['str16']),
    freeText: oleaut32.func('SysFreeString', 'void', ['uintptr']),
    textLength: oleaut32.func('SysStringLen', 'uint32', ['uintptr']),
    clearVariant: oleaut32.func('VariantClear', 'int32', ['void *']),
  }
}

type Ole = ReturnType<typeof loadOle>

let loaded: Ole | undefined

const multithreaded = 0
const packetPrivacy = 6
const impersonate = 3
const alreadyDone = 0x80010119

/**
 * COM, initialised for this process. All threads share one apartment, so that slow calls can run on other threads. The
 * namespaces of BitLocker and TPM answer only to encrypted calls, hence the level of authentication.
 */
export function ole(): Ole {
  if (loaded) return loaded
  const functions = loadOle()
  checkResult('CoInitializeEx', functions.initialize(null, multithreaded))
  const security = functions.initializeSecurity(null, -1, null, null, packetPrivacy, impersonate, null, 0, null)
  if (security >>> 0 !== alreadyDone) checkResult('CoInitializeSecurity', security)
  loaded = functions
  return functions
}

/** Reads the memory of this process. */
export const processMemory: Memory = {
  bytes: (address, length) => Buffer.from(koffi.decode(address, koffi.array('uint8', length, 'Typed')) as Uint8Array),
  text: (address) => {
    const length = Number(ole().textLength(address))
    return length === 0 ? '' : processMemory.bytes(address, 2 * length).toString('utf16le')
  },
}

/** Calls `use` with a BSTR of the text, and frees it. */
export async function withText<T>(text: string, use: (address: bigint) => T | Promise<T>): Promise<T> {
  const address = BigInt(ole().allocateText(text))
  try {
    return await use(address)
  } finally {
    ole().freeText(address)
  }
}
