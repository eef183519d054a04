import type { Activity } from '../activity.ts'
import type { LastContact } from '../contact.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { ServerClient } from '../server-client.ts'
import { readStored } from '../state/durable-file.ts'
import { findPostponement, storePostponement } from '../state/postponement.ts'
import { findRebootSource } from '../state/reboot-required.ts'
import { addRequestedPackage, readOffers, readRequestedPackages } from '../state/requested-packages.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { findSuspension } from '../state/suspension.ts'
import { type Chosen, reportChoices, storeChoice } from '../state/user-choices.ts'
import { agentVersion } from '../version.ts'
import { RequestRefused, type UserAnswers, type UserRequestOf, type UserView } from './messages.ts'
import type { User, UserDesk } from './serve.ts'
import { softwareList } from './software-list.ts'

export type DeskParts = {
  state: StateFolder
  client: () => Promise<ServerClient>
  activity: Activity
  /** Makes the agent contact the server now. */
  wake(): void
}

/** Work items have limits of their own. This one keeps a user from postponing what nobody has limited for good. */
export const maxPostponementDays = 30
const dayMs = 24 * 60 * 60_000

const reportMs = 15_000

/** What the agent does for the users of this computer. */
export function openDesk({ state, client, activity, wake }: DeskParts): UserDesk {
  const list = softwareList(state, client)

  async function view(user: User): Promise<UserView> {
    const { software, history, requests, asOfUtc, isCurrent } = await list.read(activity.finishedCount())
    const taken = await readRequestedPackages(state)
    const current = activity.current()
    const suspension = await findSuspension(state)
    return {
      agentVersion,
      user: user.name,
      ...{ asOfUtc, isCurrent, history },
      lastContactUtc: (await readStored<LastContact>(state.contact))?.contactUtc ?? null,
      suspendedUntil: suspension && (suspension.untilUtc ?? 'open-ended'),
      postponedUntilUtc: (await findPostponement(state))?.toISOString() ?? null,
      isRebootRequired: (await findRebootSource(state)) !== null,
      current: current ?? null,
      software: software.map((item) => {
        const isCurrentWork = current?.packageId === item.packageId
        return {
          ...item,
          ...(isCurrentWork && { state: 'Running' as const, action: current.kind }),
          percent: isCurrentWork ? Math.floor(current.percent) : null,
          isTaken: taken.includes(item.packageId),
        }
      }),
      // What others on the same computer ask for, and why, does not concern this user.
      requests: requests.filter((request) => request.user === user.name),
    }
  }

  async function take(user: User, { packageId }: UserRequestOf<'take'>): Promise<UserAnswers['take']> {
    const offer = (await readOffers(state)).find((one) => one.packageId.toLowerCase() === packageId.toLowerCase())
    if (!offer) throw new RequestRefused('NotOffered', `Package ${packageId} is not offered.`)
    await store(user, { kind: 'Taken', packageId: offer.packageId })
    await addRequestedPackage(state, offer.packageId)
    log(`${user.name} has taken ${offer.name} ${offer.version}.`)
    wake()
    return { name: offer.name, version: offer.version }
  }

  async function postpone(user: User, { untilUtc }: UserRequestOf<'postpone'>): Promise<UserAnswers['postpone']> {
    const until = new Date(untilUtc)
    const latest = Date.now() + maxPostponementDays * dayMs
    if (!(until.getTime() > Date.now()) || until.getTime() > latest)
      throw new RequestRefused(
        'InvalidRequest',
        `The time must be in the future, and at most ${maxPostponementDays} days from now.`,
      )
    await store(user, { kind: 'Postponed', untilUtc: until.toISOString() })
    await storePostponement(state, until)
    log(`${user.name} has postponed work until ${until.toISOString()}.`)
    const { software } = await list.read(activity.finishedCount())
    wake()
    return { untilUtc: until.toISOString(), affected: software.filter((one) => one.postponementsLeft > 0).length }
  }

  async function request(user: User, { wish, reason }: UserRequestOf<'request'>): Promise<UserAnswers['request']> {
    const choiceId = await store(user, { kind: 'Requested', wish: wish.trim(), reason: reason.trim() })
    log(`${user.name} asks for a package.`)
    try {
      const outcomes = await reportChoices(state, await client(), AbortSignal.timeout(reportMs))
      const own = outcomes.find((one) => one.choiceId === choiceId)
      if (!own) throw new RequestRefused('Failed', 'The server does not take requests for packages.')
      return { outcome: own.outcome }
    } catch (error) {
      if (error instanceof RequestRefused) throw error
      log(`A request for a package is kept for the next contact. ${messageOf(error)}`)
      return { outcome: 'Kept' }
    }
  }

  async function store(user: User, chosen: Chosen): Promise<string> {
    const choiceId = await storeChoice(state, user.name, chosen)
    if (choiceId === undefined)
      throw new RequestRefused('TooManyChoices', 'Too much waits for the server. Try again later.')
    list.refresh()
    return choiceId
  }

  return {
    async answer(user, asked) {
      if (asked.verb === 'view') return view(user)
      if (asked.verb === 'icon')
        return { content: (await list.icon(asked.packageId, activity.finishedCount())).toString('base64') }
      if (asked.verb === 'take') return take(user, asked)
      if (asked.verb === 'postpone') return postpone(user, asked)
      return request(user, asked)
    },
  }
}
