import { enumOf, Id, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { changes, count, data, list, name } from '../data-schemas.ts'
import { expression, maxSingleEvents, numberOfRows, pathOf, source, textValue } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const group = { groupId: Uuid, groupName: name('Tills') }
const groupDescription = { ...group, tree: name('AssignmentGroups'), path: name('Assignment/Tills') }
const inGroups = { role: 'group.read', subject: 'The group' } as const

const members = (title: string) =>
  data(title, {
    ...group,
    computers: count('How many computers', 2),
    computerIds: Type.Array(Id, { maxItems: 100, description: 'Up to 100 of them' }),
    list: list('/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11/computers'),
  })

const assignment = (title: string) =>
  data(title, {
    ...group,
    kind: enumOf([
      'Package',
      'LanguagePack',
      'SoftwareClass',
      'AgentTemplate',
      'OperatingSystem',
      'PxeBootImage',
      'VariableConfiguration',
      'PatchManagementGroup',
      'PatchPolicy',
    ]),
    assignedId: name('3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Id of what is assigned'),
  })

const createdOrDeleted = (on: 'insert' | 'delete') =>
  source({
    table: 'groups',
    on,
    // The groups of reinstalls are a detail of their work.
    when: `row.kind <> 'Reinstall'`,
    orderBy: ['row.id'],
    subject: pathOf('getGroup', 'id'),
    data: { groupId: 'id', groupName: 'name', tree: 'tree', path: 'path' },
  })

const changedGroup = source({
  table: 'groups',
  on: 'update',
  forEach: 'row',
  // Paths below a renamed group are not changes of their own.
  whenChanged: ['name', 'description', 'parent_id', 'kind'],
  subject: pathOf('getGroup', 'id'),
  data: {
    groupId: 'id',
    groupName: 'name',
    tree: 'tree',
    changes: { changesOf: { name: 'name', description: 'description', parentId: 'parent_id', kind: 'kind' } },
  },
})

/** A group or computer that is deleted leaves only the event of its deletion. */
const membersSource = (on: 'insert' | 'delete') =>
  source({
    table: 'group_computers',
    on,
    join: { permanent_groups: 'group_id', computers: 'computer_id' },
    groupBy: ['group_id'],
    subject: pathOf('getGroup', 'group_id'),
    computer: expression('case when count(*) = 1 then min(row.computer_id) end'),
    data: {
      groupId: 'group_id',
      groupName: 'permanent_groups.name',
      computers: numberOfRows,
      computerIds: { list: 'computer_id', orderBy: ['row.computer_id'], max: maxSingleEvents },
      list: pathOf('listGroupComputers', 'group_id'),
    },
  })

const ruleSource = (on: 'insert' | 'update' | 'delete') =>
  source({
    table: 'group_rules',
    on,
    forEach: 'row',
    ...(on === 'update' && { whenChanged: ['criteria', 'max_changes_per_hour', 'stopped_at'] }),
    join: { groups: 'group_id' },
    subject: pathOf('getGroup', 'group_id'),
    data: {
      groupId: 'group_id',
      groupName: 'groups.name',
      state:
        on === 'delete'
          ? textValue('Removed')
          : expression(`case when row.stopped_at is not null then 'Stopped' else 'Active' end`),
      joining: 'stopped_joining',
      leaving: 'stopped_leaving',
    },
  })

/** What the service itself records with the setting, such as the last comparison, is no change of it. */
const convergenceSource = (on: 'insert' | 'update' | 'delete') =>
  source({
    table: 'group_convergence',
    on,
    forEach: 'row',
    ...(on === 'update' && {
      whenChanged: [
        'is_on',
        'rings',
        'criteria',
        'time_zone',
        'expected_computers',
        'expected_percent',
        'max_removals',
        'max_repairs_per_day',
      ],
    }),
    join: { groups: 'group_id' },
    subject: pathOf('getGroup', 'group_id'),
    data: {
      groupId: 'group_id',
      groupName: 'groups.name',
      state: on === 'delete' ? textValue('Inherited') : expression(`case when row.is_on then 'On' else 'Off' end`),
    },
  })

/** What is assigned to groups: the kind that readers see, and the column with the id. */
const assignments = {
  group_packages: ['Package', 'package_id'],
  group_language_packs: ['LanguagePack', 'package_id'],
  group_software_classes: ['SoftwareClass', 'class_id'],
  group_agent_templates: ['AgentTemplate', 'package_id'],
  group_os_image_skus: ['OperatingSystem', 'sku_id'],
  group_pxe_boot_images: ['PxeBootImage', 'image_id'],
  group_variable_configurations: ['VariableConfiguration', 'configuration_id'],
  pm_group_assignments: ['PatchManagementGroup', 'pm_group_id'],
  patch_policy_assignments: ['PatchPolicy', 'policy_id'],
} as const

const assignmentSources = (...operations: ('insert' | 'update' | 'delete')[]) =>
  (Object.keys(assignments) as (keyof typeof assignments)[]).flatMap((table) =>
    operations.map((on) => {
      const [kind, column] = assignments[table]
      return source({
        table,
        on,
        join: { permanent_groups: 'group_id' },
        subject: pathOf('getGroup', 'group_id'),
        data: {
          groupId: 'group_id',
          groupName: 'permanent_groups.name',
          kind: textValue(kind),
          assignedId: expression(`row.${column}::text`),
        },
      })
    }),
  )

export const groupEvents = [
  eventType({
    type: 'muster.group.created',
    summary: 'A group was created',
    ...inGroups,
    data: data('GroupCreated', groupDescription),
    sources: [createdOrDeleted('insert')],
  }),
  eventType({
    type: 'muster.group.changed',
    summary: 'A group was renamed, moved or described differently',
    ...inGroups,
    data: data('GroupChanged', { ...group, tree: groupDescription.tree, changes }),
    sources: [changedGroup],
  }),
  eventType({
    type: 'muster.group.deleted',
    summary: 'A group was deleted',
    ...inGroups,
    data: data('GroupDeleted', groupDescription),
    sources: [createdOrDeleted('delete')],
  }),
  eventType({
    type: 'muster.group.computers-added',
    summary: 'Computers were added to a group',
    ...inGroups,
    data: members('GroupComputersAdded'),
    sources: [membersSource('insert')],
  }),
  eventType({
    type: 'muster.group.computers-removed',
    summary: 'Computers were removed from a group',
    ...inGroups,
    data: members('GroupComputersRemoved'),
    sources: [membersSource('delete')],
  }),
  eventType({
    type: 'muster.group.rule-changed',
    summary: 'The rule of a group was set or removed, or stopped because too many computers would have joined or left',
    ...inGroups,
    data: data('GroupRuleChanged', {
      ...group,
      state: enumOf(['Active', 'Stopped', 'Removed']),
      joining: nullable(count('How many computers would have joined when it stopped', 240)),
      leaving: nullable(count('How many computers would have left when it stopped', 0)),
    }),
    sources: (['insert', 'update', 'delete'] as const).map(ruleSource),
  }),
  eventType({
    type: 'muster.group.convergence-changed',
    summary: 'The setting that keeps the members of a group converged was made or changed',
    ...inGroups,
    data: data('GroupConvergenceChanged', {
      ...group,
      state: enumOf(['On', 'Off', 'Inherited'], {
        description: 'Inherited: the group has the setting of the groups above it',
      }),
    }),
    sources: (['insert', 'update', 'delete'] as const).map(convergenceSource),
  }),
  eventType({
    type: 'muster.assignment.created',
    summary: 'Something was assigned to a group',
    ...inGroups,
    data: assignment('AssignmentCreated'),
    sources: assignmentSources('insert', 'update'),
  }),
  eventType({
    type: 'muster.assignment.removed',
    summary: 'Something is no longer assigned to a group',
    ...inGroups,
    data: assignment('AssignmentRemoved'),
    sources: assignmentSources('delete'),
  }),
] as const
