import type { components } from '../../api/types.ts'
import type { StatusKind } from '../../components/status-kinds.ts'

export type FleetPatch = components['schemas']['FleetPatch']
export type PatchSeverity = FleetPatch['severity']
export type ReleaseAge = components['schemas']['ReleaseAge']

export const severities: readonly PatchSeverity[] = ['Critical', 'Important', 'Moderate', 'Low', 'Unrated']
export const ages: readonly ReleaseAge[] = ['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown']

export const kindOfSeverity: Record<PatchSeverity, StatusKind> = {
  Critical: 'bad',
  Important: 'warning',
  Moderate: 'running',
  Low: 'neutral',
  Unrated: 'neutral',
}
