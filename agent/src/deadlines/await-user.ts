import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import type { DelayReason, WorkDeadline, WorkItem } from '../protocol.ts'
import { isLeaseLost, Refused } from '../server-client.ts'
import { findWarning, listChoices, removeChoices, storeWarning } from '../state/warnings.ts'
import { askBeforeWork } from '../work/ask-user.ts'
import { startLease } from '../work/lease.ts'
import { canPostpone, postponeAsRequested } from '../work/postpone-work.ts'
import { recordChoice } from './choices.ts'
import { closePrograms, namesOf } from './close-programs.ts'
import { findQuietEnd } from './quiet-hours.ts'
import { describeWork, findUserTexts, formatTime } from './texts.ts'

const minuteMs = 60_000
/** How long work waits before the agent looks again whether its reason to wait is over. */
const lookAgainMs = 10 * minuteMs
/** People are notified about open programs no more often than this. */
const notifyAgainMs = 60 * minuteMs
const pollMs = 2_000

/** Work with a deadline. */
export type DeadlineItem = WorkItem & { userDeadline: WorkDeadline }

export const hasDeadline = (item: WorkItem): item is DeadlineItem => item.userDeadline !== undefined

/**
 * Decides whether work with a deadline begins now. Until the deadline it waits for quiet hours, presentations, open programs and
 * postponements: then the server gets it back, and this returns false. From the deadline on, only the notice before programs are
 * closed is waited for.
 */
export async function awaitUser(agent: Agent, item: DeadlineItem): Promise<boolean> {
  await storeWarning(agent.state, item)
  if (await waitsForUser(agent, item)) return false
  const { closePrograms: names } = item.userDeadline
  if ((await agent.platform.userPrograms.list(names)).length === 0) return true
  return closeAfterNotice(agent, item)
}

/** Returns whether the server has the work item back, or has withdrawn it. */
async function waitsForUser(agent: Agent, item: DeadlineItem): Promise<boolean> {
  const { quietHours, closePrograms: names, noticeMinutes, deadlineUtc } = item.userDeadline
  const [now, deadline] = [new Date(), new Date(deadlineUtc)]
  if (now >= deadline) return false
  if (await postponeAsRequested(agent, item)) return true
  const quietEnd = findQuietEnd(quietHours, now)
  if (quietEnd) return delay(agent, item, 'QuietHours', quietEnd)
  const soon = new Date(now.getTime() + lookAgainMs)
  if (await agent.platform.users.isPresenting()) return delay(agent, item, 'Presentation', soon)
  const open = namesOf(await agent.platform.userPrograms.list(names))
  const noticeAt = new Date(deadline.getTime() - noticeMinutes * minuteMs)
  if (open.length > 0 && now < noticeAt) {
    await notifyAboutPrograms(agent, item, open)
    return delay(agent, item, 'ProgramsOpen', noticeAt < soon ? noticeAt : soon, open)
  }
  // A restart asks during its countdown.
  const mayAsk = open.length === 0 && item.package !== null && canPostpone(item)
  return mayAsk && (await agent.platform.users.loggedOn()) !== null && postponeIfAnswered(agent, item)
}

async function postponeIfAnswered(agent: Agent, item: DeadlineItem): Promise<boolean> {
  const answer = await askBeforeWork(agent, { isWanted: !item.hidden })
  // What a user chose about several work items is reported for each of them.
  if (answer !== undefined && answer?.answer !== 'Later')
    await recordChoice(agent, item.workId, answer?.answer ?? 'NoAnswer', { user: answer?.user })
  return postponeAsRequested(agent, item)
}

/** Gives the work item back until a time, at most until its deadline. Returns false if the server does not allow that. */
export async function delay(
  agent: Agent,
  item: DeadlineItem,
  reason: DelayReason,
  until: Date,
  programs: string[] = [],
): Promise<boolean> {
  const { state, client } = agent
  const deadline = new Date(item.userDeadline.deadlineUtc)
  const untilUtc = (until < deadline ? until : deadline).toISOString()
  const known = await findWarning(state, item.workId)
  if (known?.reason !== reason) await recordChoice(agent, item.workId, reason, { programs })
  const { workId, attempt } = item
  try {
    await client.postpone(workId, { attempt, untilUtc, reason, workChoices: await listChoices(state, workId) })
  } catch (error) {
    if (isLeaseLost(error)) return true
    // The clock of the server has passed the deadline.
    if (error instanceof Refused) return false
    throw error
  }
  log(`Work ${workId} waits until ${untilUtc}: ${reason}.`)
  await removeChoices(state, workId)
  await storeWarning(state, item, { reason, untilUtc, programs })
  return true
}

async function notifyAboutPrograms(agent: Agent, item: DeadlineItem, programs: string[]): Promise<void> {
  const known = await findWarning(agent.state, item.workId)
  const isNotified = known?.notifiedUtc && Date.parse(known.notifiedUtc) > Date.now() - notifyAgainMs
  if (isNotified) return
  const texts = await findUserTexts(agent.platform)
  const deadline = formatTime(new Date(item.userDeadline.deadlineUtc), texts.language)
  agent.platform.users.notify(texts.closePrograms(describeWork([item], texts), programs.join(', '), deadline))
  await storeWarning(agent.state, item, { notifiedUtc: new Date().toISOString() })
}

/**
 * Notifies people that programs will be closed, and closes them when the notice and the deadline are over, or goes on as soon as they
 * have closed them. Returns false if the work was cancelled meanwhile.
 */
async function closeAfterNotice(agent: Agent, item: DeadlineItem): Promise<boolean> {
  const { platform, client, stopping } = agent
  const { closePrograms: names, noticeMinutes, deadlineUtc } = item.userDeadline
  const closeAt = Math.max(Date.parse(deadlineUtc), Date.now() + noticeMinutes * minuteMs)
  const open = namesOf(await platform.userPrograms.list(names))
  const texts = await findUserTexts(platform)
  const minutes = Math.ceil((closeAt - Date.now()) / minuteMs)
  platform.users.notify(texts.programsClosedSoon(describeWork([item], texts), open.join(', '), minutes))
  const lease = startLease(client, item, item.leaseSeconds)
  try {
    await lease.report(0, `Waiting until ${open.join(', ')} is closed`)
    for (;;) {
      if (stopping.aborted || lease.cancelled.aborted) return false
      if ((await platform.userPrograms.list(names)).length === 0) return true
      if (Date.now() >= closeAt) break
      await sleep(Math.min(pollMs, Math.max(1, closeAt - Date.now())), undefined, { signal: stopping }).catch(
        () => undefined,
      )
    }
    const left = namesOf(await platform.userPrograms.list(names))
    log(`Work ${item.workId}: its deadline has passed, so these programs are closed: ${left.join(', ')}`)
    await closePrograms(agent, names)
    await recordChoice(agent, item.workId, 'ProgramsClosed', { programs: left })
    return !stopping.aborted && !lease.cancelled.aborted
  } finally {
    lease.end()
  }
}
