import { closed, enumOf, Id, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { changes, computer, count, data, list, name, optionalName } from '../data-schemas.ts'
import { eventType } from '../event-type.ts'

const group = { groupId: Uuid, groupName: name('Tills') }
const groupDescription = { ...group, tree: name('AssignmentGroups'), path: name('Assignment/Tills') }
const inGroups = { role: 'group.read', subject: 'The group' } as const

const members = (title: string) =>
  data(title, {
    ...group,
    computers: count('How many computers', 2),
    computerIds: Type.Array(Id, { maxItems: 100, description: 'Up to 100 of them' }),
    list: list('/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11/computer'),
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
    ]),
    assignedId: name('3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Id of what is assigned'),
  })

const ofPackage = {
  packageId: Uuid,
  packageName: name('Example Editor'),
  packageVersion: optionalName('4.2.1'),
  kind: name('Software'),
}
const inPackages = { role: 'package.read', subject: 'The package' } as const

const Patch = closed(
  {
    patchId: Id,
    key: name('KB5034441'),
    product: name('Windows 11'),
    severity: nullable(name('Critical')),
  },
  { title: 'PatchOfEvent' },
)

const patchesOfComputer = (title: string) =>
  data(title, {
    ...computer,
    count: count('How many patches', 4),
    patches: Type.Array(Patch, { maxItems: 50, description: 'Up to 50 of them, the most severe first' }),
    list: list('/api/computer/17/patch-status'),
  })

const approval = (title: string) => data(title, { ...Patch.properties, name: name('Security update for Windows 11') })

export const configurationEvents = [
  eventType({
    type: 'muster.group.created',
    summary: 'A group was created',
    ...inGroups,
    data: data('GroupCreated', groupDescription),
  }),
  eventType({
    type: 'muster.group.changed',
    summary: 'A group was renamed, moved or described differently',
    ...inGroups,
    data: data('GroupChanged', { ...group, tree: groupDescription.tree, changes }),
  }),
  eventType({
    type: 'muster.group.deleted',
    summary: 'A group was deleted',
    ...inGroups,
    data: data('GroupDeleted', groupDescription),
  }),
  eventType({
    type: 'muster.group.computers-added',
    summary: 'Computers were added to a group',
    ...inGroups,
    data: members('GroupComputersAdded'),
  }),
  eventType({
    type: 'muster.group.computers-removed',
    summary: 'Computers were removed from a group',
    ...inGroups,
    data: members('GroupComputersRemoved'),
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
  }),
  eventType({
    type: 'muster.assignment.created',
    summary: 'Something was assigned to a group',
    ...inGroups,
    data: assignment('AssignmentCreated'),
  }),
  eventType({
    type: 'muster.assignment.removed',
    summary: 'Something is no longer assigned to a group',
    ...inGroups,
    data: assignment('AssignmentRemoved'),
  }),
  eventType({
    type: 'muster.package.imported',
    summary: 'A package was imported',
    ...inPackages,
    data: data('PackageImported', ofPackage),
  }),
  eventType({
    type: 'muster.package.changed',
    summary: 'A package was imported again, released or withdrawn, or its content was verified',
    ...inPackages,
    data: data('PackageChanged', { ...ofPackage, changes }),
  }),
  eventType({
    type: 'muster.package.deleted',
    summary: 'A package was deleted',
    ...inPackages,
    data: data('PackageDeleted', ofPackage),
  }),
  eventType({
    type: 'muster.patch.missing',
    summary: 'A scan found patches that a computer lacks',
    role: 'computer.read',
    subject: 'The computer',
    data: patchesOfComputer('PatchMissing'),
  }),
  eventType({
    type: 'muster.patch.fixed',
    summary: 'A computer no longer lacks patches',
    role: 'computer.read',
    subject: 'The computer',
    data: patchesOfComputer('PatchFixed'),
  }),
  eventType({
    type: 'muster.patch.approved',
    summary: 'A patch was approved for a product',
    role: 'pm.read',
    subject: 'The patch',
    data: approval('PatchApproved'),
  }),
  eventType({
    type: 'muster.patch.approval-revoked',
    summary: 'The approval of a patch for a product was revoked',
    role: 'pm.read',
    subject: 'The patch',
    data: approval('PatchApprovalRevoked'),
  }),
] as const
