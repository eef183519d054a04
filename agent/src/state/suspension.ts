import type { Suspension, SuspensionMode } from '../protocol.ts'
import { readStored } from './durable-file.ts'
import { findSuspendingPresentation } from './presentation.ts'
import { knownSettings, readSettings } from './settings.ts'
import type { StateFolder } from './state-folder.ts'

export const suspensionModes: readonly SuspensionMode[] = ['Suspended', 'PresentationMode', 'MaintenanceMode']

export function suspensionModeOf(text: string | null): SuspensionMode | undefined {
  return suspensionModes.find((mode) => mode.toLowerCase() === text?.toLowerCase())
}

/** The suspension in effect: that of a user of this computer, otherwise that of the settings, otherwise a presentation. */
export async function findSuspension(state: StateFolder, now = new Date()): Promise<Suspension | null> {
  const local = await readStored<Suspension>(state.suspension)
  if (local && (local.untilUtc === null || new Date(local.untilUtc) > now)) return local
  const mode = suspensionModeOf(knownSettings(await readSettings(state)).suspensionMode)
  if (mode) return { mode, untilUtc: null }
  const end = await findSuspendingPresentation(state, now)
  return end && { mode: 'PresentationMode', untilUtc: end.toISOString() }
}
