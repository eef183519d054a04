import { existsSync } from 'node:fs'
import { release, version } from 'node:os'
import { join } from 'node:path'
import type { Platform } from '../platform.ts'
import { ComError } from './com/hresult.ts'
import { dataFolderPath } from './data-folder-path.ts'
import { detection } from './detection.ts'
import { questions } from './inventory/questions.ts'
import { openAccess } from './inventory/windows-access.ts'
import { isUserPresenting } from './presentation.ts'
import { serviceLine, sessionCalls } from './session-calls.ts'
import { readNotificationState } from './win32/notification-state.ts'
import { ownAccount, ownerOf, permissionsOf } from './win32/security.ts'
import { readRecovery } from './win32/service-recovery.ts'
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
    existsSync(dataFolderPath())
      ? { owner: ownerOf(dataFolderPath()), permissions: permissionsOf(dataFolderPath()) }
      : 'does not exist',
  // Without quotation marks, Windows would also start a program C:\\Program.exe.
  'command line of the service': async () => serviceLine(),
  'recovery of the service': async () => readRecovery(),
  sessions: async () => listSessions(),
  'session of the agent': async () => sessionCalls.ownSession(),
  'session at the screen': async () => sessionCalls.screenSession() ?? 'none',
  'may show messages here': async () => `state ${readNotificationState()} (5: yes)`,
  // From a session that is not at the screen, only the service may ask.
  'user is presenting': () => isUserPresenting(sessionCalls),
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
