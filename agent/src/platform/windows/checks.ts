import { existsSync } from 'node:fs'
import { release, version } from 'node:os'
import { join } from 'node:path'
import type { Platform } from '../platform.ts'
import { ComError } from './com/hresult.ts'
import { detection } from './detection.ts'
import { questions } from './inventory/questions.ts'
import { openAccess } from './inventory/windows-access.ts'
import { dataFolder } from './paths.ts'
import { ownAccount, ownerOf, permissionsOf } from './win32/security.ts'
import { listSessions } from './win32/sessions.ts'

const productName = {
  hive: 'HKLM',
  key: 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion',
  value: 'ProductName',
} as const

/** What `selftest` asks on Windows only. */
export const windowsChecks: NonNullable<Platform['selftest']> = () => ({
  'version of Windows': async () => `${version()} ${release()}`,
  'account of the agent': async () => ownAccount(),
  'state folder': async () =>
    existsSync(dataFolder())
      ? { owner: ownerOf(dataFolder()), permissions: permissionsOf(dataFolder()) }
      : 'does not exist',
  sessions: async () => listSessions(),
  'registry of 64-bit programs': async () => detection.registryValue?.({ ...productName, view: '64' }),
  'registry of 32-bit programs': async () => detection.registryValue?.({ ...productName, view: '32' }),
  'version of msiexec.exe': async () =>
    detection.fileVersion?.(join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'msiexec.exe')),
  // The inventory shows it only as what unlocks a volume.
  'trusted platform module': async () => openAccess().rows(questions.tpm).catch(ifAbsent),
})

/** Only computers with a TPM have its namespace. */
function ifAbsent(error: unknown): undefined {
  if (!(error instanceof ComError && error.isAbsence)) throw error
}
