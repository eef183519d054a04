import type { Database } from '../../../database/connect.ts'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import type { Caller } from '../../../platform/authentication/caller.ts'
import { type PackageNames, readPackageNames } from './package-names.ts'
import type { StateSectionName } from './section-names.ts'
import { stateSections } from './sections/index.ts'
import type { StateObject, StateProperty, StateSection } from './state-section.ts'

export type StateReading = { packages: PackageNames; current: Map<StateSectionName, Map<string, StateObject>> }

/** Reads the objects of these properties, and those to which they refer. The number of statements does not depend on them. */
export async function readState(db: Database, properties: readonly StateProperty[]): Promise<StateReading> {
  const packages = await readPackageNames(db)
  const current: StateReading['current'] = new Map()
  for (const section of sectionsFor(properties))
    current.set(section.name, toMap(await section.readCurrent(db, packages)))
  return { packages, current }
}

export const toMap = (objects: readonly StateObject[]): Map<string, StateObject> =>
  new Map(objects.map((object) => [object.key, object]))

/** Throws unless the caller may read everything that `readState` reads. */
export function requireReadRoles({ principal }: Caller, properties: readonly StateProperty[]): void {
  for (const { readRole } of sectionsFor(properties)) requireRole(principal, readRole)
}

export function mayRead({ principal }: Caller, property: StateProperty): boolean {
  return sectionsFor([property]).every(({ readRole }) => principal.roles.has(readRole))
}

function sectionsFor(properties: readonly StateProperty[]): StateSection[] {
  const isIncluded = (property: StateProperty) => properties.includes(property)
  return stateSections.filter(
    ({ property, usedBy = [] }) => (property && isIncluded(property)) || usedBy.some(isIncluded),
  )
}
