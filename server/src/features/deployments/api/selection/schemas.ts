import { closed, Id, nullable, Type, Uuid } from '../../../../platform/schema.ts'
import { maxSelection, notFoundCount, selectedIds, selectionCount } from '../../../computers/selection-schemas.ts'
import { groupPath } from '../../../groups/group-path.ts'
import { activationResultFields } from '../../activation/activation-request.ts'
import { planField } from '../../activation/deployment-plan.ts'
import { RebootRequest, RebootRequested } from '../requests/schemas.ts'

const { trackingId, wolUtc } = activationResultFields

/** The work of more computers is created after the response, for which the computers have to be in a group. */
const maxActivated = 10_000

export const SelectionActivationRequest = closed(
  {
    computerIds: selectedIds(maxActivated),
    wolNow: Type.Optional(nullable(Type.Boolean({ examples: [false], description: 'Sends Wake-on-LAN now' }))),
  },
  { title: 'SelectionActivationRequest' },
)

export const SelectionActivation = closed(
  {
    computerCount: selectionCount('Computers of the selection that exist', 412),
    computersWithWork: selectionCount('Computers on which work is due', 400),
    packageCount: selectionCount('Different packages that are due', 3),
    workItems: selectionCount('Work items that were created', 1_200),
    withoutMacAddress: selectionCount('Computers that cannot be woken because nobody knows their MAC address', 0),
    notFound: notFoundCount,
    wolUtc,
    trackingId,
    ...planField,
  },
  { title: 'SelectionActivation' },
)

export const SelectionRebootRequest = closed(
  { computerIds: selectedIds(maxSelection), ...RebootRequest.properties },
  { title: 'SelectionRebootRequest', description: 'Omitted or null minutes default to -1 and 10.' },
)

const requested = selectionCount('Computers with a new request', 412)
const alreadyRequested = selectionCount('Computers whose earlier request still waits', 0)

export const SelectionReboot = closed(
  {
    requested,
    alreadyRequested: {
      ...alreadyRequested,
      description: 'Computers whose earlier request waits or is being carried out; it got the new minutes',
    },
    withoutGroup: selectionCount('Computers that are in no group and are not rebooted', 0),
    notFound: notFoundCount,
    timeoutMinutes: RebootRequested.properties.timeoutMinutes,
    reminderMinutes: RebootRequested.properties.reminderMinutes,
    trackingId,
  },
  { title: 'SelectionReboot' },
)

export const SelectionRescanRequest = closed(
  { computerIds: selectedIds(maxSelection) },
  { title: 'SelectionRescanRequest' },
)

export const SelectionRescan = closed(
  { requested, alreadyRequested, notFound: notFoundCount, trackingId },
  { title: 'SelectionRescan' },
)

export const SelectionPackageRequest = closed(
  { computerIds: selectedIds(maxActivated), packageId: Uuid },
  { title: 'SelectionPackageRequest' },
)

/** The group of a package, with the selected computers that it is about. */
const throughGroup = {
  groupId: Uuid,
  groupPath: groupPath('The names of the group and of its ancestors'),
  selected: selectionCount('Selected computers that have the package through this group', 12),
}

export const SelectionInstallation = closed(
  {
    packageId: Uuid,
    computersWithWork: selectionCount('Computers on which new work is due', 412),
    alreadyInstalled: selectionCount('Computers that have the package already', 0),
    notApplicable: selectionCount('Computers that the package is not for', 0),
    toUninstall: selectionCount('Computers that are left out because the options of their group say Uninstall', 0),
    notFound: notFoundCount,
    groups: Type.Array(
      closed(
        {
          ...throughGroup,
          isJoined: Type.Boolean({ examples: [true], description: 'Whether they became members for it' }),
        },
        { title: 'SelectionInstallationGroup' },
      ),
      { description: 'The groups through which the computers get the package, by path' },
    ),
    joinedComputerIds: Type.Array(Id, {
      description: 'The computers that became members of a group. Removing them from it takes the package back',
    }),
    trackingId,
    ...planField,
  },
  { title: 'SelectionInstallation' },
)

export const SelectionUninstallation = closed(
  {
    packageId: Uuid,
    computersWithWork: selectionCount('Selected computers on which the package is uninstalled now', 12),
    alreadyPending: selectionCount('Computers on which its uninstallation waits or runs already', 0),
    notInstalled: selectionCount('Computers to which the package is assigned, but on which it is not installed', 0),
    notAssigned: selectionCount('Computers to which the package is not assigned', 0),
    notFound: notFoundCount,
    groups: Type.Array(
      closed(
        {
          ...throughGroup,
          computers: selectionCount(
            'All computers of the group, which uninstall the package at their next activation',
            46,
          ),
        },
        { title: 'SelectionUninstallationGroup' },
      ),
      { description: 'The groups whose distribution options now say Uninstall, by path' },
    ),
    trackingId,
  },
  { title: 'SelectionUninstallation' },
)

export const SelectionUninstallationEnd = closed(
  {
    packageId: Uuid,
    groupIds: Type.Array(Uuid, { description: 'The groups whose options say Install again' }),
    cancelledWork: selectionCount('Uninstallations that no agent had begun, and that were cancelled', 12),
  },
  { title: 'SelectionUninstallationEnd' },
)
