import type { Decision } from '../api/decisions.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** What waits for a person, as a sentence about so many. */
const titles: Record<Decision['kind'], (n: number) => string> = {
  PausedRollout: (n) => count(n, 'rollout is paused', 'rollouts are paused'),
  QuarantinedAgent: (n) => count(n, 'agent waits for confirmation', 'agents wait for confirmation'),
  Approval: (n) => count(n, 'request needs an approval', 'requests need an approval'),
  PackageRequest: (n) => count(n, 'person asks for a package', 'people ask for packages'),
  StoppedRule: (n) => count(n, 'group rule stopped', 'group rules stopped'),
  FailingPackage: (n) => count(n, 'package fails on many computers', 'packages fail on many computers'),
  ExpiringSecret: (n) => count(n, 'access ends soon', 'accesses end soon'),
  ExpiringCertificate: (n) => count(n, 'certificate ends soon', 'certificates end soon'),
  AwayDepot: (n) => count(n, 'depot is away', 'depots are away'),
  StoppedWebhook: (n) => count(n, 'webhook was stopped', 'webhooks were stopped'),
}

export const enDecisions = {
  heading: 'Needs a decision',
  none: 'Nothing waits for a decision.',
  waiting: (n: number) => `${n.toLocaleString('en')} waiting`,
  title: ({ kind, count }: Pick<Decision, 'kind' | 'count'>) => titles[kind](count),
  review: 'Review',
  more: (n: number) => `and ${n.toLocaleString('en')} more`,
  ends: (date: string) => `ends ${date}`,
  ended: (date: string) => `ended ${date}`,
  onComputers: (n: number) => `on ${count(n, 'computer', 'computers')}`,
}
