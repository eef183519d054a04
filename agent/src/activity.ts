import type { WorkItem } from './protocol.ts'

/** What the agent is doing with a package right now. */
export type CurrentWork = Pick<WorkItem, 'workId' | 'kind'> & {
  packageId: string
  name: string
  version: string
  percent: number
}

export type Activity = ReturnType<typeof trackActivity>

/** What the agent does, for users who look, and how often something has changed that the server knows better. */
export function trackActivity() {
  let current: CurrentWork | undefined
  let finished = 0
  return {
    current: () => current,
    /** Changes with every work item that ends. */
    finishedCount: () => finished,
    begin(work: CurrentWork): void {
      current = work
    },
    progress(workId: number, percent: number): void {
      if (current?.workId === workId) current = { ...current, percent }
    },
    end(workId: number): void {
      if (current?.workId === workId) current = undefined
      finished += 1
    },
  }
}
