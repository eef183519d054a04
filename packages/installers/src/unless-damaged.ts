import { InstallerFault } from './installer-fault.ts'

/** A part that is damaged, or not what it seems, leaves the others readable. Limits apply to all of them. */
export async function unlessDamaged<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InstallerFault && ['damaged', 'unsupported'].includes(error.code)) return otherwise
    throw error
  }
}
