import { closed, extensionKeyword, Id, nullable, Type, Uuid } from '../../../../platform/schema.ts'
import { MissingConditions } from '../../../assignments/api/effective/schemas.ts'
import {
  activationRequestSchema,
  activationResultFields,
  bitFields,
  cancelledWork,
  deactivationFields,
} from '../../activation/activation-request.ts'
import { planField } from '../../activation/deployment-plan.ts'

const groupIds = Type.Array(Uuid, { description: 'The groups of the computer through which it applied' })

export const ComputerActivationRequest = activationRequestSchema(
  'ComputerActivationRequest',
  'True (default): publish through all groups of the computer. False: only through its configuration group or, if it ' +
    'has none, through the first of its assignment groups',
)

export const ComputerActivation = closed(
  {
    clientId: Id,
    ...bitFields,
    groupIds,
    ...activationResultFields,
    ...planField,
    missing: {
      ...MissingConditions,
      description:
        'What the activation waits for; empty if it can be carried out. The values are those of ' +
        '`GET /api/computer/{id}/os-deployment-readiness`. OsImageSku is not among them: a boot image does not need an edition',
    },
  },
  { title: 'ComputerActivation' },
)

export const ComputerDeactivationQuery = closed({
  ...deactivationFields,
  global: Type.Optional(
    Type.Boolean({ default: true, examples: [true], description: 'As for the activation. Default: true' }),
  ),
  uninstall: Type.Optional(
    Type.Boolean({
      default: false,
      examples: [false],
      description:
        'True: packages that are still installed and whose options say Uninstall get the option Install again',
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
    groupId: { ...Uuid, description: 'The group whose distribution options now say Uninstall, for all its computers' },
    trackingId: {
      ...nullable(Uuid),
      description: 'Task of the activation; null if nothing is due now',
      [extensionKeyword]: true,
    },
  },
  { title: 'SoftwareUninstallTriggered' },
)
