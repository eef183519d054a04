/** Waiting: not begun, or interrupted until the agent may continue. Failed: the agent tries again after its next contact. */
export const preDownloadStates = ['Waiting', 'Fetching', 'Ready', 'Failed'] as const

export type PreDownloadState = (typeof preDownloadStates)[number]
