import { closed, Id, Type, Uuid } from '../../../../platform/schema.ts'
import {
  activatedFields,
  activationRequest,
  bitFields,
  cancelledWork,
  deactivationFields,
} from '../../activation/activation-request.ts'

const groupIds = Type.Array(Uuid, { description: 'The groups of the computer that it was about' })

export const ComputerActivationRequest = activationRequest(
  'ComputerActivationRequest',
  'True, the default: through all groups of the computer. False: only through its configuration group, or else through ' +
    'the first of its assignment groups',
)

export const ComputerActivation = closed(
  { clientId: Id, ...bitFields, groupIds, ...activatedFields },
  { title: 'ComputerActivation' },
)

export const ComputerDeactivationQuery = closed({
  ...deactivationFields,
  global: Type.Optional(
    Type.Boolean({ default: true, examples: [true], description: 'As for the activation; true unless given' }),
  ),
  uninstall: Type.Optional(
    Type.Boolean({
      default: false,
      examples: [false],
      description:
        'True: packages of the computer that are still installed, and whose options say Uninstall, are to be installed again',
    }),
  ),
})

export const ComputerDeactivation = closed(
  { clientId: Id, ...bitFields, uninstall: Type.Boolean({ examples: [false] }), groupIds, cancelledWork },
  { title: 'ComputerDeactivation' },
)

export const SoftwareUninstallRequest = closed({ packageId: Uuid }, { title: 'SoftwareUninstallRequest' })

export const SoftwareUninstallTriggered = closed(
  {
    clientId: Id,
    packageId: Uuid,
    groupId: { ...Uuid, description: 'The group whose assignment says Uninstall now, for all its computers' },
  },
  { title: 'SoftwareUninstallTriggered' },
)
