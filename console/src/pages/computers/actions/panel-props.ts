export type ActionPanelProps = {
  ids: readonly number[]
  isOpen: boolean
  onClose: () => void
  /** Empties the selection. */
  clear: () => void
}
