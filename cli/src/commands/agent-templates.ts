import { answerOf, type components } from '@muster/client'
import { changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { type AgentTemplate, findAgentTemplate, formatTemplate } from '../names/agent-templates.ts'
import { findComputer } from '../names/computers.ts'
import { findGroup, formatGroupPath, listPlacedGroups } from '../names/groups.ts'
import type { Column } from '../output/output.ts'

const columns: readonly Column<AgentTemplate>[] = [
  ['name', ({ name }) => name],
  ['version', ({ version }) => version],
  ['released', ({ operational }) => (operational ? 'yes' : 'no')],
  ['settings', ({ settings }) => Object.keys(settings).join(' ')],
  ['description', ({ description }) => description],
]

const templateArgument = [
  '<template>',
  'Name of the agent template, with @version if there are several',
  'agent template',
] as const
const groupArgument = ['<path>', 'Path of the group, or the end of it if that is unique', 'group'] as const

const list = command({
  name: 'agent-templates list',
  summary: 'List the agent templates',
  description: 'They are packages with settings of agents. Import them as other packages.',
  examples: [['muster agent-templates list', 'Their versions and settings']],
  operations: ['listAgentTemplates'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/agent-templates', { query: { top: 1_000 } }))
  },
})

const show = command({
  name: 'agent-templates show',
  summary: 'Show an agent template with its settings and its groups',
  arguments: [templateArgument],
  examples: [['muster agent-templates show "Agent of the branches"', 'Where it is assigned']],
  operations: ['listAgentTemplates', 'listAgentTemplateGroups', 'listGroupTree'],
  async run({ args, client, output }) {
    const template = await findAgentTemplate(client, args[0] ?? '')
    const paths = new Map((await listPlacedGroups(client)).map((one) => [one.id, formatGroupPath(one)]))
    const groups: (components['schemas']['Group'] & { path: string })[] = []
    const path = { id: template.id }
    for await (const one of client.pages('/api/agent-templates/{id}/groups', { path, query: { top: 1_000 } }))
      groups.push({ ...one, path: paths.get(one.id) ?? one.name })
    output.object({ ...template, groups }, [
      ...describeTemplate(template),
      ['Groups', groups.map((one) => one.path).join(', ')],
    ])
  },
})

const describeTemplate = (template: AgentTemplate): (readonly [string, unknown])[] => [
  ['Name', formatTemplate(template)],
  ['Description', template.description],
  ['Released', template.operational ? 'yes' : 'no'],
  ...Object.entries(template.settings).map(([name, value]) => [`  ${name}`, value] as const),
]

const assign = command({
  name: 'agent-templates assign',
  summary: 'Assign an agent template to a group, in place of its current one',
  arguments: [templateArgument, groupArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster agent-templates assign "Agent of the branches" Office/Berlin --dry-run', 'Changes nothing']],
  operations: ['listAgentTemplates', 'listGroupTree', 'assignGroupAgentTemplate'],
  async run({ args: [name = '', path = ''], client, options, output }) {
    const template = await findAgentTemplate(client, name)
    const group = await findGroup(client, path)
    const answer = await answerOf(
      client.POST('/api/group/{id}/agent-template', {
        params: { path: { id: group.id }, query: changeQuery(options) },
        body: { packageId: template.id, skipIfInherited: false },
      }),
    )
    const effect = answer.alreadyAssigned ? 'is already' : options.dryRun ? 'would be' : 'is'
    output.result(answer, `${formatTemplate(template)} ${effect} assigned to ${formatGroupPath(group)}.`)
  },
})

const unassign = command({
  name: 'agent-templates unassign',
  summary: 'Remove the agent template from a group',
  description: 'What the group inherits from the groups above it is effective then.',
  arguments: [groupArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster agent-templates unassign Office/Berlin', 'The group has no template of its own any more']],
  operations: ['listGroupTree', 'getGroupAgentTemplate', 'removeGroupAgentTemplate'],
  async run({ args: [path = ''], client, options, output }) {
    const group = await findGroup(client, path)
    const { id } = group
    const template = await answerOf(client.GET('/api/group/{id}/agent-template', { params: { path: { id } } }))
    await client.DELETE('/api/group/{id}/agent-template/{packageId}', {
      params: { path: { id, packageId: template.id }, query: changeQuery(options) },
    })
    const effect = options.dryRun ? 'would be' : 'is'
    output.result(
      { groupId: id, packageId: template.id },
      `${formatTemplate(template)} ${effect} removed from ${formatGroupPath(group)}.`,
    )
  },
})

const effective = command({
  name: 'agent-templates of',
  summary: 'Show the agent template that is effective for a computer',
  arguments: [['<computer>', 'Name of the computer, or # and its id', 'computer']],
  examples: [['muster agent-templates of pc-01', 'With the group from which it comes']],
  operations: ['getComputer', 'searchComputers', 'getComputerAgentTemplate'],
  async run({ args, client, output }) {
    const { id } = await findComputer(client, args[0] ?? '')
    const answer = await answerOf(client.GET('/api/computer/{id}/agent-template', { params: { path: { id } } }))
    output.object(answer, [...describeTemplate(answer.template), ['From', answer.assignedGroupPath]])
  },
})

export const agentTemplates = [list, show, assign, unassign, effective]
