import { closed, Id, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { VariableValue } from '../definitions/schemas.ts'

export const VariableConfigurationPath = closed({ id: Id })

export const VariableConfiguration = closed(
  {
    id: Id,
    name: Type.String({ examples: ['Branch office'] }),
    description: nullable(text(1000, 'Proxy and printers of a branch office')),
  },
  { title: 'VariableConfiguration' },
)

export const VariableConfigurationDetail = closed(
  { ...VariableConfiguration.properties, values: Type.Array(VariableValue, { description: 'Ordered by varId' }) },
  { title: 'VariableConfigurationDetail' },
)

/** A configuration and the value that it sets for one variable. */
export const ConfiguredVariable = closed(
  {
    ...VariableConfiguration.properties,
    value: VariableValue.properties.value,
    schedule: VariableValue.properties.schedule,
    isSecret: VariableValue.properties.isSecret,
  },
  { title: 'ConfiguredVariable' },
)

export const AssignVariableConfigurationRequest = closed(
  { configId: Id },
  { title: 'AssignVariableConfigurationRequest' },
)

export const GroupVariableConfigurationAssignment = closed(
  {
    groupId: Uuid,
    configId: Id,
    alreadyAssigned: Type.Boolean({
      examples: [false],
      description: 'True if the configuration was already assigned; nothing changed',
    }),
  },
  { title: 'GroupVariableConfigurationAssignment' },
)
