import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/agent.ts'
import type { DeadlineItem } from '../../src/deadlines/await-user.ts'
import { linux } from '../../src/platform/linux/index.ts'
import type { UserAnswer, Users } from '../../src/platform/machine.ts'
import type { UserPrograms } from '../../src/platform/programs.ts'
import type { Postponement, WorkDeadline, WorkItem } from '../../src/protocol.ts'
import { Refused } from '../../src/server-client.ts'
import { prepareStateFolder, stateFolder } from '../../src/state/state-folder.ts'

const minuteMs = 60_000

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()

/** A person who answers every question in this way, or not at all. */
export const answering = (answer: UserAnswer | null) => ({
  askToPostpone: async () => answer && { answer, user: 'mia' },
})

type Parts = { users?: Partial<Users>; userPrograms?: UserPrograms }

/** An agent with these people and their programs, which records what people see and what it asks of the server. */
export async function deadlineAgent({ users = {}, userPrograms }: Parts = {}) {
  const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const seen: string[] = []
  const postponed: (Postponement & { workId: number })[] = []
  const platform = {
    ...linux,
    userPrograms: userPrograms ?? { list: async () => [], end: async () => undefined },
    users: {
      loggedOn: async () => 'mia',
      isPresenting: async () => false,
      language: async () => 'en',
      notify: (message: string) => void seen.push(message),
      ...users,
    },
  }
  const refused = new AbortController()
  const client = {
    progress: async () => ({ leaseSeconds: 900, cancelled: false }),
    postpone: async (workId: number, body: Postponement) => {
      if (refused.signal.aborted) throw new Refused(409, 'NotPostponable', 'No.')
      postponed.push({ workId, ...body })
      return { remaining: 1 }
    },
  }
  const state = stateFolder(platform, root)
  await prepareStateFolder(state)
  const agent = {
    platform,
    state,
    client,
    leasedItems: [] as WorkItem[],
    questions: { notBefore: 0, isOpen: false },
    stopping: new AbortController().signal,
  } as unknown as Agent
  return { agent, seen, postponed, refuseDelays: () => refused.abort() }
}

/** Work that may be postponed twice before its deadline. */
export function deadlineItem(deadline: Partial<WorkDeadline> = {}, given: Partial<WorkItem> = {}): DeadlineItem {
  const userDeadline: WorkDeadline = {
    deadlineUtc: inMinutes(120),
    quietHours: null,
    closePrograms: [],
    noticeMinutes: 15,
    ...deadline,
  }
  const subject = { name: 'Greeting', version: '1.2.0' } as WorkItem['package']
  const postponable = { remaining: 2, untilUtc: userDeadline.deadlineUtc }
  const named = { workId: 1, attempt: 1, kind: 'Install' as const, leaseSeconds: 900, package: subject }
  return { ...named, postponable, hidden: false, forced: false, power: null, userDeadline, ...given }
}
