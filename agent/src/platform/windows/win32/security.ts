import koffi from '../koffi.ts'
import { kernel32, withHandle } from './kernel.ts'
import { library } from './library.ts'
import { check, checkStatus } from './system-error.ts'

const advapi32 = library('advapi32.dll', {
  ConvertSidToStringSidW: ['int', 'intptr', '_Out_ intptr *'],
  ConvertStringSidToSidW: ['int', 'str16', '_Out_ intptr *'],
  ConvertSecurityDescriptorToStringSecurityDescriptorW: [
    'int',
    'intptr',
    'uint32',
    'uint32',
    '_Out_ intptr *',
    'void *',
  ],
  ConvertStringSecurityDescriptorToSecurityDescriptorW: ['int', 'str16', 'uint32', '_Out_ intptr *', 'void *'],
  GetNamedSecurityInfoW: [
    'uint32',
    'str16',
    'int',
    'uint32',
    '_Out_ intptr *',
    'void *',
    'void *',
    'void *',
    '_Out_ intptr *',
  ],
  GetSecurityDescriptorDacl: ['int', 'intptr', '_Out_ int *', '_Out_ intptr *', '_Out_ int *'],
  GetTokenInformation: ['int', 'intptr', 'int', '_Out_ void *', 'uint32', '_Out_ uint32 *'],
  LookupAccountSidW: [
    'int',
    'str16',
    'intptr',
    '_Out_ void *',
    '_Inout_ uint32 *',
    '_Out_ void *',
    '_Inout_ uint32 *',
    '_Out_ uint32 *',
  ],
  OpenProcessToken: ['int', 'intptr', 'uint32', '_Out_ intptr *'],
  SetNamedSecurityInfoW: ['uint32', 'str16', 'int', 'uint32', 'intptr', 'intptr', 'intptr', 'intptr'],
})

const fileObject = 1
const ownerInformation = 1
const daclInformation = 4
const protectedDacl = 0x8000_0000 | daclInformation

/** SECURITY_ATTRIBUTES of a handle that a child process inherits. */
export function inheritable(): Buffer {
  return securityAttributes(0n, true)
}

function securityAttributes(descriptor: bigint, isInherited: boolean): Buffer {
  const attributes = Buffer.alloc(24)
  attributes.writeUInt32LE(attributes.length, 0)
  attributes.writeBigUInt64LE(descriptor, 8)
  attributes.writeInt32LE(isInherited ? 1 : 0, 16)
  return attributes
}

/** Creates a folder that has these permissions from its beginning. Returns whether it did not exist. */
export function createFolder(path: string, sddl: string): boolean {
  return withDescriptor(sddl, (descriptor) => {
    if (kernel32.CreateDirectoryW(path, securityAttributes(BigInt(descriptor), false)) !== 0) return true
    const alreadyExists = 183
    if (kernel32.GetLastError() === alreadyExists) return false
    check(`${path} could not be created`, 0)
    return false
  })
}

/** Replaces the permissions of a folder and of everything in it. Nothing is inherited from the folder above. */
export function protect(path: string, sddl: string): void {
  withDescriptor(sddl, (descriptor) => {
    const dacl = [0]
    check('GetSecurityDescriptorDacl', advapi32.GetSecurityDescriptorDacl(descriptor, [0], dacl, [0]))
    checkStatus(
      `The permissions of ${path} could not be set`,
      advapi32.SetNamedSecurityInfoW(path, fileObject, protectedDacl >>> 0, 0, 0, dacl[0], 0),
    )
  })
}

/** The security identifier of the owner of a file or folder. */
export function ownerOf(path: string): string {
  const [owner, descriptor] = [[0], [0]]
  checkStatus(
    `The owner of ${path} could not be read`,
    advapi32.GetNamedSecurityInfoW(path, fileObject, ownerInformation, owner, null, null, null, descriptor),
  )
  try {
    return sidText(owner[0] ?? 0)
  } finally {
    kernel32.LocalFree(BigInt(descriptor[0] ?? 0))
  }
}

/** The permissions of a file or folder, in the language of security descriptors. */
export function permissionsOf(path: string): string {
  const [descriptor, text] = [[0], [0]]
  checkStatus(
    `The permissions of ${path} could not be read`,
    advapi32.GetNamedSecurityInfoW(path, fileObject, daclInformation, null, null, null, null, descriptor),
  )
  try {
    check(
      'The permissions could not be formatted',
      advapi32.ConvertSecurityDescriptorToStringSecurityDescriptorW(descriptor[0], 1, daclInformation, text, null),
    )
    return takeText(text[0] ?? 0)
  } finally {
    kernel32.LocalFree(BigInt(descriptor[0] ?? 0))
  }
}

/** The security identifier of the account that runs the agent. */
export function ownAccount(): string {
  const [query, tokenUser] = [8, 1]
  const token = [0]
  check('OpenProcessToken', advapi32.OpenProcessToken(kernel32.GetCurrentProcess(), query, token))
  return withHandle(token[0] ?? 0, (handle) => {
    const user = Buffer.alloc(256)
    check('GetTokenInformation', advapi32.GetTokenInformation(handle, tokenUser, user, user.length, [0]))
    return sidText(Number(user.readBigUInt64LE(0)))
  })
}

/** Whether this process has the rights of an administrator, which those of SYSTEM include. */
export function isElevated(): boolean {
  const [query, tokenElevation] = [8, 20]
  const token = [0]
  check('OpenProcessToken', advapi32.OpenProcessToken(kernel32.GetCurrentProcess(), query, token))
  return withHandle(token[0] ?? 0, (handle) => {
    const elevation = Buffer.alloc(4)
    check('GetTokenInformation', advapi32.GetTokenInformation(handle, tokenElevation, elevation, elevation.length, [0]))
    return elevation.readUInt32LE(0) !== 0
  })
}

const maxAccountName = 256

/** The name of an account, with its domain or computer; undefined if it has none. */
export function nameOfAccount(account: string): string | undefined {
  const sid = [0]
  if (advapi32.ConvertStringSidToSidW(account, sid) === 0) return undefined
  try {
    const [name, domain] = [Buffer.alloc(maxAccountName * 2), Buffer.alloc(maxAccountName * 2)]
    const sizes = [[maxAccountName], [maxAccountName]]
    if (advapi32.LookupAccountSidW(null, sid[0], name, sizes[0], domain, sizes[1], [0]) === 0) return undefined
    return [domain, name].map((text) => text.toString('utf16le').replace(/\0[\s\S]*$/, '')).join('\\')
  } finally {
    kernel32.LocalFree(BigInt(sid[0] ?? 0))
  }
}

function sidText(sid: number): string {
  const text = [0]
  check('ConvertSidToStringSid', advapi32.ConvertSidToStringSidW(sid, text))
  return takeText(text[0] ?? 0)
}

/** Reads a text that Windows has allocated, and frees it. */
function takeText(pointer: number): string {
  const address = BigInt(pointer)
  try {
    return koffi.decode.string16(address)
  } finally {
    kernel32.LocalFree(address)
  }
}

function withDescriptor<T>(sddl: string, use: (descriptor: number) => T): T {
  const descriptor = [0]
  check(
    'The permissions could not be parsed',
    advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, 1, descriptor, null),
  )
  try {
    return use(descriptor[0] ?? 0)
  } finally {
    kernel32.LocalFree(BigInt(descriptor[0] ?? 0))
  }
}
