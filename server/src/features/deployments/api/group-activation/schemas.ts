import { closed, extensionKeyword, Type, Uuid } from '../../../../platform/schema.ts'
import {
  activationRequestSchema,
  activationResultFields,
  bitFields,
  cancelledWork,
  deactivationFields,
} from '../../activation/activation-request.ts'
import { planField } from '../../activation/deployment-plan.ts'

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int32', minimum: 0, description, examples: [example] })

const computerCount = count('Computers in the group and in the groups below it', 120)

export const GroupActivationRequest = activationRequestSchema(
  'GroupActivationRequest',
  'True (default): publish through all groups of the computers. False: only through this group and the groups below it',
)

export const GroupActivation = closed(
  {
    groupId: Uuid,
    ...bitFields,
    computerCount,
    withoutPxeBootImage: count('Computers that were skipped for PXE because no boot image is assigned to them', 0),
    pxeNotApplicable: {
      ...count(
        'Computers that were skipped for PXE because they do not support it, or because their boot image or operating ' +
          'system is for another architecture',
        0,
      ),
      [extensionKeyword]: true,
    },
    notReadyForPxe: count(
      'Computers that do not boot from the network yet, because their boot image or operating system is not Ready to Install',
      0,
    ),
    withoutMacAddress: count(
      'Computers that cannot be woken or booted from the network as requested, because they have no MAC address',
      0,
    ),
    ...activationResultFields,
    ...planField,
  },
  { title: 'GroupActivation' },
)

export const GroupDeactivationQuery = closed({
  ...deactivationFields,
  global: Type.Optional(
    Type.Boolean({ default: true, examples: [true], description: 'As for the activation. Default: true' }),
  ),
})

export const GroupDeactivation = closed(
  { groupId: Uuid, ...bitFields, computerCount, cancelledWork },
  { title: 'GroupDeactivation' },
)
