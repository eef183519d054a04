import { sortNames } from '../fleet/computer-list/sort.ts'

/** The pages of the console with lists that can be saved. All of them are read with the role `computer.read`. */
export const viewPages = ['computers'] as const

export type ViewPage = (typeof viewPages)[number]

/** The columns of the list of computers. Two of them cannot be sorted by. */
export const viewColumns = [...sortNames, 'nextContactUtc', 'software'] as const

export type ViewColumn = (typeof viewColumns)[number]

export const viewDensities = ['Comfortable', 'Compact'] as const

export type ViewDensity = (typeof viewDensities)[number]
