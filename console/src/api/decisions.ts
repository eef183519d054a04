import { answerOf, api } from './client.ts'
import type { components } from './types.ts'

type Schemas = components['schemas']
export type Decision = Schemas['Decision']
export type DecisionKind = Schemas['DecisionKind']

export const decisionsKey = ['decisions']

/** What waits for a person, for the overview and the navigation: one small request for both. */
export const decisionsQuery = {
  queryKey: decisionsKey,
  queryFn: () => answerOf(api.GET('/api/fleet/decisions')).then(({ decisions }) => decisions),
}

/** The events after which something else may wait. With its principal, a request for an approval is deleted. */
export const decisionEvents = [
  ...['muster.approval.*', 'muster.package-request.*', 'muster.principal.*', 'muster.group.rule-changed'],
  ...['muster.rollout.paused', 'muster.rollout.resumed', 'muster.rollout.cancelled'],
]

/** Where each kind is decided. */
export const pageOfDecision: Record<DecisionKind, string> = {
  PausedRollout: '/rollouts',
  QuarantinedAgent: '/admin/enrolment',
  Approval: '/admin/approvals',
  PackageRequest: '/package-requests',
  StoppedRule: '/groups',
  FailingPackage: '/packages',
  ExpiringSecret: '/admin/principals',
  ExpiringCertificate: '/admin/about',
  AwayDepot: '/infrastructure',
  StoppedWebhook: '/admin/webhooks',
}

const maxShown = 99

/** The number in a badge. */
export const formatBadge = (count: number) => (count > maxShown ? `${maxShown}+` : String(count))
