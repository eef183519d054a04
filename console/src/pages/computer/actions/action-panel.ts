import type { ComputerPageData } from '../computer-data.ts'

export type ActionPanelProps = { page: ComputerPageData; isOpen: boolean; onClose: () => void }

/** Where a task is followed. Without one there was nothing to do. */
export const taskPath = (trackingId: string | null | undefined) => (trackingId ? { to: `/tasks/${trackingId}` } : {})
