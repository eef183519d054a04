export type Kind = 'Install' | 'Update' | 'Uninstall' | 'Reinstall'
export type Cause = 'Activation' | 'Request' | 'Report' | 'Cancellation' | 'Dependency'

export type Piece = {
  computer: number
  package: number
  kind: Kind
  mode: string
  /** The group whose assignment brings it; null once that is deleted. */
  group: number | null
  isReinstallAsked: boolean
  state: 'Due' | 'Leased' | 'Success' | 'Failed' | 'Cancelled'
  attempt: number
  failures: number
  isBackedOff: boolean
  isLeaseOver: boolean
  /** Which process of the agent has it, and whether that has begun. */
  run: number
  isStarted: boolean
  content: number
  /** Whether the agent had it when it was closed by something else than a report. */
  isAwaited: boolean
}

export type State = {
  result: 'Success' | 'Failed' | null
  isPending: boolean
  installation: 'None' | 'Installed' | 'NotInstalled' | 'Uninstalled'
  content: number | null
  currentMode: string
}

export const isOpen = ({ state }: Piece) => state === 'Due' || state === 'Leased'

export const newPiece = {
  isReinstallAsked: false,
  state: 'Due',
  attempt: 0,
  failures: 0,
  isBackedOff: false,
  isLeaseOver: false,
  run: 0,
  isStarted: false,
  content: 0,
  isAwaited: false,
} as const

export const nothingKnown: State = {
  result: null,
  isPending: false,
  installation: 'None',
  content: null,
  currentMode: '',
}
