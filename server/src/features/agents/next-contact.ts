import type { Pressure } from '../../platform/load/pressure.ts'
import { contactMinutes } from './settings.ts'

/** By how much contacts are spread, as a part of the interval. */
const spread = 0.1

/**
 * After how many seconds the agent is to come again: at the interval of its template, spread so that agents do not come
 * together, later while the service is busy, and earlier when work becomes due before.
 */
export function nextContactSeconds(interval: unknown, nextWorkAt: Date | null, pressure: Pressure): number {
  const seconds = contactMinutes(interval) * 60
  const regular = seconds * (1 - spread + 2 * spread * Math.random()) * pressure.stretch()
  if (!nextWorkAt) return rounded(regular)
  const untilWork = Math.max(0, (nextWorkAt.getTime() - Date.now()) / 1000)
  return rounded(Math.min(regular, untilWork + seconds * spread * Math.random()))
}

function rounded(seconds: number): number {
  return Math.max(0.1, Math.round(seconds * 10) / 10)
}
