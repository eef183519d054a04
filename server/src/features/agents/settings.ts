import { type RawBuilder, sql } from 'kysely'
import { isDistributable } from '../packages/distributable.ts'

export const defaultContactMinutes = 60
const minContactMinutes = 0.01
export const maxContactMinutes = 10_080

/**
 * The hash by which an agent reports the settings it runs with. The text of jsonb is canonical: it does not depend on how
 * the manifest is written.
 */
export function settingsHash(settings: RawBuilder<Record<string, unknown>>): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to((${settings})::jsonb::text, 'UTF8')), 'hex')`
}

/** The settings of an agent template; empty without a template. Takes the alias of its package. */
export function templateSettings(template: string): RawBuilder<Record<string, string | number | boolean>> {
  return sql`coalesce(${sql.ref(`${template}.manifest`)} -> 'settings', '{}')`
}

/**
 * Whether an agent follows a template, given the aliases of both. Agents get the settings of a template that is released, and
 * keep those that they run with if the release is withdrawn. Without either, the template counts as not assigned.
 */
export function isFollowed(template: string, agents: string): RawBuilder<boolean> {
  return sql<boolean>`(${isDistributable(template)}
    or ${sql.ref(`${agents}.settings_hash`)} = ${settingsHash(templateSettings(template))})`
}

/** Agents that the service can call at any time need fewer contacts. */
const connectedFactor = 4

/** The minutes between contacts of an agent that has a wake connection and nothing to do. */
export function connectedContactMinutes(setting: unknown): number {
  return Math.min(maxContactMinutes, connectedFactor * contactMinutes(setting))
}

/** The minutes between contacts. A template may contain any value as `contactIntervalMinutes`, or none. */
export function contactMinutes(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return defaultContactMinutes
  return Math.min(maxContactMinutes, Math.max(minContactMinutes, setting))
}
