import type { paths } from '../../api/types.ts'
import type { enSoftware } from '../../texts/en-software.ts'

export type SoftwareQuery = paths['/api/fleet/software']['get']['parameters']['query']

export type Condition = keyof typeof enSoftware.conditions

/** The filters of the page, as its address has them. */
export type SoftwareFilter = { name: string; condition: string; version: string }

/** The conditions that an address can have. */
export const conditions = ['below', 'atLeast', 'equal'] as const satisfies Exclude<Condition, 'any'>[]

const parameters = { below: 'softwareBelow', atLeast: 'softwareAtLeast', equal: 'softwareVersion' } as const

export const isCondition = (text: string): text is Exclude<Condition, 'any'> => Object.hasOwn(parameters, text)

/** A version without a condition is that version: all others would be more than what the address asks for. */
export const conditionOf = ({ condition, version }: Omit<SoftwareFilter, 'name'>) =>
  condition === '' && version.trim() !== '' ? 'equal' : condition

/** The parameters of the service; undefined as long as no name is entered. */
export function toSoftwareQuery(filter: SoftwareFilter): SoftwareQuery | undefined {
  const { name, version } = filter
  const condition = conditionOf(filter)
  if (name.trim() === '') return undefined
  return {
    software: name.trim(),
    ...(isCondition(condition) && version.trim() && { [parameters[condition]]: version.trim() }),
  }
}

/** The list of the computers with the software, or the same as a file. */
export const computersAddress = (query: SoftwareQuery) => `/computers?${new URLSearchParams(query)}`
export const csvAddress = (query: SoftwareQuery) => `/api/fleet/computers/csv?${new URLSearchParams(query)}`
