import { answerOf, type components, guardRequests, limitAnswer, type MusterClient } from '@muster/client'
import { readAnswer } from '../api/check-answer.ts'
import { readOperationWords } from '../api/operation-words.ts'
import { type Call, command } from '../command.ts'
import { describeConnectionError } from '../credentials/describe-connection-error.ts'
import { CommandFailure } from '../errors.ts'
import { formatAge } from '../output/times.ts'

type Schemas = components['schemas']
type Readiness = Schemas['Readiness']
type Decision = Schemas['Decision']
type Overview = Schemas['FleetOverview']

export const status = command({
  name: 'status',
  summary: 'Show the health of the service, what waits for a decision and the counts of the fleet',
  examples: [
    ['muster status', 'Exits with 1 if the service is not ready'],
    ['muster status -o json', 'For scripts'],
  ],
  operations: ['getReadiness', 'whoAmI', 'getSystem', 'getFleetOverview', 'getFreeze', 'listDecisions'],
  async run({ client, output, terminal }) {
    const readiness = await readReadiness(client, terminal)
    const caller = await answerOf(client.GET('/api/service/whoami'))
    const mayRead = caller.roles.includes('computer.read')
    const [system, overview] = mayRead
      ? await Promise.all([answerOf(client.GET('/api/system')), answerOf(client.GET('/api/fleet/overview'))])
      : []
    const freeze = await answerOf(client.GET('/api/freeze'))
    const { decisions } = await answerOf(client.GET('/api/fleet/decisions'))
    const nameOf = await readNames(client, decisions)
    const counts = overview?.statistics.counts
    output.object({ address: client.address, readiness, caller, system, freeze, decisions, overview }, [
      ['Service', `${client.address}  ${readiness.status}`],
      ...readiness.checks
        .filter((check) => check.status !== 'passed')
        .map((check) => [`  ${check.name}`, `${check.status}: ${check.detail ?? check.code}`] as const),
      ['Version', system && `${system.serviceVersion}, database ${system.databaseVersion}`],
      ['Signed in as', `${caller.name} (${caller.roles.join(', ') || 'no roles'})`],
      ['New work', freeze.frozen ? `stopped by ${freeze.frozenBy}: ${freeze.reason}` : 'is handed out'],
      ['To decide', decisions.length === 0 ? 'nothing' : ''],
      ...decisions.map((decision) => [`  ${decisionNames[decision.kind]}`, formatDecision(decision, nameOf)] as const),
      ['Computers', counts && `${counts.computers}${formatHealth(counts.health)}`],
      ['With issues', counts?.withIssues],
      ['Issues', counts && (formatIssues(counts.issues) || 'none')],
      ['Deployments', counts && formatCounts(counts.deploymentStatus)],
      ['Rollouts', overview && formatRollouts(overview.runningRollouts)],
      ['Tasks', overview && formatTasks(overview)],
      ['Counted', overview && formatAge(overview.statistics.calculatedAtUtc)],
    ])
    if (readiness.status === 'unavailable') throw new CommandFailure('The service is not ready.')
  },
})

/** Not by the client: a node that is not ready answers with 503 and says why. */
async function readReadiness({ address }: MusterClient, { send, limits }: Call['terminal']): Promise<Readiness> {
  const request = new Request(new URL('/health/ready', address))
  const response = await guardRequests(
    send,
    address,
  )(request).catch((error: Error) => {
    throw error instanceof TypeError ? new CommandFailure(describeConnectionError(address, error)) : error
  })
  return readAnswer<Readiness>('GET /health/ready', limitAnswer(response, limits))
}

const decisionNames: Record<Decision['kind'], string> = {
  PausedRollout: 'paused rollouts',
  QuarantinedAgent: 'agents in quarantine',
  Approval: 'approvals',
  PackageRequest: 'package requests',
  StoppedRule: 'stopped rules of groups',
  FailingPackage: 'failing packages',
  ExpiringSecret: 'accesses that end',
  ExpiringCertificate: 'certificates that end',
  AwayDepot: 'depots away',
  StoppedWebhook: 'stopped webhooks',
}

/** The name of what waits. An approval is about an operation, which people know by its words. */
async function readNames(client: MusterClient, decisions: readonly Decision[]) {
  const wordsOf = decisions.some(({ kind }) => kind === 'Approval') ? await readOperationWords(client) : String
  return ({ kind }: Decision, name: string) => (kind === 'Approval' ? wordsOf(name) : name)
}

function formatDecision(decision: Decision, nameOf: (decision: Decision, name: string) => string): string {
  const { count, items } = decision
  const names = items.map(({ name }) => nameOf(decision, name)).join(', ')
  return `${count}: ${names}${count > items.length ? `, and ${count - items.length} more` : ''}`
}

const formatTasks = ({ runningTasks, runningSingles }: Overview) => {
  const single = runningSingles.reduce((sum, { tasks }) => sum + tasks, 0)
  return `${runningTasks.length} running${single > 0 ? `, ${single} on single computers` : ''}`
}

const formatCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.toLowerCase()}`)
    .join(', ') || 'none'

const formatHealth = (health: Record<string, number>) => `: ${formatCounts(health)}`

const formatIssues = (issues: readonly { issue: string; count: number }[]) =>
  issues
    .filter(({ count }) => count > 0)
    .map(({ issue, count }) => `${issue} ${count}`)
    .join(', ')

const formatRollouts = (rollouts: readonly { name: string; state: string }[]) =>
  rollouts.map(({ name, state }) => `${name} (${state})`).join(', ') || 'none running'
