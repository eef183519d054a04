import { isOptional, type Options } from './packages.ts'

export type Kind = 'Install' | 'Update' | 'Uninstall' | 'Reinstall' | 'OperatingSystem' | 'Power' | 'Refresh'

/** Stands for the package of work that has none. */
export const noPackage = -1
export type Cause = 'Activation' | 'Request' | 'Report' | 'Cancellation' | 'Dependency'

/** What is to be done with a package, and how. */
export type Plan = Options & {
  kind: Kind
  /** The group with the assignment; null after that group was deleted. */
  group: number | null
  /** The boot image and the edition of the operating system that it installs. */
  image: number | null
  edition: number | null
  /** Whether the package is not assigned itself, but comes because another one requires it. */
  isBrought: boolean
}

export type ModelWorkItem = Plan & {
  computer: number
  package: number
  isRequestedReinstall: boolean
  state: 'Due' | 'Leased' | 'Success' | 'Failed' | 'Cancelled'
  attempt: number
  failures: number
  postponements: number
  isDelayed: boolean
  isLeaseExpired: boolean
  /** The process of the agent that has leased it, and whether that process has begun. */
  run: number
  isStarted: boolean
  content: number
  /** Whether the service closed it while the agent had it: a report is still expected. */
  isReportExpected: boolean
}

export type State = {
  result: 'Success' | 'Failed' | null
  isPending: boolean
  installation: 'None' | 'Installed' | 'NotInstalled' | 'Uninstalled'
  content: number | null
  currentMode: string
}

export const isOpen = ({ state }: ModelWorkItem) => state === 'Due' || state === 'Leased'

/** An optional package that nobody has requested yet is no deployment. */
export const isOffer = ({ mode, attempt }: ModelWorkItem) => isOptional(mode) && attempt === 0

/** Work that somebody waits for. */
export const isPending = (item: ModelWorkItem) => isOpen(item) && !isOffer(item)

export const newWorkItem = {
  isRequestedReinstall: false,
  state: 'Due',
  attempt: 0,
  failures: 0,
  postponements: 0,
  isDelayed: false,
  isLeaseExpired: false,
  run: 0,
  isStarted: false,
  content: 0,
  isReportExpected: false,
} as const

export const initialState: State = {
  result: null,
  isPending: false,
  installation: 'None',
  content: null,
  currentMode: '',
}
