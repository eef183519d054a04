import { closed, Type, Uuid } from '../../../../platform/schema.ts'
import {
  activatedFields,
  activationRequest,
  bitFields,
  cancelledWork,
  deactivationFields,
} from '../../activation/activation-request.ts'

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int32', minimum: 0, description, examples: [example] })

const computerCount = count('Computers in the group and in those below', 120)

export const GroupActivationRequest = activationRequest(
  'GroupActivationRequest',
  'True, the default: through all groups of the computers. False: only through this group and those below',
)

export const GroupActivation = closed(
  {
    groupId: Uuid,
    ...bitFields,
    computerCount,
    withoutPxeBootImage: count('Computers for which pxe was asked, and that have no boot image', 0),
    ...activatedFields,
  },
  { title: 'GroupActivation' },
)

export const GroupDeactivationQuery = closed({
  ...deactivationFields,
  global: Type.Optional(
    Type.Boolean({ default: true, examples: [true], description: 'As for the activation; true unless given' }),
  ),
})

export const GroupDeactivation = closed(
  { groupId: Uuid, ...bitFields, computerCount, cancelledWork },
  { title: 'GroupDeactivation' },
)
