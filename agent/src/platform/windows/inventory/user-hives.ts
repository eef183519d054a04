import type { WindowsSources } from './sources.ts'

/** People have identifiers of a domain, of this computer or of a cloud directory; services have short ones. */
const person = /^S-1-(5-21|12-1)-[\d-]+$/

/** The identifiers of the users whose part of the registry is loaded: those who are signed in. */
export async function listUserIds(sources: WindowsSources): Promise<string[]> {
  return ((await sources.keys('HKU', '')) ?? []).filter((name) => person.test(name))
}
