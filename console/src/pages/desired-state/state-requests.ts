import type { ReadState } from '@muster/desired-state/in-browsers'
import { answerOf, api, type Schemas } from '../../api/client.ts'

export type StatePlan = Schemas['StatePlan']
export type StateChange = Schemas['StateChange']
export type AppliedState = Schemas['AppliedState']
export type DesiredState = Schemas['DesiredState']
export type StateWork = NonNullable<AppliedState['work']>[number]

/** A plan with what it was made of: exactly this is applied. */
export type Planned = { read: ReadState; prune: boolean; plan: StatePlan; rehearsal: AppliedState | undefined }

/** The service checks the document: a file may contain anything. */
const documentOf = ({ document }: ReadState) => document as unknown as DesiredState

const requestOf = ({ read, prune, plan }: Omit<Planned, 'rehearsal'>) => ({
  state: documentOf(read),
  prune,
  plan: plan.changes.map(({ fingerprint }) => fingerprint),
  expectedRemovals: plan.removed,
})

export const isBlocked = ({ blockers }: StateChange) => blockers.length > 0

export const isApplicable = ({ changes, missingRoles }: StatePlan) =>
  changes.length > 0 && missingRoles.length === 0 && !changes.some(isBlocked)

/** Plans and, if the plan could be applied now, tries it out: both change nothing. */
export async function makePlan(read: ReadState, prune: boolean): Promise<Planned> {
  const plan = await answerOf(api.POST('/api/catalog/state/plan', { body: { state: documentOf(read), prune } }))
  const planned = { read, prune, plan }
  return { ...planned, rehearsal: isApplicable(plan) ? await rehearse(planned) : undefined }
}

/** It is rolled back, so it needs no real secrets. */
const rehearse = (planned: Omit<Planned, 'rehearsal'>) =>
  answerOf(
    api.POST('/api/catalog/state/apply', {
      params: { query: { dryRun: true } },
      body: {
        ...requestOf(planned),
        maxSteps: 1000,
        secrets: Object.fromEntries(planned.plan.secrets.map((reference) => [reference, 'rehearsal'])),
      },
    }),
  )

/** Few enough that progress is visible: each request compares the whole state again. */
const stepsPerRequest = 50

/** Makes the next changes of the plan. Repeated, it continues with what is left. */
export const applyNext = (planned: Planned, secrets: Record<string, string>) =>
  answerOf(
    api.POST('/api/catalog/state/apply', {
      body: { ...requestOf(planned), secrets, maxSteps: stepsPerRequest },
    }),
  )
