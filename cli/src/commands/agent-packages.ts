import { answerOf, type components } from '@muster/client'
import { changeQuery, command, dryRunOption } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'

type AgentPackage = components['schemas']['AgentPackage']
type Signature = AgentPackage['candidates'][number]['signature']

const formatSignature = (signature: Signature) =>
  signature ? `key ${signature.keyId}${signature.trusted ? '' : ', not trusted'}` : 'not signed'

const columns: readonly Column<AgentPackage>[] = [
  ['platform', ({ platform }) => platform],
  ['package', ({ package: found }) => found && formatPackage(found)],
  ['signature', ({ package: found }) => found && formatSignature(found.signature)],
  ['state', ({ state }) => state],
  ['designated', ({ designatedAtUtc }) => timeOf(designatedAtUtc)],
  ['by', ({ designatedAtUtc, designatedBy }) => designatedBy ?? (designatedAtUtc && 'upgrade')],
]

const agents = command({
  name: 'packages agents',
  summary: 'Show the packages from which new computers get their agent',
  examples: [['muster packages agents', 'One line for each platform']],
  operations: ['listAgentPackages'],
  async run({ client, output }) {
    await output.rows(columns, await answerOf(client.GET('/api/agent-packages')))
  },
})

const designate = command({
  name: 'packages designate',
  summary: 'Designate a package as the agent for new computers',
  description:
    'The package must be one that npm run package has built of the agent. Its platform follows from its name. A new version needs another designation.',
  arguments: [['<package>', 'Name of the package, with @version if there are several', 'package']],
  options: [dryRunOption],
  examples: [['muster packages designate muster-agent@0.2.0', 'New computers with Linux get this version']],
  operations: ['listFleetPackages', 'listAgentPackages', 'designateAgentPackage'],
  async run({ args, client, options, output }) {
    const found = await findPackage(client, args[0] ?? '')
    const platforms = await answerOf(client.GET('/api/agent-packages'))
    const isFound = ({ id }: { id: string }) => id === found.id
    const platform = platforms.find(({ candidates }) => candidates.some(isFound))?.platform
    if (!platform) throw new CommandFailure(`${formatPackage(found)} is not a package of the agent.`)
    const contentHash = platforms.flatMap(({ candidates }) => candidates).find(isFound)?.contentHash ?? null
    const answer = await answerOf(
      client.PUT('/api/agent-packages/{platform}', {
        params: { path: { platform }, query: changeQuery(options) },
        body: { packageId: found.id, contentHash },
      }),
    )
    const signature = formatSignature(answer.package?.signature ?? null)
    const effect = `${options.dryRun ? 'would be' : 'is'} the agent for new computers with ${platform}`
    output.result(answer, `${formatPackage(found)} (${signature}) ${effect}. State: ${answer.state}.`)
  },
})

export const agentPackages = [agents, designate]
