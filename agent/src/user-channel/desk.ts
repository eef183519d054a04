import type { Activity } from '../activity.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { ServerClient } from '../server-client.ts'
import { storePostponement } from '../state/postponement.ts'
import { addRequestedPackage, readOffers } from '../state/requested-packages.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { type Chosen, reportChoices, storeChoice } from '../state/user-choices.ts'
import { RequestRefused, type UserAnswers, type UserRequestOf } from './messages.ts'
import type { User, UserDesk } from './serve.ts'
import { softwareList } from './software-list.ts'
import { buildView } from './view.ts'

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

  async function take(user: User, { packageId }: UserRequestOf<'take'>): Promise<UserAnswers['take']> {
    const offer = await findOffer(packageId)
    if (!offer) throw new RequestRefused('NotOffered', `Package ${packageId} is not offered.`)
    await store(user, { kind: 'Taken', packageId: offer.packageId })
    await addRequestedPackage(state, offer.packageId)
    log(`${user.name} has taken ${offer.name} ${offer.version}.`)
    wake()
    return { name: offer.name, version: offer.version }
  }

  /** What users see comes from the list, which may be newer than the last contact. */
  async function findOffer(
    packageId: string,
  ): Promise<{ packageId: string; name: string; version: string } | undefined> {
    const isMeant = (one: { packageId: string }) => one.packageId.toLowerCase() === packageId.toLowerCase()
    const offer = (await readOffers(state)).find(isMeant)
    if (offer) return offer
    const { software } = await list.read(activity.finishedCount())
    return software.find((one) => isMeant(one) && one.state === 'Offered')
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
    await storePostponement(state, until, user.name)
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
      if (asked.verb === 'view') return buildView(state, activity, await list.read(activity.finishedCount()), user)
      if (asked.verb === 'icon')
        return { content: (await list.icon(asked.packageId, activity.finishedCount())).toString('base64') }
      if (asked.verb === 'take') return take(user, asked)
      if (asked.verb === 'postpone') return postpone(user, asked)
      return request(user, asked)
    },
  }
}
