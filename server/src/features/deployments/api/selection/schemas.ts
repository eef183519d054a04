import { closed, nullable, Type } from '../../../../platform/schema.ts'
import { maxSelection, notFoundCount, selectedIds, selectionCount } from '../../../groups/selection-schemas.ts'
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
