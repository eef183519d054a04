import type { ComputerPageData } from '../computer-data.ts'

export type ActionPanelProps = { page: ComputerPageData; isOpen: boolean; onClose: () => void }

/** Where a task is followed. Without one there was nothing to do. */
export const taskPath = (trackingId: string | null | undefined) => (trackingId ? { to: `/tasks/${trackingId}` } : {})

/** Operations on one computer take no expected count. */
export function dryRunOnly(dryRun: boolean | undefined) {
  return dryRun === undefined ? {} : { dryRun }
}
