import { listKeys, type RegistryValue, readValue } from './registry.ts'

const servicing = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Component Based Servicing'
const windowsUpdate = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\WindowsUpdate\\Auto Update'
const sessionManager = 'SYSTEM\\CurrentControlSet\\Control\\Session Manager'
const names = 'SYSTEM\\CurrentControlSet\\Control\\ComputerName'

/** How the registry is queried. Tests answer in its place. */
export type RebootFacts = {
  hasKey(key: string): boolean
  value(key: string, name: string): RegistryValue | undefined
}

/** Why Windows requires a restart, most certain first; null if it does not. */
export function rebootSourceOf({ hasKey, value }: RebootFacts): string | null {
  if (hasKey(`${servicing}\\RebootPending`)) return 'Component Based Servicing'
  if (hasKey(`${windowsUpdate}\\RebootRequired`)) return 'Windows Update'
  // Pairs of a file and its new name, which is empty if the file is to be deleted.
  const renames = value(sessionManager, 'PendingFileRenameOperations')
  if (Array.isArray(renames) && renames.some((path) => path !== '')) return 'Files to be replaced'
  const [active, next] = [
    value(`${names}\\ActiveComputerName`, 'ComputerName'),
    value(`${names}\\ComputerName`, 'ComputerName'),
  ]
  return active !== undefined && next !== undefined && active !== next ? 'Computer name' : null
}

const registryFacts: RebootFacts = {
  hasKey: (key) => listKeys('HKLM', key, 64) !== undefined,
  value: (key, name) => readValue('HKLM', key, name, 64),
}

export const findRebootSource = async () => rebootSourceOf(registryFacts)
